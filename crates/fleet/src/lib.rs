//! Self-play on many machines, over NATS JetStream.
//!
//! The 2020 paper's roles as processes that know only the broker:
//!
//! - [`run_trainer`] receives games, trains and publishes weights. It is the
//!   paper's training server and also its master: it says what is played.
//! - [`run_worker`] plays games of self-play.
//! - [`run_evaluator`] evaluates positions for workers, on request.
//!
//! The broker holds all that they share: the run's configuration and the weights
//! in an object store, finished games in a work queue. Any of them may die at any
//! moment and be restarted, or be added. The training loop itself is `learn`'s
//! ([`learn::train::run`]); this crate is its source of games and sink of weights.
//!
//! **A game is finished when the broker has confirmed it, and acknowledged when it
//! is on the trainer's disk.** Before the first it is lost with its worker, as any
//! unfinished game; from then on it stays in the queue until the trainer has
//! written it. A game that arrives twice all the same (an acknowledgement may be
//! lost, too) is known by its id.
//!
//! The queue is short and refuses what does not fit, so workers wait for a slow
//! trainer. Deliberately absent: discovery, scheduling, a protocol of our own.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//!
//! use fleet::{Broker, BrokerOptions, WorkerOptions, run_worker};
//! use games::Game;
//! use games::dots_and_boxes::DotsAndBoxes;
//!
//! # fn main() -> anyhow::Result<()> {
//! static STOP: AtomicBool = AtomicBool::new(false);
//! let url = "nats://localhost:4222".to_owned();
//! let options = BrokerOptions { url, run: "boxes".to_owned(), ..Default::default() };
//! let broker = Broker::connect(&options)?;
//! // Waits until a trainer has said what is played.
//! if let Some(config) = broker.run_config(&STOP)? {
//!     let start = DotsAndBoxes::start(&"2x2".parse()?)?;
//!     let options = WorkerOptions::new(2, true);
//!     run_worker(&broker, &start, &config.settings, &options, &STOP, &|line| println!("{line}"))?;
//! }
//! # Ok(())
//! # }
//! ```

mod broker;
mod evaluator;
mod trainer;
mod weights;
mod wire;
mod worker;

pub use broker::{Broker, BrokerOptions};
pub use evaluator::run_evaluator;
pub use trainer::run_trainer;
pub use worker::{WorkerOptions, run_worker};
