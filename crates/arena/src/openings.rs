//! Where games begin.
//!
//! Deterministic engines would repeat one game over and over, so each pair
//! begins a few plies in: random ones by the pair's seed, or from a list.

use games::{Record, Rng, Text};
use serde::{Deserialize, Serialize};

use crate::ScheduledGame;

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Openings {
    /// Random plies from the start position that do not end the game.
    Random {
        /// How many; 0 is the start position itself.
        plies: u32,
    },
    /// Lists of moves as text, one for each round, repeated when there are more
    /// rounds.
    Listed(Vec<String>),
}

impl Openings {
    /// Reads a file of openings, one a line. `#` begins a comment; lines without
    /// anything else are passed over.
    ///
    /// ```
    /// use arena::Openings;
    ///
    /// let text = "# two openings\n44 # the centre\n\n35\n";
    /// assert_eq!(Openings::parse(text), Openings::Listed(vec!["44".into(), "35".into()]));
    /// ```
    pub fn parse(text: &str) -> Openings {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        Openings::Listed(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// The opening of a game, the same for both games of its pair.
    pub fn record<G: Text>(
        &self,
        start: &G,
        scheduled: &ScheduledGame,
    ) -> Result<Record<G>, String> {
        match self {
            Openings::Random { plies } => random(start, *plies, scheduled.opening),
            Openings::Listed(list) if list.is_empty() => {
                Err("the list of openings is empty".into())
            }
            Openings::Listed(list) => {
                let at = (scheduled.round % list.len() as u64) as usize;
                listed(start, &list[at]).map_err(|error| format!("opening {}: {error}", at + 1))
            }
        }
    }

    /// An error sentence if an opening can't be played from this start: every
    /// list is played, random plies are tried once.
    pub fn check<G: Text>(&self, start: &G) -> Result<(), String> {
        let rounds = match self {
            Openings::Random { .. } => 1,
            Openings::Listed(list) => list.len().max(1) as u64,
        };
        (0..rounds).try_for_each(|round| {
            let scheduled = ScheduledGame {
                index: 0,
                pair: 0,
                round,
                engines: [0, 1],
                seed: 0,
                opening: round,
            };
            self.record(start, &scheduled).map(drop)
        })
    }
}

fn listed<G: Text>(start: &G, moves: &str) -> Result<Record<G>, String> {
    let mut record = Record::new(start.clone());
    record.play_text(moves).map_err(|error| error.to_string())?;
    match record.outcome() {
        Some(outcome) => Err(format!("these moves end the game: {outcome}")),
        None => Ok(record),
    }
}

/// Avoids moves that end the game, and starts again where all do.
fn random<G: Text>(start: &G, plies: u32, seed: u64) -> Result<Record<G>, String> {
    let mut rng = Rng::seeded(seed);
    'again: for _ in 0..100 {
        let mut record = Record::new(start.clone());
        for _ in 0..plies {
            let mut moves = record.legal();
            loop {
                if moves.is_empty() {
                    continue 'again;
                }
                let mv = moves.swap_remove(rng.below(moves.len()));
                record.play(mv).expect("the move is in the list of legal ones");
                if record.outcome().is_none() {
                    break;
                }
                record.undo();
            }
        }
        return Ok(record);
    }
    Err(format!("no opening of {plies} random plies was found that does not end the game"))
}
