//! The engines of a game. What one should be doing follows from the state
//! (`wanted`), and `update_engine` makes it so; nothing else starts or stops them.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use games::Player;
use search::{Limits, SearchInfo, Work};

use super::snapshot::{first_chance, report_json};
use super::{GameState, LiveGame, MOST_PLIES};
use crate::clock::now;
use crate::error::ApiError;
use crate::memory::{Claim, LeasedEngine};
use crate::search_pool::{CancelToken, SearchJob};
use crate::slots::Purpose;

/// What an engine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Move(Player),
    Ponder(Player),
}

/// Why an engine that should compute does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Waiting {
    /// Other engines have all memory.
    Memory,
    /// No page shows the game, and as many such games compute as may.
    Unwatched,
}

/// Milliseconds for which a game counts as watched after its last page has gone: a
/// page that is loaded again is there before.
const GRACE: u64 = 20_000;

pub(super) struct RunningSearch {
    pub(super) task: Task,
    version: u64,
    pub(super) cancel: CancelToken,
}

impl LiveGame {
    /// What an engine ought to be doing.
    fn wanted(&self, state: &GameState) -> Option<Task> {
        let contest = state.settings.contest.as_ref();
        let watched = self.watchers.load(SeqCst) > 0;
        if state.session.outcome().is_some()
            || state.is_paused()
            || state.trouble.is_some()
            || state.deleted
            || !(watched || contest.is_some())
            || state.played >= MOST_PLIES
        {
            return None;
        }
        let mover = state.session.to_move();
        if state.settings.engine(mover).is_some() {
            return Some(Task::Move(mover));
        }
        let other = !mover;
        let ponders =
            contest.is_some_and(|contest| contest.ponder && contest.ours == other as usize);
        let thought_out = state.pondered == Some(state.version);
        (ponders && watched && !thought_out && state.settings.engine(other).is_some())
            .then_some(Task::Ponder(other))
    }

    /// Whether a game that should compute may: a page shows it, or it has a place
    /// among the unwatched ones.
    fn may_compute(&self, state: &mut GameState) -> bool {
        let seen = self.last_watched.load(SeqCst);
        if self.watchers.load(SeqCst) > 0 || (seen > 0 && now() < seen + GRACE) {
            state.unwatched = None;
        } else if state.unwatched.is_none() {
            state.unwatched = self.app.unwatched.enter(&self.id, self.address());
            return state.unwatched.is_some();
        }
        true
    }

    /// Makes the engines do what they ought to.
    pub(crate) fn update_engine(self: &Arc<LiveGame>, state: &mut GameState) {
        state.waiting = None;
        let mut wanted = self.wanted(state);
        if wanted.is_none() {
            state.unwatched = None;
        } else if !self.may_compute(state) {
            state.waiting = Some(Waiting::Unwatched);
            state.engines = [None, None];
            wanted = None;
        }
        match (&state.running, wanted) {
            (Some(running), Some(task))
                if running.task == task && running.version == state.version => {}
            // When it ends, this is called again.
            (Some(running), _) => running.cancel.cancel(),
            (None, Some(task)) => {
                if let Err(error) = self.send(state, task) {
                    state.trouble = Some(error.sentence);
                    state.running = None;
                }
            }
            // A finished game needs its engines no more; it may be looked at for
            // hours.
            (None, None) if state.session.outcome().is_some() => state.engines = [None, None],
            (None, None) => {}
        }
    }

    fn send(self: &Arc<LiveGame>, state: &mut GameState, task: Task) -> Result<(), ApiError> {
        let (player, purpose) = match task {
            Task::Move(player) => (player, Purpose::Move),
            Task::Ponder(player) => (player, Purpose::Study),
        };
        let spec = state.settings.engine(player).ok_or_else(ApiError::missing)?;
        let (spec, most_threads) = self.app.engine_limits.player(spec)?;
        let engine = match state.engines[player as usize].take() {
            Some(engine) => Some(engine),
            None => {
                let claim = Claim { game: self.id.clone(), client: self.client.clone() };
                self.app.lease(&state.session, spec, crate::id::seed(), Some(&claim))?
            }
        };
        // Without memory there is no engine; the next tick tries again.
        let Some(mut engine) = engine else {
            state.waiting = matches!(task, Task::Move(_)).then_some(Waiting::Memory);
            return Ok(());
        };
        let moves = state.session.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        engine.handle.set(state.start.as_deref(), &moves).map_err(ApiError::bad)?;
        let work = match task {
            Task::Ponder(_) => Work::Ponder,
            Task::Move(_) => Work::Search(match state.clocks {
                Some(clocks) => {
                    let clock = clocks.for_search(now());
                    Limits { clock: Some(clock), ..Limits::default() }
                }
                None => Limits::time(Duration::from_secs_f64(state.settings.move_seconds)),
            }),
        };
        let cancel = CancelToken::default();
        let job = SearchJob { engine, work, purpose, cancel: cancel.clone(), most_threads };
        state.running = Some(RunningSearch { task, version: state.version, cancel });
        let (ply, epoch) = (state.played, state.engine_epoch);
        let reporter = Arc::clone(self);
        let game = Arc::clone(self);
        let session = state.session.clone();
        self.app.pool.run(
            job,
            move |info| {
                let report = report_json(&session, player, ply, info);
                reporter.thought.send_replace(Some(Arc::new(report)));
            },
            move |engine, answer| game.answered(epoch, engine, answer),
        );
        Ok(())
    }

    /// A search of this game has ended.
    fn answered(
        self: &Arc<LiveGame>,
        epoch: u64,
        engine: Option<LeasedEngine>,
        answer: Option<SearchInfo<String>>,
    ) {
        let mut guard = self.lock();
        let state = &mut *guard;
        let Some(RunningSearch { task, version, cancel }) = state.running.take() else { return };
        let (Task::Move(player) | Task::Ponder(player)) = task;
        // What it learnt about another position may still be of use.
        if state.engine_epoch == epoch {
            state.engines[player as usize] = engine;
        }
        self.yield_turn(state);
        if state.version == version && !cancel.is_cancelled() {
            match task {
                Task::Ponder(_) => state.pondered = Some(version),
                Task::Move(_) => self.play_answer(state, player, answer),
            }
        }
        if state.settings.is_human(state.session.to_move()) && self.app.memory.is_short() {
            state.engines = [None, None];
        }
        self.update_engine(state);
        self.publish(state);
    }

    /// Between two searches: lets others have memory or a place that they wait for.
    fn yield_turn(&self, state: &mut GameState) {
        let mut yields = std::mem::take(&mut state.yields);
        if let Some(permit) = &state.unwatched
            && self.app.unwatched.is_wanted(permit)
        {
            state.unwatched = None;
            yields = true;
        }
        if yields {
            state.engines = [None, None];
        }
    }

    /// Ends a search whose turn is over while others wait for memory. A move that
    /// is being searched is played as it stands.
    pub(super) fn yield_memory(&self, state: &mut GameState) {
        if !self.app.memory.must_yield(&self.id) {
            return;
        }
        match &state.running {
            Some(running) if matches!(running.task, Task::Ponder(_)) => running.cancel.cancel(),
            Some(running) => running.cancel.answer_now(),
            None => {}
        }
        state.yields = true;
    }

    fn play_answer(
        self: &Arc<LiveGame>,
        state: &mut GameState,
        player: Player,
        answer: Option<SearchInfo<String>>,
    ) {
        let answer = answer.and_then(|info| Some((info.best.clone()?, info)));
        let Some((mv, info)) = answer else {
            state.trouble = Some("it gave no move".to_owned());
            return;
        };
        // Without a line it moved without a search, and has no evaluation.
        let eval = (!info.lines.is_empty()).then(|| first_chance(player, info.win_rate));
        let ply = state.played;
        let kept = self.play(state, ply, &mv, eval);
        if let Err(error) = kept.and_then(|from| self.persist(state, from)) {
            state.trouble = Some(error.sentence);
        }
    }

    /// What would the best engine play?
    pub(super) fn hint(self: &Arc<LiveGame>, state: &mut GameState) -> Result<(), ApiError> {
        if state.session.outcome().is_some() {
            return Err(ApiError::stale("the game is over"));
        }
        if !self.app.pool.has_room() {
            return Err(ApiError::busy());
        }
        let spec = self.app.engine_limits.analyst(&self.spec, "best")?;
        let engine = self.app.lease(&state.session, spec, 1, None)?.ok_or_else(ApiError::busy)?;
        let job = SearchJob {
            engine,
            work: Work::Search(Limits::time(Duration::from_secs(1))),
            purpose: Purpose::Move,
            cancel: CancelToken::default(),
            most_threads: None,
        };
        let (ply, version, player) = (state.played, state.version, state.session.to_move());
        let game = Arc::clone(self);
        self.app.pool.run(
            job,
            |_| {},
            move |_, answer| {
                let mut state = game.lock();
                if let Some(info) = answer.filter(|_| state.version == version) {
                    state.hint = Some(report_json(&state.session, player, ply, &info));
                    game.publish(&mut state);
                }
            },
        );
        Ok(())
    }
}
