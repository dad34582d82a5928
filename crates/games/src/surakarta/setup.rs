//! The end rules: each a word of the setup's text, `quiet=80 stall=draw`.
//!
//! Contests, courses and programs agree on the moves of Surakarta and on little
//! else, so every end rule is a switch. The defaults are the contest's rules
//! where it has any.

use std::fmt;
use std::str::FromStr;

use crate::{SetupError, TextError};

/// What a game that stalls is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stall {
    /// The side with more pieces wins; equal is a draw.
    #[default]
    Count,
    /// A draw, whichever side has more.
    Draw,
}

/// What the last allowed occurrence of a position means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repeat {
    /// The game stalls.
    #[default]
    Stall,
    /// The side that made the last move loses.
    Loses,
}

/// What becomes of a player who cannot go on: no legal move, or no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForfeitRule {
    /// That player loses.
    #[default]
    Loses,
    /// The pieces are counted.
    Count,
}

/// The end rules of a game. All games start from the same board.
///
/// ```
/// use games::surakarta::{Setup, Stall};
///
/// let setup: Setup = "quiet=80 stall=draw".parse()?;
/// assert_eq!((setup.quiet, setup.stall), (80, Stall::Draw));
/// assert_eq!(setup.to_string(), "quiet=80 stall=draw");
/// assert_eq!(Setup::default().to_string(), "");
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    /// Plies without a capture after which the game stalls; 0 is never.
    pub quiet: u16,
    /// The most plies of a game, then the pieces are counted; 0 is no limit.
    pub cap: u16,
    /// The occurrence of a position at which [`Setup::repeat`] holds; 0 is none.
    pub repetition: u8,
    /// What a stall is worth, by quiet plies or by repetition.
    pub stall: Stall,
    /// What too many occurrences mean.
    pub repeat: Repeat,
    /// What happens when the side to move has no legal move.
    pub nomove: ForfeitRule,
    /// What happens when a player's clock runs out.
    pub clock: ForfeitRule,
    /// Whether the pieces are counted as soon as some are gone and neither side
    /// could capture if it were its turn.
    pub standoff: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            quiet: 100,
            cap: 0,
            repetition: 3,
            stall: Stall::Count,
            repeat: Repeat::Stall,
            nomove: ForfeitRule::Loses,
            clock: ForfeitRule::Loses,
            standoff: false,
        }
    }
}

impl Setup {
    const MAX_QUIET: u16 = 10_000;
    const MAX_CAP: u16 = 50_000;
    const MAX_REPETITION: u8 = 100;

    /// Whether every number is within its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let range = |name, value: u16, allowed: bool, range: String| match allowed {
            true => Ok(()),
            false => Err(SetupError(format!("{name}={value} is out of range: {name} is {range}"))),
        };
        let (quiet, cap, repetition) = (self.quiet, self.cap, self.repetition);
        let most = Setup::MAX_QUIET;
        range("quiet", quiet, quiet <= most, format!("0 (off) to {most} plies"))?;
        let most = Setup::MAX_CAP;
        range("cap", cap, cap <= most, format!("0 (off) to {most} plies"))?;
        let most = Setup::MAX_REPETITION;
        let allowed = repetition == 0 || (2..=most).contains(&repetition);
        range("repetition", repetition.into(), allowed, format!("0 (off) or 2 to {most}"))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), TextError> {
        let stuck = [("loses", ForfeitRule::Loses), ("count", ForfeitRule::Count)];
        match key {
            "quiet" => self.quiet = number(value, Setup::MAX_QUIET)?,
            "cap" => self.cap = number(value, Setup::MAX_CAP)?,
            "repetition" => {
                self.repetition = number(value, Setup::MAX_REPETITION.into())? as u8;
            }
            "stall" => {
                self.stall = choice(value, &[("count", Stall::Count), ("draw", Stall::Draw)])?;
            }
            "repeat" => {
                self.repeat = choice(value, &[("stall", Repeat::Stall), ("loses", Repeat::Loses)])?;
            }
            "nomove" => self.nomove = choice(value, &stuck)?,
            "clock" => self.clock = choice(value, &stuck)?,
            "standoff" => self.standoff = choice(value, &[("off", false), ("count", true)])?,
            _ => return Err(TextError::new(format!("unknown word; known are {WORDS}"))),
        }
        Ok(())
    }
}

const WORDS: &str = "quiet=100 stall=count|draw repetition=3 repeat=stall|loses nomove=loses|count \
                     cap=0 clock=loses|count standoff=off|count";

fn number(value: &str, most: u16) -> Result<u16, TextError> {
    let wrong = || TextError::new(format!("'{value}' is not a number from 0 to {most}"));
    if !value.bytes().all(|c| c.is_ascii_digit()) {
        return Err(wrong());
    }
    value.parse().ok().filter(|&number| number <= most).ok_or_else(wrong)
}

fn choice<T: Copy>(value: &str, choices: &[(&str, T)]) -> Result<T, TextError> {
    choices.iter().find(|(name, _)| *name == value).map(|&(_, choice)| choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        TextError::new(format!("'{value}' is not one of {}", names.join(", ")))
    })
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Setup, TextError> {
        let mut setup = Setup::default();
        let mut seen: Vec<&str> = Vec::new();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            setup.set(key, value).map_err(|error| error.within(format_args!("'{word}'")))?;
            if seen.contains(&key) {
                return Err(TextError::new(format!("'{word}': {key} is given twice")));
            }
            seen.push(key);
        }
        setup.check()?;
        Ok(setup)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let usual = Setup::default();
        let mut words = Vec::new();
        if self.quiet != usual.quiet {
            words.push(format!("quiet={}", self.quiet));
        }
        if self.stall == Stall::Draw {
            words.push("stall=draw".into());
        }
        if self.repetition != usual.repetition {
            words.push(format!("repetition={}", self.repetition));
        }
        if self.repeat == Repeat::Loses {
            words.push("repeat=loses".into());
        }
        if self.nomove == ForfeitRule::Count {
            words.push("nomove=count".into());
        }
        if self.cap != usual.cap {
            words.push(format!("cap={}", self.cap));
        }
        if self.clock == ForfeitRule::Count {
            words.push("clock=count".into());
        }
        if self.standoff {
            words.push("standoff=count".into());
        }
        f.write_str(&words.join(" "))
    }
}
