//! A parallel loop over a long range of numbers.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Numbers that a thread takes at a time: large enough that taking is cheap,
/// small enough that all threads end together.
const CHUNK: usize = 1 << 14;

/// The threads of a build and its stop flag.
pub struct Workers<'a> {
    /// Threads to use.
    pub threads: usize,
    /// Set from outside when the work is no longer wanted.
    pub stop: &'a AtomicBool,
}

impl Workers<'_> {
    /// Whether the work was stopped, so that its results are not valid.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Calls `work` for ranges that together cover `0..len`, each once, and
    /// adds up what the calls return.
    pub fn sum(&self, len: usize, work: impl Fn(Range<usize>) -> u64 + Sync) -> u64 {
        let next = AtomicUsize::new(0);
        let run = || {
            let mut sum = 0;
            loop {
                let begin = next.fetch_add(CHUNK, Ordering::Relaxed);
                if begin >= len || self.stopped() {
                    return sum;
                }
                sum += work(begin..len.min(begin + CHUNK));
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(run)).collect();
            let own = run();
            own + others.into_iter().map(|thread| thread.join().expect("no panic")).sum::<u64>()
        })
    }
}
