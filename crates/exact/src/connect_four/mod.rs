//! The Connect Four solver: exact scores for every board that fits 64 bits.
//!
//! Start with [`Solver`]. It stands on [`Position`], two words, over a
//! [`Shape`], the masks of a board; `search` answers whether a score is above a
//! number, helped by static `bounds`, an `order` of moves and a shared `table`.
//! [`book`] keeps the openings that take long.
//!
//! Nothing here knows the rules from elsewhere: the board has its own form, and
//! `oracle` is the one file that translates from `games`.

mod bounds;
mod order;
mod position;
mod search;
mod shape;
mod solver;
mod table;

pub use position::{BadColumn, Position};
pub use shape::{Free, Shape, Standard};
pub use solver::{Bounds, Progress, Solver};
