//! Engines between two trials: making one takes memory and time, and a trial is
//! only a pair of games.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use games::{Game, Record};
use search::{Engine, Limits, SearchControl, SearchInfo};

/// Idle engines by their spec. The longest idle ones make room: a study may have
/// thousands of specs.
pub struct EnginePool<E> {
    idle: Mutex<VecDeque<(String, E)>>,
    capacity: usize,
}

impl<E> EnginePool<E> {
    /// A pool that keeps at most so many idle engines.
    pub fn new(capacity: usize) -> Arc<EnginePool<E>> {
        Arc::new(EnginePool { idle: Mutex::default(), capacity })
    }

    /// An idle engine of this spec, else a new one. It comes back when it is dropped.
    pub fn take(
        self: &Arc<Self>,
        spec: &str,
        make: impl FnOnce() -> Result<E, String>,
    ) -> Result<PooledEngine<E>, String> {
        let mut idle = self.lock();
        let found = idle.iter().position(|(of, _)| of == spec).and_then(|at| idle.remove(at));
        drop(idle);
        let engine = match found {
            Some((_, engine)) => engine,
            None => make()?,
        };
        Ok(PooledEngine { engine: Some(engine), spec: spec.to_owned(), pool: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, E)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An engine that goes back to its pool.
pub struct PooledEngine<E> {
    /// None only while it is dropped.
    engine: Option<E>,
    spec: String,
    pool: Arc<EnginePool<E>>,
}

impl<E> PooledEngine<E> {
    fn engine(&self) -> &E {
        self.engine.as_ref().expect("it is there until it is dropped")
    }

    fn engine_mut(&mut self) -> &mut E {
        self.engine.as_mut().expect("it is there until it is dropped")
    }
}

impl<E> Drop for PooledEngine<E> {
    fn drop(&mut self) {
        // The state of an engine that has panicked is unknown.
        if let Some(engine) = self.engine.take().filter(|_| !thread::panicking()) {
            let mut idle = self.pool.lock();
            idle.push_back((std::mem::take(&mut self.spec), engine));
            let oldest = if idle.len() > self.pool.capacity { idle.pop_front() } else { None };
            drop(idle);
            drop(oldest);
        }
    }
}

impl<G: Game, E: Engine<G>> Engine<G> for PooledEngine<E> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        self.engine_mut().search(record, control)
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        self.engine().guess(record, limits)
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.engine().static_guess()
    }

    fn ponder(&mut self, record: &Record<G>, control: &SearchControl<G::Move>) {
        self.engine_mut().ponder(record, control);
    }

    fn new_game(&mut self, seed: u64) {
        self.engine_mut().new_game(seed);
    }

    fn is_anytime(&self) -> bool {
        self.engine().is_anytime()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_made_once_and_the_longest_idle_make_room() {
        let pool = EnginePool::new(2);
        let mut made = Vec::new();
        let mut take = |spec: &str| {
            pool.take(spec, || {
                made.push(spec.to_owned());
                Ok(made.len())
            })
            .unwrap()
        };
        let (a, b) = (take("a"), take("b"));
        drop((a, b));
        drop(take("a"));
        // Beside one that is in use another is made; then "b" has been idle longest.
        let (first, second) = (take("a"), take("a"));
        drop((first, second));
        drop(take("b"));
        assert_eq!(made, ["a", "b", "a", "b"]);
        assert!(pool.take("c", || Err::<usize, _>("no".to_owned())).is_err());
    }

    #[test]
    fn an_engine_that_panicked_is_not_used_again() {
        let pool = EnginePool::new(2);
        let engine = pool.take("a", || Ok(1)).unwrap();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
            let _engine = engine;
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err() && pool.lock().is_empty());
    }
}
