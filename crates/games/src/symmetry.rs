//! Boards that look the same when turned or mirrored.

use crate::Game;

/// A game whose board has symmetries. Optional: a search never needs it, tables
/// and learners do.
pub trait Symmetric: Game + Ord {
    /// How many symmetries this position's board has, the identity (number 0)
    /// included. The same for all positions of a setup.
    fn symmetries(&self) -> usize;

    /// The position under symmetry `s`, which is below [`Symmetric::symmetries`].
    fn transform(&self, s: usize) -> Self;

    /// A move of this position as a move of [`Symmetric::transform`]`(s)`.
    fn transform_move(&self, s: usize, mv: Self::Move) -> Self::Move;

    /// The smallest of the symmetric positions, the same for all of them, and
    /// the symmetry that leads to it.
    fn canonical(&self) -> (Self, usize) {
        (0..self.symmetries()).map(|s| (self.transform(s), s)).min().expect("the identity is one")
    }
}
