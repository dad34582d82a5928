//! What is known exactly: solvers and endgame tables.
//!
//! A folder for each game, and two traits by which the crates above get at all of
//! them alike: [`ExactKnowledge`] (positions looked up inside a search, and
//! answers before any search begins) and [`Solve`] (one position solved as far as
//! time and memory reach).
//!
//! ```
//! use exact::{Solve, SolverOptions};
//! use games::{Game, dots_and_boxes::{DotsAndBoxes, Setup}};
//! use search::SearchControl;
//!
//! let setup = Setup::new(2, 2);
//! let options = SolverOptions { megabytes: 1, threads: 1 };
//! let mut solver = DotsAndBoxes::solver(&setup, &options).unwrap();
//! let start = DotsAndBoxes::start(&setup).unwrap();
//! let solved = start.solve(&mut solver, true, &SearchControl::unlimited(), &mut |_| {});
//! assert_eq!(solved.value(), Some(2));
//! ```

pub mod connect_four;
pub mod dots_and_boxes;
mod knowledge;
mod solve;
pub mod surakarta;
mod unsolved;

pub use dots_and_boxes::Proven;
pub use knowledge::{ExactEngine, ExactKnowledge, SolverOptions};
pub use solve::{Bounds, Measure, MoveValues, Range, Solve, Solved};
