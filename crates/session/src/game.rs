//! Games by name.

use std::fmt;
use std::str::FromStr;

use exact::{Certain, Solve};
use games::connect_four::{self, ConnectFour, U192, bits_needed};
use games::dots_and_boxes::{self, DotsAndBoxes};
use games::surakarta::{self, Surakarta};
use games::{Game, Record, SetupError, Symmetric, Text, TextError};
use learn::Encode;
use search::tree::TreeNode;
use search::{Engine, Evaluated, Limits};

use crate::engine::{self, EngineSpec};

/// All that front ends ask of a game. Every game here has it.
///
/// A search made for one game is a great deal of machine code. The functions
/// here belong to concrete games, so that code is made once, with this crate,
/// and not again in every crate that asks for an engine.
pub trait Playable: Text + Symmetric + Evaluated + Certain + Solve + Encode {
    /// The engine that a spec names, for games on the board of `start`: a
    /// network plays only the boards it was trained for. `seed` decides its
    /// random choices until a new game begins.
    fn engine(
        spec: &EngineSpec,
        start: &Self,
        seed: u64,
    ) -> Result<Box<dyn Engine<Self>>, TextError>;

    /// The tree, to `depth` plies, that the plain `uct` or `puct` spec grows
    /// about a record's position; none if the move was too obvious for one.
    fn grow(
        spec: &EngineSpec,
        record: &Record<Self>,
        limits: &Limits,
        seed: u64,
        depth: u32,
    ) -> Result<Option<TreeNode<Self::Move>>, TextError>;
}

macro_rules! playable {
    ($($game:ty),*) => {$(
        impl Playable for $game {
            fn engine(
                spec: &EngineSpec,
                start: &Self,
                seed: u64,
            ) -> Result<Box<dyn Engine<Self>>, TextError> {
                engine::assemble(spec, start, seed)
            }

            fn grow(
                spec: &EngineSpec,
                record: &Record<Self>,
                limits: &Limits,
                seed: u64,
                depth: u32,
            ) -> Result<Option<TreeNode<Self::Move>>, TextError> {
                engine::grow(spec, record, limits, seed, depth)
            }
        }
    )*};
}

playable!(Surakarta, DotsAndBoxes, ConnectFour<u64>, ConnectFour<u128>, ConnectFour<U192>);

/// Work to be done for whatever game a [`GameSpec`] names: a function that is
/// generic over the game, which a closure can't be.
pub trait Task {
    /// What the work gives.
    type Output;

    /// Does the work, given the position from which the game begins.
    fn run<G: Playable>(self, start: G) -> Self::Output;
}

/// A game with its setup, as a user names it: `surakarta`,
/// `dots-and-boxes 5x5`, `connect-four 11x10 hole=3,4`.
#[derive(Clone, Debug, PartialEq)]
pub enum GameSpec {
    /// Surakarta, with its end rules.
    Surakarta(surakarta::Setup),
    /// Dots and Boxes, with its size.
    DotsAndBoxes(dots_and_boxes::Setup),
    /// Connect Four, with its size and hole.
    ConnectFour(connect_four::Setup),
}

/// Starts the game that a setup describes, so that the task gets a position.
fn begin<G: Playable, T: Task>(setup: &G::Setup, task: T) -> Result<T::Output, SetupError> {
    Ok(task.run(G::start(setup)?))
}

impl GameSpec {
    /// The default setup of every game.
    pub fn all() -> Vec<GameSpec> {
        vec![
            GameSpec::Surakarta(Default::default()),
            GameSpec::DotsAndBoxes(Default::default()),
            GameSpec::ConnectFour(Default::default()),
        ]
    }

    /// The game's name, without its setup.
    pub fn name(&self) -> &'static str {
        match self {
            GameSpec::Surakarta(_) => Surakarta::NAME,
            GameSpec::DotsAndBoxes(_) => DotsAndBoxes::NAME,
            GameSpec::ConnectFour(_) => ConnectFour::<u64>::NAME,
        }
    }

    /// The game's name in Chinese.
    pub fn chinese_name(&self) -> &'static str {
        match self {
            GameSpec::Surakarta(_) => "苏拉卡尔塔棋",
            GameSpec::DotsAndBoxes(_) => "点格棋",
            GameSpec::ConnectFour(_) => "四子棋",
        }
    }

    /// What a setup may say, by example.
    pub fn setups(&self) -> &'static [&'static str] {
        match self {
            GameSpec::Surakarta(_) => &[
                "surakarta",
                "surakarta quiet=80 stall=draw",
                "surakarta repetition=6 repeat=loses",
            ],
            GameSpec::DotsAndBoxes(_) => {
                &["dots-and-boxes", "dots-and-boxes 3x4", "dots-and-boxes 7x7"]
            }
            GameSpec::ConnectFour(_) => {
                &["connect-four", "connect-four 9x9", "connect-four 11x10 hole=3,4"]
            }
        }
    }

    /// What the words of a setup mean, a line each.
    pub fn setup_help(&self) -> &'static [&'static str] {
        match self {
            GameSpec::Surakarta(_) => &[
                "quiet=100         plies without a capture that end the game (0: never)",
                "stall=count|draw  what a stalled game is worth: more pieces wins, or a draw",
                "repetition=3      occurrences of a position that stall the game (0: never)",
                "repeat=stall|loses  whether repeating stalls the game, or loses it",
                "nomove=loses|count  a side without a legal move loses, or pieces are counted",
                "cap=0             plies after which pieces are counted (0: never)",
                "clock=loses|count   a clock that runs out loses, or pieces are counted",
                "standoff=off|count  count when neither side can capture and a piece is gone",
            ],
            GameSpec::DotsAndBoxes(_) => {
                &["5x5               rows x columns of boxes, up to 128 edges (7x7, 7x8)"]
            }
            GameSpec::ConnectFour(_) => &[
                "7x6               columns x rows, each from 4 to 12",
                "hole=COLUMN,ROW   a cell that stays empty, counted from 1 at the bottom left",
            ],
        }
    }

    /// Whether the setup is the game's default.
    pub fn is_default(&self) -> bool {
        GameSpec::all().contains(self)
    }

    /// For a game that is played on boards drawn by chance (`Game::random_setup`),
    /// a setup whose types hold all of them.
    pub fn any_board(&self) -> Option<GameSpec> {
        match self {
            GameSpec::ConnectFour(_) => Some(GameSpec::ConnectFour(connect_four::Setup::LARGEST)),
            GameSpec::Surakarta(_) | GameSpec::DotsAndBoxes(_) => None,
        }
    }

    /// Does a task for this game, on the smallest types that hold it.
    pub fn run<T: Task>(&self, task: T) -> T::Output {
        let done = match self {
            GameSpec::Surakarta(setup) => begin::<Surakarta, T>(setup, task),
            GameSpec::DotsAndBoxes(setup) => begin::<DotsAndBoxes, T>(setup, task),
            GameSpec::ConnectFour(setup) => match bits_needed(setup) {
                0..=64 => begin::<ConnectFour<u64>, T>(setup, task),
                65..=128 => begin::<ConnectFour<u128>, T>(setup, task),
                _ => begin::<ConnectFour<U192>, T>(setup, task),
            },
        };
        done.expect("a setup is checked when its text is read")
    }
}

/// Makes sure that a game can begin with this setup.
fn checked<G: Game>(setup: G::Setup) -> Result<G::Setup, TextError> {
    G::start(&setup)?;
    Ok(setup)
}

impl FromStr for GameSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<GameSpec, TextError> {
        let text = text.trim();
        let (name, setup) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let spec = match name.to_lowercase().as_str() {
            "surakarta" | "苏拉卡尔塔棋" | "苏拉卡尔塔" => {
                GameSpec::Surakarta(checked::<Surakarta>(setup.parse()?)?)
            }
            "dots-and-boxes" | "dots" | "点格棋" => {
                GameSpec::DotsAndBoxes(checked::<DotsAndBoxes>(setup.parse()?)?)
            }
            "connect-four" | "connect4" | "四子棋" => {
                GameSpec::ConnectFour(checked::<ConnectFour<U192>>(setup.parse()?)?)
            }
            "" => return Err(TextError::new(format!("name a game: {}", known()))),
            _ => {
                return Err(TextError::new(format!(
                    "there is no game '{name}'; the games are {}",
                    known()
                )));
            }
        };
        Ok(spec)
    }
}

fn known() -> String {
    GameSpec::all().iter().map(GameSpec::name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let setup = match self {
            GameSpec::Surakarta(setup) => setup.to_string(),
            GameSpec::DotsAndBoxes(setup) => setup.to_string(),
            GameSpec::ConnectFour(setup) => setup.to_string(),
        };
        f.write_str(format!("{} {setup}", self.name()).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Task for Name {
        type Output = (String, usize);

        fn run<G: Playable>(self, start: G) -> (String, usize) {
            (format!("{} {}", G::NAME, start.setup()).trim_end().to_owned(), size_of::<G>())
        }
    }

    #[test]
    fn a_line_names_a_game_and_comes_back() {
        for line in GameSpec::all().iter().flat_map(|spec| spec.setups()) {
            let spec: GameSpec = line.parse().unwrap();
            assert_eq!(&spec.to_string(), line);
            assert_eq!(&spec.run(Name).0, line);
        }
        assert_eq!("四子棋 7x6".parse::<GameSpec>().unwrap().to_string(), "connect-four");
    }

    #[test]
    fn the_smallest_word_that_fits_is_taken() {
        let size = |text: &str| text.parse::<GameSpec>().unwrap().run(Name).1;
        assert!(size("connect-four") < size("connect-four 10x10"));
        assert!(size("connect-four 10x10") < size("connect-four 12x12"));
    }

    #[test]
    fn an_unknown_game_is_told_the_known_ones() {
        let error = "chess".parse::<GameSpec>().unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no game 'chess'; the games are surakarta, dots-and-boxes, connect-four"
        );
        for bad in
            ["", "connect-four 13x13", "dots-and-boxes 0x3", "surakarta quiet=many", "surakarta x"]
        {
            let error = bad.parse::<GameSpec>().unwrap_err().to_string();
            assert!(!error.is_empty() && !error.contains('\n'), "{bad}: {error}");
        }
    }
}
