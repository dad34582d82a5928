//! Searches within slots, followed and stopped from outside.
//!
//! A search is a task of the server's runtime and the engine's own worker: the
//! task sleeps until the engine returns, it is cancelled, a report is due or the
//! time is up, and takes the newest result then. No thread waits for another.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use search::{SearchInfo, Work};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use crate::memory::LeasedEngine;
use crate::slots::{Permit, Purpose, Slots};

/// Time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(120);

/// When the first report is due.
const FIRST_REPORT: Duration = Duration::from_millis(10);

/// What every search gets, however late it came to compute.
const MOMENT: Duration = Duration::from_millis(30);

/// Ends a search from outside.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<CancelState>);

#[derive(Debug, Default)]
struct CancelState {
    /// 0: none, 1: answer now, 2: no answer.
    wanted: AtomicU8,
    changed: Notify,
}

impl CancelToken {
    /// Ends it without an answer.
    pub fn cancel(&self) {
        self.0.wanted.store(2, SeqCst);
        self.0.changed.notify_one();
    }

    /// Ends it with the newest result as its answer.
    pub fn answer_now(&self) {
        let _ = self.0.wanted.compare_exchange(0, 1, SeqCst, SeqCst);
        self.0.changed.notify_one();
    }

    fn is_set(&self) -> bool {
        self.0.wanted.load(SeqCst) != 0
    }

    /// Whether no answer is wanted.
    pub fn is_cancelled(&self) -> bool {
        self.0.wanted.load(SeqCst) == 2
    }
}

/// Where searches run.
#[derive(Clone)]
pub struct SearchPool {
    runtime: Handle,
    slots: Arc<Slots>,
    alive: Arc<AtomicUsize>,
    most_studies: usize,
}

/// A search to be run.
pub struct SearchJob {
    /// The engine, with the game already set.
    pub engine: LeasedEngine,
    /// A move, an analysis, or pondering.
    pub work: Work,
    /// Its place in the queue.
    pub purpose: Purpose,
    /// How others end it.
    pub cancel: CancelToken,
    /// The threads that it may have where slots are free; `None` for the engine's own
    /// number, whatever else computes.
    pub most_threads: Option<usize>,
}

impl SearchPool {
    /// So many searches compute at a time; so many studies exist at a time. Needs
    /// a tokio runtime.
    pub fn new(slots: usize, most_studies: usize) -> SearchPool {
        let (runtime, slots) = (Handle::current(), Slots::new(slots));
        SearchPool { runtime, slots, alive: Arc::default(), most_studies }
    }

    /// Whether another study may begin.
    pub fn has_room(&self) -> bool {
        self.alive.load(SeqCst) < self.most_studies
    }

    /// Counts a study that is no search, if another may begin.
    pub fn enter_study(&self) -> Option<StudyPermit> {
        if !self.has_room() {
            return None;
        }
        self.alive.fetch_add(1, SeqCst);
        Some(StudyPermit { _alive: Alive(Arc::clone(&self.alive)) })
    }

    /// Searches alive, running or waiting.
    pub fn alive(&self) -> usize {
        self.alive.load(SeqCst)
    }

    /// Starts a search. `report` gets its progress; `done` gets the engine, unless
    /// it panicked, and the answer (none if it panicked or never got a slot).
    pub fn run(
        &self,
        job: SearchJob,
        mut report: impl FnMut(&SearchInfo<String>) + Send + 'static,
        done: impl FnOnce(Option<LeasedEngine>, Option<SearchInfo<String>>) + Send + 'static,
    ) {
        self.alive.fetch_add(1, SeqCst);
        let alive = Alive(Arc::clone(&self.alive));
        let slots = Arc::clone(&self.slots);
        self.runtime.spawn(async move {
            let mut job = job;
            let answer = search(&slots, &mut job, &mut report).await;
            let engine = job.engine;
            drop(alive);
            // What follows may write to disk.
            let done = move || match answer {
                Ok(answer) => done(Some(engine), answer),
                Err(Panicked) => done(None, None),
            };
            let _ = tokio::task::spawn_blocking(done).await;
        });
    }
}

/// The slot of a computation that belongs to a study.
pub struct StudySlot {
    permit: Permit,
    cancel: CancelToken,
}

impl StudySlot {
    /// Lets others compute if it is their turn; breaks when the study is over.
    pub fn poll(&mut self) -> ControlFlow<()> {
        let give_up = || self.cancel.is_set();
        match !give_up() && self.permit.share(&give_up) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

impl SearchPool {
    /// Runs a computation that belongs to a study in a thread of its own, once
    /// there is a slot for it. It must poll the slot every few milliseconds. A
    /// panic ends that thread only.
    pub fn run_beside(&self, cancel: CancelToken, work: impl FnOnce(StudySlot) + Send + 'static) {
        let slots = Arc::clone(&self.slots);
        self.runtime.spawn(async move {
            let entered = slots.enter(Purpose::Study, || cancel.is_cancelled()).await;
            let Some(permit) = entered else { return };
            let slot = StudySlot { permit, cancel };
            let thread = std::thread::Builder::new().name("solver".to_owned());
            // Without a thread there is a search all the same.
            let _ = thread.spawn(move || work(slot));
        });
    }
}

/// The right to a study, for as long as it lives.
pub struct StudyPermit {
    _alive: Alive,
}

/// Counts a search for as long as it lives.
struct Alive(Arc<AtomicUsize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// A bug in one search must not end the games of nineteen others.
struct Panicked;

async fn search(
    slots: &Arc<Slots>,
    job: &mut SearchJob,
    report: &mut (impl FnMut(&SearchInfo<String>) + Send),
) -> Result<Option<SearchInfo<String>>, Panicked> {
    let SearchJob { engine, work, purpose, cancel, most_threads } = job;
    let (mut work, purpose, cancel) = (*work, *purpose, &*cancel);
    let began = Instant::now();
    // A search that must answer goes on waiting past its deadline, and gets a
    // moment in any case: a little search is better than none.
    let Some(mut permit) = slots.enter(purpose, || cancel.is_cancelled()).await else {
        return Ok(None);
    };
    if let Work::Search(limits) = &mut work
        && let Some(time) = &mut limits.time
    {
        *time = time.saturating_sub(began.elapsed()).max(MOMENT);
    }
    if let Some(most) = *most_threads {
        // What is thought on the opponent's time lasts too long to lend slots to it.
        let threads = if work == Work::Ponder { 1 } else { permit.widen(most) };
        let limit = AssertUnwindSafe(|| engine.handle.limit_threads(threads));
        catch_unwind(limit).map_err(|_| Panicked)?;
    }
    let over = Over::default();
    let finished = Arc::new(Notify::new());
    // The engine's worker holds the permit: whatever this task does, the slot is
    // free when the worker has ended.
    let (stopped, cancelled) = (Arc::clone(&over.0), cancel.clone());
    let poll = move || {
        let give_up = || stopped.load(SeqCst) || cancelled.is_set();
        match !give_up() && permit.share(&give_up) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let handle = &mut engine.handle;
    let notify = Arc::clone(&finished);
    let start = || handle.start(work, Some(Box::new(poll)), Box::new(move || notify.notify_one()));
    catch_unwind(AssertUnwindSafe(start)).map_err(|_| Panicked)?;
    let mut due = FIRST_REPORT;
    let mut reported = Instant::now();
    loop {
        let rest = due.saturating_sub(reported.elapsed());
        let sleep = handle.time_left().map_or(rest, |left| left.min(rest));
        tokio::select! {
            () = finished.notified() => {}
            () = cancel.0.changed.notified() => {}
            () = tokio::time::sleep(sleep) => {}
        }
        if cancel.is_set() {
            handle.stop();
        }
        if handle.time_left().is_some_and(|left| left.is_zero()) {
            break;
        }
        if reported.elapsed() >= due && work != Work::Ponder {
            (due, reported) = (BETWEEN_REPORTS, Instant::now());
            report(&handle.newest());
        }
    }
    handle.stop();
    if handle.is_finished() && handle.has_panicked() {
        return Err(Panicked);
    }
    if work == Work::Ponder {
        return Ok(None);
    }
    let answer = handle.newest();
    report(&answer);
    Ok(Some(answer))
}

/// Tells a worker that waits for its slot that the search is over, even if the
/// task is dropped.
#[derive(Default)]
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}
