//! The engines of a game. What one should be doing follows from the state
//! (`wanted`), and `drive` makes it so; nothing else starts or stops them.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use games::Player;
use search::{Limits, SearchInfo, Work};

use super::told::{first_chance, report_json};
use super::{Inner, MOST_PLIES, Table};
use crate::clock::now;
use crate::lease::LeasedEngine;
use crate::refusal::Refusal;
use crate::search_pool::{CancelToken, SearchJob};
use crate::slots::Purpose;

/// What an engine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Move(Player),
    Ponder(Player),
}

pub(super) struct RunningSearch {
    pub(super) task: Task,
    version: u64,
    pub(super) cancel: CancelToken,
}

impl Table {
    /// What an engine ought to be doing.
    fn wanted(&self, inner: &Inner) -> Option<Task> {
        let contest = inner.settings.contest.as_ref();
        let watched = self.watchers.load(SeqCst) > 0;
        let paused = inner.clocks.is_some_and(|clocks| clocks.paused);
        if inner.session.outcome().is_some()
            || paused
            || inner.trouble.is_some()
            || !(watched || contest.is_some())
            || inner.played >= MOST_PLIES
        {
            return None;
        }
        let mover = inner.session.to_move();
        if inner.settings.engine(mover).is_some() {
            return Some(Task::Move(mover));
        }
        let other = !mover;
        let ponders =
            contest.is_some_and(|contest| contest.ponder && contest.ours == other as usize);
        let thought_out = inner.pondered == Some(inner.version);
        (ponders && watched && !thought_out && inner.settings.engine(other).is_some())
            .then_some(Task::Ponder(other))
    }

    /// Makes the engines do what they ought to.
    pub(crate) fn drive(self: &Arc<Table>, inner: &mut Inner) {
        let wanted = self.wanted(inner);
        match (&inner.running, wanted) {
            (Some(running), Some(task))
                if running.task == task && running.version == inner.version => {}
            // When it ends, it drives again.
            (Some(running), _) => running.cancel.cancel(),
            (None, Some(task)) => {
                if let Err(refusal) = self.send(inner, task) {
                    inner.trouble = Some(refusal.sentence);
                    inner.running = None;
                }
            }
            // A finished game needs its engines no more; it may be looked at for
            // hours.
            (None, None) if inner.session.outcome().is_some() => inner.engines = [None, None],
            (None, None) => {}
        }
    }

    fn send(self: &Arc<Table>, inner: &mut Inner, task: Task) -> Result<(), Refusal> {
        let (player, purpose) = match task {
            Task::Move(player) => (player, Purpose::Move),
            Task::Ponder(player) => (player, Purpose::Study),
        };
        let spec = inner.settings.engine(player).ok_or_else(Refusal::missing)?;
        let spec = self.house.means.engine(spec)?;
        let engine = match inner.engines[player as usize].take() {
            Some(engine) => Some(engine),
            None => self.house.lease(&*inner.session, spec, crate::id::seed())?,
        };
        // Without memory there is no engine; the next tick tries again.
        let Some(mut engine) = engine else { return Ok(()) };
        let moves = inner.session.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        engine.handle.set(inner.start.as_deref(), &moves).map_err(Refusal::bad)?;
        let work = match task {
            Task::Ponder(_) => Work::Ponder,
            Task::Move(_) => Work::Search(match inner.clocks {
                Some(clocks) => {
                    let clock = clocks.for_search(now());
                    Limits { clock: Some(clock), ..Limits::default() }
                }
                None => Limits::time(Duration::from_secs_f64(inner.settings.move_seconds)),
            }),
        };
        let cancel = CancelToken::default();
        let job = SearchJob { engine, work, purpose, cancel: cancel.clone() };
        inner.running = Some(RunningSearch { task, version: inner.version, cancel });
        let (ply, epoch) = (inner.played, inner.engine_epoch);
        let reporter = Arc::clone(self);
        let table = Arc::clone(self);
        let session = inner.session.copy();
        self.house.pool.run(
            job,
            move |info| {
                let report = report_json(&*session, player, ply, info);
                reporter.thought.send_replace(Some(Arc::new(report)));
            },
            move |engine, answer| table.answered(epoch, engine, answer),
        );
        Ok(())
    }

    /// A search of this game has ended.
    fn answered(
        self: &Arc<Table>,
        epoch: u64,
        engine: Option<LeasedEngine>,
        answer: Option<SearchInfo<String>>,
    ) {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let Some(RunningSearch { task, version, cancel }) = inner.running.take() else { return };
        let (Task::Move(player) | Task::Ponder(player)) = task;
        // What it learnt about another position may still be of use.
        if inner.engine_epoch == epoch {
            inner.engines[player as usize] = engine;
        }
        if inner.version == version && !cancel.is_cancelled() {
            match task {
                Task::Ponder(_) => inner.pondered = Some(version),
                Task::Move(_) => self.play_answer(inner, player, answer),
            }
        }
        self.drive(inner);
        self.publish(inner);
    }

    fn play_answer(
        self: &Arc<Table>,
        inner: &mut Inner,
        player: Player,
        answer: Option<SearchInfo<String>>,
    ) {
        let answer = answer.and_then(|info| Some((info.best.clone()?, info)));
        let Some((mv, info)) = answer else {
            inner.trouble = Some("it gave no move".to_owned());
            return;
        };
        // Without a line it moved without a search, and has no evaluation.
        let eval = (!info.lines.is_empty()).then(|| first_chance(player, info.win_rate));
        let ply = inner.played;
        let kept = self.play(inner, ply, &mv, eval);
        if let Err(refusal) = kept.and_then(|from| self.keep(inner, from)) {
            inner.trouble = Some(refusal.sentence);
        }
    }

    /// What would the best engine play?
    pub(super) fn hint(self: &Arc<Table>, inner: &mut Inner) -> Result<(), Refusal> {
        if inner.session.outcome().is_some() {
            return Err(Refusal::stale("the game is over"));
        }
        if !self.house.pool.has_room() {
            return Err(Refusal::busy());
        }
        let spec = self.house.means.analyst(&self.spec, "best")?;
        let engine = self.house.lease(&*inner.session, spec, 1)?.ok_or_else(Refusal::busy)?;
        let job = SearchJob {
            engine,
            work: Work::Search(Limits::time(Duration::from_secs(1))),
            purpose: Purpose::Move,
            cancel: CancelToken::default(),
        };
        let (ply, version, player) = (inner.played, inner.version, inner.session.to_move());
        let table = Arc::clone(self);
        self.house.pool.run(
            job,
            |_| {},
            move |_, answer| {
                let mut inner = table.lock();
                if let Some(info) = answer.filter(|_| inner.version == version) {
                    inner.hint = Some(report_json(&*inner.session, player, ply, &info));
                    table.publish(&mut inner);
                }
            },
        );
        Ok(())
    }
}
