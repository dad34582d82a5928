//! What a page can ask of a game, and doing it.

use std::sync::Arc;

use super::{GameState, LiveGame};
use crate::clock::now;
use crate::error::ApiError;
use crate::settings::Seat;
use crate::store::Ended;

/// What a page can ask of a game.
#[derive(Debug, serde::Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Plays a move at a ply; what was played after that ply is dropped.
    Play {
        /// Moves played before it.
        ply: usize,
        /// Its text.
        r#move: String,
    },
    /// Takes back to the last time a person was to move.
    Undo,
    /// The other way.
    Redo,
    /// In a contest: the move at a ply was another one. No clock is turned back.
    Correct {
        /// Moves played before it.
        ply: usize,
        /// What it really was.
        r#move: String,
    },
    /// A player gives up.
    Resign {
        /// 0 for First.
        player: usize,
    },
    /// Stops or starts the clocks and the engines.
    Pause {
        /// Whether to stop.
        on: bool,
    },
    /// Sets the clocks by hand.
    Clocks {
        /// Milliseconds of First and Second.
        left: [u64; 2],
    },
    /// Changes who sits where.
    Seats {
        /// First's seat and Second's.
        seats: [Seat; 2],
    },
    /// An engine shall answer now.
    Hurry,
    /// What would the best engine play?
    Hint,
}

impl LiveGame {
    /// Does what a page asks.
    pub fn apply(self: &Arc<LiveGame>, command: Command) -> Result<(), ApiError> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let mut from = state.plies.len() - 1;
        match command {
            Command::Play { ply, r#move } => {
                from = self.play(state, ply, &r#move, None)?;
            }
            Command::Undo => state.take_back()?,
            Command::Redo => state.play_again()?,
            Command::Correct { ply, r#move } => from = self.correct(state, ply, &r#move)?,
            Command::Resign { player } => {
                if state.session.outcome().is_some() {
                    return Err(ApiError::stale("the game is over"));
                }
                let winner = Some(1 - player.min(1));
                state.ended = Some(Ended { winner, reason: "resigned".to_owned() });
                state.declare();
                state.stop_clocks();
            }
            Command::Pause { on } => state.pause(on)?,
            Command::Clocks { left } => state.set_clocks(left)?,
            Command::Seats { seats } => {
                for seat in &seats {
                    if let Seat::Engine(spec) = seat {
                        self.app.check(&state.session, spec)?;
                    }
                }
                state.settings.seats = seats;
                state.engines = [None, None];
                state.engine_epoch += 1;
                state.version += 1;
            }
            Command::Hurry => {
                if let Some(running) = &state.running {
                    running.cancel.answer_now();
                }
                return Ok(());
            }
            Command::Hint => return self.hint(state),
        }
        self.persist(state, from)
    }

    /// Plays a move; gives the first ply that is new.
    pub(super) fn play(
        &self,
        state: &mut GameState,
        ply: usize,
        mv: &str,
        eval: Option<f64>,
    ) -> Result<usize, ApiError> {
        if ply > state.played {
            return Err(ApiError::stale("the game is not there yet"));
        }
        if ply < state.played {
            let live = state.session.outcome().is_none();
            let engines = state.settings.seats.iter().any(|seat| *seat != Seat::Human);
            if live && engines {
                return Err(ApiError::stale("the game has moved on; take the move back first"));
            }
            state.rewind_to_play(ply)?;
        }
        let time = now();
        let mover = state.session.to_move();
        let kept = state.advance(mv, eval, None)?;
        if let Some(clocks) = &mut state.clocks {
            clocks.moved(mover, time);
            match state.session.outcome() {
                None => clocks.run(state.session.to_move(), time),
                Some(_) => clocks.stop(time),
            }
            let left = clocks.left;
            state.note_clocks(left);
        }
        state.hint = None;
        Ok(kept)
    }

    /// Replaces a move that was put in wrongly. Time that has passed has passed.
    fn correct(&self, state: &mut GameState, ply: usize, mv: &str) -> Result<usize, ApiError> {
        if ply >= state.played {
            return Err(ApiError::stale("there is no such move to correct"));
        }
        state.stop_clocks();
        let (played, ended) = (state.played, state.ended.clone());
        state.rewind(ply)?;
        match state.advance(mv, None, None) {
            Ok(kept) => {
                state.run_clocks();
                if let Some(clocks) = state.clocks {
                    state.note_clocks(clocks.left);
                }
                Ok(kept)
            }
            Err(error) => {
                state.rewind(played)?;
                state.ended = ended;
                state.declare();
                state.run_clocks();
                Err(error)
            }
        }
    }
}
