//! What a page can ask of a game, and doing it.

use std::sync::Arc;

use super::{Inner, Table};
use crate::clock::now;
use crate::refusal::Refusal;
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

impl Table {
    /// Does what a page asks.
    pub fn obey(self: &Arc<Table>, command: Command) -> Result<(), Refusal> {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let mut from = inner.plies.len() - 1;
        match command {
            Command::Play { ply, r#move } => {
                from = self.play(inner, ply, &r#move, None)?;
            }
            Command::Undo => inner.take_back()?,
            Command::Redo => inner.play_again()?,
            Command::Correct { ply, r#move } => from = self.correct(inner, ply, &r#move)?,
            Command::Resign { player } => {
                if inner.session.outcome().is_some() {
                    return Err(Refusal::stale("the game is over"));
                }
                let winner = Some(1 - player.min(1));
                inner.ended = Some(Ended { winner, reason: "resigned".to_owned() });
                inner.declare();
                inner.stop_clocks();
            }
            Command::Pause { on } => inner.pause(on)?,
            Command::Clocks { left } => inner.set_clocks(left)?,
            Command::Seats { seats } => {
                for seat in &seats {
                    if let Seat::Engine(spec) = seat {
                        self.house.check(&*inner.session, spec)?;
                    }
                }
                inner.settings.seats = seats;
                inner.engines = [None, None];
                inner.engine_epoch += 1;
                inner.version += 1;
            }
            Command::Hurry => {
                if let Some(running) = &inner.running {
                    running.cancel.answer_now();
                }
                return Ok(());
            }
            Command::Hint => return self.hint(inner),
        }
        self.keep(inner, from)
    }

    /// Plays a move; gives the first ply that is new.
    pub(super) fn play(
        &self,
        inner: &mut Inner,
        ply: usize,
        mv: &str,
        eval: Option<f64>,
    ) -> Result<usize, Refusal> {
        if ply > inner.played {
            return Err(Refusal::stale("the game is not there yet"));
        }
        if ply < inner.played {
            let live = inner.session.outcome().is_none();
            let engines = inner.settings.seats.iter().any(|seat| *seat != Seat::Human);
            if live && engines {
                return Err(Refusal::stale("the game has moved on; take the move back first"));
            }
            inner.rewind_to_play(ply)?;
        }
        let time = now();
        let mover = inner.session.to_move();
        let kept = inner.advance(mv, eval, None)?;
        if let Some(clocks) = &mut inner.clocks {
            clocks.moved(mover, time);
            match inner.session.outcome() {
                None => clocks.run(inner.session.to_move(), time),
                Some(_) => clocks.stop(time),
            }
            let left = clocks.left;
            inner.note_clocks(left);
        }
        inner.hint = None;
        Ok(kept)
    }

    /// Replaces a move that was put in wrongly. Time that has passed has passed.
    fn correct(&self, inner: &mut Inner, ply: usize, mv: &str) -> Result<usize, Refusal> {
        if ply >= inner.played {
            return Err(Refusal::stale("there is no such move to correct"));
        }
        inner.stop_clocks();
        let (played, ended) = (inner.played, inner.ended.clone());
        inner.rewind(ply)?;
        match inner.advance(mv, None, None) {
            Ok(kept) => {
                inner.run_clocks();
                if let Some(clocks) = inner.clocks {
                    inner.note_clocks(clocks.left);
                }
                Ok(kept)
            }
            Err(refusal) => {
                inner.rewind(played)?;
                inner.ended = ended;
                inner.declare();
                inner.run_clocks();
                Err(refusal)
            }
        }
    }
}
