//! The moves of a quiet position, one in which no box can be taken.
//!
//! In the language of strings and coins a box is a coin and an undrawn edge a
//! string. Boxes with two strings form chains between joints (three or four
//! strings) and the ground, or loops. An edge that touches no such box is safe.
//! Every other edge opens a chain or a loop, and then all its edges are worth the
//! same, except in a chain of two, where the middle edge leaves the opponent no
//! hand-out. So a chain is one move, and what the opponent then takes is known
//! at once (see `captures`).
//!
//! Of several long chains (three boxes or more) between the same two ends, only
//! the shortest needs to be opened: exchanging one such chain for another of
//! `d` boxes more changes the value of a position by at most `d`, as the same
//! moves can be played in both. The same holds for loops among themselves and
//! for separate chains of one and two boxes. Of chains of equal length between the
//! same two ends one is opened: exchanging them leaves the position as it is.

use arrayvec::ArrayVec;
use search::Variant;
use search::knowledge::loony::{Component, Endgame};

use super::board::{Board, Degrees, Position};
use super::canonical::MOST_EDGES;
use super::captures::Settled;

/// The edges that give nothing away: none of their boxes has two open edges.
#[inline]
pub(super) fn safe_edges(board: &Board, position: Position, degrees: &Degrees) -> Position {
    position.without(board.touching(position, degrees.two))
}

/// The exact value for the mover where nothing but separate chains and loops is
/// left. There must be no joint and no box to take.
#[inline]
pub(super) fn value_without_joints(board: &Board, position: Position, degrees: &Degrees) -> i32 {
    let links = board.between(position, degrees.two, degrees.two);
    let mut endgame = Endgame::default();
    let mut left = degrees.two;
    while left != 0 {
        let chain = Chain::through(board, position, links, left & left.wrapping_neg());
        left &= !chain.cells;
        let size = chain.boxes() as u32;
        let part = if chain.ends == LOOP { Component::Loop(size) } else { Component::Chain(size) };
        endgame = endgame.with(part);
    }
    // The theory's value belongs to the player who answers; the mover opens.
    -endgame.value(Variant::Correct)
}

/// The chains and loops to consider opening: without those that a shorter one
/// dominates.
#[inline]
pub(super) fn chains(board: &Board, position: Position, degrees: &Degrees) -> Chains {
    let links = board.between(position, degrees.two, degrees.two);
    let mut chains = Chains::new();
    let mut left = degrees.two;
    while left != 0 {
        let chain = Chain::through(board, position, links, left & left.wrapping_neg());
        left &= !chain.cells;
        match chains.iter_mut().find(|other| comparable(other, &chain)) {
            Some(other) if other.boxes() <= chain.boxes() => {}
            Some(other) => *other = chain,
            None => chains.push(chain),
        }
    }
    chains
}

/// Whether the shorter of the two is never worse to open.
#[inline]
fn comparable(one: &Chain, other: &Chain) -> bool {
    let both_long = one.boxes() >= 3 && other.boxes() >= 3;
    let both_short = one.boxes() <= 2 && other.boxes() <= 2;
    let equal = one.boxes() == other.boxes();
    one.ends == other.ends && (both_long || equal || both_short && one.ends == 0)
}

/// As many as a position can have.
pub(super) type Chains = ArrayVec<Chain, { MOST_EDGES as usize / 2 }>;

/// A chain or loop.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    cells: u64,
    /// The joints behind its ends. None means that both end at the ground, one
    /// that the other end does, unless a mark says otherwise.
    ends: u64,
}

/// The ends of a loop: a mark where no board has a box.
const LOOP: u64 = 1 << 63;
/// Marks that both ends are at the one joint.
const BOTH: u64 = 1 << 62;

impl Chain {
    /// The chain through a box; `links` are the open edges between boxes of chains.
    /// All its boxes are found at once by a flood fill over the links: a walk from
    /// box to box has branches that cannot be predicted.
    #[inline]
    fn through(board: &Board, position: Position, links: Position, start: u64) -> Chain {
        let (mut cells, mut before) = (start, 0);
        while cells != before {
            before = cells;
            cells |= cells << board.stride & links.h | (cells & links.h) >> board.stride;
            cells |= cells << 1 & links.v | (cells & links.v) >> 1;
        }
        let edges = board.touching(position, cells);
        if edges.edges() == cells.count_ones() {
            return Chain { cells, ends: LOOP };
        }
        let joints = board.beside(edges) & !cells;
        let grounded = edges.h & !board.below | edges.v & !board.right_of != 0;
        let both = joints.is_power_of_two() && !grounded;
        Chain { cells, ends: if both { joints | BOTH } else { joints } }
    }

    #[inline]
    fn boxes(&self) -> i32 {
        self.cells.count_ones() as i32
    }

    /// What the opponent makes of its opening.
    #[inline]
    pub fn opened(&self, board: &Board, position: Position, degrees: &Degrees) -> Settled {
        let mut boxes = self.boxes();
        let mut rest = position.without(board.touching(position, self.cells));
        if self.ends & BOTH != 0 && self.ends & degrees.three != 0 {
            // Both ends at one joint of three: it is taken too, and the handle.
            let mut cell = self.ends & !BOTH;
            while cell != 0 && board.degree(rest, cell) == 1 {
                let (edge, next) = board.way_out(rest, cell);
                rest = rest.without(edge);
                boxes += 1;
                cell = next;
            }
        }
        let handout = match boxes {
            _ if self.ends == LOOP => 4,
            1 | 2 => 0,
            _ => 2,
        };
        Settled { gain: boxes - handout, handout, rest }
    }
}
