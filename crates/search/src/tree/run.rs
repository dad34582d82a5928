//! The threads of one search: who grows which tree, and who keeps the time.
//!
//! The calling thread is the main worker and the only one that looks at the
//! clock and publishes results. The others work until the stop flag is set.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use games::Rng;

use super::leaf_parallel::LeafParallel;
use super::poll::PollTimer;
use super::pool::{Node, Pool};
use super::settings::{LeafEvaluator, Parallel};
use super::worker::{TreeContext, Worker};
use crate::{SearchControl, SearchHints};

/// Visits of a root at which its counters have no more room.
const MAX_VISITS: u32 = (1 << 31) - (1 << 24);

/// Simulations that a worker beside the main one takes at a time: few enough
/// to end together, many enough not to be in each other's way.
const SLICE: u64 = 256;

/// What has been done so far, by all threads together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub sims: u64,
    pub nodes: u64,
    pub depth: u32,
}

/// What threads tell each other.
struct SharedState<'a, M> {
    control: &'a SearchControl<M>,
    /// Simulations that no worker has begun: one quota for all, or one each.
    quotas: Vec<AtomicU64>,
    /// Set when the search is over.
    stop: AtomicBool,
    /// Set when everybody is to pause, because a pool is full.
    pause: AtomicBool,
    counts: AtomicCounts,
}

/// What is written at every slice, away from what is read at every simulation.
#[derive(Default)]
#[repr(align(128))]
struct AtomicCounts {
    /// Threads at work beside the first.
    working: AtomicUsize,
    sims: AtomicU64,
    nodes: AtomicU64,
    depth: AtomicUsize,
}

impl<M> SharedState<'_, M> {
    fn halted(&self) -> bool {
        self.stop.load(Relaxed) || self.pause.load(Relaxed) || self.control.is_stopped()
    }

    /// Takes up to `want` simulations of `weight` visits each out of a quota.
    fn take_quota(&self, quota: usize, want: u64, weight: u64) -> u64 {
        let quota = &self.quotas[quota];
        let left = quota.load(Relaxed);
        if left == u64::MAX {
            return want;
        }
        let take = |left: u64| left - (want * weight).min(left);
        let before = quota.fetch_update(Relaxed, Relaxed, |left| Some(take(left))).unwrap_or(0);
        (before - take(before)).div_ceil(weight)
    }

    fn return_quota(&self, quota: usize, count: u64, weight: u64) {
        let quota = &self.quotas[quota];
        if quota.load(Relaxed) != u64::MAX {
            quota.fetch_add(count * weight, Relaxed);
        }
    }

    fn totals(&self) -> Counts {
        Counts {
            sims: self.counts.sims.load(Relaxed),
            nodes: self.counts.nodes.load(Relaxed),
            depth: self.counts.depth.load(Relaxed) as u32,
        }
    }
}

/// Searches until a limit is reached, the root is proven or `report` breaks.
/// `report` is called every few milliseconds with what has been done; with nothing
/// while the trees are being tidied and must not be read.
pub(super) fn search<G: SearchHints>(
    context: &TreeContext<G>,
    pools: &[Pool],
    control: &SearchControl<G::Move>,
    timer: &mut PollTimer,
    seed: u64,
    report: &mut impl FnMut(Option<Counts>) -> ControlFlow<()>,
) -> Counts {
    let settings = context.settings;
    let threads = settings.threads.max(1);
    let workers = if settings.parallel == Parallel::Leaf { 1 } else { threads };
    let helpers = threads - workers;
    let limits = control.limits();
    let sims = limits.sims.into_iter().chain(settings.sims).min().unwrap_or(u64::MAX);
    let quotas: Vec<AtomicU64> = (0..pools.len() as u64)
        .map(|i| match sims {
            u64::MAX => u64::MAX,
            _ => sims / pools.len() as u64 + u64::from(i < sims % pools.len() as u64),
        })
        .map(AtomicU64::new)
        .collect();
    let state = SharedState {
        control,
        quotas,
        stop: AtomicBool::new(false),
        pause: AtomicBool::new(false),
        counts: AtomicCounts::default(),
    };
    let leaf_parallel = (helpers > 0).then(|| LeafParallel::new(&context.root, helpers));
    let worker = |i: usize| {
        let rng = Rng::stream(seed, i as u64);
        Worker::new(context, &pools[i % pools.len()], rng, leaf_parallel.as_ref())
    };
    // Each is made by its own thread, so that no two share a line of memory.
    let mut first = worker(0);
    let mut others: Vec<Option<Worker<G>>> = (1..workers).map(|_| None).collect();
    let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(workers as u64));
    let shared = pools.len() < workers;
    let released = AtomicBool::new(false);
    thread::scope(|scope| {
        if let (Some(leaf_parallel), LeafEvaluator::Rollout(rollout)) =
            (&leaf_parallel, context.evaluator)
        {
            for i in 0..helpers {
                let rng = Rng::stream(seed, (workers + i) as u64);
                let released = &released;
                scope.spawn(move || {
                    leaf_parallel.helper_loop(rollout, settings.rollouts, rng, released)
                });
            }
        }
        loop {
            state.pause.store(false, Relaxed);
            state.counts.working.store(workers - 1, Relaxed);
            thread::scope(|scope| {
                for (i, place) in (1..).zip(&mut others) {
                    let (state, worker) = (&state, &worker);
                    scope.spawn(move || {
                        let mut worker = place.take().unwrap_or_else(|| worker(i));
                        let quota = i % pools.len();
                        while !state.halted()
                            && run_slice(&mut worker, state, quota, SLICE, nodes, shared)
                        {
                        }
                        worker.release_memory();
                        *place = Some(worker);
                        state.counts.working.fetch_sub(1, Relaxed);
                    });
                }
                main_worker(&mut first, &state, pools, timer, nodes, shared, report);
                first.release_memory();
            });
            if state.stop.load(Relaxed) || !state.pause.load(Relaxed) {
                break;
            }
            // All threads stand still: a full tree makes room.
            let mut rest = || poll(None, control, timer, report);
            for pool in pools.iter().filter(|pool| pool.is_full()) {
                if pool.prune(&mut rest).is_break() {
                    state.stop.store(true, Relaxed);
                }
            }
            if state.stop.load(Relaxed) {
                break;
            }
        }
        released.store(true, std::sync::atomic::Ordering::Release);
    });
    state.totals()
}

/// Looks whether to stop and, when it is due, reports what is known.
fn poll<M>(
    done: Option<Counts>,
    control: &SearchControl<M>,
    timer: &mut PollTimer,
    report: &mut impl FnMut(Option<Counts>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if control.should_stop() {
        return ControlFlow::Break(());
    }
    if timer.report_is_due() { report(done) } else { ControlFlow::Continue(()) }
}

/// The main worker: works in slices and keeps the time between them.
fn main_worker<G: SearchHints>(
    worker: &mut Worker<G>,
    state: &SharedState<G::Move>,
    pools: &[Pool],
    timer: &mut PollTimer,
    nodes: u64,
    shared: bool,
    report: &mut impl FnMut(Option<Counts>) -> ControlFlow<()>,
) {
    let mut working = true;
    loop {
        let proven = pools.iter().any(|pool| pool.proof(Node::ROOT).is_known());
        let saturated = pools.iter().any(|pool| pool.visits(Node::ROOT) > MAX_VISITS);
        let done = Some(state.totals());
        if proven || saturated || poll(done, state.control, timer, report).is_break() {
            state.stop.store(true, Relaxed);
        }
        if state.halted() {
            return;
        }
        if working {
            let size = timer.slice();
            working = run_slice(worker, state, 0, size, nodes, shared);
        } else if state.counts.working.load(Relaxed) > 0 {
            thread::sleep(Duration::from_micros(200));
        } else {
            return;
        }
    }
}

/// Up to `size` simulations; false when this thread has nothing left to do.
fn run_slice<G: SearchHints>(
    worker: &mut Worker<G>,
    state: &SharedState<G::Move>,
    quota: usize,
    size: u64,
    nodes: u64,
    shared: bool,
) -> bool {
    let before = (worker.sims, worker.nodes);
    let weight = worker.weight();
    let taken = state.take_quota(quota, size, weight);
    let mut left = taken;
    while left > 0 && worker.nodes < nodes && !state.halted() {
        let most = (worker.batch() as u64).min(left) as usize;
        let simulated = if shared {
            worker.simulate::<true, ()>(most, &mut ())
        } else {
            worker.simulate::<false, ()>(most, &mut ())
        };
        left -= simulated as u64;
        if simulated == 0 {
            thread::yield_now();
        }
        if worker.pool.is_full() && worker.recycles() {
            state.pause.store(true, Relaxed);
        }
        if worker.pool.proof(Node::ROOT).is_known() {
            break;
        }
    }
    if shared {
        worker.flush::<true>();
    } else {
        worker.flush::<false>();
    }
    state.return_quota(quota, left, weight);
    state.counts.sims.fetch_add(worker.sims - before.0, Relaxed);
    state.counts.nodes.fetch_add(worker.nodes - before.1, Relaxed);
    state.counts.depth.fetch_max(worker.depth as usize, Relaxed);
    taken > 0 && worker.nodes < nodes
}
