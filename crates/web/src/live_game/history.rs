//! The line of moves under lock: playing, rewinding, and the clocks that go
//! with it. Nothing here writes to disk, searches or publishes.

use std::sync::Arc;

use games::{Outcome, Player, Reason};
use session::GameSpec;

use super::snapshot::first_ply;
use super::{GameState, MOST_PLIES, Ply};
use crate::clock::now;
use crate::error::ApiError;
use crate::settings::Seat;
use crate::store::{Ended, StoredGame};

impl GameState {
    /// A game as it was saved.
    pub(super) fn of(spec: &GameSpec, saved: StoredGame) -> Result<GameState, ApiError> {
        let mut session = session::open(spec);
        session.set(saved.start.as_deref(), &[]).map_err(ApiError::bad)?;
        let stored = saved.clone();
        let mut clocks = saved.clocks;
        let resumed = clocks.as_mut().is_some_and(|clocks| clocks.resume(now()));
        let mut state = GameState {
            stored,
            notice: resumed.then_some("restarted"),
            failed_at: None,
            plies: vec![Arc::new(first_ply(&session))],
            session,
            settings: saved.settings,
            clocks,
            played: 0,
            ended: None,
            review: saved.review,
            start: saved.start,
            version: 0,
            running: None,
            pondered: None,
            engines: [None, None],
            engine_epoch: 0,
            hint: None,
            trouble: None,
        };
        for ply in saved.plies {
            state.advance(&ply.mv, ply.eval, ply.left)?;
        }
        state.rewind(saved.played)?;
        state.ended = saved.ended;
        state.declare();
        Ok(state)
    }

    /// Plays a move on the board alone. Gives the number of plies that were
    /// there before and still are.
    pub(crate) fn advance(
        &mut self,
        mv: &str,
        eval: Option<f64>,
        left: Option<[u64; 2]>,
    ) -> Result<usize, ApiError> {
        if self.played >= MOST_PLIES {
            return Err(ApiError::bad(format!("a game here has at most {MOST_PLIES} moves")));
        }
        let mut session = self.session.clone();
        let mover = session.to_move();
        session.play(mv).map_err(ApiError::bad)?;
        let last = session.last_move().filter(|_| session.moves().len() == self.played + 1);
        let last = last.ok_or_else(|| ApiError::bad("one move at a time"))?;
        let ply = Ply {
            name: Some(last.name),
            mv: Some(last.text),
            by: Some(mover as usize),
            to_move: session.to_move() as usize,
            eval,
            left,
            position: session.position(),
            view: session.view(),
        };
        self.plies.truncate(self.played + 1);
        self.plies.push(Arc::new(ply));
        self.session = session;
        self.played += 1;
        self.version += 1;
        Ok(self.played - 1)
    }

    /// Makes the board stand after so many moves of the line.
    pub(crate) fn rewind(&mut self, ply: usize) -> Result<(), ApiError> {
        let moves: Vec<&str> =
            self.plies[1..=ply].iter().filter_map(|ply| ply.mv.as_deref()).collect();
        let mut session = session::open(self.session.spec());
        session.set(self.start.as_deref(), &moves).map_err(ApiError::bad)?;
        self.session = session;
        self.played = ply;
        self.ended = None;
        self.version += 1;
        self.hint = None;
        self.trouble = None;
        Ok(())
    }

    /// As [`GameState::rewind`], with the clocks as they were then; in a contest
    /// time that has passed has passed.
    pub(super) fn rewind_to_play(&mut self, ply: usize) -> Result<(), ApiError> {
        self.stop_clocks();
        self.rewind(ply)?;
        if self.settings.contest.is_none()
            && let (Some(clocks), Some(left)) = (&mut self.clocks, self.plies[ply].left)
        {
            clocks.left = left;
        }
        self.run_clocks();
        Ok(())
    }

    pub(super) fn take_back(&mut self) -> Result<(), ApiError> {
        if self.ended.is_some() {
            return self.rewind_to_play(self.played);
        }
        let mut ply = self.played;
        let engines = !self.settings.seats.iter().all(|seat| *seat == Seat::Human);
        loop {
            if ply == 0 {
                break;
            }
            ply -= 1;
            let human = self.settings.seats[self.plies[ply].to_move] == Seat::Human;
            if human || !engines || self.settings.seats.iter().all(|seat| *seat != Seat::Human) {
                break;
            }
        }
        if ply == self.played {
            return Err(ApiError::stale("there is nothing to take back"));
        }
        self.rewind_to_play(ply)
    }

    pub(super) fn play_again(&mut self) -> Result<(), ApiError> {
        let last = self.plies.len() - 1;
        if self.played == last {
            return Err(ApiError::stale("there is nothing to play again"));
        }
        let mut ply = self.played + 1;
        while ply < last && self.settings.seats[self.plies[ply].to_move] != Seat::Human {
            ply += 1;
        }
        self.rewind_to_play(ply)
    }

    pub(super) fn declare(&mut self) {
        if let Some(Ended { winner, reason }) = &self.ended {
            let known = Reason::ALL.into_iter().find(|known| known.to_string() == *reason);
            let reason = known.unwrap_or(Reason::Resigned);
            let winner = winner.map(|winner| Player::BOTH[winner.min(1)]);
            self.session.end(Outcome { winner, reason });
        }
        self.version += 1;
    }

    pub(super) fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(now());
        }
    }

    /// The mover's clock runs, unless nothing has been played yet in a
    /// game among friends.
    pub(super) fn run_clocks(&mut self) {
        let begun = self.played > 0 || self.settings.contest.is_some();
        if let Some(clocks) = &mut self.clocks
            && begun
            && self.session.outcome().is_none()
        {
            clocks.run(self.session.to_move(), now());
        }
    }

    pub(super) fn pause(&mut self, on: bool) -> Result<(), ApiError> {
        let Some(clocks) = &mut self.clocks else {
            return Err(ApiError::bad("this game has no clocks"));
        };
        clocks.stop(now());
        clocks.paused = on;
        self.version += 1;
        self.run_clocks();
        Ok(())
    }

    pub(super) fn set_clocks(&mut self, left: [u64; 2]) -> Result<(), ApiError> {
        if left.iter().any(|&left| left > 24 * 3_600_000) {
            return Err(ApiError::bad("a clock shows at most a day"));
        }
        let Some(clocks) = &mut self.clocks else {
            return Err(ApiError::bad("this game has no clocks"));
        };
        clocks.stop(now());
        clocks.left = left;
        self.run_clocks();
        Ok(())
    }

    /// Writes what the clocks had left beside the last move.
    pub(super) fn note_clocks(&mut self, left: [u64; 2]) {
        if let Some(ply) = self.plies.last_mut().and_then(Arc::get_mut) {
            ply.left = Some(left);
        }
    }
}
