//! The line of moves under lock: playing, rewinding, and the clocks that go
//! with it. Nothing here writes to disk, searches or publishes.

use std::sync::Arc;

use games::{Outcome, Player, Reason};

use super::lines::{full, stored};
use super::snapshot::ply_after;
use super::{GameState, MOST_PLIES};
use crate::clock::now;
use crate::error::ApiError;
use crate::settings::Seat;
use crate::store::{Ended, StoredPly};
use crate::tree::Parent;

impl GameState {
    /// Plays a move on the board alone. Moves that were taken back and are not
    /// played again become a side line. Gives the number of plies that were there
    /// before and still are.
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
        if session.moves().len() != self.played + 1 {
            return Err(ApiError::bad("one move at a time"));
        }
        let ply = ply_after(&session, mover, eval, left)?;
        let mv = ply.mv.clone().unwrap_or_default();
        let next = self.played + 1;
        let tail_end = self.tail_end.take();
        if self.plies.get(next).is_some_and(|old| old.mv == ply.mv) {
            self.plies[next] = Arc::new(ply);
        } else {
            let tail: Vec<StoredPly> = self.plies[next..].iter().map(|ply| stored(ply)).collect();
            if !self.tree.has_room(tail.len()) {
                return Err(full());
            }
            if !tail.is_empty() {
                let at = self.played;
                self.tree_mut().set_aside(at, tail, tail_end);
            }
            if self.tree.child(Parent::Ply(self.played), &mv).is_some() {
                let at = self.played;
                self.tree_mut().absorb(at, &mv);
            }
            self.plies.truncate(next);
            self.plies.push(Arc::new(ply));
        }
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
        let engines = self.has_engine();
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

    /// Stops or starts the clocks, if there are any, and the engines.
    pub(super) fn pause(&mut self, on: bool) {
        match &mut self.clocks {
            Some(clocks) => {
                clocks.stop(now());
                clocks.paused = on;
            }
            None => self.settings.paused = on,
        }
        self.version += 1;
        self.run_clocks();
    }

    /// Whether someone has stopped the game for a while.
    pub(super) fn is_paused(&self) -> bool {
        self.clocks.map_or(self.settings.paused, |clocks| clocks.paused)
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
        if let Some(ply) = self.plies.get_mut(self.played).and_then(Arc::get_mut) {
            ply.left = Some(left);
        }
    }
}
