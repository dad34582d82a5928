//! What an engine is given for one search: what it may spend, when to stop, and
//! where to put its newest result.
//!
//! A [`SearchControl`] is all the contact between a running search and its
//! caller. The engine polls [`SearchControl::should_stop`] and publishes what it
//! knows, both at least every 5 ms. The caller may stop it from another thread
//! and read the newest result at any moment, whether or not the engine has
//! noticed. Clones share stop flag and result; a clone with other limits is a
//! part of the same search ([`SearchControl::within`]).

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Limits, SearchInfo, TimeManager};

/// What a search may spend, who stops it, and what it has found.
///
/// ```
/// use search::{Limits, SearchControl, SearchInfo};
///
/// let control = SearchControl::<u16>::new(Limits::sims(100));
/// control.publish(&SearchInfo { best: Some(7), ..SearchInfo::default() });
/// assert_eq!(control.newest().best, Some(7));
/// control.stop();
/// assert!(control.should_stop());
/// ```
pub struct SearchControl<M> {
    limits: Limits,
    time: TimeManager,
    shared: Arc<Shared<M>>,
}

/// Sees every published result, in the engine's thread; breaking stops the
/// search.
type ObserverFn<M> = Box<dyn FnMut(&SearchInfo<M>) -> ControlFlow<()> + Send>;

struct Shared<M> {
    stop: AtomicBool,
    state: Mutex<State<M>>,
    finished: Condvar,
    observer: Mutex<Option<ObserverFn<M>>>,
}

struct State<M> {
    /// Behind a pointer, so that the lock is held for a moment only: a thread that
    /// holds it may lose its core.
    newest: Arc<SearchInfo<M>>,
    finished: bool,
    /// When the search was stopped from outside.
    stopped: Option<Instant>,
}

impl<M> Clone for SearchControl<M> {
    fn clone(&self) -> SearchControl<M> {
        self.within(self.limits, self.time)
    }
}

impl<M> SearchControl<M> {
    /// For a search within these limits that begins now. A clock is not looked
    /// at; see [`SearchControl::timed`].
    pub fn new(limits: Limits) -> SearchControl<M> {
        SearchControl::timed(limits, TimeManager::of(limits.time))
    }

    /// For a search within the counts of these limits and these deadlines.
    pub fn timed(limits: Limits, time: TimeManager) -> SearchControl<M> {
        let state = State { newest: Arc::default(), finished: false, stopped: None };
        let shared = Shared {
            stop: AtomicBool::new(false),
            state: Mutex::new(state),
            finished: Condvar::new(),
            observer: Mutex::new(None),
        };
        SearchControl { limits, time, shared: Arc::new(shared) }
    }

    /// For a search that only [`SearchControl::stop`] ends.
    pub fn unlimited() -> SearchControl<M> {
        SearchControl::new(Limits::default())
    }

    /// The same search with an observer of every published result, called in the
    /// engine's thread. If it breaks, the search is stopped.
    pub fn observed(
        self,
        observer: impl FnMut(&SearchInfo<M>) -> ControlFlow<()> + Send + 'static,
    ) -> SearchControl<M> {
        *lock(&self.shared.observer) = Some(Box::new(observer));
        self
    }

    /// A part of the same search with limits and deadlines of its own.
    pub fn within(&self, limits: Limits, time: TimeManager) -> SearchControl<M> {
        SearchControl { limits, time, shared: Arc::clone(&self.shared) }
    }

    /// What the search may spend.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The deadlines.
    pub fn time(&self) -> &TimeManager {
        &self.time
    }

    /// Whether the engine must answer now: the time is up or the search was
    /// stopped. Cheap enough to be asked every few microseconds.
    pub fn should_stop(&self) -> bool {
        self.is_stopped() || self.time.hard_expired()
    }

    /// Whether the search was stopped, whatever its deadlines say.
    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Relaxed)
    }

    /// Stops the search: the engine returns when it polls next.
    pub fn stop(&self) {
        self.shared.stop.store(true, Relaxed);
        self.state().stopped.get_or_insert_with(Instant::now);
    }

    /// How long ago the search was stopped, if it was.
    pub fn since_stop(&self) -> Option<Duration> {
        self.state().stopped.map(|at| at.elapsed())
    }

    /// Makes `info` the newest result, and shows it to the observer.
    pub fn publish(&self, info: &SearchInfo<M>)
    where
        M: Clone,
    {
        self.replace(info.clone());
        if let Some(observer) = &mut *lock(&self.shared.observer)
            && observer(info).is_break()
        {
            self.stop();
        }
    }

    /// The newest result, as of now.
    pub fn newest(&self) -> SearchInfo<M>
    where
        M: Clone,
    {
        let newest = self.state().newest.clone();
        SearchInfo::clone(&newest)
    }

    /// What a panicking search left behind is whole: it is replaced as one.
    fn state(&self) -> MutexGuard<'_, State<M>> {
        lock(&self.shared.state)
    }

    /// Makes `info` the newest result without showing it.
    pub(crate) fn replace(&self, info: SearchInfo<M>) {
        let info = Arc::new(info);
        let old = std::mem::replace(&mut self.state().newest, info);
        drop(old);
    }

    /// Whether the engine has returned.
    pub(crate) fn is_finished(&self) -> bool {
        self.state().finished
    }

    /// Says that the engine has returned, and lets go of the observer, with
    /// whatever that held for the search.
    pub(crate) fn finish(&self) {
        lock(&self.shared.observer).take();
        self.state().finished = true;
        self.shared.finished.notify_all();
    }

    /// Sleeps until the engine has returned or the time is up.
    pub(crate) fn wait(&self) {
        let mut state = self.state();
        while !state.finished {
            let left = self.time.left().unwrap_or(Duration::MAX);
            if left.is_zero() {
                return;
            }
            let woken = self.shared.finished.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_search_shares_its_stop_and_its_result() {
        let whole = SearchControl::<u16>::unlimited();
        let part = whole.within(Limits::nodes(5), TimeManager::of(Some(Duration::ZERO)));
        assert!(part.should_stop() && !part.is_stopped() && !whole.should_stop());
        part.publish(&SearchInfo { nodes: 3, ..SearchInfo::default() });
        assert_eq!(whole.newest().nodes, 3);
        whole.stop();
        assert!(part.is_stopped() && part.since_stop().is_some());
    }

    #[test]
    fn an_observer_sees_every_result_and_may_stop_the_search() {
        let mut seen = 0;
        let control = SearchControl::<u16>::unlimited().observed(move |info| {
            seen += 1;
            assert_eq!(info.nodes, seen);
            if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        for nodes in 1..=2 {
            assert!(!control.should_stop());
            control.publish(&SearchInfo { nodes, ..SearchInfo::default() });
        }
        assert!(control.should_stop());
    }
}
