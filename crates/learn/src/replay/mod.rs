//! Games to train on: on disk in compressed shards, in memory as a replay buffer
//! of the newest positions, from which batches are sampled.
//!
//! Positions are restored by replaying a game's moves, and are transformed by a
//! random symmetry each time they are sampled. The buffer knows training targets
//! ([`Target`](crate::net::Target)); it knows no network.

mod buffer;
mod shard;

pub use buffer::{Batch, ReplayBuffer};
pub use shard::{ShardError, Shards};
