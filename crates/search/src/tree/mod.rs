//! The one tree search. UCT and PUCT are settings of it, and so is every tree
//! player of the papers.
//!
//! A simulation goes down the tree by a rule of selection (`select`) to a leaf,
//! gives it children (`expand`), evaluates it (`worker`) and adds the result to the
//! nodes on its path (`path`). The nodes live in a pool of fixed size (`pool`,
//! `allocator`), which is tidied in place when the game moves on or the pool is full
//! (`compact`). Certain results travel up (`proof`). Threads (`run`, `leaf_parallel`)
//! share one tree, grow one each or share a leaf.
//!
//! Values belong to First everywhere and are turned once, at selection, by who
//! moves there: so it does not matter whether the turn passes.
//!
//! The search knows no game, no clock but its limits, and nothing of text. UCT
//! is Kocsis and Szepesvári's (2006), PUCT AlphaZero's form (2017), the lock-free
//! shared tree with virtual losses after Enzenberger and Müller (2009).

mod allocator;
mod compact;
mod expand;
mod export;
mod leaf_parallel;
mod observer;
mod path;
mod poll;
mod pool;
mod proof;
mod report;
mod run;
mod select;
mod settings;
mod state;
mod worker;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use games::Record;

use self::pool::{ChildBlock, Node, Pool};
use self::state::TreeState;
use crate::lent::Lent;
use crate::post::Post;
use crate::{Engine, Info, Limits, Pace, Plan, SearchHints};

pub use export::TreeNode;
pub use observer::Observer;
pub use settings::{
    Expand, FinalMove, Fpu, LeafEvaluator, MakeEvaluator, Parallel, Reward, Selection, Settings,
};

/// A player that grows a tree.
pub struct TreeSearch<G: SearchHints> {
    /// Away while a thread has them: a search, or one that was told to stop and
    /// may not have noticed yet.
    trees: Lent<TreeState<G>>,
    plan: Plan,
    stop: Arc<AtomicBool>,
    /// Whether the last thing done was to think on the opponent's time.
    pondered: bool,
}

impl<G: SearchHints> TreeSearch<G> {
    /// A player with these settings. Takes no memory before its first search.
    pub fn new(settings: Settings<G>, seed: u64) -> TreeSearch<G> {
        TreeSearch {
            plan: settings.plan,
            trees: Lent::new(TreeState::new(settings, seed)),
            stop: Arc::new(AtomicBool::new(false)),
            pondered: false,
        }
    }

    /// The trees, waiting for the last search to let go of them.
    fn trees(&mut self) -> &mut TreeState<G> {
        self.stop.store(true, Ordering::Relaxed);
        self.trees.wait(None).expect("without a limit it waits until they are back")
    }

    /// The settings it was made with.
    pub fn settings(&mut self) -> &Settings<G> {
        &self.trees().settings
    }

    /// The tree as it stands, to `depth` plies; the first one of several.
    /// `None` before the first search.
    pub fn export(&mut self, depth: u32) -> Option<TreeNode<G::Move>> {
        Some(self.trees().pools.first()?.export::<G>(Node::ROOT, depth))
    }

    /// Bytes that the trees may take at most.
    pub fn bytes(&mut self) -> usize {
        self.count_blocks(Pool::capacity) * size_of::<ChildBlock>()
    }

    /// Bytes of the trees in use.
    pub fn bytes_used(&mut self) -> usize {
        self.count_blocks(Pool::used) * size_of::<ChildBlock>()
    }

    fn count_blocks(&mut self, count: impl Fn(&Pool) -> usize) -> usize {
        self.trees().pools.iter().map(count).sum()
    }

    /// Walks through the tree once on one thread, telling `observer` each step:
    /// for students. Several calls for the same record grow the same tree; the
    /// `index` counts them and seeds its random numbers.
    pub fn step(&mut self, record: &Record<G>, index: u64, observer: &mut impl Observer<G>) {
        self.trees().step(record, index, observer);
    }

    /// Starts the watch for a record.
    fn pace(&self, record: &Record<G>, limits: &Limits) -> Pace {
        let plies = record.moves().len() as u32;
        Pace::begin(limits, record.game().to_move(), plies, &self.plan)
    }

    /// Searches with the trees, which are here.
    fn search(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        pace: Pace,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let pondered = std::mem::take(&mut self.pondered);
        let stop = Arc::new(AtomicBool::new(false));
        let counted = limits.sims.is_some() || limits.nodes.is_some();
        if counted && pace.left().is_none() {
            return self.trees().search(record, limits, pace, (pondered, &stop), watch);
        }
        // Where time counts, this thread sleeps and the searching one posts.
        self.stop = stop.clone();
        let post = Arc::new(Post::new(unsearched(record)));
        let (board, record, limits) = (post.clone(), record.clone(), *limits);
        self.trees.lend(move |trees| {
            board.fill(&stop, |watch| {
                trees.search(&record, &limits, pace, (pondered, &stop), watch)
            });
        });
        let info = post.attend(&pace, watch);
        self.stop.store(true, Ordering::Relaxed);
        info
    }
}

/// An answer before any search.
fn unsearched<G: SearchHints>(record: &Record<G>) -> Info<G> {
    Info { best: report::any_move(record.game()), ..Info::new() }
}

impl<G: SearchHints> Engine<G> for TreeSearch<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let pace = self.pace(record, limits);
        self.stop.store(true, Ordering::Relaxed);
        let Some(trees) = self.trees.wait(pace.left()) else {
            return Info { elapsed: pace.elapsed(), ..unsearched(record) };
        };
        match trees.immediate(record, limits) {
            Some(info) => info,
            None => self.search(record, limits, pace, watch),
        }
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        if self.trees().settings.reuse {
            let limits = Limits::default();
            self.search(record, &limits, self.pace(record, &limits), watch);
            self.pondered = true;
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.trees().new_game(seed);
        self.pondered = false;
    }
}

impl<G: SearchHints> Drop for TreeSearch<G> {
    fn drop(&mut self) {
        // The trees are waited for when they are dropped.
        self.stop.store(true, Ordering::Relaxed);
    }
}
