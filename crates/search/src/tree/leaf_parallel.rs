//! Leaf parallelisation: all threads play rollouts from the same leaf.
//!
//! The main worker posts a leaf and plays its own rollouts; the helpers wait for a
//! leaf, play theirs and add up. Each has a generator of its own and each plays the
//! same number, so the sum does not depend on which was faster.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};

use games::{Game, Rng};

use super::pool::ONE;
use crate::SearchHints;
use crate::rollout::Rollout;

/// Where leaves are posted for the helpers.
pub(super) struct LeafParallel<G: Game> {
    leaf: RwLock<G>,
    /// How many leaves were posted so far.
    posted: AtomicU64,
    /// Helpers that are not done with the last leaf.
    busy: AtomicUsize,
    /// The helpers' results for the last leaf.
    sum: AtomicI64,
    helpers: usize,
}

impl<G: SearchHints> LeafParallel<G> {
    pub fn new(game: &G, helpers: usize) -> LeafParallel<G> {
        LeafParallel {
            leaf: RwLock::new(game.clone()),
            posted: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            sum: AtomicI64::new(0),
            helpers,
        }
    }

    /// The sum of `rollouts` rollouts of each thread, for First.
    pub fn play(&self, leaf: &G, rollout: &Rollout<G>, rollouts: u32, rng: &mut Rng) -> f64 {
        leaf.clone_into(&mut self.leaf.write().expect("no helper panics"));
        self.sum.store(0, Ordering::Relaxed);
        self.busy.store(self.helpers, Ordering::Relaxed);
        self.posted.fetch_add(1, Ordering::Release);
        let own: f64 = (0..rollouts).map(|_| rollout.play(leaf.clone(), rng)).sum();
        spin_until(|| self.busy.load(Ordering::Acquire) == 0);
        own + self.sum.load(Ordering::Relaxed) as f64 / ONE as f64
    }

    /// The loop of a helper thread.
    pub fn helper_loop(
        &self,
        rollout: &Rollout<G>,
        rollouts: u32,
        mut rng: Rng,
        done: &AtomicBool,
    ) {
        let mut seen = 0;
        loop {
            spin_until(|| {
                self.posted.load(Ordering::Acquire) != seen || done.load(Ordering::Acquire)
            });
            if self.posted.load(Ordering::Acquire) == seen {
                return;
            }
            seen += 1;
            let leaf = self.leaf.read().expect("no other helper panics").clone();
            let sum: f64 = (0..rollouts).map(|_| rollout.play(leaf.clone(), &mut rng)).sum();
            self.sum.fetch_add((sum * ONE as f64).round() as i64, Ordering::Relaxed);
            self.busy.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Spins, since a wait takes microseconds; yields when the cores are busy.
fn spin_until(ready: impl Fn() -> bool) {
    let mut spins = 0;
    while !ready() {
        spins += 1;
        if spins < 200 {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}
