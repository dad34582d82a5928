//! The trees of one player and the game they are about: what a search needs and
//! leaves behind, so that it can be handed to the thread that searches.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use games::{Game, MoveList, Record, Rng, mix};

use super::observer::Observer;
use super::poll::PollTimer;
use super::pool::{Node, Pool};
use super::run::Counts;
use super::select::Selector;
use super::settings::{LeafEvaluator, Parallel, Settings};
use super::worker::{TreeContext, Worker};
use super::{report, run};
use crate::{Budget, Doubt, Info, Limits, Pace, Score, SearchHints, Source};

/// Everything that a search changes.
pub(super) struct TreeState<G: SearchHints> {
    pub settings: Settings<G>,
    pub seed: u64,
    /// One tree, or one for each thread; made when first needed.
    pub pools: Vec<Pool>,
    /// The game whose position is the root, if the trees are about one.
    rooted: Option<RootedGame<G>>,
}

struct RootedGame<G: Game> {
    start: G,
    moves: Vec<G::Move>,
}

impl<G: SearchHints> TreeState<G> {
    pub fn new(settings: Settings<G>, seed: u64) -> TreeState<G> {
        TreeState { settings, seed, pools: Vec::new(), rooted: None }
    }

    /// Begins another game.
    pub fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.rooted = None;
    }

    /// One simulation on the first tree.
    pub fn step(&mut self, record: &Record<G>, index: u64, observer: &mut impl Observer<G>) {
        let rooted = |rooted: &RootedGame<G>| {
            rooted.start == *record.start() && rooted.moves == record.moves()
        };
        if !self.rooted.as_ref().is_some_and(rooted) {
            let _always = self.set_root(record, &mut || ControlFlow::Continue(()));
        }
        let stop = AtomicBool::new(false);
        let context = self.context(record, &stop);
        let rng = Rng::stream(self.rng_seed(record), index);
        let mut worker = Worker::new(&context, &self.pools[0], rng, None);
        worker.simulate::<false, _>(1, observer);
        worker.flush::<false>();
        worker.release_memory();
    }

    fn context<'a>(&'a self, record: &Record<G>, stop: &'a AtomicBool) -> TreeContext<'a, G> {
        let settings = &self.settings;
        let threads = settings.threads.max(1) as u32;
        let batch = match &settings.leaf_evaluator {
            LeafEvaluator::Rollout(_) => 1,
            LeafEvaluator::Evaluator { batch, .. } => *batch,
        };
        let weight = match (&settings.leaf_evaluator, settings.parallel) {
            (LeafEvaluator::Evaluator { .. }, _) => 1,
            (_, Parallel::Leaf) => threads * settings.rollouts.max(1),
            _ => settings.rollouts.max(1),
        };
        let keys = match settings.history {
            true => record.positions().iter().map(Game::key).collect(),
            false => Vec::new(),
        };
        TreeContext {
            settings,
            selector: Selector::new(settings.selection, settings.reward, settings.fpu),
            root: record.game().clone(),
            last: record.last(),
            plies: record.moves().len() as u32,
            keys,
            weight,
            virtual_loss: batch > 1 || (threads > 1 && settings.parallel == Parallel::Tree),
            stop,
        }
    }

    /// The random numbers of a search depend on the seed and the ply, so that a game can
    /// be taken up again anywhere.
    fn rng_seed(&self, record: &Record<G>) -> u64 {
        mix(self.seed, record.moves().len() as u64)
    }

    /// Makes the record's position the root, keeping what is known of it; says
    /// whether anything was. Breaks if `poll` does; then nothing is kept.
    fn set_root(
        &mut self,
        record: &Record<G>,
        poll: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        if self.pools.is_empty() {
            let trees = match self.settings.parallel {
                Parallel::Root => self.settings.threads.max(1),
                _ => 1,
            };
            let bytes = (self.settings.memory << 20) / trees;
            self.pools = (0..trees).map(|_| Pool::new(bytes)).collect();
        }
        let rooted = RootedGame { start: record.start().clone(), moves: record.moves().to_vec() };
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
                Some(node) => pool.compact(node, 0, poll)?,
                None => pool.clear(),
            }
            // What was foreseen has no children, and the root needs a move.
            if pool.proof(Node::ROOT).is_known() && pool.link(Node::ROOT).open().is_none() {
                pool.clear();
            }
            known |= pool.visits(Node::ROOT) > 0;
        }
        ControlFlow::Continue(known)
    }

    /// An answer that needs no search.
    pub fn immediate(&self, record: &Record<G>, limits: &Limits) -> Option<Info<G>> {
        let game = record.game();
        let settings = &self.settings;
        let forced = if settings.tactics { game.forced_move() } else { None };
        let only = || {
            let mut list = MoveList::new();
            game.moves(&mut list);
            // On a clock, thinking about the only move costs and gains nothing.
            (limits.clock.is_some() && list.len() == 1).then(|| list[0])
        };
        if let Some(mv) = forced.or_else(only) {
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
    pub fn search(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        pace: Pace,
        (pondered, stop): (bool, &AtomicBool),
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let game = record.game();
        let mut timer = PollTimer::new(pace);
        let mut info = Info { best: report::any_move(game), ..Info::new() };
        let rooted = {
            let mut poll = || {
                if pace.over() {
                    return ControlFlow::Break(());
                }
                if !timer.report_is_due() {
                    return ControlFlow::Continue(());
                }
                info.elapsed = pace.elapsed();
                watch(&info)
            };
            self.set_root(record, &mut poll)
        };
        let ControlFlow::Continue(known) = rooted else {
            info.elapsed = pace.elapsed();
            return info;
        };
        info.ponder_hit = pondered.then_some(known);
        let context = self.context(record, stop);
        let (pools, settings) = (&self.pools, &self.settings);
        let seed = self.rng_seed(record);
        let show = |info: &mut Info<G>, done: Counts| {
            // The same seed each time: a choice by chance stays what it is.
            report::fill(info, pools, settings, game, &mut Rng::stream(seed, u64::MAX));
            (info.sims, info.nodes, info.depth) = (done.sims, done.nodes, done.depth);
            info.elapsed = pace.elapsed();
        };
        let (mut doubt, mut noted) = (Doubt::default(), 0);
        let done = run::search(&context, pools, limits, &mut timer, seed, &mut |done| {
            if let Some(done) = done {
                show(&mut info, done);
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
        show(&mut info, done);
        info
    }
}
