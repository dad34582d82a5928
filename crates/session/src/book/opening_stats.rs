//! What games on record say about openings.

use std::collections::HashMap;

use games::{Outcome, Record};

use super::{Choice, Origin};
use crate::Playable;

/// What a search's judgement of a position counts for against results: as so
/// many games that ended with it.
const JUDGEMENT: f64 = 16.0;

/// The games in which a move was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub games: u64,
    /// How many more the mover won than lost.
    pub balance: i64,
}

/// Openings of games on record: how often each move was played and how the
/// games ended for the player who made it.
#[derive(Clone, Debug)]
pub struct OpeningStats<G: Playable> {
    plies: u32,
    games: u64,
    /// By the key of the smallest symmetric position.
    seen: HashMap<u64, (G, HashMap<G::Move, Tally>)>,
}

impl<G: Playable> OpeningStats<G> {
    /// Of no games yet; remembers positions of up to so many plies.
    pub fn new(plies: u32) -> OpeningStats<G> {
        OpeningStats { plies, games: 0, seen: HashMap::new() }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a finished game, whose first `drawn` moves are a random opening.
    pub fn add(&mut self, record: &Record<G>, drawn: usize, outcome: Outcome) {
        self.games += 1;
        let chosen = record.positions().iter().zip(record.moves());
        for (game, &mv) in chosen.take(self.plies as usize + 1).skip(drawn) {
            let (position, s) = game.canonical();
            let (_, moves) =
                self.seen.entry(position.key()).or_insert_with(|| (position, HashMap::new()));
            let tally = moves.entry(game.transform_move(s, mv)).or_default();
            tally.games += 1;
            tally.balance +=
                outcome.winner.map_or(0, |winner| if winner == game.to_move() { 1 } else { -1 });
        }
    }

    /// The positions that at least so many games had, by the order of their
    /// texts.
    pub fn common(&self, least: u64) -> Vec<G> {
        let often = self
            .seen
            .values()
            .filter(|(_, moves)| moves.values().map(|tally| tally.games).sum::<u64>() >= least);
        let mut common: Vec<G> = often.map(|(position, _)| position.clone()).collect();
        common.sort_by_cached_key(|position| position.position());
        common
    }

    /// What is known of the moves of a position, given what else is known of it
    /// (at most one move). Results weigh against that as `JUDGEMENT` games with
    /// its value do; a move that is certain stays as it is.
    pub fn weigh(&self, game: &G, other: Option<Choice<G::Move>>) -> Vec<Choice<G::Move>> {
        let certain = |choice: &Choice<G::Move>| choice.origin == Origin::Solver;
        if other.as_ref().is_some_and(certain) {
            return other.into_iter().collect();
        }
        let (position, s) = game.canonical();
        let prior = other.as_ref().map_or(0.0, Choice::expected);
        let mut choices: Vec<Choice<G::Move>> = other.into_iter().collect();
        if let Some((_, moves)) = self.seen.get(&position.key()) {
            let mut legal = games::MoveList::new();
            game.moves(&mut legal);
            for mv in legal {
                let Some(tally) = moves.get(&game.transform_move(s, mv)) else { continue };
                let value =
                    (JUDGEMENT * prior + tally.balance as f64) / (JUDGEMENT + tally.games as f64);
                let score = search::Score::Expected(value);
                match choices.iter_mut().find(|choice| choice.mv == mv) {
                    Some(choice) => {
                        *choice = Choice { mv, score, games: tally.games, origin: Origin::Both };
                    }
                    None => choices.push(Choice {
                        mv,
                        score,
                        games: tally.games,
                        origin: Origin::Games,
                    }),
                }
            }
        }
        choices
    }
}
