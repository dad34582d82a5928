//! What a page can ask of a game, doing it, and writing it to disk before it is
//! shown.

use std::sync::Arc;

use games::Reason;

use super::lines::stored;
use super::{GameState, LiveGame};
use crate::access::Rights;
use crate::clock::now;
use crate::error::ApiError;
use crate::record::result_text;
use crate::settings::Seat;
use crate::store::{Ended, StoreError, StoredGame};
use crate::tree::Spot;

/// The reasons for which officials end a game, and whether one has a winner.
const OFFICIAL: [(Reason, bool); 5] = [
    (Reason::Resigned, true),
    (Reason::Time, false),
    (Reason::Forfeit, true),
    (Reason::Agreed, false),
    (Reason::Adjudicated, false),
];

/// What a page can ask of a game.
#[derive(Debug, serde::Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Plays a move at a ply; what was played after that ply becomes a side line.
    Play {
        /// Moves played before it.
        ply: usize,
        /// Its text.
        r#move: String,
        /// Whether to go back to that ply if the game is past it.
        #[serde(default)]
        cut: bool,
    },
    /// Writes the comment on a position; an empty one removes it.
    Note {
        /// Which position.
        #[serde(flatten)]
        spot: Spot,
        /// The comment.
        text: String,
    },
    /// Raises a side line by one level.
    Promote {
        /// A move of it.
        node: u32,
    },
    /// Removes a side move and everything after it.
    Remove {
        /// The move.
        node: u32,
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
    /// The officials' result of a game that the rules have not decided. It replaces
    /// an earlier one.
    Result {
        /// 0 for First, 1 for Second, none for a draw.
        winner: Option<usize>,
        /// One of the reasons that officials give.
        reason: String,
    },
    /// The result was entered wrongly: the game goes on.
    Reopen,
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
    /// Does what a page asks, if its caller may.
    pub fn apply(self: &Arc<LiveGame>, command: Command, rights: Rights) -> Result<(), ApiError> {
        let mut guard = self.lock();
        let state = &mut *guard;
        match &command {
            // A move at an earlier position begins another line.
            Command::Play { ply, .. } if *ply < state.played => rights.owner()?,
            Command::Play { .. } => rights.player(state.session.to_move() as usize)?,
            Command::Resign { player } => rights.player((*player).min(1))?,
            Command::Hurry | Command::Hint => rights.participant()?,
            Command::Undo
            | Command::Redo
            | Command::Correct { .. }
            | Command::Result { .. }
            | Command::Reopen
            | Command::Pause { .. }
            | Command::Clocks { .. }
            | Command::Note { .. }
            | Command::Promote { .. }
            | Command::Remove { .. }
            | Command::Seats { .. } => rights.owner()?,
        }
        let mut from = state.plies.len() - 1;
        match command {
            Command::Play { ply, r#move, cut } => {
                if ply < state.played && !cut {
                    let sentence = "the game has moved on; take the move back first";
                    return Err(ApiError::stale(sentence));
                }
                from = self.play(state, ply, &r#move, None)?;
            }
            Command::Note { spot, text } => state.annotate(spot, &text)?,
            Command::Promote { node } => {
                if let Some(ply) = state.promote(node)? {
                    from = ply;
                    // A review is about the moves that were there.
                    state.review = None;
                    self.review.send_replace(None);
                }
            }
            Command::Remove { node } => state.tree_mut().remove(node),
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
            Command::Result { winner, reason } => state.set_result(winner, &reason)?,
            Command::Reopen => state.reopen()?,
            Command::Pause { on } => state.pause(on),
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
            // A move that can't be played there changes nothing.
            state.session_at(ply.into())?.play(mv).map_err(ApiError::bad)?;
            let tail_end = state.ended.clone();
            state.rewind_to_play(ply)?;
            state.tail_end = tail_end;
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
        // What was put in wrongly was never played.
        let wrong = (state.plies.split_off(ply + 1), state.tree.clone());
        state.tree_mut().drop_after(ply);
        match state.advance(mv, None, None) {
            Ok(kept) => {
                state.run_clocks();
                if let Some(clocks) = state.clocks {
                    state.note_clocks(clocks.left);
                }
                Ok(kept)
            }
            Err(error) => {
                state.plies.extend(wrong.0);
                *state.tree_mut() = wrong.1;
                state.rewind(played)?;
                state.ended = ended;
                state.declare();
                state.run_clocks();
                Err(error)
            }
        }
    }
}

impl LiveGame {
    /// Writes the game to disk, sets the engines to work, and shows it. If the
    /// disk refuses, the game stays as the disk has it.
    pub(crate) fn persist(
        self: &Arc<LiveGame>,
        state: &mut GameState,
        from: usize,
    ) -> Result<(), ApiError> {
        if let Err(error) = self.write(state, from) {
            state.failed_at = Some(now());
            self.revert(state, matches!(error, StoreError::Restored))?;
            self.publish(state);
            return Err(error.into());
        }
        state.notice = None;
        self.update_engine(state);
        self.publish(state);
        Ok(())
    }

    /// Writes the game to disk as it is, plies before `from` being unchanged.
    pub(crate) fn write(&self, state: &mut GameState, from: usize) -> Result<(), StoreError> {
        if state.deleted {
            return Err(StoreError::Gone);
        }
        let mut game = self.saved(state);
        self.app.store.save(&mut game, from)?;
        state.stored = game;
        Ok(())
    }

    /// The game as it is saved; [`GameState::of`] reads it.
    fn saved(&self, state: &GameState) -> StoredGame {
        let plies = state.plies[1..].iter().map(|ply| stored(ply));
        StoredGame {
            id: self.id.clone(),
            spec: self.spec.to_string(),
            start: state.start.clone(),
            settings: state.settings.clone(),
            clocks: state.clocks.map(|clocks| clocks.charged(now())),
            played: state.played,
            ended: state.ended.clone(),
            review: state.review.clone(),
            plies: plies.collect(),
            tree: state.tree.clone(),
            result: Some(result_text(state.session.outcome()).to_owned()),
            touched: state.stored.touched,
            generation: state.stored.generation.clone(),
        }
    }
}

impl GameState {
    /// Ends the game by a decision from outside its rules.
    fn set_result(&mut self, winner: Option<usize>, reason: &str) -> Result<(), ApiError> {
        let found = OFFICIAL.iter().find(|(known, _)| known.to_string() == reason);
        let Some(&(_, needs_winner)) = found else {
            let known: Vec<String> = OFFICIAL.iter().map(|(known, _)| known.to_string()).collect();
            let list = known.join(", ");
            return Err(ApiError::bad(format!("'{reason}' is no reason; it is one of {list}")));
        };
        if winner.is_some_and(|winner| winner > 1) || (needs_winner && winner.is_none()) {
            return Err(ApiError::bad("say who won: 0 for First, 1 for Second"));
        }
        self.forget_result()?;
        self.ended = Some(Ended { winner, reason: reason.to_owned() });
        self.declare();
        self.stop_clocks();
        Ok(())
    }

    /// Takes a result back. In a contest the clocks wait for the referee.
    fn reopen(&mut self) -> Result<(), ApiError> {
        if self.ended.is_none() {
            return Err(ApiError::stale("there is no entered result to take back"));
        }
        self.forget_result()?;
        if let Some(clocks) = &mut self.clocks
            && self.settings.contest.is_some()
        {
            clocks.paused = true;
        }
        self.run_clocks();
        Ok(())
    }

    /// Makes a game that was ended from outside one that goes on; refused where
    /// the rules have decided it.
    fn forget_result(&mut self) -> Result<(), ApiError> {
        if self.ended.is_some() {
            self.rewind(self.played)?;
        }
        match self.session.outcome() {
            Some(_) => Err(ApiError::stale("the rules have decided this game")),
            None => Ok(()),
        }
    }
}
