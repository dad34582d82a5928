//! Answering in time on a busy machine.
//!
//! A thread that computes loses its core for many milliseconds when others want
//! it too, and then it cannot look at the clock. A thread that sleeps is woken
//! soon. So where a deadline or the watch ends a search, the thread that was
//! asked does not search: it sleeps, shows its watch what the searching threads
//! leave here, and answers with that when it is time, whether or not they have
//! noticed.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::Game;

use crate::{Info, Pace};

/// Time between two calls of the watch; the contract asks for 5 ms.
const TICK: Duration = Duration::from_millis(2);

/// Where a search leaves what it knows.
pub(crate) struct Post<G: Game> {
    state: Mutex<State<G>>,
    finished: Condvar,
}

struct State<G: Game> {
    /// Behind a pointer, so that the lock is held for a moment only: whoever
    /// holds it may lose its core.
    info: Arc<Info<G>>,
    finished: bool,
}

impl<G: Game> Post<G> {
    /// Begins with an answer, so that there is always one.
    pub fn new(info: Info<G>) -> Post<G> {
        Post {
            state: Mutex::new(State { info: Arc::new(info), finished: false }),
            finished: Condvar::new(),
        }
    }

    /// What a panicking search left behind is whole: it is replaced as one.
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The search knows more now.
    pub fn update(&self, info: Info<G>) {
        let info = Arc::new(info);
        let old = std::mem::replace(&mut self.lock().info, info);
        drop(old);
    }

    /// A guard for the searching thread: when it goes, even by a panic, whoever
    /// waits is told that no more will come.
    pub fn finish_on_drop(&self) -> Finish<'_, G> {
        Finish(self)
    }

    /// The searching thread's side: runs a search, leaves here what it shows and
    /// what it answers, and tells it to end once `stop` is set.
    pub fn fill(
        &self,
        stop: &AtomicBool,
        search: impl FnOnce(&mut dyn FnMut(&Info<G>) -> ControlFlow<()>) -> Info<G>,
    ) {
        let _finish = self.finish_on_drop();
        let answer = search(&mut |info| {
            self.update(info.clone());
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.update(answer);
    }

    /// Waits until the search finishes, the time is up or the watch breaks, and
    /// returns what is known then. The caller stops the search.
    pub fn attend(
        &self,
        pace: &Pace,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let mut state = self.lock();
        loop {
            let nap = pace.left().map_or(TICK, |left| left.min(TICK));
            state = match self.finished.wait_timeout_while(state, nap, |state| !state.finished) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
            let (known, finished) = (state.info.clone(), state.finished);
            drop(state);
            let info = Info { elapsed: pace.elapsed(), ..Info::clone(&known) };
            if pace.over() || watch(&info).is_break() || finished {
                return info;
            }
            state = self.lock();
        }
    }
}

/// Says that the search is over when it goes out of scope.
pub(crate) struct Finish<'p, G: Game>(&'p Post<G>);

impl<G: Game> Drop for Finish<'_, G> {
    fn drop(&mut self) {
        self.0.lock().finished = true;
        self.0.finished.notify_all();
    }
}
