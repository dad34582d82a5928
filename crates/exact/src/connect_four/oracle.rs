//! The solver as the rest of the workspace knows it: an oracle that searches
//! may ask, and an engine that plays.
//!
//! This is the one file that knows both the solver's board and the game of
//! `games`. The two keep their stones in the same bits.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use games::connect_four::{Column, ConnectFour, Setup, Word, bits_needed};
use games::{Game, MoveList, Player, Record};
use search::{Budget, Engine, Info, Limits, Line, Oracle, Score, Source, Verdict};

use super::position::Position;
use super::shape::{Free, Standard};
use super::solver::{Bounds, Progress, Solver};

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
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Bounds {
        match self {
            AnySolver::Standard(solver) => solver.solve(position, budget, progress),
            AnySolver::Free(solver) => solver.solve(position, budget, progress),
        }
    }

    /// See [`Solver::columns`].
    pub fn columns(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Vec<Option<Bounds>> {
        match self {
            AnySolver::Standard(solver) => solver.columns(position, budget, progress),
            AnySolver::Free(solver) => solver.columns(position, budget, progress),
        }
    }

    /// See [`Solver::best`].
    pub fn best(&mut self, position: &Position, score: i32, budget: &Budget) -> Vec<u32> {
        match self {
            AnySolver::Standard(solver) => solver.best(position, score, budget),
            AnySolver::Free(solver) => solver.best(position, score, budget),
        }
    }

    /// See [`Solver::most_central`].
    pub fn most_central(
        &mut self,
        position: &Position,
        score: i32,
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Option<u32> {
        match self {
            AnySolver::Standard(solver) => solver.most_central(position, score, budget, progress),
            AnySolver::Free(solver) => solver.most_central(position, score, budget, progress),
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
    pub fn line(&mut self, position: &Position, score: i32, budget: &Budget) -> Vec<u32> {
        match self {
            AnySolver::Standard(solver) => solver.line(position, score, budget),
            AnySolver::Free(solver) => solver.line(position, score, budget),
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

/// Connect Four as far as it is certain.
pub struct Sage {
    setup: Setup,
    /// Searches on many threads may ask; one at a time is answered.
    solver: Mutex<AnySolver>,
}

impl Sage {
    /// For boards of this setup, likewise.
    pub fn new(setup: &Setup, megabytes: usize, threads: usize) -> Option<Sage> {
        let solver = Mutex::new(AnySolver::new(setup, megabytes, threads)?);
        Some(Sage { setup: setup.clone(), solver })
    }

    /// What is known of the mover's score and, if that is the score itself, the
    /// most central of the best columns.
    fn ask<W: Word>(
        &self,
        game: &ConnectFour<W>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Option<(Bounds, Option<u32>)> {
        if game.setup() != self.setup {
            return None;
        }
        let position = position_of(game)?;
        let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        let before = solver.nodes();
        let bounds = solver.solve(&position, budget, progress);
        let left = budget.nodes.saturating_sub(solver.nodes() - before);
        let budget = Budget { nodes: left, stop: budget.stop };
        let best = |score| solver.most_central(&position, score, &budget, progress);
        Some((bounds, bounds.score().and_then(best)))
    }

    /// A column that wins, where the search was cut short on the way from a win to
    /// the fastest one.
    fn kept_win<W: Word>(&self, game: &ConnectFour<W>, bounds: Bounds) -> Option<u32> {
        if bounds.score().is_some() || bounds.lower <= 0 {
            return None;
        }
        let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        solver.found_again(&position_of(game)?, bounds.lower)
    }
}

impl<W: Word> Oracle<ConnectFour<W>> for Sage {
    fn probe(&self, game: &ConnectFour<W>, budget: &Budget) -> Option<Verdict<Column>> {
        let (bounds, column) = self.ask(game, budget, &mut |_| ControlFlow::Continue(()))?;
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

impl<W: Word> Engine<ConnectFour<W>> for Sage {
    fn think(
        &mut self,
        record: &Record<ConnectFour<W>>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<ConnectFour<W>>) -> ControlFlow<()>,
    ) -> Info<ConnectFour<W>> {
        let start = Instant::now();
        let game = record.game();
        let time = [limits.time, limits.clock.map(|clock| share(clock.of(game.to_move())))];
        let time = time.into_iter().flatten().min();
        let budget = Budget { nodes: limits.nodes.unwrap_or(u64::MAX), stop: None };
        let mut info = Info::new();
        // Whatever happens, there is an answer: the most central open column
        // that does not lose at once.
        info.best = fallback(game);
        let mut first = None;
        let answer = self.ask(game, &budget, &mut |progress| {
            info.nodes = progress.nodes - *first.get_or_insert(progress.nodes);
            info.elapsed = start.elapsed();
            if time.is_some_and(|time| info.elapsed >= time) {
                return ControlFlow::Break(());
            }
            watch(&info)
        });
        let answer = answer.and_then(|(bounds, best)| {
            Some((bounds, best.or_else(|| self.kept_win(game, bounds))?))
        });
        info.elapsed = start.elapsed();
        if let Some((bounds, column)) = answer {
            let plies = bounds
                .score()
                .map(|score| plies_to_end(game.cells() as i32, game.plies() as i32, score));
            let result = bounds.lower.signum();
            info.score = Score::Proven { result, plies };
            info.win_rate = f64::from(1 + result) / 2.0;
            info.source = Source::Solver;
            info.depth = plies.unwrap_or(0);
            let mv = Column(column as u8);
            info.best = Some(mv);
            info.lines = vec![Line { mv, score: info.score, visits: info.nodes, pv: vec![mv] }];
        }
        info
    }

    fn new_game(&mut self, _seed: u64) {
        // What is certain in one game is certain in the next.
    }
}

/// A thirtieth of what is left, and the increment.
fn share((left, increment): (std::time::Duration, std::time::Duration)) -> std::time::Duration {
    (left / 30 + increment).min(left / 2)
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
