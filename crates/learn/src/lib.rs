//! Neural networks that evaluate positions, and their training by self-play.
//!
//! - [`net`]: kernels, layers and one residual network on the CPU. It knows
//!   nothing of games: planes in, policy logits and a value out.
//! - [`encode`]: positions as planes, moves as indices of the policy.
//! - [`evaluator`]: the two as the [`Evaluator`](search::Evaluator) that searches
//!   ask.
//! - [`nnue`]: the training of the small network that alpha-beta evaluates with.
//! - [`selfplay`]: many games at once with one batch.
//! - [`replay`]: games on disk, and the replay buffer.
//! - [`train`]: the training loop.
//!
//! A whole training run, of a few games:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use games::Game;
//! use games::dots_and_boxes::DotsAndBoxes;
//! use learn::selfplay::{Adjudicator, SelfPlaySettings};
//! use learn::train::{RunConfig, RunEnd, RunFolder, TrainSettings, Trainer, run_local};
//!
//! let settings = TrainSettings {
//!     threads: 1,
//!     blocks: 1,
//!     channels: 8,
//!     batch_size: 16,
//!     random_games: 0,
//!     max_games: 10,
//!     selfplay: SelfPlaySettings { games: 4, sims: 4, ..Default::default() },
//!     ..Default::default()
//! };
//! let config = RunConfig { game: "dots-and-boxes 2x2".to_owned(), settings };
//! let place = tempfile::tempdir().unwrap();
//! let folder = RunFolder::create(place.path(), &config).unwrap();
//! let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
//! let mut trainer = Trainer::open(folder, start, config.settings).unwrap();
//! let stop = AtomicBool::new(false);
//! let end = run_local(&mut trainer, &Adjudicator::none(), &stop, &mut |line| println!("{line}")).unwrap();
//! assert_eq!(end, RunEnd::Finished);
//! assert!(trainer.progress.steps > 0);
//! ```

pub mod encode;
pub mod evaluator;
pub mod net;
pub mod nnue;
pub mod replay;
pub mod selfplay;
pub mod train;
mod varint;

pub use encode::{Encode, Shape, write_masks};
pub use evaluator::{EvaluatorPool, Forward, NetworkEvaluator, load_for, read_for};
