//! The loop from games to a network and back.
//!
//! A [`Trainer`] takes finished games, learns from them at a fixed ratio of
//! steps to samples, and keeps everything in one folder, so that a process may
//! die at any moment and another go on ([`Trainer::resume`]). It does not know
//! where games come from. [`run`] is the whole thing on one machine: threads that
//! play, and one that learns; the ratio and a short queue keep them in step, so
//! that neither waits long for the other on two cores.
//!
//! The folder:
//!
//! - `settings.json`: the game and all [`Settings`];
//! - `games/`: the games, in shards (`crate::replay`);
//! - `state.safetensors`: weights, the optimiser's memory and [`Progress`];
//! - `net.safetensors`: the newest network, as engines read it;
//! - `checkpoints/`: a network for each point of the Elo curve;
//! - `metrics.jsonl` and `events.out.tfevents.*`: what was measured, for people
//!   and for TensorBoard.

mod events;
mod folder;
mod metrics;
mod run;
mod settings;
mod state;
mod trainer;

pub use folder::{Folder, TrainError};
pub use metrics::{Journal, Metrics, Row, rows};
pub use run::{Stop, keep, run};
pub use settings::{Pace, Settings};
pub use state::{Point, Progress, progress};
pub use trainer::Trainer;
