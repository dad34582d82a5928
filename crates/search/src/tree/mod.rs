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

use std::sync::Arc;

use games::{Game, Record};

use self::pool::{ChildBlock, Node, Pool};
use crate::knowledge::heaviest_move;
use crate::{Engine, Limits, Oracle, SearchControl, SearchHints, SearchInfo};

pub use export::TreeNode;
pub use observer::Observer;
pub use settings::{
    Expand, FinalMove, Fpu, LeafEvaluator, MakeEvaluator, Parallel, Reward, Selection, TreeSettings,
};

/// A player that grows a tree.
///
/// ```
/// use games::{Game, Record, connect_four::{ConnectFour, Setup}};
/// use search::tree::{TreeSettings, TreeSearch};
/// use search::{Engine, Limits, SearchControl};
///
/// let start = ConnectFour::<u64>::start(&Setup::default()).unwrap();
/// let mut engine = TreeSearch::new(TreeSettings { memory: 1, ..TreeSettings::default() }, 1);
/// let info = engine.search(&Record::new(start), &SearchControl::new(Limits::sims(200)));
/// assert_eq!(engine.export(1).unwrap().visits, 200);
/// assert_eq!(info.lines.len(), 7);
/// ```
pub struct TreeSearch<G: SearchHints> {
    settings: TreeSettings,
    /// The threads it was made with; the settings have those of the next search.
    most_threads: usize,
    evaluator: LeafEvaluator<G>,
    oracle: Option<Arc<dyn Oracle<G>>>,
    /// The move to play if there is no time to search at all.
    static_guess: fn(&G) -> Option<G::Move>,
    seed: u64,
    /// One tree, or one for each thread; made when first needed.
    pools: Vec<Pool>,
    /// The game whose position is the root, if the trees are about one.
    rooted: Option<RootedGame<G>>,
    /// Whether the last thing done was to search on the opponent's time.
    pondered: bool,
}

struct RootedGame<G: Game> {
    start: G,
    moves: Vec<G::Move>,
}

impl<G: SearchHints> TreeSearch<G> {
    /// A player with these settings and random rollouts. Takes no memory before
    /// its first search.
    pub fn new(settings: TreeSettings, seed: u64) -> TreeSearch<G> {
        TreeSearch {
            most_threads: settings.threads,
            settings,
            evaluator: LeafEvaluator::default(),
            oracle: None,
            static_guess: heaviest_move,
            seed,
            pools: Vec::new(),
            rooted: None,
            pondered: false,
        }
    }

    /// The same player with another way to evaluate leaves.
    pub fn with_evaluator(mut self, evaluator: LeafEvaluator<G>) -> TreeSearch<G> {
        self.evaluator = evaluator;
        self
    }

    /// The same player with an oracle that proves positions where it knows them
    /// ([`TreeSettings::proofs`]). It is asked once for each node, when that is about
    /// to get children, and should answer by looking up.
    pub fn with_oracle(mut self, oracle: Arc<dyn Oracle<G>>) -> TreeSearch<G> {
        self.oracle = Some(oracle);
        self
    }

    /// The same player with a better guess for when there is no time to search at
    /// all, such as the best move by an evaluation. By default it is the move with
    /// the greatest [`SearchHints::weight`].
    pub fn with_guess(mut self, guess: fn(&G) -> Option<G::Move>) -> TreeSearch<G> {
        self.static_guess = guess;
        self
    }

    /// The settings it was made with, but for [`Engine::limit_threads`].
    pub fn settings(&self) -> &TreeSettings {
        &self.settings
    }

    /// The tree as it stands, to `depth` plies; the first one of several.
    /// `None` before the first search.
    pub fn export(&self, depth: u32) -> Option<TreeNode<G::Move>> {
        Some(self.pools.first()?.export::<G>(Node::ROOT, depth))
    }

    /// Bytes that the trees may take at most.
    pub fn bytes(&self) -> usize {
        self.count_blocks(Pool::capacity) * size_of::<ChildBlock>()
    }

    /// Bytes of the trees in use.
    pub fn bytes_used(&self) -> usize {
        self.count_blocks(Pool::used) * size_of::<ChildBlock>()
    }

    fn count_blocks(&self, count: impl Fn(&Pool) -> usize) -> usize {
        self.pools.iter().map(count).sum()
    }
}

impl<G: SearchHints> Engine<G> for TreeSearch<G> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let immediate = self.immediate(record, control.time().on_clock());
        match immediate.or_else(|| self.forced_win(record)) {
            Some(info) => info,
            None => self.grow(record, control),
        }
    }

    fn guess(&self, record: &Record<G>, _limits: &Limits) -> SearchInfo<G::Move> {
        self.immediate(record, false).unwrap_or_else(|| self.best_guess(record))
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.static_guess
    }

    fn ponder(&mut self, record: &Record<G>, control: &SearchControl<G::Move>) {
        if self.settings.reuse {
            self.grow(record, control);
            self.pondered = true;
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.rooted = None;
        self.pondered = false;
    }

    /// Where threads have trees or rollouts of their own, it keeps them all.
    fn limit_threads(&mut self, threads: usize) {
        if self.settings.parallel == Parallel::Tree {
            self.settings.threads = threads.clamp(1, self.most_threads.max(1));
        }
    }
}
