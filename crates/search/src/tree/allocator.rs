//! A thread-local allocator on top of the pool.
//!
//! If every new node advanced the pool's counter, its cache line would move between
//! the threads with each simulation. So each thread takes a range of blocks at a
//! time and allocates from it.

use std::ops::Range;

use super::pool::{LANES, Pool};

/// Blocks that a thread takes at a time: a hundred nodes or a dozen.
const SIZE: usize = 128;

/// Blocks that belong to one thread and are not used yet.
#[derive(Debug, Default)]
pub(super) struct LocalAllocator {
    free: Range<usize>,
}

impl LocalAllocator {
    /// Blocks for `children` children, or `None` when the pool is full.
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

    /// Returns what is not used, if no thread has taken more since; else it stays
    /// unused until the pool is compacted.
    pub fn give_back(&mut self, pool: &Pool) {
        pool.give_back(std::mem::take(&mut self.free));
    }
}
