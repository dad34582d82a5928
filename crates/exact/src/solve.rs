//! Solving one position of any game, as far as time and memory reach. Each game's
//! folder has its `solve`.

use std::ops::RangeInclusive;

use games::{Game, Outcome};
use search::SearchControl;

use crate::SolverOptions;
use crate::dots_and_boxes::Proven;

/// How far a solve has come: what is known so far and the work done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The mover's value is at least this,
    pub low: i32,
    /// and at most this.
    pub high: i32,
    /// Positions visited.
    pub nodes: u64,
}

/// What was found out about a position that is not over.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved<M> {
    /// The mover's value in the game's own measure: the published score in
    /// Connect Four, the difference of boxes still to be won in Dots and Boxes,
    /// the sign in Surakarta.
    pub bounds: Bounds,
    /// All best moves, if the value is exact.
    pub best: Vec<M>,
    /// A line of best play, if the value is exact.
    pub pv: Vec<M>,
    /// Plies to the next capture or the end, where a table knows them.
    pub plies: Option<u32>,
}

impl<M> Solved<M> {
    /// The value, if it is exact.
    pub fn value(&self) -> Option<i32> {
        (self.bounds.low == self.bounds.high).then_some(self.bounds.low)
    }
}

/// Where a value lies; with one number in it, exactly.
pub type Range = RangeInclusive<i32>;

/// What the moves of a position are worth to the player who makes them, in the measure of
/// [`Solved`]. Moves of which nothing can be known are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValues<M> {
    /// The moves.
    pub moves: Vec<(M, Range)>,
    /// Positions visited.
    pub nodes: u64,
}

impl<M> MoveValues<M> {
    /// Nothing is known.
    pub const NONE: MoveValues<M> = MoveValues { moves: Vec::new(), nodes: 0 };
}

/// What a game's values count beside who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How soon the game ends; plies are counted to the end.
    End,
    /// The difference of boxes still to be won; plies are not counted.
    Boxes,
    /// Only who wins; plies are counted to the next capture or the end.
    Capture,
}

/// A game whose positions can be solved. One solver serves many positions of
/// one setup, and keeps its table.
///
/// ```
/// use exact::{Solve, SolverOptions};
/// use games::connect_four::{Column, ConnectFour, Setup};
/// use games::{Game, Record};
/// use search::SearchControl;
///
/// let setup: Setup = "5x4".parse()?;
/// let mut solver =
///     ConnectFour::<u64>::solver(&setup, &SolverOptions { megabytes: 1, threads: 1 })?;
/// let mut record = Record::new(ConnectFour::<u64>::start(&setup)?);
/// record.play_text("112233")?;
/// let each = record.game().each(&mut solver, &SearchControl::unlimited(), &mut |_| {});
/// let (column, value) = each.moves.iter().max_by_key(|(_, value)| *value.start()).unwrap();
/// assert_eq!((*column, value), (Column(3), &(7..=7)), "wins with its fourth stone");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Solve: Game {
    /// What solves it.
    type Solver: Send;

    /// What its values count.
    const MEASURE: Measure = Measure::End;

    /// A solver for a setup; a sentence if there can be none.
    fn solver(setup: &Self::Setup, options: &SolverOptions) -> Result<Self::Solver, String>;

    /// Solves a position that is not over, within the limits; `observer` is called
    /// from time to time with what is known. If `thorough`, all best moves and a
    /// line are wanted, otherwise one best move and no line where that is less
    /// work.
    fn solve(
        &self,
        solver: &mut Self::Solver,
        thorough: bool,
        control: &SearchControl<Self::Move>,
        observer: &mut impl FnMut(Bounds),
    ) -> Solved<Self::Move>;

    /// What every move of a position that is not over is worth.
    fn each(
        &self,
        solver: &mut Self::Solver,
        control: &SearchControl<Self::Move>,
        observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Self::Move>;

    /// Plies from this position on if `mv` is played, with best play after it, as
    /// [`Solve::MEASURE`] counts them; `value` is the move's exact value. `None`
    /// where they are not known.
    fn plies_of(&self, _solver: &Self::Solver, _mv: Self::Move, _value: i32) -> Option<u32> {
        None
    }

    /// Why this position is out of the solver's reach for good, in a sentence, if
    /// it is.
    fn beyond(&self, _solver: &Self::Solver) -> Option<String> {
        None
    }

    /// Goes on with a proof of the value of this setup's start position, kept as lines
    /// of text (empty to begin one), until it is whole or the control ends it.
    /// `write` is given what is to be added to the text, and what is proven by then.
    fn prove(
        &self,
        _text: &str,
        _solver: &mut Self::Solver,
        _control: &SearchControl<Self::Move>,
        _write: &mut (impl FnMut(&str, &Proven) -> Result<(), String> + Send),
    ) -> Result<Proven, String> {
        Err(NO_PROOFS.to_owned())
    }

    /// What the lines of such a proof prove, and how many of them, chosen at random,
    /// were solved again, at most `again`. A line that is wrong is an error.
    fn check_proof(
        &self,
        _text: &str,
        _again: usize,
        _solver: &mut Self::Solver,
        _control: &SearchControl<Self::Move>,
    ) -> Result<(Proven, usize), String> {
        Err(NO_PROOFS.to_owned())
    }

    /// The value of a position that is over, for the player who would move. By
    /// default the sign of the result.
    fn final_value(&self, outcome: &Outcome) -> i32 {
        self.to_move().sign() * outcome.for_first()
    }

    /// How the game ends for the mover if the position has this value: +1, 0 or
    /// -1.
    fn result(&self, value: i32) -> i32 {
        value.signum()
    }
}

/// What is said where a game has no proofs.
const NO_PROOFS: &str = "only boards of Dots and Boxes are proven line by line";
