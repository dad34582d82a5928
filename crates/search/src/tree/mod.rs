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
mod walk;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use games::{Dice, Game, MoveList, Record, mix};

use self::beat::Beat;
use self::pool::{Node, Pool};
use self::run::Done;
use self::select::Rule;
use self::walk::{Task, Walker};
use crate::{Budget, Doubt, Engine, Info, Knowledge, Limits, Pace, Score, Source};

pub use export::Branch;
pub use observe::Observer;
pub use settings::{
    Expand, FirstPlay, Judge, MakeEvaluator, Parallel, Pick, Reward, Selection, Settings,
};

/// A player that grows a tree.
pub struct TreeSearch<G: Knowledge> {
    settings: Settings<G>,
    seed: u64,
    /// One tree, or one for each thread; made when first needed.
    pools: Vec<Pool>,
    /// The game whose position is the root, if the trees are about one.
    rooted: Option<Rooted<G>>,
    /// Whether the last thing done was to think on the opponent's time.
    pondered: bool,
}

struct Rooted<G: Game> {
    start: G,
    moves: Vec<G::Move>,
}

impl<G: Knowledge> TreeSearch<G> {
    /// A player with these settings. Takes no memory before its first search.
    pub fn new(settings: Settings<G>, seed: u64) -> TreeSearch<G> {
        TreeSearch { settings, seed, pools: Vec::new(), rooted: None, pondered: false }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings<G> {
        &self.settings
    }

    /// The tree as it stands, to `depth` plies; the first one of several.
    /// `None` before the first search.
    pub fn export(&self, depth: u32) -> Option<Branch<G::Move>> {
        Some(self.pools.first()?.export::<G>(Node::ROOT, depth))
    }

    /// Bytes that the trees may take at most.
    pub fn bytes(&self) -> usize {
        self.pools.iter().map(|pool| pool.capacity() * size_of::<pool::Eight>()).sum()
    }

    /// Bytes of the trees in use.
    pub fn bytes_used(&self) -> usize {
        self.pools.iter().map(|pool| pool.used() * size_of::<pool::Eight>()).sum()
    }

    /// Walks through the tree once on one thread, telling `observer` each step:
    /// for students. Several calls for the same record grow the same tree; the
    /// `index` counts them and decides the dice.
    pub fn step(&mut self, record: &Record<G>, index: u64, observer: &mut impl Observer<G>) {
        let rooted =
            |rooted: &Rooted<G>| rooted.start == *record.start() && rooted.moves == record.moves();
        if !self.rooted.as_ref().is_some_and(rooted) {
            let _always = self.enter(record, &mut || ControlFlow::Continue(()));
        }
        let stop = AtomicBool::new(false);
        let task = self.task(record, &stop);
        let dice = Dice::of(self.dice_seed(record), index);
        let mut walker = Walker::new(&task, &self.pools[0], dice, None);
        walker.simulate::<false, _>(1, observer);
        walker.settle();
    }

    fn task<'a>(&'a self, record: &Record<G>, stop: &'a AtomicBool) -> Task<'a, G> {
        let settings = &self.settings;
        let threads = settings.threads.max(1) as u32;
        let batch = match &settings.judge {
            Judge::Rollout(_) => 1,
            Judge::Evaluator { batch, .. } => *batch,
        };
        let weight = match (&settings.judge, settings.parallel) {
            (Judge::Evaluator { .. }, _) => 1,
            (_, Parallel::Leaf) => threads * settings.rollouts.max(1),
            _ => settings.rollouts.max(1),
        };
        let keys = match settings.history {
            true => record.positions().iter().map(Game::key).collect(),
            false => Vec::new(),
        };
        Task {
            settings,
            rule: Rule::new(settings.selection, settings.reward, settings.first_play),
            root: record.game().clone(),
            last: record.last(),
            plies: record.moves().len() as u32,
            keys,
            weight,
            virtual_loss: batch > 1 || (threads > 1 && settings.parallel == Parallel::Tree),
            stop,
        }
    }

    /// The dice of a search depend on the seed and the ply, so that a game can
    /// be taken up again anywhere.
    fn dice_seed(&self, record: &Record<G>) -> u64 {
        mix(self.seed, record.moves().len() as u64)
    }

    /// Makes the record's position the root, keeping what is known of it; says
    /// whether anything was. Breaks if `pause` does; then nothing is kept.
    fn enter(
        &mut self,
        record: &Record<G>,
        pause: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        if self.pools.is_empty() {
            let trees = match self.settings.parallel {
                Parallel::Root => self.settings.threads.max(1),
                _ => 1,
            };
            let bytes = (self.settings.memory << 20) / trees;
            self.pools = (0..trees).map(|_| Pool::new(bytes)).collect();
        }
        let rooted = Rooted { start: record.start().clone(), moves: record.moves().to_vec() };
        let since = match self.rooted.replace(rooted) {
            Some(old) if self.settings.reuse && old.start == *record.start() => {
                record.moves().strip_prefix(old.moves.as_slice())
            }
            _ => None,
        };
        let mut known = false;
        for pool in &self.pools {
            let node = since.and_then(|moves| {
                moves.iter().try_fold(Node::ROOT, |node, &mv| pool.child(node, mv.into()))
            });
            match node {
                Some(Node::ROOT) => {}
                Some(node) => pool.compact(node, 0, pause)?,
                None => pool.clear(),
            }
            known |= pool.visits(Node::ROOT) > 0;
        }
        ControlFlow::Continue(known)
    }

    /// An answer that needs no search.
    fn at_once(&self, record: &Record<G>, limits: &Limits) -> Option<Info<G>> {
        let game = record.game();
        let settings = &self.settings;
        let obvious = if settings.tactics { game.obvious() } else { None };
        let only = || {
            let mut list = MoveList::new();
            game.moves(&mut list);
            // On a clock, thinking about the only move costs and gains nothing.
            (limits.clock.is_some() && list.len() == 1).then(|| list[0])
        };
        if let Some(mv) = obvious.or_else(only) {
            return Some(Info { best: Some(mv), source: Source::Forced, ..Info::new() });
        }
        let oracle = settings.oracle.as_ref().filter(|_| settings.proofs)?;
        let budget = Budget { nodes: settings.oracle_nodes, stop: None };
        let verdict = oracle.probe(game, &budget)?;
        let result = verdict.winner.map_or(0, |winner| winner.sign() * game.to_move().sign());
        Some(Info {
            best: Some(verdict.best?),
            score: Score::Proven { result, plies: verdict.plies },
            win_rate: f64::from(result + 1) / 2.0,
            source: verdict.source,
            ..Info::new()
        })
    }

    /// Searches the record's position within the limits.
    fn search(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let game = record.game();
        let plies = record.moves().len() as u32;
        let pace = Pace::begin(limits, game.to_move(), plies, &self.settings.plan);
        let mut beat = Beat::new(pace);
        let mut info = Info { best: report::any_move(game), ..Info::new() };
        let ponder_hit = self.pondered.then_some(());
        self.pondered = false;
        let entered = {
            let mut pause = || {
                if pace.over() {
                    return ControlFlow::Break(());
                }
                if !beat.watch_is_due() {
                    return ControlFlow::Continue(());
                }
                info.elapsed = pace.elapsed();
                watch(&info)
            };
            self.enter(record, &mut pause)
        };
        let ControlFlow::Continue(known) = entered else {
            info.elapsed = pace.elapsed();
            return info;
        };
        info.ponder_hit = ponder_hit.map(|()| known);
        let stop = AtomicBool::new(false);
        let task = self.task(record, &stop);
        let (pools, settings) = (&self.pools, &self.settings);
        let seed = self.dice_seed(record);
        let show = |info: &mut Info<G>, done: Done, dice: Option<&mut Dice>| {
            report::fill(info, pools, settings, game, dice);
            (info.sims, info.nodes, info.depth) = (done.sims, done.nodes, done.depth);
            info.elapsed = pace.elapsed();
        };
        let (mut doubt, mut noted) = (Doubt::default(), 0);
        let done = run::search(&task, pools, limits, &mut beat, seed, &mut |done| {
            if let Some(done) = done {
                show(&mut info, done, None);
                // A round of thinking: the tree has grown by half.
                if let Some(best) = info.best.filter(|_| done.sims > noted + noted / 2) {
                    doubt.note(best.into(), info.win_rate * 2.0 - 1.0);
                    noted = done.sims;
                }
            }
            watch(&info)?;
            match pace.enough(doubt.factor()) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        show(&mut info, done, Some(&mut Dice::of(seed, u64::MAX)));
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
        match self.at_once(record, limits) {
            Some(info) => info,
            None => self.search(record, limits, watch),
        }
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        if self.settings.reuse {
            self.search(record, &Limits::default(), watch);
            self.pondered = true;
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.rooted = None;
        self.pondered = false;
    }
}
