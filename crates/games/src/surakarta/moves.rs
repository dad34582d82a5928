//! A move: from a point to a point.

use super::geometry::{POINTS, Point};

/// A step, or a capture if an enemy piece stands on `to`. All paths of a capture
/// are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Point,
    /// Where it goes.
    pub to: Point,
}

impl Move {
    /// The number of move codes.
    pub const CODES: usize = POINTS * POINTS;
}

impl From<Move> for u16 {
    #[inline]
    fn from(mv: Move) -> u16 {
        (mv.from.index() * POINTS + mv.to.index()) as u16
    }
}

impl From<u16> for Move {
    #[inline]
    fn from(code: u16) -> Move {
        let code = usize::from(code);
        Move { from: Point::from_index(code / POINTS), to: Point::from_index(code % POINTS) }
    }
}
