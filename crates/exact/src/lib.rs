//! What can be known for certain: solvers and endgame tables.
//!
//! A folder for each game, and [`Certain`], by which the engines above get at
//! all of them alike: some positions are looked up inside a search, and some are
//! played for certain before any search begins.

mod assured;
mod certain;
pub mod connect_four;
pub mod dots_and_boxes;
mod memory;
mod solve;
pub mod surakarta;

pub use assured::Assured;
pub use certain::{Certain, Effort};
pub use solve::{Bounds, Columns, Each, Order, Range, Solve, Solved};
