//! Dots and Boxes, solved: the exact difference in boxes still to be won.
//!
//! The value of a position depends on its undrawn edges alone, so that is all a
//! [`Position`] is; who owns the closed boxes is for the caller to add.
//! [`Solver`] answers for whole boards up to 3 x 4 in half a second and for
//! endgames of any board up to 7 x 7; 5 x 5 with 36 edges left takes about four
//! milliseconds, 4 x 4 as a whole less than a minute (see below). From a question to its
//! answer:
//!
//! - `captures`: a position with boxes to take has one quiet successor;
//! - `quiet`: the moves of a quiet position, a chain being one move;
//! - `cancel`: short chains that make no difference;
//! - `search::loony` (the other crate): the value when only chains are left;
//! - `moves`: the moves while they are searched, looked up and put in order;
//! - `canonical`, `table`: equal games have one entry, and no two games share it;
//! - `search`: alpha-beta on "is it worth at least this?";
//! - `solver`: exact values out of such answers, on all threads;
//! - `engine`: the solver as an oracle and as an engine;
//! - `solve`: single positions for the crate's [`Solve`](crate::Solve);
//! - `proof`: a whole board in pieces, as a file of lines that prove its value.
//!
//! How far it reaches, on one core: 3 x 4 (31 edges) takes 0.92 million nodes and 0.3 s,
//! 3 x 5 (38 edges) 83 million and 39 s, 4 x 4 (40 edges) 100 million and 47 s, with a
//! table of 1 GB: a factor of 1.7 to 1.9 for each edge. By that measure 4 x 5 (49 edges)
//! is 1e10 to 1e11 nodes. In pieces (`proof`) it took 4.2 billion, about 34 minutes with
//! a table of 8 GB, to prove that the first player does not lose; that it does not win has
//! taken 22.6 billion more and is not finished.

mod board;
mod bounds;
mod cancel;
mod canonical;
mod captures;
mod engine;
#[cfg(test)]
mod enumeration;
mod moves;
mod proof;
mod quiet;
mod search;
mod solve;
mod solver;
mod table;

pub use board::{Board, BoardError, Position};
pub use bounds::Bounds;
pub use canonical::MOST_EDGES;
pub use engine::SolverEngine;
pub use proof::{Proof, Proven};
pub use solver::{Solution, SolveProgress, Solver};
