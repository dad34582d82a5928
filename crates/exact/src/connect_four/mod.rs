//! The Connect Four solver: exact scores on every board.
//!
//! Start with [`Solver`]. It stands on [`Position`], two words, over a
//! [`Shape`], the masks of a board; `search` answers whether a score is above a
//! number, helped by static `bounds`, an `order` of moves and a shared `table`.
//! All of it is written once over the word that a board needs, of 64, 128 or 192
//! bits; [`AnySolver`] picks the narrowest. Openings take long; an opening book
//! (`session::book`) keeps what was solved once.
//!
//! The solver has no rules from elsewhere: its board has its own form, into which
//! [`AnySolver`] translates that of `games`. `engine` and `solve` implement the crate's
//! two traits.

mod any_solver;
mod bounds;
mod engine;
mod order;
#[cfg(test)]
mod plain;
mod position;
mod search;
mod shape;
mod solve;
mod solver;
mod table;
mod window;

pub use any_solver::{AnySolver, plies_to_end, position_of};
pub use engine::SolverEngine;
pub use position::{BadColumn, Position};
pub use shape::{Free, Shape, Standard};
pub use solver::{Bounds, SolveProgress, Solver};
pub use table::TableWord;
