//! Training: from self-play games to a network and back to self-play.
//!
//! A [`Trainer`] takes finished games, trains at a fixed ratio of steps to
//! samples, and keeps everything in one folder, so that a process may die at any
//! moment and another continue. [`run`] is the one training loop: it takes games
//! from [`Actors`] and publishes weights to them. [`run_local`] gives it threads
//! of this process for actors; the crate `fleet` gives it other machines.
//!
//! The folder of a run ([`RunFolder`]):
//!
//! - `settings.json`: the game and all [`TrainSettings`];
//! - `games/`: the games, in shards ([`crate::replay`]);
//! - `state.safetensors`: weights, optimiser state and [`TrainProgress`];
//! - `net.safetensors`: the newest network, as engines read it;
//! - `checkpoints/`: a network for each point of the Elo curve;
//! - `metrics.jsonl` and `events.out.tfevents.*`: metrics, for scripts and for
//!   TensorBoard.

mod checkpoint;
mod events;
mod folder;
mod local;
mod metrics;
mod run;
mod settings;
mod state;
mod trainer;

pub use folder::{RunConfig, RunFolder, TrainError};
pub use local::run_local;
pub use metrics::{MetricsRow, SelfPlayStats, read_metrics};
pub use run::{Actors, RunEnd, run};
pub use settings::{TrainRatio, TrainSettings};
pub use state::{EloPoint, TrainProgress, read_progress};
pub use trainer::Trainer;
