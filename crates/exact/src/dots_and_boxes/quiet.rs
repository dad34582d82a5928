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
//! for separate chains of one and two boxes.

use arrayvec::ArrayVec;
use search::Form;
use search::knowledge::loony::{Endgame, Part};

use super::board::{Board, Degrees, Position};
use super::canonical::MOST_EDGES;
use super::captures::Settled;

/// The ends of a loop.
const LOOP: (u64, u64) = (u64::MAX, u64::MAX);

/// The edges that give nothing away: none of their boxes has two open edges.
#[inline]
pub(super) fn safe_edges(board: &Board, position: Position, degrees: &Degrees) -> Position {
    let two = degrees.two;
    Position { h: position.h & !(two | two << board.stride), v: position.v & !(two | two << 1) }
}

/// The exact value for the mover where nothing but separate chains and loops is
/// left. There must be no joint and no box to take.
#[inline]
pub(super) fn value_without_joints(board: &Board, position: Position, degrees: &Degrees) -> i32 {
    let mut endgame = Endgame::default();
    let mut left = degrees.two;
    while left != 0 {
        let chain = Chain::through(board, position, left & left.wrapping_neg(), degrees.two);
        left &= !chain.cells;
        let size = chain.boxes as u32;
        let part = if chain.ends == LOOP { Part::Loop(size) } else { Part::Chain(size) };
        endgame = endgame.with(part);
    }
    // The theory speaks for whoever answers the opening; the mover opens.
    -endgame.value(Form::Correct)
}

/// What the opponent makes of the opening of each chain and loop, without those
/// that a shorter one beats.
pub(super) fn openings(
    board: &Board,
    position: Position,
    degrees: &Degrees,
) -> impl Iterator<Item = Settled> {
    let mut chains = ArrayVec::<Chain, { MOST_EDGES as usize / 2 }>::new();
    let mut left = degrees.two;
    while left != 0 {
        let chain = Chain::through(board, position, left & left.wrapping_neg(), degrees.two);
        left &= !chain.cells;
        match chains.iter_mut().find(|other| comparable(other, &chain)) {
            Some(other) if other.boxes <= chain.boxes => {}
            Some(other) => *other = chain,
            None => chains.push(chain),
        }
    }
    chains.into_iter().map(move |chain| chain.opened(board, degrees))
}

/// Whether the shorter of the two is never worse to open.
#[inline]
fn comparable(one: &Chain, other: &Chain) -> bool {
    let same_ends = one.ends == other.ends || one.ends == (other.ends.1, other.ends.0);
    let both_long = one.boxes >= 3 && other.boxes >= 3;
    let both_short = one.boxes <= 2 && other.boxes <= 2;
    same_ends && (both_long || both_short && one.ends == (0, 0))
}

/// A chain or loop as it is found.
struct Chain {
    cells: u64,
    boxes: i32,
    /// The boxes behind its two ends (0 for the ground), or [`LOOP`].
    ends: (u64, u64),
    /// The position without its edges.
    rest: Position,
}

impl Chain {
    /// The chain through a box with two open edges; `two` are all such boxes.
    #[inline]
    fn through(board: &Board, position: Position, start: u64, two: u64) -> Chain {
        let (first, next) = board.way_out(position, start);
        let rest = position.without(first);
        let mut chain = Chain { cells: start, boxes: 1, ends: LOOP, rest };
        let end = chain.follow(board, next, two);
        if end == start {
            return chain;
        }
        let (second, next) = board.way_out(chain.rest, start);
        chain.rest = chain.rest.without(second);
        let other_end = chain.follow(board, next, two);
        chain.ends = (end, other_end);
        chain
    }

    /// Goes from box to box until one is no longer in the chain, and names it.
    #[inline]
    fn follow(&mut self, board: &Board, mut cell: u64, two: u64) -> u64 {
        while cell & two & !self.cells != 0 {
            self.cells |= cell;
            self.boxes += 1;
            let (edge, next) = board.way_out(self.rest, cell);
            self.rest = self.rest.without(edge);
            cell = next;
        }
        cell
    }

    /// What the opponent makes of its opening.
    #[inline]
    fn opened(&self, board: &Board, degrees: &Degrees) -> Settled {
        let mut boxes = self.boxes;
        let mut rest = self.rest;
        let (end, other_end) = self.ends;
        if end == other_end && end & degrees.three != 0 {
            // Both ends at one joint of three: it is taken too, and the handle.
            let mut cell = end;
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
