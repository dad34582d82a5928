//! Wins that an engine had reported as proven and then did not win.
//!
//! Either the proof was wrong or the engine let the win slip; both are faults of the
//! engine that its results alone do not show.

use games::{Player, Reason, Text};
use serde::Serialize;

use crate::{GameResult, MatchConfig, MatchId, Store, StoreError};

/// The games of one engine with a proven win that was not won. Games that an engine's
/// fault or an adjudication ended do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LostWins {
    /// How many games.
    pub games: u64,
    /// The first one: the number of the game and of the ply, both counted from 1, and
    /// the score.
    pub first: Option<(u64, u64, String)>,
}

impl LostWins {
    /// Of every engine of a match, in the games of its first `pairs` pairs.
    pub fn of_match<G: Text>(
        store: &Store,
        id: MatchId,
        config: &MatchConfig,
        pairs: u64,
    ) -> Result<Vec<LostWins>, StoreError> {
        let mut all = vec![LostWins::default(); config.engines.len()];
        for game in store.with_proven_wins(id, pairs)? {
            let Some((player, ply, score)) = lost_win::<G>(config, &game) else { continue };
            if let Some(engine) = all.get_mut(game.engines[player as usize]) {
                engine.games += 1;
                engine.first.get_or_insert((game.index + 1, ply, score));
            }
        }
        Ok(all)
    }
}

/// Whether a score is a proven win of the mover.
fn is_win(score: &str) -> bool {
    score == "win" || score.starts_with("win ")
}

/// The first proven win of a player who did not win: the player, the number of the
/// ply and the score.
fn lost_win<G: Text>(config: &MatchConfig, game: &GameResult) -> Option<(Player, u64, String)> {
    let unfinished =
        [Reason::Crashed, Reason::IllegalMove, Reason::Time, Reason::Adjudicated, Reason::Resigned];
    if unfinished.contains(&game.outcome.reason) {
        return None;
    }
    let record = game.record::<G>(config)?;
    let opening = record.moves().len().checked_sub(game.plies.len())?;
    let mut plies = game.plies.iter().zip(&record.positions()[opening..]).zip(opening + 1..);
    plies.find_map(|((ply, position), number)| {
        let mover = position.to_move();
        let lost = is_win(&ply.score) && game.outcome.winner != Some(mover);
        lost.then(|| (mover, number as u64, ply.score.clone()))
    })
}

impl std::fmt::Display for LostWins {
    /// One line; "none" without any.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Some((game, ply, score)) = &self.first else { return write!(f, "none") };
        write!(f, "{}; first in game {game}: '{score}' at ply {ply}", self.games)
    }
}

#[cfg(test)]
mod tests {
    use games::Outcome;
    use games::connect_four::ConnectFour;

    use super::*;
    use crate::{Entrant, Ply};

    #[test]
    fn a_proven_win_counts_for_the_mover_who_did_not_win() {
        let limits = search::Limits { sims: Some(10), ..Default::default() };
        let entrant = Entrant { spec: "uct".to_owned(), version: "1".to_owned(), limits };
        let config = MatchConfig::new::<ConnectFour<u64>>(&Default::default(), vec![entrant; 2], 1);
        let ply = |mv: &str, score: &str| Ply {
            mv: mv.to_owned(),
            micros: 0,
            win_rate: 0.5,
            score: score.to_owned(),
            depth: 0,
            nodes: 0,
            sims: 0,
        };
        // First wins with 1 1 1 1; the first ply is the opening.
        let game = |scores: [&str; 6], reason| GameResult {
            index: 4,
            engines: [1, 0],
            seed: 1,
            setup: String::new(),
            opening: "1".to_owned(),
            moves: "1212121".to_owned(),
            plies: "212121".chars().zip(scores).map(|(c, s)| ply(&c.to_string(), s)).collect(),
            outcome: Outcome { winner: Some(Player::First), reason },
            note: String::new(),
        };
        let lost = |scores, reason| lost_win::<ConnectFour<u64>>(&config, &game(scores, reason));
        let four = Reason::FourInARow;
        let (none, slip) = (["0.1"; 6], ["0.1", "win 5", "0.2", "win 3", "0.1", "win 1"]);
        assert_eq!(lost(none, four), None);
        assert_eq!(lost(slip, four), None, "First said so, and won");
        let slip = ["0.1", "win 5", "win 9", "0.1", "win", "win 1"];
        assert_eq!(lost(slip, four), Some((Player::Second, 4, "win 9".to_owned())));
        assert_eq!(lost(slip, Reason::Time), None);
    }
}
