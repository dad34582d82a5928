//! The threads of one search: who grows which tree, and who keeps the time.
//!
//! The calling thread is the first worker and the only one that looks at the
//! clock and calls the watch. The others work until they are told to stop.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use games::Dice;

use super::beat::Beat;
use super::crew::Crew;
use super::pool::{Node, Pool};
use super::settings::{Judge, Parallel};
use super::walk::{Task, Walker};
use crate::{Knowledge, Limits};

/// Visits of a root at which its counters have no more room.
const MOST_VISITS: u32 = (1 << 31) - (1 << 24);

/// Simulations between two entries of a helping thread on the board: few enough
/// to end together, many enough not to be in each other's way.
const TURN: u64 = 256;

/// What has been done so far, by all threads together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub sims: u64,
    pub nodes: u64,
    pub depth: u32,
}

/// Shows what is known, and may say that it is enough.
pub(super) type Look<'a> = dyn FnMut(Option<Done>) -> ControlFlow<()> + 'a;

/// What threads tell each other.
struct Board<'a> {
    /// Simulations that nobody has begun: one purse for all, or one each.
    purses: Vec<AtomicU64>,
    /// Set when the search is over.
    stop: &'a AtomicBool,
    /// Set when everybody is to pause, because a pool is full.
    pause: AtomicBool,
    counts: Counts,
}

/// What is written at every turn, away from what is read at every simulation.
#[derive(Default)]
#[repr(align(128))]
struct Counts {
    /// Threads at work beside the first.
    working: AtomicUsize,
    sims: AtomicU64,
    nodes: AtomicU64,
    depth: AtomicUsize,
}

impl Board<'_> {
    fn over(&self) -> bool {
        self.stop.load(Relaxed) || self.pause.load(Relaxed)
    }

    /// Takes up to `want` simulations of `weight` visits each out of a purse.
    fn draw(&self, purse: usize, want: u64, weight: u64) -> u64 {
        let purse = &self.purses[purse];
        let left = purse.load(Relaxed);
        if left == u64::MAX {
            return want;
        }
        let take = |left: u64| left - (want * weight).min(left);
        let before = purse.fetch_update(Relaxed, Relaxed, |left| Some(take(left))).unwrap_or(0);
        (before - take(before)).div_ceil(weight)
    }

    fn give_back(&self, purse: usize, count: u64, weight: u64) {
        let purse = &self.purses[purse];
        if purse.load(Relaxed) != u64::MAX {
            purse.fetch_add(count * weight, Relaxed);
        }
    }

    fn done(&self) -> Done {
        Done {
            sims: self.counts.sims.load(Relaxed),
            nodes: self.counts.nodes.load(Relaxed),
            depth: self.counts.depth.load(Relaxed) as u32,
        }
    }
}

/// Searches until a limit is reached, the root is proven or `look` breaks.
/// `look` is called every few milliseconds with what has been done; with nothing
/// while the trees are being tidied and must not be read.
pub(super) fn search<G: Knowledge>(
    task: &Task<G>,
    pools: &[Pool],
    limits: &Limits,
    beat: &mut Beat,
    seed: u64,
    look: &mut Look,
) -> Done {
    let settings = task.settings;
    let threads = settings.threads.max(1);
    let growers = if settings.parallel == Parallel::Leaf { 1 } else { threads };
    let helpers = threads - growers;
    let sims = limits.sims.unwrap_or(u64::MAX);
    let purses: Vec<AtomicU64> = (0..pools.len() as u64)
        .map(|i| match sims {
            u64::MAX => u64::MAX,
            _ => sims / pools.len() as u64 + u64::from(i < sims % pools.len() as u64),
        })
        .map(AtomicU64::new)
        .collect();
    let board =
        Board { purses, stop: task.stop, pause: AtomicBool::new(false), counts: Counts::default() };
    let crew = (helpers > 0).then(|| Crew::new(&task.root, helpers));
    let walker = |i: usize| {
        let dice = Dice::of(seed, i as u64);
        Walker::new(task, &pools[i % pools.len()], dice, crew.as_ref())
    };
    // Each is made by its own thread, so that no two share a line of memory.
    let mut first = walker(0);
    let mut others: Vec<Option<Walker<G>>> = (1..growers).map(|_| None).collect();
    let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(growers as u64));
    let shared = pools.len() < growers;
    let released = AtomicBool::new(false);
    thread::scope(|scope| {
        if let (Some(crew), Judge::Rollout(rollout)) = (&crew, &settings.judge) {
            for i in 0..helpers {
                let dice = Dice::of(seed, (growers + i) as u64);
                let released = &released;
                scope.spawn(move || crew.help(rollout, settings.rollouts, dice, released));
            }
        }
        loop {
            board.pause.store(false, Relaxed);
            board.counts.working.store(growers - 1, Relaxed);
            thread::scope(|scope| {
                for (i, place) in (1..).zip(&mut others) {
                    let (board, walker) = (&board, &walker);
                    scope.spawn(move || {
                        let mut walker = place.take().unwrap_or_else(|| walker(i));
                        let purse = i % pools.len();
                        while !board.over() && turn(&mut walker, board, purse, TURN, nodes, shared)
                        {
                        }
                        walker.leave();
                        *place = Some(walker);
                        board.counts.working.fetch_sub(1, Relaxed);
                    });
                }
                lead(&mut first, &board, pools, beat, nodes, shared, look);
                first.leave();
            });
            if board.stop.load(Relaxed) || !board.pause.load(Relaxed) {
                break;
            }
            // All threads stand still: a full tree makes room.
            let mut rest = || glance(None, beat, look);
            for pool in pools.iter().filter(|pool| pool.is_full()) {
                if pool.prune(&mut rest).is_break() {
                    board.stop.store(true, Relaxed);
                }
            }
            if board.stop.load(Relaxed) {
                break;
            }
        }
        released.store(true, std::sync::atomic::Ordering::Release);
    });
    board.done()
}

/// Looks at the clock and, when it is due, shows what is known.
fn glance(done: Option<Done>, beat: &mut Beat, look: &mut Look) -> ControlFlow<()> {
    if beat.pace.over() {
        return ControlFlow::Break(());
    }
    if beat.watch_is_due() { look(done) } else { ControlFlow::Continue(()) }
}

/// The first worker: works in turns and keeps the time between them.
fn lead<G: Knowledge>(
    walker: &mut Walker<G>,
    board: &Board,
    pools: &[Pool],
    beat: &mut Beat,
    nodes: u64,
    shared: bool,
    look: &mut Look,
) {
    let mut working = true;
    loop {
        let certain = pools.iter().any(|pool| pool.proof(Node::ROOT).is_known());
        let counted = pools.iter().any(|pool| pool.visits(Node::ROOT) > MOST_VISITS);
        if certain || counted || glance(Some(board.done()), beat, look).is_break() {
            board.stop.store(true, Relaxed);
        }
        if board.over() {
            return;
        }
        if working {
            let size = beat.turn();
            working = turn(walker, board, 0, size, nodes, shared);
        } else if board.counts.working.load(Relaxed) > 0 {
            thread::sleep(Duration::from_micros(200));
        } else {
            return;
        }
    }
}

/// Walks up to `size` times; false when this thread has nothing left to do.
fn turn<G: Knowledge>(
    walker: &mut Walker<G>,
    board: &Board,
    purse: usize,
    size: u64,
    nodes: u64,
    shared: bool,
) -> bool {
    let before = (walker.sims, walker.nodes);
    let weight = walker.weight();
    let drawn = board.draw(purse, size, weight);
    let mut left = drawn;
    while left > 0 && walker.nodes < nodes && !board.over() {
        let most = (walker.batch() as u64).min(left) as usize;
        let walked = if shared {
            walker.simulate::<true, ()>(most, &mut ())
        } else {
            walker.simulate::<false, ()>(most, &mut ())
        };
        left -= walked as u64;
        if walked == 0 {
            thread::yield_now();
        }
        if walker.pool.is_full() && walker.recycles() {
            board.pause.store(true, Relaxed);
        }
        if walker.pool.proof(Node::ROOT).is_known() {
            break;
        }
    }
    if shared {
        walker.settle::<true>();
    } else {
        walker.settle::<false>();
    }
    board.give_back(purse, left, weight);
    board.counts.sims.fetch_add(walker.sims - before.0, Relaxed);
    board.counts.nodes.fetch_add(walker.nodes - before.1, Relaxed);
    board.counts.depth.fetch_max(walker.depth as usize, Relaxed);
    drawn > 0 && walker.nodes < nodes
}
