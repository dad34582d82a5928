//! Solving one position.

use std::time::Instant;

use exact::SolverOptions;
use pyo3::prelude::*;
use search::{Limits, SearchControl, line_text};
use session::{GameVisitor, Playable, Session};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::error::error;
use crate::interrupt::interruptible;
use crate::limits::duration;
use crate::state::State;

/// The exact value of a move, for the player who makes it.
#[pyclass(frozen, get_all, module = "boyi")]
#[derive(Clone)]
pub struct MoveValue {
    /// Its text.
    r#move: String,
    /// Its number.
    action: u16,
    /// Its value, None if it is not exact.
    value: Option<i32>,
    /// Between which numbers it lies.
    bounds: (i32, i32),
}

#[pymethods]
impl MoveValue {
    fn __repr__(&self) -> String {
        let (low, high) = self.bounds;
        match self.value {
            Some(value) => format!("<boyi.MoveValue {}: {value:+}>", self.r#move),
            None => format!("<boyi.MoveValue {}: {low:+} to {high:+}>", self.r#move),
        }
    }
}

/// What was found out about a position; values are the mover's.
#[pyclass(frozen, get_all, module = "boyi")]
#[derive(Clone)]
pub struct Solution {
    /// The exact value in the game's own measure (see `boyi.Labels`), None if the
    /// limits ended the work.
    value: Option<i32>,
    /// Between which numbers it lies.
    bounds: (i32, i32),
    /// How the game ends for the mover: 1, 0 or -1; None if that is open.
    result: Option<i32>,
    /// All best moves, as text.
    best: Vec<String>,
    /// A line of best play.
    line: Vec<String>,
    /// Plies to the end, or in Surakarta to the next capture, where they are known.
    plies: Option<u32>,
    /// Every move's value, if `moves=True`.
    moves: Vec<MoveValue>,
    /// Why the position is out of the solver's reach for good, if it is.
    beyond: Option<String>,
    /// Positions visited.
    nodes: u64,
    /// Time taken.
    seconds: f64,
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        let (low, high) = self.bounds;
        match self.value {
            Some(value) => format!("<boyi.Solution {value:+}: {}>", self.best.join(" ")),
            None => format!("<boyi.Solution: from {low:+} to {high:+}>"),
        }
    }
}

struct Request<'a> {
    session: &'a Session,
    limits: Limits,
    options: SolverOptions,
    moves: bool,
    stop: &'a AtomicBool,
}

impl GameVisitor for Request<'_> {
    type Output = PyResult<Solution>;

    fn visit<G: Playable>(self, start: G) -> PyResult<Solution> {
        let begun = Instant::now();
        let game = G::parse(&start.setup(), &self.session.position()).map_err(error)?;
        let mut solver = G::solver(&start.setup(), &self.options).map_err(error)?;
        let control = SearchControl::new(self.limits);
        let watch = &mut |_| {
            if self.stop.load(Relaxed) {
                control.stop();
            }
        };
        let solved = game.solve_position(&mut solver, true, &control, watch);
        let each = match self.moves {
            true => game.solve_moves(&mut solver, &control, watch),
            false => exact::MoveValues::NONE,
        };
        let (low, high) = (solved.bounds.low, solved.bounds.high);
        let result = game.result(low);
        let one = |(mv, range): &(G::Move, exact::Range)| MoveValue {
            r#move: game.move_text(*mv),
            action: (*mv).into(),
            value: (range.start() == range.end()).then_some(*range.start()),
            bounds: (*range.start(), *range.end()),
        };
        Ok(Solution {
            value: solved.value(),
            bounds: (low, high),
            result: (result == game.result(high)).then_some(result),
            best: solved.best.iter().map(|&mv| game.move_text(mv)).collect(),
            line: line_text(&game, &solved.pv),
            plies: solved.plies,
            moves: each.moves.iter().map(one).collect(),
            beyond: solved.value().map_or_else(|| game.beyond(&solver), |_| None),
            nodes: solved.bounds.nodes + each.nodes,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }
}

/// Solves a position: its exact value, all best moves and a line of best play, with
/// `moves=True` every move's value too.
///
/// Without `seconds` it goes on until it knows; Ctrl-C stops it. `memory` is in
/// megabytes. For many positions `VectorState.solve` is faster.
///
/// >>> solution = boyi.solve(boyi.State("connect-four", "44444252553"))
/// >>> solution.value, solution.best
/// (-2, ['3'])
#[pyfunction]
#[pyo3(signature = (state, *, moves = false, seconds = None, memory = 256, threads = 1))]
pub fn solve(
    state: PyRef<'_, State>,
    moves: bool,
    seconds: Option<f64>,
    memory: usize,
    threads: usize,
) -> PyResult<Solution> {
    let py = state.py();
    let session = state.session.clone();
    drop(state);
    if let Some(outcome) = session.outcome() {
        return Err(error(format!("the game is over: {outcome}")));
    }
    session::machine::require_memory("the table", memory as u64).map_err(error)?;
    let limits = Limits { time: duration(seconds)?, ..Limits::default() };
    let options = SolverOptions { megabytes: memory.max(1), threads: threads.clamp(1, 256) };
    interruptible(py, |stop| {
        let request = Request { session: &session, limits, options, moves, stop };
        session.spec().clone().visit(request)
    })?
}
