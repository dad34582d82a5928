//! What the mover does with boxes that can be taken: almost everything is
//! decided without search.
//!
//! A box with one open edge can be taken. Where its edge ends (at the ground, at
//! a joint, at another takeable box), nothing is gained by leaving it. Where it
//! leads into a box with two open edges, a piece begins: a half-open chain, or a
//! chain that is open at both ends. The mover takes all of every piece but one,
//! and of the last one all but the hand-out: two boxes of a half-open chain,
//! four of a piece that is open at both ends. Then the mover either takes these as
//! well and must move in what is left, or draws one edge so that the opponent
//! takes them and must (a double-dealing move). Both choices leave the same rest,
//! so with V its value the end has the value |hand-out + V|, and a position with
//! captures has exactly one quiet successor.
//!
//! The hand-out of two costs less than that of four, so pieces that are open at
//! both ends are finished first. Taking a piece may join others at a joint that
//! loses an edge, so the pieces are found again after each one.

use super::board::{Board, Position};
use super::bounds::Bounds;

/// A position after its captures, up to the one choice that needs the rest's
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// Boxes that the mover takes for certain.
    pub gain: i32,
    /// Boxes that go to the mover or to the opponent as the mover likes: 0, 2 or
    /// 4. The player who gets them must move in the rest.
    pub handout: i32,
    /// What is left: no box in it can be taken.
    pub rest: Position,
}

impl Settled {
    /// The mover's bounds of the position, given those of the rest for the player
    /// who moves there.
    #[inline]
    pub fn bounds(&self, rest: Bounds) -> Bounds {
        let (low, high) = (self.handout + rest.low, self.handout + rest.high);
        if self.handout == 0 {
            return Bounds { low: self.gain + low, high: self.gain + high };
        }
        // An odd number of boxes cannot be shared evenly.
        let least = if low <= 0 && high >= 0 { low & 1 } else { low.abs().min(high.abs()) };
        Bounds { low: self.gain + least, high: self.gain + low.abs().max(high.abs()) }
    }

    /// The target of the rest that decides whether the position reaches `target`,
    /// which its bounds leave open.
    #[inline]
    pub fn question(&self, rest: Bounds, target: i32) -> i32 {
        let needed = target - self.gain;
        // Either the mover takes the hand-out and moves on, or gives it away.
        let taking = needed - self.handout;
        if self.handout == 0 || rest.high >= taking { taking } else { 2 - needed - self.handout }
    }
}

/// Plays the captures of a position.
pub(super) fn settle(board: &Board, position: Position) -> Settled {
    let (mut rest, mut gain) = (position, 0);
    loop {
        let heads = board.degrees(rest).one;
        if heads == 0 {
            return Settled { gain, handout: 0, rest };
        }
        let mut pieces = Pieces::default();
        if let Some(piece) = survey(board, rest, heads, &mut pieces) {
            gain += piece.boxes;
            rest = piece.rest;
            continue;
        }
        // The piece to finish now, and the hand-out if it is the last one.
        let (piece, handout) = match (pieces.closed, pieces.half_open) {
            (Some(piece), _) => (piece, 4),
            (None, Some(piece)) => (piece, 2),
            (None, None) => unreachable!("a head begins a piece"),
        };
        if pieces.count > 1 {
            gain += piece.boxes;
            rest = piece.rest;
        } else {
            return Settled { gain: gain + piece.boxes - handout, handout, rest: piece.rest };
        }
    }
}

/// A piece taken as a whole.
#[derive(Clone, Copy)]
struct Piece {
    boxes: i32,
    both_ends: bool,
    rest: Position,
}

/// The pieces that allow a hand-out: how many, and one of each kind.
#[derive(Default)]
struct Pieces {
    count: u32,
    closed: Option<Piece>,
    half_open: Option<Piece>,
}

/// Looks at the piece behind each head. Returns one that is to be taken as a
/// whole, if there is any; else lists the others.
fn survey(board: &Board, position: Position, heads: u64, pieces: &mut Pieces) -> Option<Piece> {
    let mut left = heads;
    let mut far_heads = 0;
    while left != 0 {
        let head = left & left.wrapping_neg();
        left ^= head;
        if far_heads & head != 0 {
            continue;
        }
        let (piece, last) = take(board, position, head);
        if piece.boxes < if piece.both_ends { 4 } else { 2 } {
            return Some(piece);
        }
        pieces.count += 1;
        if piece.both_ends {
            far_heads |= last;
            pieces.closed = Some(piece);
        } else {
            pieces.half_open = Some(piece);
        }
    }
    None
}

/// Takes box after box from a head on, as far as it goes, and names the last
/// box.
fn take(board: &Board, position: Position, head: u64) -> (Piece, u64) {
    let (mut rest, mut cell, mut boxes) = (position, head, 0);
    loop {
        let (edge, next) = board.way_out(rest, cell);
        rest = rest.without(edge);
        boxes += 1;
        if next == 0 {
            return (Piece { boxes, both_ends: false, rest }, cell);
        }
        match board.degree(rest, next) {
            0 => return (Piece { boxes: boxes + 1, both_ends: true, rest }, next),
            1 => cell = next,
            _ => return (Piece { boxes, both_ends: false, rest }, cell),
        }
    }
}
