//! Games on paper: the records that contests, platforms and test sets write.
//!
//! | format | game | |
//! | --- | --- | --- |
//! | `contest` | Surakarta | `B2C-3C` a line, perhaps with a header and the start board |
//! | `json` | Dots and Boxes | one object, an edge an entry with the colour that drew it |
//! | `platform` | both | the contest platform's save file, `Black: ABBC` a line |
//! | `columns` | Connect Four | a string of columns, `4433` |
//! | `plain` | all | ours: `key: value` lines, with side lines and comments |
//!
//! Reading has two steps. A format's file turns text into a [`GameRecord`], whose
//! moves may be anything; [`GameRecord::replay`] plays them and says at which ply
//! and why a record is not legal. Files may be UTF-8 or GBK ([`decode`]).
//!
//! ```
//! let record = records::read("4433", None, None)?;
//! assert_eq!(record.game.name(), "connect-four");
//! assert_eq!(record.replay(None)?.moves(), ["4", "4", "3", "3"]);
//!
//! let illegal = records::read("4444444", None, None)?.replay(None).err().unwrap();
//! assert_eq!(illegal.ply, 7, "a column holds six stones");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod contest;
mod json;
mod movetext;
mod name;
mod plain;
mod platform;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use encoding_rs::GBK;
use games::{Outcome, Player, TextError};
use session::{GameSpec, Session, open};

pub use movetext::Line;
pub use name::{FileName, file_name, is_invisible};

/// A way to write a game down.
///
/// ```
/// use records::Format;
///
/// assert_eq!(Format::of_text("game: surakarta"), Some(Format::Plain));
/// assert_eq!(Format::of_contest(&"dots-and-boxes".parse()?), Format::Json);
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Surakarta contests.
    Contest,
    /// Dots and Boxes contests.
    Json,
    /// The contest platform's save file.
    Platform,
    /// A string of columns.
    Columns,
    /// Our own.
    Plain,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] =
        [Format::Contest, Format::Json, Format::Platform, Format::Columns, Format::Plain];

    fn name(self) -> &'static str {
        match self {
            Format::Contest => "contest",
            Format::Json => "json",
            Format::Platform => "platform",
            Format::Columns => "columns",
            Format::Plain => "plain",
        }
    }

    /// The format of a game's contests; our own where there is none.
    pub fn of_contest(game: &GameSpec) -> Format {
        let contest = game.row().contest_record.and_then(|record| record.format.parse().ok());
        contest.unwrap_or(Format::Plain)
    }

    /// The format that a text looks like.
    pub fn of_text(text: &str) -> Option<Format> {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        if first.starts_with(['{', '[']) {
            Some(Format::Json)
        } else if first.starts_with("game:") {
            Some(Format::Plain)
        } else if platform::looks_like(first) {
            Some(Format::Platform)
        } else if first.starts_with(['#', '!']) || contest::looks_like(first) {
            Some(Format::Contest)
        } else if columns::looks_like(first) {
            Some(Format::Columns)
        } else {
            None
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Format, TextError> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let known = Format::ALL.map(Format::name).join(", ");
            TextError::new(format!("there is no format '{text}'; the formats are {known}"))
        })
    }
}

/// A game as a file has it. Its moves need not be legal.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The game and its setup.
    pub game: GameSpec,
    /// Where it began, if not at the setup's start.
    pub start: Option<String>,
    /// The moves in short form, each with who made it if the record says so.
    pub moves: Vec<(Option<Player>, String)>,
    /// Comments, by the number of moves before them.
    pub notes: BTreeMap<usize, String>,
    /// The side lines.
    pub lines: Vec<Line>,
    /// The names of First and Second.
    pub players: [Option<String>; 2],
    /// When it was played.
    pub date: Option<String>,
    /// Where, or in which contest.
    pub event: Option<String>,
    /// Who won by the record's own word: `Some(None)` is a draw.
    pub winner: Option<Option<Player>>,
}

/// Where and why a record is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {reason}")]
pub struct IllegalRecord {
    /// The ply, counted from 1; 0 if the game can't begin.
    pub ply: usize,
    /// What is wrong with it.
    pub reason: TextError,
}

impl GameRecord {
    /// A record of nothing yet.
    pub fn new(game: GameSpec) -> GameRecord {
        GameRecord {
            game,
            start: None,
            moves: Vec::new(),
            notes: BTreeMap::new(),
            lines: Vec::new(),
            players: [None, None],
            date: None,
            event: None,
            winner: None,
        }
    }

    /// The record of a session.
    pub fn of_session(session: &Session) -> GameRecord {
        let begin = open(session.spec());
        let start = Some(session.start()).filter(|start| *start != begin.start());
        GameRecord {
            start,
            moves: session.moves().into_iter().map(|mv| (None, mv)).collect(),
            winner: session.outcome().map(|outcome| outcome.winner),
            ..GameRecord::new(session.spec().clone())
        }
    }

    /// Plays the game, as far as `plies` if given; the whole with its side lines.
    pub fn replay(&self, plies: Option<usize>) -> Result<Session, IllegalRecord> {
        let mut session = open(&self.game);
        let wrong = |ply, reason| IllegalRecord { ply, reason };
        session.set(self.start.as_deref(), &[]).map_err(|error| wrong(0, error))?;
        for (i, (player, mv)) in self.moves.iter().enumerate().take(plies.unwrap_or(usize::MAX)) {
            let place = |error: TextError| wrong(i + 1, error.within(format_args!("'{mv}'")));
            if let Some(outcome) = session.outcome() {
                return Err(place(TextError::new(format!("the game is over: {outcome}"))));
            }
            if player.is_some_and(|player| player != session.to_move()) {
                return Err(place(TextError::new("it is the other side's turn")));
            }
            // A comma ends it, so that column `11` is one move.
            session.play(&format!("{mv},")).map_err(|error| place(short(error)))?;
        }
        if plies.is_none() {
            let moves = session.moves();
            let mut side = session.clone();
            self.lines.iter().try_for_each(|line| self.try_line(&mut side, &moves, line))?;
        }
        Ok(session)
    }

    /// Plays a side line of a line with these moves.
    fn try_line(
        &self,
        session: &mut Session,
        before: &[String],
        line: &Line,
    ) -> Result<(), IllegalRecord> {
        let before = before.get(..line.ply).ok_or_else(|| IllegalRecord {
            ply: line.ply,
            reason: TextError::new("a side line begins after the end"),
        })?;
        let moves = [before, &line.moves].concat();
        let words: Vec<&str> = moves.iter().map(String::as_str).collect();
        session.set(self.start.as_deref(), &words).map_err(|error| IllegalRecord {
            ply: line.ply + 1,
            reason: error.within("a side line"),
        })?;
        line.lines.iter().try_for_each(|inner| self.try_line(session, &moves, inner))
    }

    /// What the record says of the result and the moves do not, if anything.
    pub fn result_mismatch(&self, outcome: Option<Outcome>) -> Option<String> {
        let said = self.winner?;
        let word = |winner: Option<Player>| match winner {
            Some(Player::First) => "first won",
            Some(Player::Second) => "second won",
            None => "nobody won",
        };
        let found = outcome?.winner;
        (said != found).then(|| {
            format!("the record says that {}, but {} by the moves", word(said), word(found))
        })
    }
}

/// An error without the place in a list of one move.
fn short(error: TextError) -> TextError {
    let text = error.to_string();
    match text.split_once("): ") {
        Some((place, rest)) if place.starts_with("move 1 (") => TextError::new(rest),
        _ => error,
    }
}

/// Text out of a file: UTF-8 if it is that, else GBK.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => GBK.decode(bytes).0.into_owned(),
    }
}

/// The bytes of a text in GBK; what GBK lacks becomes a numeric reference.
pub fn encode_gbk(text: &str) -> Vec<u8> {
    GBK.encode(text).0.into_owned()
}

/// Reads a record. `game` decides where a format leaves the game or its setup
/// open; `format` where a text looks like several.
pub fn read(
    text: &str,
    format: Option<Format>,
    game: Option<&GameSpec>,
) -> Result<GameRecord, TextError> {
    let format = format.or_else(|| Format::of_text(text)).ok_or_else(|| {
        TextError::new(format!(
            "this looks like no record; the formats are {}",
            Format::ALL.map(Format::name).join(", ")
        ))
    })?;
    let record = match format {
        Format::Contest => contest::read(text, game),
        Format::Json => json::read(text, game),
        Format::Platform => platform::read(text, game),
        Format::Columns => columns::read(text, game),
        Format::Plain => plain::read(text, game),
    };
    record.map_err(|error| error.within(format_args!("not a {format} record")))
}

/// Writes a legal record; an error if it is not, or if the format has no words
/// for its game.
pub fn write(record: &GameRecord, format: Format) -> Result<String, TextError> {
    let session = record.replay(None).map_err(|error| TextError::new(error.to_string()))?;
    match format {
        Format::Contest => contest::write(record, &session),
        Format::Json => json::write(record, &session),
        Format::Platform => platform::write(record, &session),
        Format::Columns => columns::write(record, &session),
        Format::Plain => Ok(plain::write(record, &session)),
    }
}

/// The game to read as: the given one if it is of the right kind, else the
/// default of the kind.
fn game_of(game: Option<&GameSpec>, name: &str) -> Result<GameSpec, TextError> {
    match game {
        None => name.parse(),
        Some(game) if game.name() == name => Ok(game.clone()),
        Some(game) => Err(TextError::new(format!("this is {name}, not {}", game.name()))),
    }
}

fn unfit(format: Format, game: &GameSpec) -> TextError {
    TextError::new(format!("the format {format} has no words for {game}"))
}
