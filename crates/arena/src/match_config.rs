//! What a match is: everything that decides which games are played.
//!
//! A configuration is a plain value and its own identity. Two runs with equal
//! configurations are the same match, and the second resumes the first. What
//! only decides how much is played, how fast and when to stop (rounds,
//! concurrency, sequential test) is in [`crate::RunOptions`] instead, so a match
//! can be made longer later.

use std::time::Duration;

use games::{Rng, Text};
use search::Limits;
use serde::{Deserialize, Serialize};

use crate::{Format, Openings, ScheduledGame, limits_json};

/// The full configuration of a match.
///
/// Equal configurations have equal identities, whatever the run options:
///
/// ```
/// use arena::{Entrant, MatchConfig};
/// use games::connect_four::ConnectFour;
/// use search::Limits;
///
/// let entrant = |spec: &str| Entrant {
///     spec: spec.into(),
///     version: "0.1.0".into(),
///     limits: Limits { sims: Some(100), ..Limits::default() },
/// };
/// let engines = vec![entrant("uct c=0.4"), entrant("uct c=1")];
/// let config = MatchConfig::new::<ConnectFour<u64>>(&Default::default(), engines, 7);
/// assert_eq!(config.game, "connect-four");
/// assert_eq!(config.identity(), config.clone().identity());
/// assert_ne!(config.identity(), MatchConfig { seed: 8, ..config }.identity());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The game's name.
    pub game: String,
    /// The text of its setup; empty for the default, and where boards are random.
    pub setup: String,
    /// Whether all games have that setup.
    #[serde(default, skip_serializing_if = "Boards::is_given")]
    pub boards: Boards,
    /// The engines, at least two.
    pub engines: Vec<Entrant>,
    /// Which engines are paired.
    pub format: Format,
    /// Where games begin.
    pub openings: Openings,
    /// What the referee enforces.
    pub rules: Rules,
    /// Seeds every random choice of openings and engines.
    pub seed: u64,
    /// How often the same match was begun anew before; each time is a match of
    /// its own, so that no earlier result is lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repetition: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl MatchConfig {
    /// A round robin of `engines` at `G`, without opening plies.
    pub fn new<G: Text>(setup: &G::Setup, engines: Vec<Entrant>, seed: u64) -> MatchConfig {
        MatchConfig {
            game: G::NAME.to_string(),
            setup: setup.to_string(),
            boards: Boards::Given,
            engines,
            format: Format::RoundRobin,
            openings: Openings::Random { plies: 0 },
            rules: Rules::default(),
            seed,
            repetition: 0,
        }
    }

    /// The start position of a scheduled game, before its opening: the same for
    /// both games of a pair.
    pub fn start<G: Text>(&self, scheduled: &ScheduledGame) -> Result<G, String> {
        // Boards have their own random stream, apart from that of opening plies.
        const BOARDS: u64 = 0x62_6f61_7264_7300;
        let setup = match self.boards {
            Boards::Given => self.setup.parse().map_err(|error| format!("{error}"))?,
            Boards::Drawn => G::random_setup(&mut Rng::stream(scheduled.opening, BOARDS))
                .ok_or_else(|| format!("{} has no random boards", self.game))?,
        };
        G::start(&setup).map_err(|error| error.to_string())
    }

    /// The text that identifies this match in a store.
    pub fn identity(&self) -> String {
        serde_json::to_string(self).expect("a configuration is plain data")
    }
}

/// On which boards a match is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Boards {
    /// All games on the configuration's own.
    #[default]
    Given,
    /// Each pair on a random one, from `Game::random_setup` with the seed of the
    /// match and the pair.
    Drawn,
}

impl Boards {
    fn is_given(&self) -> bool {
        *self == Boards::Given
    }
}

/// One of the engines of a match. The spec is only a label here: the caller's
/// [`crate::Factory`] makes the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// The engine spec as the user wrote it.
    pub spec: String,
    /// What tells apart programs that play differently under the same spec, such
    /// as a release or the hash of a file. A new version is a new match.
    pub version: String,
    /// The limits of its searches. A clock is the one of the game's start.
    /// Without any limit the engine must end its search by itself.
    #[serde(rename = "allowance", with = "limits_json")]
    pub limits: Limits,
}

/// What the referee enforces beyond the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// How much later than its time an answer may come.
    pub margin: Duration,
    /// The ply, counted from the start of the game, at which the lead decides.
    pub cap: Option<u32>,
    /// When a lost game is adjudicated.
    pub resign: Option<ResignRule>,
    /// When an even game is adjudicated a draw.
    pub draw: Option<DrawRule>,
}

impl Default for Rules {
    /// Engines answer within 20 ms of their limits; the rest is for a busy
    /// machine.
    fn default() -> Rules {
        Rules { margin: Duration::from_millis(100), cap: None, resign: None, draw: None }
    }
}

impl Rules {
    /// An error sentence if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        if let Some(ResignRule { below, moves, .. }) = self.resign
            && !((0.0..0.5).contains(&below) && moves > 0)
        {
            return Err(format!(
                "resignation needs a win rate of at least 0 and below 0.5 for at least one move, \
                 not {below} for {moves}"
            ));
        }
        if let Some(DrawRule { within, plies, .. }) = self.draw
            && !((0.0..=0.5).contains(&within) && plies > 0)
        {
            return Err(format!(
                "draw adjudication needs win rates within 0 to 0.5 of one half for at least one \
                 ply, not {within} for {plies}"
            ));
        }
        Ok(())
    }
}

/// Ends a game that one side considers lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignRule {
    /// The side's own win rate, from 0 to 1, is at most this
    pub below: f64,
    /// for so many of its moves in a row,
    pub moves: u32,
    /// and the other side agrees (its win rate is at least 1 - `below`).
    pub both: bool,
}

/// Ends a game that both sides consider even.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The mover's win rate is so near to one half
    pub within: f64,
    /// for so many plies in a row
    pub plies: u32,
    /// and the game has lasted so many plies.
    pub after: u32,
}
