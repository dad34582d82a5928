//! The one tree search. UCT and PUCT are settings of it, and so is every tree
//! player of the papers.
//!
//! A simulation goes down the tree by a rule of selection (`select`), judges a
//! leaf and adds the result to the nodes it came through (`walk`). The nodes
//! live in a pool of fixed size (`pool`), which is tidied in place when the game
//! moves on or the pool is full (`compact`). Certain results travel up (`proof`).
//! Threads (`run`, `crew`) share one tree, grow one each or share a leaf.
//!
//! Values belong to First everywhere and are turned once, at selection, by who
//! moves there: so it does not matter whether the turn passes.
//!
//! The search knows no game, no clock but its limits, and nothing of text. UCT
//! is Kocsis and Szepesvári's (2006), PUCT AlphaZero's form (2017), the lock-free
//! shared tree with virtual losses after Enzenberger and Müller (2009).

mod beat;
mod compact;
mod crew;
mod export;
mod observe;
mod pool;
mod proof;
mod report;
mod run;
mod select;
mod settings;
mod trees;
mod walk;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use games::Record;

use self::pool::{Eight, Node, Pool};
use self::trees::Trees;
use crate::post::Post;
use crate::{Engine, Info, Knowledge, Limits, Pace};

pub use export::Branch;
pub use observe::Observer;
pub use settings::{
    Expand, FirstPlay, Judge, MakeEvaluator, Parallel, Pick, Reward, Selection, Settings,
};

/// A player that grows a tree.
pub struct TreeSearch<G: Knowledge> {
    /// Away while a thread has them.
    trees: Option<Trees<G>>,
    /// A search that was told to stop and may not have noticed yet.
    thread: Option<JoinHandle<Trees<G>>>,
    stop: Arc<AtomicBool>,
    /// Whether the last thing done was to think on the opponent's time.
    pondered: bool,
}

impl<G: Knowledge> TreeSearch<G> {
    /// A player with these settings. Takes no memory before its first search.
    pub fn new(settings: Settings<G>, seed: u64) -> TreeSearch<G> {
        TreeSearch {
            trees: Some(Trees::new(settings, seed)),
            thread: None,
            stop: Arc::new(AtomicBool::new(false)),
            pondered: false,
        }
    }

    /// The trees, waiting for the last search to let go of them.
    fn trees(&mut self) -> &mut Trees<G> {
        if let Some(thread) = self.thread.take() {
            self.stop.store(true, Ordering::Relaxed);
            match thread.join() {
                Ok(trees) => self.trees = Some(trees),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        self.trees.as_mut().expect("the trees are here if no thread has them")
    }

    /// The settings it was made with.
    pub fn settings(&mut self) -> &Settings<G> {
        &self.trees().settings
    }

    /// The tree as it stands, to `depth` plies; the first one of several.
    /// `None` before the first search.
    pub fn export(&mut self, depth: u32) -> Option<Branch<G::Move>> {
        Some(self.trees().pools.first()?.export::<G>(Node::ROOT, depth))
    }

    /// Bytes that the trees may take at most.
    pub fn bytes(&mut self) -> usize {
        self.groups(Pool::capacity) * size_of::<Eight>()
    }

    /// Bytes of the trees in use.
    pub fn bytes_used(&mut self) -> usize {
        self.groups(Pool::used) * size_of::<Eight>()
    }

    fn groups(&mut self, count: impl Fn(&Pool) -> usize) -> usize {
        self.trees().pools.iter().map(count).sum()
    }

    /// Walks through the tree once on one thread, telling `observer` each step:
    /// for students. Several calls for the same record grow the same tree; the
    /// `index` counts them and decides the dice.
    pub fn step(&mut self, record: &Record<G>, index: u64, observer: &mut impl Observer<G>) {
        self.trees().step(record, index, observer);
    }

    fn search(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let plies = record.moves().len() as u32;
        let plan = self.trees().settings.plan;
        let pace = Pace::begin(limits, record.game().to_move(), plies, &plan);
        let pondered = std::mem::take(&mut self.pondered);
        self.stop = Arc::new(AtomicBool::new(false));
        let timed = limits.time.is_some() || limits.clock.is_some();
        let counted = limits.sims.is_some() || limits.nodes.is_some();
        if counted && !timed {
            let stop = self.stop.clone();
            return self.trees().search(record, limits, pace, (pondered, &stop), watch);
        }
        // Where time counts, this thread sleeps and the searching one posts.
        let mut trees = self.trees.take().expect("no thread has the trees");
        let known = Info { best: report::any_move(record.game()), ..Info::new() };
        let post = Arc::new(Post::new(known));
        let (board, stop) = (post.clone(), self.stop.clone());
        let (record, limits) = (record.clone(), *limits);
        self.thread = Some(thread::spawn(move || {
            let _finish = board.finish_on_drop();
            let info = trees.search(&record, &limits, pace, (pondered, &stop), &mut |info| {
                board.update(info.clone());
                match stop.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            board.update(info);
            trees
        }));
        let info = post.attend(&pace, watch);
        self.stop.store(true, Ordering::Relaxed);
        info
    }
}

impl<G: Knowledge> Engine<G> for TreeSearch<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        match self.trees().at_once(record, limits) {
            Some(info) => info,
            None => self.search(record, limits, watch),
        }
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        if self.trees().settings.reuse {
            self.search(record, &Limits::default(), watch);
            self.pondered = true;
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.trees().forget(seed);
        self.pondered = false;
    }
}

impl<G: Knowledge> Drop for TreeSearch<G> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.stop.store(true, Ordering::Relaxed);
            // A panic of the search was its own; there is nobody left to tell.
            let _ = thread.join();
        }
    }
}
