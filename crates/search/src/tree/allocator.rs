//! A thread's own piece of the pool.
//!
//! If every new node asked the pool, its counter would wander between the threads
//! with each simulation. So each takes a piece at a time and hands out blocks of
//! its own.

use std::ops::Range;

use super::pool::{LANES, Pool};

/// Groups that a thread takes at a time: a hundred nodes or a dozen.
const SIZE: usize = 128;

/// Groups that belong to one thread and are not used yet.
#[derive(Debug, Default)]
pub(super) struct LocalAllocator {
    free: Range<usize>,
}

impl LocalAllocator {
    /// Groups for `children` children, or `None` when there is no room.
    pub fn take(&mut self, pool: &Pool, children: usize) -> Option<Range<usize>> {
        let blocks = children.div_ceil(LANES);
        if self.free.len() < blocks {
            self.give_back(pool);
            self.free = pool.take(blocks, blocks.max(SIZE))?;
        }
        let first = self.free.start;
        self.free.start += blocks;
        Some(first..first + blocks)
    }

    /// Gives back what is not used, if nobody has taken more since; else it lies
    /// idle until the pool is tidied.
    pub fn give_back(&mut self, pool: &Pool) {
        pool.give_back(std::mem::take(&mut self.free));
    }
}
