//! Self-play: games of a network against itself, many at a time.
//!
//! A [`Worker`] plays many games at once. Each game's search asks for one leaf
//! at a time; the leaves of all games are evaluated as one batch, so no tree
//! needs a virtual loss. The evaluator may run in this thread or on another
//! machine.
//!
//! - `tree`: a small search tree for one thread, reset or re-rooted at each move.
//! - `search`: the search of one move, as a state machine that asks for leaves.
//! - `game`: one game from its start to its [`TrainingGame`].
//! - `training_game`: a finished game with the search's results, as bytes.
//! - `adjudicator`: the end of games whose result is proven.
//! - `verify`: what a game from another machine claims, recomputed.
//! - `settings`: [`SelfPlaySettings`].
//!
//! It knows nothing of files, networks or training. The tree of the playing
//! engines (`search::tree`) is made for one large search on many threads; this
//! one for thousands of small searches whose leaves share a batch.
//!
//! ```
//! use games::Game;
//! use games::dots_and_boxes::DotsAndBoxes;
//! use learn::selfplay::{SelfPlaySettings, Worker};
//! use search::{Evaluation, Evaluator, Leaf};
//!
//! /// Knows nothing: every position is even, every move equally likely.
//! struct Uniform;
//!
//! impl Evaluator<DotsAndBoxes> for Uniform {
//!     fn evaluate(&mut self, batch: &[Leaf<DotsAndBoxes>], out: &mut Vec<Evaluation>) {
//!         out.clear();
//!         out.resize_with(batch.len(), Evaluation::default);
//!     }
//! }
//!
//! let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
//! let settings = SelfPlaySettings { games: 4, sims: 8, ..SelfPlaySettings::default() };
//! let mut worker = Worker::new(start, settings, 1, 0, 1);
//! let mut games = Vec::new();
//! while games.len() < 4 {
//!     games.extend(worker.step(&mut Uniform));
//! }
//! assert!(games.iter().all(|game| game.check(&start).is_ok()));
//! ```

mod adjudicator;
mod game;
mod search;
mod settings;
mod training_game;
mod tree;
mod verify;
mod worker;

pub use adjudicator::Adjudicator;
pub use settings::{BoardChoice, Resign, RootSearch, SelfPlaySettings};
pub use training_game::{GameFormatError, Ply, TrainingGame};
pub use verify::Verifier;
pub use worker::{Worker, play_match, random_game};
