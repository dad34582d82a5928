//! The engines at a table. What one should be doing follows from the state
//! (`wanted`), and `drive` makes it so; nobody else starts or stops them.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use games::Player;
use search::Limits;
use session::{Report, Thinker};

use super::told::{first_chance, report_json};
use super::{Inner, MOST_PLIES, Table};
use crate::clock::now;
use crate::refusal::Refusal;
use crate::slots::Purpose;
use crate::think::{Kind, Order, Stop};

/// What an engine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Move(Player),
    Ponder(Player),
}

pub(super) struct Errand {
    pub(super) task: Task,
    version: u64,
    pub(super) stop: Stop,
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
        match (&inner.errand, wanted) {
            (Some(errand), Some(task))
                if errand.task == task && errand.version == inner.version => {}
            // Whoever ends drives again.
            (Some(errand), _) => errand.stop.drop_it(),
            (None, Some(task)) => {
                if let Err(refusal) = self.send(inner, task) {
                    inner.trouble = Some(refusal.sentence);
                    inner.errand = None;
                }
            }
            // A finished game needs its engines no more; it may stand on its
            // table for hours.
            (None, None) if inner.session.outcome().is_some() => inner.thinkers = [None, None],
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
        let thinker = match inner.thinkers[player as usize].take() {
            Some(thinker) => Some(thinker),
            None => self.house.hire(&*inner.session, spec, crate::id::seed())?,
        };
        // Without memory nobody can think; the next tick tries again.
        let Some(mut thinker) = thinker else { return Ok(()) };
        let moves = inner.session.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        thinker.set(inner.start.as_deref(), &moves).map_err(Refusal::bad)?;
        let kind = match task {
            Task::Ponder(_) => Kind::Ponder,
            Task::Move(_) => Kind::Think(match inner.clocks {
                Some(clocks) => {
                    let clock = clocks.for_search(now());
                    Limits { clock: Some(clock), ..Limits::default() }
                }
                None => {
                    let time = Duration::from_secs_f64(inner.settings.move_seconds);
                    Limits { time: Some(time), ..Limits::default() }
                }
            }),
        };
        let stop = Stop::default();
        let order = Order { thinker, kind, purpose, stop: stop.clone() };
        inner.errand = Some(Errand { task, version: inner.version, stop });
        let (ply, sitting) = (inner.played, inner.sitting);
        let teller = Arc::clone(self);
        let table = Arc::clone(self);
        let session = inner.session.copy();
        self.house.pool.run(
            order,
            move |report| {
                let thought = report_json(&*session, player, ply, report);
                teller.thought.send_replace(Some(Arc::new(thought)));
            },
            move |thinker, report| table.answered(sitting, thinker, report),
        );
        Ok(())
    }

    /// A search at this table has ended.
    fn answered(
        self: &Arc<Table>,
        sitting: u64,
        thinker: Box<dyn Thinker>,
        report: Option<Report>,
    ) {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let Some(Errand { task, version, stop }) = inner.errand.take() else { return };
        let (Task::Move(player) | Task::Ponder(player)) = task;
        // What it learnt about another position may still be of use.
        if inner.sitting == sitting {
            inner.thinkers[player as usize] = Some(thinker);
        }
        if inner.version == version && !stop.is_dropped() {
            match task {
                Task::Ponder(_) => inner.pondered = Some(version),
                Task::Move(_) => self.play_answer(inner, player, report),
            }
        }
        self.drive(inner);
        self.publish(inner);
    }

    fn play_answer(self: &Arc<Table>, inner: &mut Inner, player: Player, report: Option<Report>) {
        let answer = report.and_then(|report| Some((report.best.clone()?, report)));
        let Some((mv, report)) = answer else {
            inner.trouble = Some("it gave no move".to_owned());
            return;
        };
        // Without a line it moved without looking, and has no opinion.
        let eval = (!report.lines.is_empty()).then(|| first_chance(player, report.win_rate));
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
        let thinker = self.house.hire(&*inner.session, spec, 1)?.ok_or_else(Refusal::busy)?;
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        let order = Order {
            thinker,
            kind: Kind::Think(limits),
            purpose: Purpose::Move,
            stop: Stop::default(),
        };
        let (ply, version, player) = (inner.played, inner.version, inner.session.to_move());
        let table = Arc::clone(self);
        self.house.pool.run(
            order,
            |_| {},
            move |_, report| {
                let mut inner = table.lock();
                if let Some(report) = report.filter(|_| inner.version == version) {
                    inner.hint = Some(report_json(&*inner.session, player, ply, &report));
                    table.publish(&mut inner);
                }
            },
        );
        Ok(())
    }
}
