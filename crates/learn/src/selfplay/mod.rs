//! Playing against oneself, many games at a time.
//!
//! A [`Worker`] sits at many tables. At each it looks for one leaf to be judged;
//! all of them go to the evaluator as one batch, and no tree ever needs a
//! virtual loss. The evaluator may be a network in this thread or far away.
//!
//! - `tree`: a small tree for one thread, of which each move keeps a part or nothing.
//! - `search`: one move's search, as a machine that asks for leaves.
//! - `table`: one game, from its start to its [`Played`] form.
//! - `game`: a finished game with what the searches said, as bytes.
//! - `settings`: all that can be chosen.
//!
//! Knows nothing of files, networks or learning. The player's own tree
//! (`search::tree`) is made for one large search of many threads; this one for
//! thousands of small ones whose leaves are shared.

mod game;
mod search;
mod settings;
mod table;
mod tree;
mod worker;

pub use game::{BytesError, Played, Ply};
pub use settings::{Resign, Root, Settings};
pub use worker::{Worker, play_match, random_game};
