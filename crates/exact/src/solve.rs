//! Solving one position of any game, as far as time and memory reach.

use std::ops::RangeInclusive;
use std::sync::Arc;

use games::connect_four::{Column, ConnectFour, Word};
use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::surakarta::{Move, Surakarta};
use games::{Game, MoveList, Outcome, Rng};
use search::SearchControl;

use crate::SolverOptions;
use crate::connect_four::{self, AnySolver, plies_to_end};
use crate::dots_and_boxes::{self, Proof, Proven, SolveProgress, Solver};
use crate::surakarta::{Distance, Tables, Value};

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
        _write: &mut impl FnMut(&str, &Proven) -> Result<(), String>,
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

/// Shows a Connect Four solver's progress since it had so many nodes.
fn columns_seen_by(
    observer: &mut impl FnMut(Bounds),
    before: u64,
) -> impl FnMut(&connect_four::SolveProgress) {
    move |progress| {
        let (bounds, nodes) = (progress.bounds, progress.nodes - before);
        observer(Bounds { low: bounds.lower, high: bounds.upper, nodes });
    }
}

impl<W: Word> Solve for ConnectFour<W> {
    type Solver = AnySolver;

    fn solver(setup: &Self::Setup, options: &SolverOptions) -> Result<AnySolver, String> {
        AnySolver::new(setup, options.megabytes, options.threads).map_err(|error| error.to_string())
    }

    fn solve(
        &self,
        solver: &mut AnySolver,
        thorough: bool,
        control: &SearchControl<Column>,
        observer: &mut impl FnMut(Bounds),
    ) -> Solved<Column> {
        let before = solver.nodes();
        let mut follow = columns_seen_by(observer, before);
        let columns =
            |list: Vec<u32>| list.into_iter().map(|column| Column(column as u8)).collect();
        let (mut best, mut pv) = (Vec::new(), Vec::new());
        let found = solver.solve(self, control, &mut follow);
        match found.score() {
            None => {}
            Some(score) if thorough => {
                best = columns(solver.best(self, score, control, &mut follow));
                pv = columns(solver.line(self, score, control, &mut follow));
            }
            Some(score) => {
                let one = solver.most_central(self, score, control, &mut follow);
                best = columns(one.into_iter().collect());
            }
        }
        let end = |score| plies_to_end(self.cells() as i32, self.plies() as i32, score);
        let bounds = Bounds { low: found.lower, high: found.upper, nodes: solver.nodes() - before };
        Solved { bounds, best, pv, plies: found.score().map(end) }
    }

    fn each(
        &self,
        solver: &mut AnySolver,
        control: &SearchControl<Column>,
        observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Column> {
        let before = solver.nodes();
        let mut follow = columns_seen_by(observer, before);
        let values = solver.columns(self, control, &mut follow);
        let range = |bounds: connect_four::Bounds| bounds.lower..=bounds.upper;
        let moves = (0..).map(Column).zip(values);
        MoveValues {
            moves: moves.filter_map(|(mv, bounds)| Some((mv, range(bounds?)))).collect(),
            nodes: solver.nodes() - before,
        }
    }

    /// What the winner's last stone was worth, for the loser.
    fn final_value(&self, outcome: &Outcome) -> i32 {
        let left = self.cells() as i32 - self.plies() as i32;
        self.to_move().sign() * outcome.for_first() * (left + 2) / 2
    }

    fn plies_of(&self, _solver: &AnySolver, _mv: Column, value: i32) -> Option<u32> {
        Some(plies_to_end(self.cells() as i32, self.plies() as i32, value))
    }
}

/// Shows a Dots and Boxes solver's progress.
fn edges_seen_by(observer: &mut impl FnMut(Bounds)) -> impl FnMut(&SolveProgress) {
    move |progress| {
        let (bounds, nodes) = (progress.bounds, progress.nodes);
        observer(Bounds { low: bounds.low, high: bounds.high, nodes });
    }
}

impl Solve for DotsAndBoxes {
    type Solver = Solver;

    const MEASURE: Measure = Measure::Boxes;

    fn solver(setup: &Self::Setup, options: &SolverOptions) -> Result<Solver, String> {
        Solver::new(setup.rows.into(), setup.columns.into(), options.megabytes, options.threads)
            .map_err(|error| error.to_string())
    }

    fn solve(
        &self,
        solver: &mut Solver,
        thorough: bool,
        control: &SearchControl<Edge>,
        observer: &mut impl FnMut(Bounds),
    ) -> Solved<Edge> {
        let unknown = |nodes| {
            let open = self.setup().boxes() as i32 - self.closed().count_ones() as i32;
            Solved {
                bounds: Bounds { low: -open, high: open, nodes },
                best: Vec::new(),
                pv: Vec::new(),
                plies: None,
            }
        };
        let Ok(position) = solver.board().position(self.drawn()) else { return unknown(0) };
        if solver.prepare(position).is_err() {
            return unknown(0);
        }
        let mut follow = edges_seen_by(observer);
        let found = solver.best(position, control, &mut follow);
        let edges = |list: Vec<u32>| list.into_iter().map(|edge| Edge(edge as u8)).collect();
        let exact = found.bounds.value().is_some();
        Solved {
            bounds: Bounds { low: found.bounds.low, high: found.bounds.high, nodes: found.nodes },
            best: edges(found.best()),
            pv: if exact && thorough {
                edges(solver.line(position, control, &mut follow))
            } else {
                Vec::new()
            },
            plies: None,
        }
    }

    fn each(
        &self,
        solver: &mut Solver,
        control: &SearchControl<Edge>,
        observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Edge> {
        let Ok(position) = solver.board().position(self.drawn()) else { return MoveValues::NONE };
        if solver.prepare(position).is_err() {
            return MoveValues::NONE;
        }
        let found = solver.moves(position, control, &mut edges_seen_by(observer));
        let worth = |(edge, bounds): (u32, dots_and_boxes::Bounds)| {
            (Edge(edge as u8), bounds.low..=bounds.high)
        };
        MoveValues { moves: found.moves.into_iter().map(worth).collect(), nodes: found.nodes }
    }

    fn prove(
        &self,
        text: &str,
        solver: &mut Solver,
        control: &SearchControl<Edge>,
        write: &mut impl FnMut(&str, &Proven) -> Result<(), String>,
    ) -> Result<Proven, String> {
        let mut proof = match text {
            "" => Proof::begin(solver.board().rows(), solver.board().cols())?,
            text => Proof::read_for(solver.board(), text)?,
        };
        if text.is_empty() {
            let proven = proof.check();
            write(&proof.head(), &proven)?;
        }
        proof.extend(solver, control, write)
    }

    fn check_proof(
        &self,
        text: &str,
        again: usize,
        solver: &mut Solver,
        control: &SearchControl<Edge>,
    ) -> Result<(Proven, usize), String> {
        let mut proof = Proof::read_for(solver.board(), text)?;
        let proven = proof.check();
        // The same lines for the same file, others once it has grown.
        let mut rng = Rng::stream(0x9700f, proven.nodes);
        Ok((proven, proof.sample(solver, again, &mut rng, control)?))
    }

    /// No box is left.
    fn final_value(&self, _outcome: &Outcome) -> i32 {
        0
    }

    fn result(&self, value: i32) -> i32 {
        (self.to_move().sign() * self.lead() + value).signum()
    }
}

impl Solve for Surakarta {
    type Solver = Arc<Tables>;

    const MEASURE: Measure = Measure::Capture;

    fn solver(setup: &Self::Setup, _options: &SolverOptions) -> Result<Arc<Tables>, String> {
        let folder = crate::surakarta::default_folder();
        let most = crate::surakarta::MOST_PIECES;
        let tables = crate::surakarta::open_or_shipped(&folder, setup.stall, most)
            .map_err(|error| error.to_string())?;
        if !tables.agree(setup) {
            return Err("the endgame tables are for other end rules than this setup's".to_owned());
        }
        Ok(tables)
    }

    fn beyond(&self, tables: &Arc<Tables>) -> Option<String> {
        let [first, second] = self.boards();
        let pieces = (first | second).count_ones() as usize;
        if pieces <= tables.pieces() {
            return Some("so late that the stall may come first".to_owned())
                .filter(|_| tables.position_value(self).is_none());
        }
        Some(format!(
            "{pieces} pieces are on the board, and the endgame tables know up to {}; \
             'boyi tables build --pieces N' builds more",
            tables.pieces()
        ))
    }

    fn solve(
        &self,
        tables: &mut Arc<Tables>,
        _thorough: bool,
        _control: &SearchControl<Move>,
        _observer: &mut impl FnMut(Bounds),
    ) -> Solved<Move> {
        let Some(value) = tables.position_value(self) else {
            let bounds = Bounds { low: -1, high: 1, nodes: 0 };
            return Solved { bounds, best: Vec::new(), pv: Vec::new(), plies: None };
        };
        let sign = value.sign();
        let ranked = tables.ranked(self);
        let best =
            ranked.iter().filter(|(_, worth)| worth.sign() == sign).map(|(mv, _)| *mv).collect();
        // Best play to the next capture: what comes after is another table.
        let mut pv = MoveList::new();
        let mut game = *self;
        while let Some(&(mv, worth)) = tables.ranked(&game).first() {
            pv.push(mv);
            if game.is_capture(mv) || plies(worth).is_none() || pv.is_full() {
                break;
            }
            game.play(mv);
        }
        Solved {
            bounds: Bounds { low: sign, high: sign, nodes: 1 },
            best,
            pv: pv.to_vec(),
            plies: plies(value),
        }
    }

    fn each(
        &self,
        tables: &mut Arc<Tables>,
        _control: &SearchControl<Move>,
        _observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Move> {
        let ranked = tables.ranked(self).into_iter();
        let moves: Vec<_> = ranked.map(|(mv, worth)| (mv, worth.sign()..=worth.sign())).collect();
        MoveValues { nodes: moves.len() as u64, moves }
    }

    fn plies_of(&self, tables: &Arc<Tables>, mv: Move, _value: i32) -> Option<u32> {
        let ranked = tables.ranked(self);
        ranked.into_iter().find(|(other, _)| *other == mv).and_then(|(_, worth)| plies(worth))
    }
}

/// Plies to the next capture or the end, unless the game stalls.
fn plies(value: Value) -> Option<u32> {
    match value.distance() {
        Distance::Plies(plies) => Some(plies.into()),
        Distance::Stall => None,
    }
}
