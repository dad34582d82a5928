//! Self-play on many machines, over NATS JetStream.
//!
//! The 2020 paper's roles as processes that know nothing of each other but the
//! broker:
//!
//! - [`train()`] takes games, learns and publishes weights. It is the paper's
//!   training server and also its master: it says what is played.
//! - [`play()`] plays games against itself.
//! - [`judge()`] judges positions for workers, on request.
//!
//! What the broker holds is all that they share: the plan and the weights in an
//! object store, finished games in a work queue. Any of them may die at any
//! moment and be started again, or be added.
//!
//! **A game is finished when the broker has confirmed it, and taken when it is
//! on the trainer's disk.** Before the first it is lost with its worker, as any
//! unfinished game; from then on it stays in the queue until the trainer has
//! written it. What arrives twice all the same (a confirmation may be lost, too)
//! is known by the game's number.
//!
//! The queue is short and refuses what does not fit, so workers wait for a slow
//! trainer. Deliberately absent: discovery, scheduling, a protocol of our own.

mod broker;
mod evaluator;
mod trainer;
mod weights;
mod wire;
mod worker;

pub use broker::{Access, Fleet, Plan};
pub use evaluator::judge;
pub use trainer::train;
pub use worker::{Work, play};
