//! From one search to the next: which game the trees are about, what of them is
//! kept, and the course of one search.

use std::ops::ControlFlow;

use games::{Game, MoveList, Record, Rng, mix};

use super::observer::Observer;
use super::poll::PollTimer;
use super::pool::{Node, Pool};
use super::run::Counts;
use super::select::Selector;
use super::settings::{LeafEvaluator, Parallel, TreeSettings};
use super::worker::{TreeContext, Worker};
use super::{RootedGame, TreeSearch, report, run};
use crate::{Line, Score, SearchControl, SearchHints, SearchInfo, Source, Stability};

impl<G: SearchHints> TreeSearch<G> {
    /// One simulation on the first tree by one thread, with an observer of each
    /// step: for students. Several calls for the same record grow the same tree;
    /// the `index` counts them and seeds its random numbers.
    pub fn step(&mut self, record: &Record<G>, index: u64, observer: &mut impl Observer<G>) {
        let rooted = |rooted: &RootedGame<G>| {
            rooted.start == *record.start() && rooted.moves == record.moves()
        };
        if !self.rooted.as_ref().is_some_and(rooted) {
            let _always = self.set_root(record, &mut || ControlFlow::Continue(()));
        }
        let context = self.context(record);
        let rng = Rng::stream(self.rng_seed(record), index);
        let mut worker = Worker::new(&context, &self.pools[0], rng, None);
        worker.simulate::<false, _>(1, observer);
        worker.flush::<false>();
        worker.release_memory();
    }

    fn context(&self, record: &Record<G>) -> TreeContext<'_, G> {
        let settings = &self.settings;
        let threads = settings.threads.max(1) as u32;
        let batch = match &self.evaluator {
            LeafEvaluator::Rollout(_) => 1,
            LeafEvaluator::Evaluator { batch, .. } => *batch,
        };
        let weight = match (&self.evaluator, settings.parallel) {
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
            evaluator: &self.evaluator,
            oracle: self.oracle.as_deref(),
            selector: Selector::new(settings.selection, settings.reward, settings.fpu),
            root: record.game().clone(),
            last: record.last(),
            plies: record.moves().len() as u32,
            keys,
            weight,
            virtual_loss: batch > 1 || (threads > 1 && settings.parallel == Parallel::Tree),
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
        poll: &mut impl FnMut() -> ControlFlow<()>,
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
    pub(super) fn immediate(
        &self,
        record: &Record<G>,
        on_clock: bool,
    ) -> Option<SearchInfo<G::Move>> {
        let game = record.game();
        let settings = &self.settings;
        let forced = if settings.tactics { game.forced_move() } else { None };
        let only = || {
            let mut list = MoveList::new();
            game.moves(&mut list);
            // On a clock, searching the only move costs and gains nothing.
            (on_clock && list.len() == 1).then(|| list[0])
        };
        if let Some(mv) = forced.or_else(only) {
            let (best, source) = (Some(mv), Source::Forced);
            let info = SearchInfo { best, source, ..SearchInfo::default() };
            return Some(match game.static_result() {
                None => info,
                Some((winner, plies)) => {
                    let result = winner.sign() * game.to_move().sign();
                    let score = Score::Proven { result, plies: Some(plies) };
                    SearchInfo { score, win_rate: f64::from(result + 1) / 2.0, ..info }
                }
            });
        }
        self.oracle.as_ref().filter(|_| settings.proofs)?.best_move(record)
    }

    /// The first move of a win that threats alone force, if there is one.
    pub(super) fn forced_win(&self, record: &Record<G>) -> Option<SearchInfo<G::Move>> {
        let (settings, game) = (&self.settings, record.game());
        if !settings.proofs || settings.threats == 0 || game.static_result().is_some() {
            return None;
        }
        let (mv, plies) =
            game.forced_win(settings.threats.saturating_mul(TreeSettings::ROOT_THREATS))?;
        let score = Score::Proven { result: 1, plies: Some(plies) };
        Some(SearchInfo {
            best: Some(mv),
            score,
            win_rate: 1.0,
            source: Source::Solver,
            depth: plies,
            lines: vec![Line { mv, score, visits: 0, pv: vec![mv] }],
            ..SearchInfo::default()
        })
    }

    /// The answer before a search: the best move of the tree that is kept, if it
    /// knows the position, else the static guess.
    pub(super) fn best_guess(&self, record: &Record<G>) -> SearchInfo<G::Move> {
        let game = record.game();
        let kept = self.rooted.as_ref().filter(|old| {
            self.settings.reuse && old.start == *record.start() && record.outcome().is_none()
        });
        let kept = kept.and_then(|old| {
            let since = record.moves().strip_prefix(old.moves.as_slice())?;
            let pool = self.pools.first()?;
            let node =
                since.iter().try_fold(Node::ROOT, |node, &mv| pool.child(node, mv.into()))?;
            let best = report::best_child(pool, node, game.to_move())?;
            Some(G::Move::from(pool.mv(best)))
        });
        let best = kept.or_else(|| (self.static_guess)(game));
        SearchInfo { best, ..SearchInfo::default() }
    }

    /// Searches the record's position within the limits.
    pub(super) fn grow(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let pondered = std::mem::take(&mut self.pondered);
        let game = record.game();
        let mut timer = PollTimer::new();
        let mut info = self.best_guess(record);
        control.publish(&info);
        let rooted = {
            let mut poll = || {
                if timer.report_is_due() {
                    info.elapsed = control.time().elapsed();
                    control.publish(&info);
                }
                flow(control.should_stop())
            };
            self.set_root(record, &mut poll)
        };
        let ControlFlow::Continue(known) = rooted else {
            info.elapsed = control.time().elapsed();
            return info;
        };
        info.ponder_hit = pondered.then_some(known);
        let context = self.context(record);
        let (pools, settings) = (&self.pools, &self.settings);
        let seed = self.rng_seed(record);
        let show = |info: &mut SearchInfo<G::Move>, done: Counts| {
            // The same rng each time: a choice by chance stays what it is.
            report::fill(info, pools, settings, game, &mut Rng::stream(seed, u64::MAX));
            (info.sims, info.nodes, info.depth) = (done.sims, done.nodes, done.depth);
            info.elapsed = control.time().elapsed();
        };
        let (mut stability, mut noted) = (Stability::default(), 0);
        let done = run::search(&context, pools, control, &mut timer, seed, &mut |done| {
            if let Some(done) = done {
                show(&mut info, done);
                // An iteration: the tree has grown by half.
                if let Some(best) = info.best.filter(|_| done.sims > noted + noted / 2) {
                    stability.note(best.into(), info.win_rate * 2.0 - 1.0);
                    noted = done.sims;
                }
            }
            control.publish(&info);
            flow(control.is_stopped() || control.time().soft_expired(stability.factor()))
        });
        show(&mut info, done);
        info
    }
}

fn flow(stop: bool) -> ControlFlow<()> {
    if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
