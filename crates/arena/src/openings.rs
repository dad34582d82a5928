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
    /// Openings as text ([`replay`]), one for each round, repeated when there are
    /// more rounds.
    Listed(Vec<String>),
}

impl Openings {
    /// Reads a file of openings, one a line: moves, or a position and moves. `#`
    /// begins a comment; lines without anything else are passed over.
    ///
    /// ```
    /// use arena::Openings;
    ///
    /// let text = "# two openings\n44 # the centre\n\nposition 7/7/7/7/3o3/3x3 x moves 35\n";
    /// let list = vec!["44".into(), "position 7/7/7/7/3o3/3x3 x moves 35".into()];
    /// assert_eq!(Openings::parse(text), Openings::Listed(list));
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
                let opening = replay(start, &list[at]).and_then(|record| match record.outcome() {
                    Some(outcome) => Err(format!("these moves end the game: {outcome}")),
                    None => Ok(record),
                });
                opening.map_err(|error| format!("opening {}: {error}", at + 1))
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

/// The position at which an opening or a game begins, if its text names one, and the
/// moves: `position TEXT`, `position TEXT moves MOVES`, or moves alone.
pub fn split_position(text: &str) -> (Option<&str>, &str) {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("position ") else { return (None, text) };
    let (position, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    (Some(position.trim()), moves.trim())
}

/// An opening or a game from its text, with the setup of `start`.
///
/// ```
/// use arena::{replay, replay_text};
/// use games::Game;
/// use games::connect_four::ConnectFour;
///
/// let start = ConnectFour::<u64>::start(&Default::default()).unwrap();
/// for text in ["44", "position 7/7/7/7/3o3/3x3 x", "position 7/7/7/7/3o3/3x3 x moves 35"] {
///     assert_eq!(replay_text(&start, &replay(&start, text)?), text);
/// }
/// assert!(replay(&start, "position 7/7 x").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn replay<G: Text>(start: &G, text: &str) -> Result<Record<G>, String> {
    let (position, moves) = split_position(text);
    let start = match position {
        Some(text) => G::parse(&start.setup(), text).map_err(|error| error.to_string())?,
        None => start.clone(),
    };
    let mut record = Record::new(start);
    record.play_text(moves).map_err(|error| error.to_string())?;
    Ok(record)
}

/// The text of a record, which names its first position if that is not `start`.
pub fn replay_text<G: Text>(start: &G, record: &Record<G>) -> String {
    let moves = record.moves_text();
    match (record.start() == start, moves.is_empty()) {
        (true, _) => moves,
        (false, true) => format!("position {}", record.start().position()),
        (false, false) => format!("position {} moves {moves}", record.start().position()),
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
