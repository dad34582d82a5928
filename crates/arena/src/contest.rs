//! What a match is: everything that decides which games are played.
//!
//! A contest is a plain value and its own identity. Two runs with equal
//! contests are the same match, and the second goes on where the first stopped.
//! What only decides how much is played, how fast and when to stop (rounds,
//! concurrency, sequential test) is not part of it, so a match can be made
//! longer later.

use std::time::Duration;

use games::{Rng, Text};
use serde::{Deserialize, Serialize};

use crate::{Fixture, Format, Openings};

/// The full configuration of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// The game's name.
    pub game: String,
    /// The text of its setup; empty for the default, and where boards are drawn.
    pub setup: String,
    /// Whether all games have that setup.
    #[serde(default, skip_serializing_if = "Boards::is_given")]
    pub boards: Boards,
    /// Who plays, at least two.
    pub engines: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// Where games begin.
    pub openings: Openings,
    /// What the referee enforces.
    pub rules: Rules,
    /// Decides every random choice of openings and engines.
    pub seed: u64,
}

impl Contest {
    /// A round robin of `engines` at `G`, from openings of no plies.
    pub fn new<G: Text>(setup: &G::Setup, engines: Vec<Entrant>, seed: u64) -> Contest {
        Contest {
            game: G::NAME.to_string(),
            setup: setup.to_string(),
            boards: Boards::Given,
            engines,
            format: Format::RoundRobin,
            openings: Openings::Random { plies: 0 },
            rules: Rules::default(),
            seed,
        }
    }

    /// Where the game of a fixture begins, before its opening: the same for both
    /// games of a pair.
    pub fn start<G: Text>(&self, fixture: &Fixture) -> Result<G, String> {
        // Boards have their own stream, beside that of random opening plies.
        const BOARDS: u64 = 0x62_6f61_7264_7300;
        let setup = match self.boards {
            Boards::Given => self.setup.parse().map_err(|error| format!("{error}"))?,
            Boards::Drawn => G::random_setup(&mut Rng::stream(fixture.opening, BOARDS))
                .ok_or_else(|| format!("{} has no boards to draw from", self.game))?,
        };
        G::start(&setup).map_err(|error| error.to_string())
    }

    /// The text by which the store knows this match.
    pub fn identity(&self) -> String {
        serde_json::to_string(self).expect("a contest is plain data")
    }
}

/// On which boards a match is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Boards {
    /// All games on the contest's own.
    #[default]
    Given,
    /// Each pair on one of its own, drawn by `Game::random_setup` from the match's
    /// seed and the pair.
    Drawn,
}

impl Boards {
    fn is_given(&self) -> bool {
        *self == Boards::Given
    }
}

/// One of the engines of a match, as a label: the caller knows how to make it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// What the user typed.
    pub spec: String,
    /// The version of the program that plays. A new version is a new match.
    pub version: String,
    /// How much it may think.
    pub allowance: Allowance,
}

/// How much an engine may think in a game. Several limits hold together; with
/// none at all the engine must end its search by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Allowance {
    /// Its time.
    pub pace: Pace,
    /// Positions a move.
    pub nodes: Option<u64>,
    /// Simulations a move.
    pub sims: Option<u64>,
    /// Plies of search a move.
    pub depth: Option<u32>,
}

/// The time that a referee keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pace {
    /// None: games by simulations, nodes or depth, repeatable bit for bit.
    #[default]
    Free,
    /// So much for each move (`st`).
    Move(Duration),
    /// So much for the game and more after each own move (`tc`).
    Game {
        /// For the whole game.
        base: Duration,
        /// Added after each own move.
        increment: Duration,
    },
}

/// What the referee enforces beyond the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// How much later than its time an answer may come.
    pub margin: Duration,
    /// The ply, counted from the start of the game, at which the lead decides.
    pub cap: Option<u32>,
    /// When a hopeless game is lost.
    pub resign: Option<Resign>,
    /// When a level game is drawn.
    pub draw: Option<Level>,
}

impl Default for Rules {
    /// Engines answer within 20 ms of their limits; the rest is for the machine.
    fn default() -> Rules {
        Rules { margin: Duration::from_millis(100), cap: None, resign: None, draw: None }
    }
}

impl Rules {
    /// What is wrong with the numbers, if anything.
    pub fn check(&self) -> Result<(), String> {
        if let Some(Resign { below, moves, .. }) = self.resign
            && !((0.0..0.5).contains(&below) && moves > 0)
        {
            return Err(format!(
                "to give a game up takes a chance from 0 to 0.5 for at least a move, not {below} \
                 for {moves}"
            ));
        }
        if let Some(Level { within, plies, .. }) = self.draw
            && !((0.0..=0.5).contains(&within) && plies > 0)
        {
            return Err(format!(
                "to call a game level takes chances within 0 to 0.5 of one half for at least a \
                 ply, not {within} for {plies}"
            ));
        }
        Ok(())
    }
}

/// Ends a game that one side gives up for lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resign {
    /// The side's own chance to win, from 0 to 1, is at most this
    pub below: f64,
    /// for so many of its moves in a row,
    pub moves: u32,
    /// and the other side agrees (its chance is at least 1 - `below`).
    pub both: bool,
}

/// Ends a game that both sides call level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The mover's chance to win is so near to one half
    pub within: f64,
    /// for so many plies in a row
    pub plies: u32,
    /// and the game has lasted so many plies.
    pub after: u32,
}
