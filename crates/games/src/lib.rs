//! The rules of three board games, and nothing else.
//!
//! This crate defines which moves are legal, when a game is over and who won. It
//! does not know search, evaluation, protocols, files or time; every other crate
//! of the workspace depends on it.
//!
//! Start with [`Game`], the contract that every game keeps, then [`Record`], a
//! game being played. [`Text`] and [`Symmetric`] are separate, because a search
//! needs neither. The rules as decided are in `docs/rules.md`.
//!
//! ```
//! use games::dots_and_boxes::{DotsAndBoxes, Setup};
//! use games::{Game, Player, Record, Rng, Text, perft};
//!
//! // A board of one box. First draws three edges in turn with Second ...
//! let start = DotsAndBoxes::start(&Setup::new(1, 1))?;
//! assert_eq!(perft(&start, 4), 24);
//! let mut record = Record::new(start);
//! record.play_text("0 1 2")?;
//! assert_eq!(record.game().to_move(), Player::Second);
//! // ... and Second closes it.
//! let last = record.game().random_move(&mut Rng::seeded(1)).expect("one edge is left");
//! assert_eq!(record.game().move_text(last), "3");
//! record.play(last)?;
//! assert_eq!(record.outcome().unwrap().winner, Some(Player::Second));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bits;
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
pub use rng::{Draw, Rng};
pub use symmetry::Symmetric;
pub use text::{SetupError, Text, TextError};
