//! Symmetries of boards: rotations and reflections.

use crate::Game;

/// A game whose board has symmetries. Optional: a search never needs it, books and
/// training do.
///
/// ```
/// use games::connect_four::{Column, ConnectFour, Setup};
/// use games::{Game, Symmetric};
///
/// let left = ConnectFour::<u64>::start(&Setup::default())?.after(Column(1));
/// assert_eq!(left.symmetries(), 2);
/// let right = left.transform(1);
/// assert_eq!(left.transform_move(1, Column(1)), Column(5));
/// assert_eq!(left.canonical().0, right.canonical().0);
/// # Ok::<(), games::SetupError>(())
/// ```
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
