//! Learning to judge positions.
//!
//! [`net`] is a small library of kernels, layers and one network, which knows
//! nothing of games: it maps planes to move scores and a value, and learns from
//! targets. [`encode`] shows it positions; [`evaluator`] puts the two behind the
//! trait that searches ask. [`selfplay`] plays games and [`replay`] keeps them;
//! [`train`] is the loop from the one to the other.

pub mod encode;
pub mod evaluator;
pub mod net;
pub mod replay;
pub mod selfplay;
pub mod train;

pub use encode::{Encode, Shape};
pub use evaluator::{Judge, Shelf, load_for, read_for};
