//! Games by name.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use exact::{Bounds, ExactKnowledge, MoveValues, Solve, Solved};
use games::{Record, Rng, Symmetric, Text, TextError};
use learn::Encode;
use learn::selfplay::{TrainingGame, Worker};
use learn::train::{RunEnd, TrainError, Trainer};
use search::tree::{LeafEvaluator, TreeNode};
use search::{Engine, Evaluated, Evaluator, Limits, SearchControl};

use crate::engine::EngineSpec;
use crate::facts::Explained;
use crate::row::GameRow;
use crate::rows::{self, ROWS};

/// All that front ends ask of a game. Every game here has it.
///
/// A search made for one game is a great deal of machine code. The functions
/// here belong to concrete games, so that code is made once, where
/// [`playable!`](crate::playable) is written, and not again in every crate that
/// asks for an engine.
pub trait Playable:
    Text + Symmetric + Evaluated + ExactKnowledge + Solve + Encode + Explained
{
    /// What the game is beyond its rules.
    fn row() -> &'static GameRow;

    /// The engine that a spec names, for games on the board of `start`: a
    /// network plays only the boards it was trained for. `seed` decides its
    /// random choices until a new game begins.
    fn engine(
        spec: &EngineSpec,
        start: &Self,
        seed: u64,
    ) -> Result<Box<dyn Engine<Self>>, TextError> {
        Self::engine_with(spec, start, seed, None)
    }

    /// The same; an evaluator of leaves from outside takes the place of the network
    /// in a `uct` or `puct` spec.
    fn engine_with(
        spec: &EngineSpec,
        start: &Self,
        seed: u64,
        evaluator: Option<LeafEvaluator<Self>>,
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

    /// The number of move sequences of `depth` plies; see [`games::perft`].
    fn perft(&self, depth: u32) -> u64;

    /// Plays `count` random games, and gives the sum of their results for First.
    fn playouts(&self, count: u64, rng: &mut Rng) -> i64;

    /// Trains by self-play in this process; see [`learn::train::run_local`].
    fn train(
        trainer: &mut Trainer<Self>,
        stop: &AtomicBool,
        log: &mut dyn FnMut(&str),
    ) -> Result<RunEnd, TrainError>;

    /// A step of self-play; see [`learn::selfplay::Worker::step`].
    fn self_play_step(
        worker: &mut Worker<Self>,
        evaluator: &mut dyn Evaluator<Self>,
    ) -> Vec<TrainingGame>;

    /// See [`Solve::solve`].
    fn solve_position(
        &self,
        solver: &mut Self::Solver,
        thorough: bool,
        control: &SearchControl<Self::Move>,
        watch: &mut dyn FnMut(Bounds),
    ) -> Solved<Self::Move>;

    /// See [`Solve::each`].
    fn solve_moves(
        &self,
        solver: &mut Self::Solver,
        control: &SearchControl<Self::Move>,
        watch: &mut dyn FnMut(Bounds),
    ) -> MoveValues<Self::Move>;
}

/// `playable!(ROW: Type, ...)` makes types [`Playable`], with the row of their
/// game, and compiles their engines here.
#[macro_export]
macro_rules! playable {
    ($row:ident: $($game:ty),*) => {$(
        impl $crate::Playable for $game {
            fn row() -> &'static $crate::GameRow {
                &$row
            }

            fn engine_with(
                spec: &$crate::EngineSpec,
                start: &Self,
                seed: u64,
                evaluator: Option<search::tree::LeafEvaluator<Self>>,
            ) -> Result<Box<dyn search::Engine<Self>>, games::TextError> {
                $crate::engine::build_engine(spec, start, seed, evaluator)
            }

            fn grow(
                spec: &$crate::EngineSpec,
                record: &games::Record<Self>,
                limits: &search::Limits,
                seed: u64,
                depth: u32,
            ) -> Result<Option<search::tree::TreeNode<Self::Move>>, games::TextError> {
                $crate::engine::grow(spec, record, limits, seed, depth)
            }

            fn perft(&self, depth: u32) -> u64 {
                games::perft(self, depth)
            }

            fn playouts(&self, count: u64, rng: &mut games::Rng) -> i64 {
                (0..count).map(|_| i64::from(games::Game::playout(self.clone(), rng).for_first())).sum()
            }

            fn train(
                trainer: &mut learn::train::Trainer<Self>,
                stop: &std::sync::atomic::AtomicBool,
                log: &mut dyn FnMut(&str),
            ) -> Result<learn::train::RunEnd, learn::train::TrainError> {
                let setup = games::Game::setup(trainer.start());
                let oracle = <Self as exact::ExactKnowledge>::adjudicator(&setup);
                let adjudicator = learn::selfplay::Adjudicator::new(oracle);
                learn::train::run_local(trainer, &adjudicator, stop, &mut |line: &str| log(line))
            }

            fn self_play_step(
                worker: &mut learn::selfplay::Worker<Self>,
                evaluator: &mut dyn search::Evaluator<Self>,
            ) -> Vec<learn::selfplay::TrainingGame> {
                worker.step(evaluator)
            }

            fn solve_position(
                &self,
                solver: &mut Self::Solver,
                thorough: bool,
                control: &search::SearchControl<Self::Move>,
                watch: &mut dyn FnMut(exact::Bounds),
            ) -> exact::Solved<Self::Move> {
                exact::Solve::solve(self, solver, thorough, control, &mut |bounds| watch(bounds))
            }

            fn solve_moves(
                &self,
                solver: &mut Self::Solver,
                control: &search::SearchControl<Self::Move>,
                watch: &mut dyn FnMut(exact::Bounds),
            ) -> exact::MoveValues<Self::Move> {
                exact::Solve::each(self, solver, control, &mut |bounds| watch(bounds))
            }
        }
    )*};
}

/// Work to be done for whatever game a [`GameSpec`] names: a function that is
/// generic over the game, which a closure can't be.
pub trait GameVisitor {
    /// What the work gives.
    type Output;

    /// Does the work, given the position from which the game begins.
    fn visit<G: Playable>(self, start: G) -> Self::Output;
}

/// A game with its setup, as a user names it: `surakarta`,
/// `dots-and-boxes 5x5`, `connect-four 11x10 hole=3,4`.
///
/// ```
/// use session::GameSpec;
///
/// let spec: GameSpec = "四子棋 9x9 hole=1,1".parse()?;
/// assert_eq!(spec.to_string(), "connect-four 9x9 hole=1,1");
/// assert_eq!(spec.row().title.en, "Connect Four");
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone)]
pub struct GameSpec {
    row: &'static GameRow,
    /// The text of a setup that the game can begin with; empty for the default.
    setup: String,
}

impl GameSpec {
    /// The default setup of every game.
    pub fn all() -> Vec<GameSpec> {
        ROWS.iter().map(|row| GameSpec { row, setup: String::new() }).collect()
    }

    /// A game by its row, which need not be one of the program's, and the text of
    /// its setup.
    pub fn new(row: &'static GameRow, setup: &str) -> Result<GameSpec, TextError> {
        Ok(GameSpec { row, setup: (row.read_setup)(setup)? })
    }

    /// The game of a type, with a setup that it can begin with.
    pub fn of<G: Playable>(setup: &G::Setup) -> GameSpec {
        GameSpec { row: G::row(), setup: setup.to_string() }
    }

    /// What the game is beyond its rules.
    pub fn row(&self) -> &'static GameRow {
        self.row
    }

    /// The game's name, without its setup.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// The setup as this game has it; none for another game.
    pub fn setup<G: Playable>(&self) -> Option<G::Setup> {
        let own = G::row().name == self.row.name;
        own.then(|| self.setup.parse().expect("a setup is checked when its text is read"))
    }

    /// Whether the setup is the game's default.
    pub fn is_default(&self) -> bool {
        self.setup.is_empty()
    }

    /// For a game that is played on boards drawn by chance, a setup whose types
    /// hold all of them.
    pub fn any_board(&self) -> Option<GameSpec> {
        let setup = self.row.any_board?.to_owned();
        Some(GameSpec { row: self.row, setup })
    }

    /// Reads a spec; a name that belongs to this game's row means this game, even
    /// if the program's list lacks it.
    pub fn read(&self, text: &str) -> Result<GameSpec, TextError> {
        let (name, setup) = split(text);
        match self.row.is_named(name) {
            true => GameSpec::new(self.row, setup),
            false => text.parse(),
        }
    }

    /// Does the work of a visitor for this game, on the smallest types that hold
    /// it. Only games of the program's list can be visited: a visitor is compiled
    /// for each of them.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        rows::visit(self, visitor)
    }

    /// The position from which the game begins, as a type that holds it.
    pub(crate) fn begin<G: Playable>(&self) -> G {
        let setup = self.setup::<G>().expect("a row's types are of its game");
        G::start(&setup).expect("a setup is checked when its text is read")
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

impl FromStr for GameSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<GameSpec, TextError> {
        let (name, setup) = split(text);
        if let Some(row) = ROWS.iter().find(|row| row.is_named(name)) {
            return GameSpec::new(row, setup);
        }
        let known = ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
        Err(TextError::new(match name {
            "" => format!("name a game: {known}"),
            _ => format!("there is no game '{name}'; the games are {known}"),
        }))
    }
}

impl PartialEq for GameSpec {
    fn eq(&self, other: &GameSpec) -> bool {
        self.row.name == other.row.name && self.setup == other.setup
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(format!("{} {}", self.row.name, self.setup).trim_end())
    }
}

impl fmt::Debug for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl GameVisitor for Name {
        type Output = (String, usize);

        fn visit<G: Playable>(self, start: G) -> (String, usize) {
            (format!("{} {}", G::NAME, start.setup()).trim_end().to_owned(), size_of::<G>())
        }
    }

    #[test]
    fn a_line_names_a_game_and_comes_back() {
        for line in GameSpec::all().iter().flat_map(|spec| spec.row().setups) {
            let spec: GameSpec = line.parse().unwrap();
            assert_eq!(&spec.to_string(), line);
            assert_eq!(&spec.visit(Name).0, line);
        }
        assert_eq!("四子棋 7x6".parse::<GameSpec>().unwrap().to_string(), "connect-four");
    }

    #[test]
    fn the_smallest_word_that_fits_is_taken() {
        let size = |text: &str| text.parse::<GameSpec>().unwrap().visit(Name).1;
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
