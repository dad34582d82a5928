//! The rules of three board games, and nothing else.
//!
//! This room knows what a legal move is, when a game is over and who won. It
//! knows nothing of search, evaluation, protocols, files or time; everything
//! else in the workspace stands on it.
//!
//! Start with [`Game`], the contract that every game keeps, then [`Record`], a
//! game being played. [`Text`] and [`Symmetric`] are separate, because a search
//! needs neither. The rules as decided are in `docs/rules.md`.

pub mod connect_four;
pub mod dots_and_boxes;
mod game;
mod mix;
mod outcome;
mod perft;
mod record;
mod rng;
pub mod surakarta;
mod symmetry;
mod text;

pub use game::{Game, MAX_MOVES, MoveList, Player};
pub use mix::mix;
pub use outcome::{Outcome, Reason};
pub use perft::{divide, perft};
pub use record::{PlayError, Record};
pub use rng::Rng;
pub use symmetry::Symmetric;
pub use text::{SetupError, Text, TextError};
