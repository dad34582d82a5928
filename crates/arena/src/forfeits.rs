//! What engines did wrong in a match, for its summary.
//!
//! A game ends by a fault if an engine crashed, played no legal move or answered
//! too late. Of late answers those are counted apart for which the machine gave no
//! core in time: the game is lost all the same, because a tournament would count it
//! so, but the remedy is fewer games at a time, not a change of the engine.

use games::{Player, Reason, Text};
use serde::Serialize;

use crate::{GameResult, MatchConfig, MatchId, Store, StoreError};

/// What stands in the note of a late answer for which the machine is to blame.
pub(crate) const STALL_NOTE: &str = "waited for a core";

/// The games that one engine lost by a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forfeits {
    /// It crashed, could not be started, or never answered.
    pub crashes: u64,
    /// It played an illegal move or none.
    pub illegal_moves: u64,
    /// It answered too late.
    pub time_losses: u64,
    /// Those of `time_losses` that are no later than the machine was in giving it a
    /// core.
    pub machine_stalls: u64,
    /// The number of the first such game, counted from 1, and what happened.
    pub first: Option<(u64, String)>,
}

impl Forfeits {
    /// Of every engine of a match, in the games of its first `pairs` pairs.
    pub fn of_match<G: Text>(
        store: &Store,
        id: MatchId,
        config: &MatchConfig,
        pairs: u64,
    ) -> Result<Vec<Forfeits>, StoreError> {
        let mut all = vec![Forfeits::default(); config.engines.len()];
        for game in store.forfeited(id, pairs)? {
            let at_fault = game.engines[at_fault::<G>(config, &game) as usize];
            if let Some(forfeits) = all.get_mut(at_fault) {
                forfeits.add(&game);
            }
        }
        Ok(all)
    }

    fn add(&mut self, game: &GameResult) {
        match game.outcome.reason {
            Reason::Crashed => self.crashes += 1,
            Reason::IllegalMove => self.illegal_moves += 1,
            _ => {
                self.time_losses += 1;
                self.machine_stalls += u64::from(game.note.contains(STALL_NOTE));
            }
        }
        self.first.get_or_insert_with(|| (game.index + 1, game.note.clone()));
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.crashes + self.illegal_moves + self.time_losses
    }
}

/// Who is to blame: the loser, or the player to move where running out of time does
/// not lose.
fn at_fault<G: Text>(config: &MatchConfig, game: &GameResult) -> Player {
    let mover = || Some(game.record::<G>(config)?.game().to_move());
    let loser = game.outcome.winner.map(|winner| !winner);
    let by_time = game.outcome.reason == Reason::Time;
    by_time.then(mover).flatten().or(loser).unwrap_or(Player::First)
}

impl std::fmt::Display for Forfeits {
    /// One line; "none" without any.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Some((game, note)) = &self.first else { return write!(f, "none") };
        write!(
            f,
            "crashes {}, illegal moves {}, time losses {}",
            self.crashes, self.illegal_moves, self.time_losses
        )?;
        if self.machine_stalls > 0 {
            write!(f, " ({} of them while the machine gave it no core)", self.machine_stalls)?;
        }
        write!(f, "; first in game {game}: {note}")
    }
}
