//! The one runner between an engine and its caller: answers in time on a busy
//! machine.
//!
//! A thread that computes loses its core for many milliseconds when others want
//! it too, and then it cannot look at the clock. A thread that sleeps is woken
//! soon. So where time or a person ends a search, the engine runs in a worker
//! thread, and the caller's own thread sleeps until the deadline and takes the
//! newest published result, whether or not the worker has noticed. A search that
//! nothing but its own counts can end runs in the caller's thread.
//!
//! The next search waits for a worker that has not come back yet, in its own
//! worker and so within its own deadline; until then its answer is what the last
//! search expected to play here, else the engine's guess by the position alone. The
//! runner knows nothing of engines but
//! the trait, and nothing of what the caller does with the answer.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use games::{Game, Record};

use crate::core_wait;
use crate::{Engine, Limits, SearchControl, SearchInfo, TimeManager, TimeOptions};

/// Searches recurse; memory that is not touched costs nothing.
const STACK: usize = 16 << 20;

/// What a stopped engine gets to answer by itself. It polls more often, so only
/// one that has lost its core misses it.
const STOP_GRACE: Duration = Duration::from_millis(5);

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Chooses a move within limits.
    Search(Limits),
    /// Thinks on the opponent's time until stopped.
    Ponder,
}

/// An engine and the thread it runs in.
///
/// ```
/// use games::{Game, Record, connect_four::{ConnectFour, Setup}};
/// use search::{Limits, Runner, tree::{TreeSettings, TreeSearch}};
///
/// let start = ConnectFour::<u64>::start(&Setup::default()).unwrap();
/// let settings = TreeSettings { memory: 1, ..TreeSettings::default() };
/// let mut runner = Runner::new(TreeSearch::new(settings, 1));
/// let info = runner.search(&Record::new(start), &Limits::sims(100));
/// assert!(info.best.is_some() && info.sims == 100);
/// ```
pub struct Runner<G: Game, E> {
    engine: Place<E>,
    /// Of the search under way, or of the last one.
    control: SearchControl<G::Move>,
    /// The position of that search, and how many moves led to it.
    root: Option<(G, usize)>,
    static_guess: fn(&G) -> Option<G::Move>,
    anytime: bool,
    options: TimeOptions,
    /// The stack of a worker.
    stack: usize,
}

/// Where the engine is.
enum Place<E> {
    Here(E),
    /// In a worker, which gives it back when it ends.
    Away(JoinHandle<E>),
    /// Lost in a panic.
    Lost,
}

impl<E> Place<E> {
    /// Waits for the engine. A panic of the worker goes on here.
    fn wait(self) -> E {
        match self {
            Place::Here(engine) => engine,
            Place::Away(worker) => worker.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Place::Lost => panic!("the engine was lost in a panic"),
        }
    }
}

impl<G: Game, E: Engine<G> + 'static> Runner<G, E> {
    /// A runner for an engine.
    pub fn new(engine: E) -> Runner<G, E> {
        let anytime = engine.is_anytime();
        let control = SearchControl::unlimited();
        control.finish();
        let (static_guess, options) = (engine.static_guess(), TimeOptions::default());
        let engine = Place::Here(engine);
        Runner { engine, control, root: None, static_guess, anytime, options, stack: STACK }
    }

    /// The engine, waiting for it to come back from its last search. If that
    /// panicked, so does this.
    pub fn engine(&mut self) -> &mut E {
        self.stop();
        let engine = std::mem::replace(&mut self.engine, Place::Lost).wait();
        self.engine = Place::Here(engine);
        let Place::Here(engine) = &mut self.engine else { unreachable!("put there just now") };
        engine
    }

    /// Begins another game; the seed decides its random choices.
    pub fn new_game(&mut self, seed: u64) {
        self.engine().new_game(seed);
    }

    /// Has the engine do what its first search would do first ([`Engine::warm_up`]).
    pub fn warm_up(&mut self, game: &G) {
        self.engine().warm_up(game);
    }

    /// How many threads the engine may use from now on ([`Engine::limit_threads`]).
    pub fn limit_threads(&mut self, threads: usize) {
        self.engine().limit_threads(threads);
    }

    /// Chooses a move for the record, which must not be over, within the limits.
    pub fn search(&mut self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        let control = self.prepare(record, limits);
        self.run(record, control)
    }

    /// Likewise, with an observer of every published result in the engine's
    /// thread; breaking stops the search.
    pub fn search_observed(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        observer: impl FnMut(&SearchInfo<G::Move>) -> ControlFlow<()> + Send + 'static,
    ) -> SearchInfo<G::Move> {
        let control = self.prepare(record, limits).observed(observer);
        self.run(record, control)
    }

    /// Starts work in a worker thread. What the engine publishes is
    /// [`Runner::newest`]; `poll` is called each time, in the engine's thread, and
    /// stops the search if it breaks; `finished` is called once, when the engine
    /// returns.
    pub fn start(
        &mut self,
        record: &Record<G>,
        work: Work,
        mut poll: impl FnMut() -> ControlFlow<()> + Send + 'static,
        finished: impl FnOnce() + Send + 'static,
    ) {
        let limits = match work {
            Work::Search(limits) => limits,
            Work::Ponder => Limits::default(),
        };
        let control = self.prepare(record, &limits).observed(move |_| poll());
        self.spawn(record, control, work == Work::Ponder, finished);
    }

    /// The newest result of the search that was started last; its answer once it
    /// [is due](Runner::is_due).
    pub fn newest(&self) -> SearchInfo<G::Move> {
        let newest = self.control.newest();
        match self.is_finished() {
            true => newest,
            false => SearchInfo { elapsed: self.control.time().elapsed(), ..newest },
        }
    }

    /// Stops the search that was started last; its answer is due in a moment.
    pub fn stop(&mut self) {
        self.control.stop();
    }

    /// Whether the engine has returned from the search that was started last.
    pub fn is_finished(&self) -> bool {
        self.control.is_finished()
    }

    /// How long the caller may sleep until the answer is due, unless the engine
    /// returns before: `None` for as long as it takes.
    pub fn time_left(&self) -> Option<Duration> {
        if self.is_finished() {
            return Some(Duration::ZERO);
        }
        if !self.anytime {
            return None;
        }
        let grace = self.control.since_stop().map(|since| STOP_GRACE.saturating_sub(since));
        self.control.time().left().into_iter().chain(grace).min()
    }

    /// Whether the newest result is the answer: the engine has returned, or there
    /// is no more time to wait for it.
    pub fn is_due(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }

    /// Whether the engine panicked in the work that was started last, which must
    /// have finished. Then it is lost.
    pub fn has_panicked(&mut self) -> bool {
        match std::mem::replace(&mut self.engine, Place::Lost) {
            Place::Away(worker) => match worker.join() {
                Ok(engine) => self.engine = Place::Here(engine),
                Err(_) => return true,
            },
            Place::Here(engine) => self.engine = Place::Here(engine),
            Place::Lost => return true,
        }
        false
    }

    /// Ends the last search and begins the time of the next, whose first answer is
    /// the engine's guess. An engine that has not come back yet can't be asked: then
    /// it is what that search expected, else what the position alone suggests.
    fn prepare(&mut self, record: &Record<G>, limits: &Limits) -> SearchControl<G::Move> {
        self.control.stop();
        let plies = record.moves().len() as u32;
        let mover = record.game().to_move();
        let time = TimeManager::new(limits, mover, plies, &self.options);
        let control = SearchControl::timed(*limits, time);
        if self.is_finished() {
            self.engine();
        }
        control.replace(match &self.engine {
            Place::Here(engine) => engine.guess(record, limits),
            _ => {
                let best = self.expected(record).or_else(|| (self.static_guess)(record.game()));
                SearchInfo { best, ..SearchInfo::default() }
            }
        });
        self.root = Some((record.game().clone(), record.moves().len()));
        control
    }

    /// The move that the best line of the last search continues with, if the game
    /// has followed that line.
    fn expected(&self, record: &Record<G>) -> Option<G::Move> {
        let (root, plies) = self.root.as_ref()?;
        if record.positions().get(*plies)? != root {
            return None;
        }
        let last = self.control.newest();
        let best = last.lines.iter().find(|line| Some(line.mv) == last.best)?;
        let next = *best.pv.strip_prefix(&record.moves()[*plies..])?.first()?;
        record.legal().contains(&next).then_some(next)
    }

    fn run(&mut self, record: &Record<G>, control: SearchControl<G::Move>) -> SearchInfo<G::Move> {
        if control.time().left().is_none() || !self.anytime {
            return self.engine().search(record, &control);
        }
        let before = core_wait::of_thread();
        self.spawn(record, control, false, || {});
        self.control.wait();
        self.control.stop();
        let answer = self.newest();
        SearchInfo { stalled: core_wait::of_thread().saturating_sub(before), ..answer }
    }

    fn spawn(
        &mut self,
        record: &Record<G>,
        control: SearchControl<G::Move>,
        ponders: bool,
        finished: impl FnOnce() + Send + 'static,
    ) {
        let mut place = std::mem::replace(&mut self.engine, Place::Lost);
        if self.is_finished() {
            // If the last worker panicked, its caller hears of it here.
            place = Place::Here(place.wait());
        }
        self.control = control.clone();
        let record = record.clone();
        let work = move || {
            // In this order: the caller learns even of a search that panics.
            let _finish = Finish(Some(finished));
            let _mark = Mark(&control);
            let was_away = matches!(place, Place::Away(_));
            let mut engine = place.wait();
            if ponders {
                engine.ponder(&record, &control);
            } else {
                if was_away {
                    control.replace(engine.guess(&record, control.limits()));
                }
                let answer = engine.search(&record, &control);
                control.replace(answer);
            }
            engine
        };
        // A thread that can't be started must not take the engine with it.
        let work = Arc::new(Mutex::new(Some(work)));
        let take = |work: &Mutex<Option<_>>| {
            work.lock().unwrap_or_else(PoisonError::into_inner).take().expect("it runs once")
        };
        let shared = work.clone();
        let builder = thread::Builder::new().name("search".to_owned()).stack_size(self.stack);
        self.engine = match builder.spawn(move || take(&shared)()) {
            Ok(worker) => Place::Away(worker),
            Err(_) => {
                // The system has no thread to spare: in the caller's, which nothing
                // but the limits could end then.
                if ponders || self.control.limits().is_unlimited() {
                    self.control.stop();
                }
                Place::Here(take(&work)())
            }
        };
    }
}

impl<G: Game, E> Drop for Runner<G, E> {
    /// Waits for the worker: it must not outlive what started it. A panic in it
    /// was its own; no caller is left to read it.
    fn drop(&mut self) {
        self.control.stop();
        if let Place::Away(worker) = std::mem::replace(&mut self.engine, Place::Lost) {
            let _ = worker.join();
        }
    }
}

/// Marks a search as finished when it goes out of scope.
struct Mark<'a, M>(&'a SearchControl<M>);

impl<M> Drop for Mark<'_, M> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Calls a function when it goes out of scope.
struct Finish<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for Finish<F> {
    fn drop(&mut self) {
        if let Some(finished) = self.0.take() {
            finished();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use games::connect_four::{ConnectFour, Setup};

    use super::*;
    use crate::tree::{TreeSearch, TreeSettings};

    #[test]
    fn a_system_without_a_thread_to_spare_loses_no_engine() {
        let start = ConnectFour::<u64>::start(&Setup::default()).unwrap();
        let record = Record::new(start);
        let settings = TreeSettings { memory: 1, ..TreeSettings::default() };
        let mut runner = Runner::new(TreeSearch::new(settings, 1));
        // No address space holds such a stack.
        runner.stack = 1 << 50;
        let time = Limits::time(Duration::from_millis(20));
        assert!(runner.search(&record, &time).sims > 0);
        let unlimited = Work::Search(Limits::default());
        for work in [Work::Search(time), unlimited, Work::Ponder] {
            let (sender, finished) = mpsc::channel();
            let poll = || ControlFlow::Continue(());
            runner.start(&record, work, poll, move || sender.send(()).unwrap());
            assert!(finished.try_recv().is_ok() && runner.is_finished() && !runner.has_panicked());
        }
        runner.stack = STACK;
        assert!(runner.search(&record, &time).best.is_some());
    }
}
