//! Dots and Boxes, solved: the exact difference in boxes still to be won.
//!
//! The value of a position depends on its undrawn edges alone, so that is all a
//! [`Position`] is; who owns the closed boxes is for the caller to add.
//! [`Solver`] answers for whole boards up to 3 x 4 in about a second and for
//! endgames of any board up to 7 x 7; 5 x 5 with 36 edges left takes hundredths
//! of a second, 4 x 4 as a whole minutes. From a question to its answer:
//!
//! - `captures`: a position with boxes to take has one quiet successor;
//! - `quiet`: the moves of a quiet position, a chain being one move;
//! - `cancel`: short chains that make no difference;
//! - `search::loony` (the other crate): the value when only chains are left;
//! - `canonical`, `table`: equal games have one entry, and no two games share it;
//! - `search`: alpha-beta on "is it worth at least this?";
//! - `solver`: exact values out of such answers, on all threads;
//! - `play`: the solver as an oracle and as an engine.

mod bits;
mod board;
mod bounds;
mod cancel;
mod canonical;
mod captures;
#[cfg(test)]
mod enumeration;
mod play;
mod quiet;
mod search;
mod solver;
mod table;

pub use board::{Board, BoardError, Position};
pub use bounds::Bounds;
pub use canonical::MOST_EDGES;
pub use play::{Certain, WithSolver};
pub use solver::{Limits, Progress, Solution, Solver};
