//! Dots and Boxes, solved: the exact difference in boxes still to be won.

mod bits;
mod board;
mod canonical;
mod captures;
mod loony;
mod quiet;
mod search;
mod solver;
mod table;

pub use board::{Board, BoardError, Position};
pub use canonical::MOST_EDGES;
pub use solver::{Limits, Progress, Solution, Solver};
pub use table::Bounds;
