//! What a game is beyond its rules, in one row.
//!
//! Rules, search knowledge and the network's encoding are code that is generic
//! over the game; everything else that a front end, a protocol or a record
//! format asks of a game is written here, once. A row is a plain value: data,
//! and a few functions for what differs in form from program to program. Code
//! above this crate asks the row and names no game.
//!
//! The program's rows are listed in [`rows`](crate::rows). A game that is not in
//! that list, such as one that lives in a test, is used by its row all the same:
//! [`GameSpec::new`].

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use games::{Player, TextError};
use learn::nnue::{NnueEnd, NnueError, NnueSettings};
use serde::Serialize;

use crate::engine::Strength;
use crate::platform::PlatformForm;
use crate::session::{Session, open_as};
use crate::{GameSpec, Playable};

/// A text in the program's two languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl Words {
    /// Both texts.
    pub const fn new(en: &'static str, zh: &'static str) -> Words {
        Words { en, zh }
    }
}

/// What a setup of a game changes: how its field in a form is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SetupKind {
    /// The board.
    Board,
    /// The end rules.
    Rules,
}

/// What flipping a drawn board does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Flip {
    /// Half a turn.
    Turn,
    /// Left and right change places.
    Mirror,
}

/// Marks on the board that analysis can switch on, beside the scores of moves.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Overlay {
    /// What the board's script calls it.
    pub name: &'static str,
    /// What the page calls it.
    pub title: Words,
}

/// The record format of a game's contests.
#[derive(Clone, Copy, Debug)]
pub struct ContestRecord {
    /// The format's name in the crate `records`.
    pub format: &'static str,
    /// The extension of its files.
    pub extension: &'static str,
}

/// How GTP clients write a game. GTP itself has one number for a board.
#[derive(Clone, Copy, Debug)]
pub struct GtpForm {
    /// The game after `boardsize`.
    pub resize: fn(&GameSpec, u8) -> Result<GameSpec, TextError>,
    /// A client's move in our short form; what it does not know, unchanged.
    pub read_move: fn(&str) -> String,
    /// A player's move, from our short form.
    pub write_move: fn(Player, &str) -> String,
}

impl GtpForm {
    /// One board size, and moves in our short form.
    pub const PLAIN: GtpForm = GtpForm {
        resize: |_, _| Err(GtpForm::unacceptable()),
        read_move: str::to_owned,
        write_move: |_, mv| mv.to_owned(),
    };

    /// The protocol's own words for a size that can't be had.
    pub fn unacceptable() -> TextError {
        TextError::new("unacceptable size")
    }
}

/// A game as a variant of chess, for UCI.
#[derive(Clone, Copy, Debug)]
pub struct UciVariant {
    /// The variant's name.
    pub name: &'static str,
    /// A move in our short form.
    pub read_move: fn(&str) -> Result<String, TextError>,
    /// A FEN in our form of a position.
    pub read_position: fn(&str) -> Result<String, TextError>,
    /// A move after a line of moves from where the session stands, from our
    /// short form.
    pub write_move: fn(&Session, &[String], &str) -> String,
}

/// Goes on with a run of [`learn::nnue`] in a folder.
pub type TrainEvaluation =
    fn(&Path, &NnueSettings, &AtomicBool, fn(&str)) -> Result<NnueEnd, NnueError>;

/// One game. A new row begins with [`GameRow::new`], which leaves out all that a
/// game can do without.
pub struct GameRow {
    /// The first word of a spec: `dots-and-boxes`.
    pub name: &'static str,
    /// Other words for it, in lower case.
    pub aliases: &'static [&'static str],
    /// Words by which a program's file name names the game, in lower case with
    /// hyphens; see `boyi engine`.
    pub program_names: &'static [&'static str],
    /// The name that people read.
    pub title: Words,
    /// One line about it.
    pub tagline: Words,
    /// What the two sides are called, First's first.
    pub sides: [Words; 2],

    /// What a setup changes.
    pub setup: SetupKind,
    /// Whole specs, by example.
    pub setups: &'static [&'static str],
    /// Setups that a form offers, the default first.
    pub choices: &'static [&'static str],
    /// What the words of a setup mean, a line each.
    pub setup_help: &'static [&'static str],
    /// For a game that is played on boards drawn by chance
    /// (`Game::random_setup`), a setup whose types hold all of them.
    pub any_board: Option<&'static str>,

    /// The engine behind `best`.
    pub best: &'static str,
    /// The search of its levels, which a better `best` leaves as they were
    /// measured; `best` if there is none.
    pub level_search: Option<&'static str>,
    /// Its levels, from 1 on.
    pub levels: &'static [Strength; 10],
    /// The networks that come with the program, with their names in a spec. The game's
    /// name means the first that is for the board.
    pub networks: &'static [(&'static str, &'static [u8])],
    /// Trains its learned evaluation, if it has one; see [`learn::nnue::run`].
    pub train_evaluation: Option<TrainEvaluation>,
    /// The opening books that come with the program, each for a setup.
    pub books: &'static [&'static str],
    /// Whether books are made by solving, unless an engine is named.
    pub solved_book: bool,
    /// Plies of a usual game between engines, both sides together.
    pub usual_plies: u32,
    /// What `boyi bench` measures: specs, each with a perft depth that takes a
    /// moment. They enter the bench signature in the order of the rows.
    pub bench: &'static [(&'static str, u32)],

    /// How its contests write games down.
    pub contest_record: Option<ContestRecord>,
    /// How GTP clients write it.
    pub gtp: GtpForm,
    /// The variant of chess that UCI programs know it as.
    pub uci: Option<UciVariant>,
    /// How the contest platform (SAU) writes it, if it has it.
    pub platform: Option<PlatformForm>,

    /// Whether First's side of the board is drawn on top.
    pub first_on_top: bool,
    /// What flipping its board does.
    pub flip: Flip,
    /// Marks that analysis can switch on.
    pub overlays: &'static [Overlay],

    /// Reads a setup that a game can begin with, and gives its text.
    pub read_setup: fn(&str) -> Result<String, TextError>,
    /// Begins a session.
    pub open: fn(&GameSpec) -> Session,
}

impl GameRow {
    /// A row with nothing but names and what the rules' type gives.
    pub const fn new<G: Playable>(title: Words) -> GameRow {
        GameRow {
            name: G::NAME,
            aliases: &[],
            program_names: &[],
            title,
            tagline: Words::new("", ""),
            sides: [Words::new("First", "先手"), Words::new("Second", "后手")],
            setup: SetupKind::Board,
            setups: &[],
            choices: &[""],
            setup_help: &[],
            any_board: None,
            best: "uct",
            level_search: None,
            levels: &Strength::UNMEASURED,
            networks: &[],
            train_evaluation: None,
            books: &[],
            solved_book: false,
            usual_plies: 60,
            bench: &[],
            contest_record: None,
            gtp: GtpForm::PLAIN,
            uci: None,
            platform: None,
            first_on_top: false,
            flip: Flip::Turn,
            overlays: &[],
            read_setup: read_setup::<G>,
            open: open_as::<G>,
        }
    }

    /// Whether a word names this game.
    pub fn is_named(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.name == word || self.aliases.contains(&word.as_str())
    }
}

impl fmt::Debug for GameRow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The text of a setup that a game can begin with.
pub(crate) fn read_setup<G: Playable>(text: &str) -> Result<String, TextError> {
    let setup: G::Setup = text.parse()?;
    G::start(&setup)?;
    Ok(setup.to_string())
}
