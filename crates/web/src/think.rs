//! Searches in threads of their own, within slots, watched and stopped from
//! outside.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use search::Limits;
use session::{Report, Thinker};

use crate::slots::{Purpose, Slots};

/// How often progress is told.
const BEAT: Duration = Duration::from_millis(120);

/// What every search gets, however late it came to compute.
const MOMENT: Duration = Duration::from_millis(30);

/// A search that others can end.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// End it; nobody wants the answer.
    pub fn drop_it(&self) {
        self.0.store(2, SeqCst);
    }

    /// End it and answer at once.
    pub fn answer_now(&self) {
        let _ = self.0.compare_exchange(0, 1, SeqCst, SeqCst);
    }

    fn is_set(&self) -> bool {
        self.0.load(SeqCst) != 0
    }

    /// Whether the answer is unwanted.
    pub fn is_dropped(&self) -> bool {
        self.0.load(SeqCst) == 2
    }
}

/// Where searches run.
#[derive(Clone)]
pub struct Pool {
    slots: Arc<Slots>,
    alive: Arc<AtomicUsize>,
    most_studies: usize,
}

/// What is searched for.
pub enum Kind {
    /// A move, or an analysis.
    Think(Limits),
    /// Thinking on the opponent's time.
    Ponder,
}

/// A search to be run.
pub struct Order {
    /// Who thinks, with the game already set.
    pub thinker: Box<dyn Thinker>,
    /// What about.
    pub kind: Kind,
    /// Its place in the queue.
    pub purpose: Purpose,
    /// How others end it.
    pub stop: Stop,
}

impl Pool {
    /// So many searches compute at a time; so many studies exist at a time.
    pub fn new(slots: usize, most_studies: usize) -> Pool {
        Pool { slots: Slots::new(slots), alive: Arc::default(), most_studies }
    }

    /// Whether another study may begin.
    pub fn has_room(&self) -> bool {
        self.alive.load(SeqCst) < self.most_studies
    }

    /// Searches alive, running or waiting.
    pub fn alive(&self) -> usize {
        self.alive.load(SeqCst)
    }

    /// Runs a search in a thread. `tell` gets its progress, `done` the thinker
    /// and the answer (none for pondering, or if it never got a slot).
    pub fn run(
        &self,
        order: Order,
        mut tell: impl FnMut(&Report) + Send + 'static,
        done: impl FnOnce(Box<dyn Thinker>, Option<Report>) + Send + 'static,
    ) {
        self.alive.fetch_add(1, SeqCst);
        let pool = self.clone();
        let work = move || {
            let Order { mut thinker, kind, purpose, stop } = order;
            // A bug in one search must not end the games of nineteen others.
            let search =
                AssertUnwindSafe(|| pool.search(&mut *thinker, kind, purpose, &stop, &mut tell));
            let answer = catch_unwind(search).unwrap_or_default();
            pool.alive.fetch_sub(1, SeqCst);
            done(thinker, answer);
        };
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(4 << 20)
            .spawn(work)
            .expect("the system has threads");
    }

    fn search(
        &self,
        thinker: &mut dyn Thinker,
        kind: Kind,
        purpose: Purpose,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let began = Instant::now();
        let mut limits = match kind {
            Kind::Think(limits) => limits,
            Kind::Ponder => Limits::default(),
        };
        // Whoever must answer goes on waiting past its deadline, and gets a
        // moment in any case: a little search is better than none.
        let mut permit = self.slots.enter(purpose, &|| stop.is_dropped())?;
        if let Some(time) = &mut limits.time {
            *time = time.saturating_sub(began.elapsed()).max(MOMENT);
        }
        let deadline = limits.time.map(|time| Instant::now() + time);
        let late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let give_up = || stop.is_set() || late();
        let mut told: Option<Instant> = None;
        let mut watch = |report: &Report| {
            if stop.is_set() || !permit.share(&give_up) {
                return ControlFlow::Break(());
            }
            if told.is_none_or(|told| told.elapsed() >= BEAT) && report.best.is_some() {
                told = Some(Instant::now());
                tell(report);
            }
            ControlFlow::Continue(())
        };
        match kind {
            Kind::Think(_) => {
                let report = thinker.think(&limits, &mut watch);
                tell(&report);
                Some(report)
            }
            Kind::Ponder => {
                thinker.ponder(&mut watch);
                None
            }
        }
    }
}
