//! The memory of all engines of a server, and what each gets of it.
//!
//! An engine fills whatever it is given, so it is the sum that must be bounded,
//! and twenty people must fit in it. The first engine gets a quarter; a later
//! one gets less than a quarter of what is left, the less is left, so that
//! nearly forty find something. When too little is left, engines that wait for
//! their opponents are closed and search the position anew; nothing else is
//! lost. [`AppState::lease`] makes an engine with its share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use session::{EngineHandle, EngineSpec, Session};

use crate::error::ApiError;
use crate::live_game::AppState;

/// The least that is worth playing with, in megabytes.
const LEAST: u64 = 8;

/// A number of megabytes for all engines.
pub struct MemoryBudget {
    all: u64,
    left: Mutex<u64>,
}

impl MemoryBudget {
    /// So many megabytes in all.
    pub fn new(megabytes: u64) -> Arc<MemoryBudget> {
        give_large_blocks_back();
        let all = megabytes.max(LEAST);
        Arc::new(MemoryBudget { all, left: Mutex::new(all) })
    }

    fn left(&self) -> MutexGuard<'_, u64> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A part of what is left, at most `wanted`; none if that is too little.
    pub fn take(self: &Arc<MemoryBudget>, wanted: u64) -> Option<MemoryLease> {
        let mut left = self.left();
        let megabytes = wanted.min((*left * *left / self.all / 4).max(LEAST));
        *left = left.checked_sub(megabytes)?;
        Some(MemoryLease { budget: Arc::clone(self), megabytes })
    }

    /// Whether the next one who comes might get nothing.
    pub fn is_short(&self) -> bool {
        *self.left() < LEAST
    }
}

/// Lets the allocator return every large block to the system when it is freed.
///
/// Left alone, glibc raises its limit for that with each block that is freed, up
/// to 32 MB. Then trees of that size come out of its arenas, which write every
/// page of them and keep them: twenty engines of 16 MB, made again and again,
/// filled 600 MB and more where they now have 40 to begin with.
fn give_large_blocks_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it sets a number of the allocator, which locks itself for that.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
    }
}

/// Some megabytes, given back when dropped.
pub struct MemoryLease {
    budget: Arc<MemoryBudget>,
    megabytes: u64,
}

impl MemoryLease {
    /// How many.
    pub fn megabytes(&self) -> u64 {
        self.megabytes
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        *self.budget.left() += self.megabytes;
    }
}

/// An engine and the memory that it may fill. In this order: the memory is given
/// back when the engine is gone.
pub struct LeasedEngine {
    /// The engine.
    pub handle: EngineHandle,
    _memory: Option<MemoryLease>,
}

impl AppState {
    /// Makes sure that an engine's name means something in a session's game.
    pub fn check(&self, session: &Session, text: &str) -> Result<(), ApiError> {
        session.check_engine(&self.engine_limits.engine(text)?).map_err(ApiError::bad)
    }

    /// An engine for a session's game with a part of the server's memory; none if
    /// there is too little left just now.
    pub fn lease(
        &self,
        session: &Session,
        mut spec: EngineSpec,
        seed: u64,
    ) -> Result<Option<LeasedEngine>, ApiError> {
        let mut memory = None;
        if let Some(name) = spec.family().memory() {
            let Some(share) = self.memory.take(spec.value(name)) else { return Ok(None) };
            spec.set(name, &share.megabytes().to_string()).map_err(ApiError::bad)?;
            memory = Some(share);
        }
        let handle = session.engine(&spec, seed).map_err(ApiError::bad)?;
        Ok(Some(LeasedEngine { handle, _memory: memory }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_bounded_and_comes_back() {
        let budget = MemoryBudget::new(1024);
        let leases: Vec<MemoryLease> = std::iter::from_fn(|| budget.take(384)).collect();
        assert_eq!(leases[0].megabytes(), 256, "one alone has plenty");
        assert!(leases.len() > 36, "a classroom finds memory: {}", leases.len());
        assert!(leases.iter().map(MemoryLease::megabytes).sum::<u64>() <= 1024);
        assert!(leases.iter().all(|lease| lease.megabytes() >= LEAST));
        assert!(budget.is_short());
        drop(leases);
        assert!(!budget.is_short());
        assert_eq!(budget.take(16).map(|lease| lease.megabytes()), Some(16));
        assert_eq!(*budget.left(), 1024);
    }
}
