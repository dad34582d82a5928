//! The solver as the rest of the workspace knows it: an oracle that searches may
//! ask, and an engine that answers before a search.
//!
//! This is the one file that knows both the solver's board and the game of
//! `games`. The two keep their stones in the same bits.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::connect_four::{Column, ConnectFour, Setup, Word, bits_needed};
use games::{Game, MoveList, Player, Record};
use search::{Limits, Line, Oracle, Score, SearchControl, SearchInfo, Source, Verdict};

use super::position::Position;
use super::shape::{Free, Standard};
use super::solver::{Bounds, SolveProgress, Solver};
use crate::{ExactEngine, ExactKnowledge, SolverOptions};

/// A solver for whatever board a setup asks for, as long as it fits 64 bits.
pub enum AnySolver {
    /// The standard board, with constants for masks.
    Standard(Solver<Standard>),
    /// Any other.
    Free(Solver<Free>),
}

impl AnySolver {
    /// A solver for this setup with a table of at most so many megabytes and so
    /// many threads; `None` if the board does not fit 64 bits.
    pub fn new(setup: &Setup, megabytes: usize, threads: usize) -> Option<AnySolver> {
        if *setup == Setup::default() {
            return Some(AnySolver::Standard(Solver::new(megabytes, threads)));
        }
        let hole = setup.hole.map(|(column, row)| (column.into(), row.into()));
        let shape = Free::new(setup.columns.into(), setup.rows.into(), hole)?;
        Some(AnySolver::Free(Solver::for_shape(shape, megabytes, threads)))
    }

    /// See [`Solver::solve`].
    pub fn solve(
        &mut self,
        position: &Position,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Bounds {
        match self {
            AnySolver::Standard(solver) => solver.solve(position, control, progress),
            AnySolver::Free(solver) => solver.solve(position, control, progress),
        }
    }

    /// See [`Solver::columns`].
    pub fn columns(
        &mut self,
        position: &Position,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<Option<Bounds>> {
        match self {
            AnySolver::Standard(solver) => solver.columns(position, control, progress),
            AnySolver::Free(solver) => solver.columns(position, control, progress),
        }
    }

    /// See [`Solver::best`].
    pub fn best(
        &mut self,
        position: &Position,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<u32> {
        match self {
            AnySolver::Standard(solver) => solver.best(position, score, control, progress),
            AnySolver::Free(solver) => solver.best(position, score, control, progress),
        }
    }

    /// See [`Solver::most_central`].
    pub fn most_central(
        &mut self,
        position: &Position,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Option<u32> {
        match self {
            AnySolver::Standard(solver) => solver.most_central(position, score, control, progress),
            AnySolver::Free(solver) => solver.most_central(position, score, control, progress),
        }
    }

    /// See [`Solver::found_again`].
    pub fn found_again(&mut self, position: &Position, score: i32) -> Option<u32> {
        match self {
            AnySolver::Standard(solver) => solver.found_again(position, score),
            AnySolver::Free(solver) => solver.found_again(position, score),
        }
    }

    /// See [`Solver::line`].
    pub fn line(
        &mut self,
        position: &Position,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<u32> {
        match self {
            AnySolver::Standard(solver) => solver.line(position, score, control, progress),
            AnySolver::Free(solver) => solver.line(position, score, control, progress),
        }
    }

    /// See [`Solver::nodes`].
    pub fn nodes(&self) -> u64 {
        match self {
            AnySolver::Standard(solver) => solver.nodes(),
            AnySolver::Free(solver) => solver.nodes(),
        }
    }
}

/// The solver's position of a game that is not over, if its board fits 64 bits.
pub fn position_of<W: Word>(game: &ConnectFour<W>) -> Option<Position> {
    if bits_needed(&game.setup()) > 64 || game.outcome().is_some() {
        return None;
    }
    let mut filled = (game.stones(Player::First) | game.stones(Player::Second)).low();
    if let Some((column, row)) = game.setup().hole {
        // The hole counts as filled once nothing below it is empty.
        let hole = game.bit(column, row).low();
        if row == 0 || filled & (hole >> 1) != 0 {
            filled |= hole;
        }
    }
    Some(Position { own: game.stones(game.to_move()).low(), filled })
}

/// Plies to the end with best play by both sides, from a score for the mover.
pub fn plies_to_end(cells: i32, stones: i32, score: i32) -> u32 {
    // The winner's k-th last stone of a full board lies 2k - 1 or 2k cells from
    // its end, whichever the parity makes the winner's turn.
    let end = match score {
        0 => cells,
        _ => {
            let winners_turn = stones + i32::from(score < 0);
            let before = cells + 1 - 2 * score.abs();
            before - (before - winners_turn).rem_euclid(2) + 1
        }
    };
    (end - stones) as u32
}

/// The solver at work in games, for boards of one setup.
pub struct SolverEngine {
    setup: Setup,
    /// Searches on many threads may ask; one at a time is answered.
    solver: Mutex<AnySolver>,
}

impl SolverEngine {
    /// For boards of this setup with a table of at most so many megabytes and so
    /// many threads; `None` if the board does not fit 64 bits.
    pub fn new(setup: &Setup, megabytes: usize, threads: usize) -> Option<SolverEngine> {
        let solver = Mutex::new(AnySolver::new(setup, megabytes, threads)?);
        Some(SolverEngine { setup: setup.clone(), solver })
    }

    fn solver(&self) -> MutexGuard<'_, AnySolver> {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the mover's score and, if that is the score itself, the
    /// most central of the best columns.
    fn solve<W: Word>(
        &self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Option<(Bounds, Option<u32>)> {
        if game.setup() != self.setup {
            return None;
        }
        let position = position_of(game)?;
        let mut solver = self.solver();
        let before = solver.nodes();
        let bounds = solver.solve(&position, control, progress);
        let nodes = control.limits().nodes;
        let left = nodes.map(|nodes| nodes.saturating_sub(solver.nodes() - before));
        let rest = control.within(Limits { nodes: left, ..Limits::default() }, *control.time());
        let best = |score| solver.most_central(&position, score, &rest, progress);
        Some((bounds, bounds.score().and_then(best)))
    }

    /// A column that wins, where the search was cut short on the way from a win to
    /// the fastest one.
    fn known_win<W: Word>(&self, game: &ConnectFour<W>, bounds: Bounds) -> Option<u32> {
        if bounds.score().is_some() || bounds.lower <= 0 {
            return None;
        }
        self.solver().found_again(&position_of(game)?, bounds.lower)
    }
}

impl<W: Word> Oracle<ConnectFour<W>> for SolverEngine {
    fn probe(&self, game: &ConnectFour<W>, nodes: u64) -> Option<Verdict<Column>> {
        let control = SearchControl::new(Limits::nodes(nodes));
        let (bounds, column) = self.solve(game, &control, &mut |_| {})?;
        let (score, column) = bounds.score().zip(column)?;
        let mover = game.to_move();
        Some(Verdict {
            winner: match score {
                0 => None,
                1.. => Some(mover),
                _ => Some(!mover),
            },
            score: mover.sign() * score,
            plies: Some(plies_to_end(game.cells() as i32, game.plies() as i32, score)),
            best: Some(Column(column as u8)),
            source: Source::Solver,
        })
    }
}

/// How long the solver tries where there is no limit at all: the user wants to
/// see a search, if not the exact value soon.
const UNLIMITED: Duration = Duration::from_secs(2);

impl<W: Word> ExactEngine<ConnectFour<W>> for SolverEngine {
    /// Half of the time, and half as many nodes as the search may visit.
    fn answer(
        &mut self,
        record: &Record<ConnectFour<W>>,
        control: &SearchControl<Column>,
    ) -> Option<SearchInfo<Column>> {
        let game = record.game();
        let limits = control.limits();
        let nodes = limits.nodes.or(limits.sims).map(|nodes| nodes / 2);
        let mut time = control.time().share(0.5);
        if time.left().is_none() && nodes.is_none() {
            time = time.at_most(UNLIMITED);
        }
        let share = control.within(Limits { nodes, ..Limits::default() }, time);
        // Whatever happens, there is an answer: the most central open column that
        // does not lose at once.
        let mut info = SearchInfo { best: fallback(game), ..SearchInfo::default() };
        let mut first = None;
        let found = self.solve(game, &share, &mut |progress| {
            info.nodes = progress.nodes - *first.get_or_insert(progress.nodes);
            info.elapsed = time.elapsed();
            control.publish(&info);
        });
        let (bounds, best) = found?;
        let column = best.or_else(|| self.known_win(game, bounds))?;
        let plies = bounds
            .score()
            .map(|score| plies_to_end(game.cells() as i32, game.plies() as i32, score));
        let result = bounds.lower.signum();
        let mv = Column(column as u8);
        let score = Score::Proven { result, plies };
        Some(SearchInfo {
            best: Some(mv),
            score,
            win_rate: f64::from(1 + result) / 2.0,
            source: Source::Solver,
            depth: plies.unwrap_or(0),
            lines: vec![Line { mv, score, visits: info.nodes, pv: vec![mv] }],
            elapsed: time.elapsed(),
            ..info
        })
    }
}

impl<W: Word> ExactKnowledge for ConnectFour<W> {
    type Exact = SolverEngine;

    fn exact(setup: &Setup, options: &SolverOptions) -> Option<SolverEngine> {
        SolverEngine::new(setup, options.megabytes, options.threads)
    }
}

/// The most central legal move that does not let the opponent win at once, or
/// any if all do.
fn fallback<W: Word>(game: &ConnectFour<W>) -> Option<Column> {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    let wins = game.winning_moves();
    let safe = |column: Column| {
        let next = game.after(column);
        next.outcome().is_some() || next.winning_moves().is_empty()
    };
    let eccentric =
        |column: Column| (2 * i32::from(column.0) + 1 - i32::from(game.columns())).abs();
    moves.into_iter().min_by_key(|&mv| (!wins.contains(mv), !safe(mv), eccentric(mv)))
}
