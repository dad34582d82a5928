//! One solver for whatever board a game is played on, over the narrowest word.
//!
//! This is the one file that knows both the solver's board and the game of
//! `games`. The two keep their stones in the same bits.

use games::connect_four::{Column, ConnectFour, Setup, U192, Word, bits_needed};
use games::{Game, Player, SetupError};
use search::SearchControl;

use super::position::Position;
use super::shape::{Free, Standard};
use super::solver::{Bounds, SolveProgress, Solver};
use super::table::TableWord;

/// A solver for whatever board a setup asks for, over the narrowest word.
pub enum AnySolver {
    /// The standard board, with constants for masks.
    Standard(Solver<Standard>),
    /// Any other board of up to 64 bits.
    Narrow(Box<Solver<Free<u64>>>),
    /// Of up to 128 bits.
    Wide(Box<Solver<Free<u128>>>),
    /// Of up to 192 bits: every board.
    Widest(Box<Solver<Free<U192>>>),
}

/// An expression over the solver of an [`AnySolver`], whatever its word.
macro_rules! with_solver {
    ($any:expr, $solver:ident => $body:expr) => {
        match $any {
            AnySolver::Standard($solver) => $body,
            AnySolver::Narrow($solver) => $body,
            AnySolver::Wide($solver) => $body,
            AnySolver::Widest($solver) => $body,
        }
    };
}

impl AnySolver {
    /// A solver for this setup with a table of at most so many megabytes and so
    /// many threads.
    pub fn new(setup: &Setup, megabytes: usize, threads: usize) -> Result<AnySolver, SetupError> {
        setup.check()?;
        if *setup == Setup::default() {
            return Ok(AnySolver::Standard(Solver::new(megabytes, threads)));
        }
        let make = (megabytes, threads);
        Ok(match bits_needed(setup) {
            ..=64 => AnySolver::Narrow(Box::new(solver_for(setup, make))),
            65..=128 => AnySolver::Wide(Box::new(solver_for(setup, make))),
            _ => AnySolver::Widest(Box::new(solver_for(setup, make))),
        })
    }

    /// See [`Solver::solve`]. The game is not over, as in all that follows.
    pub fn solve<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Bounds {
        with_solver!(self, solver => solver.solve(&position_of(game), control, progress))
    }

    /// See [`Solver::solve_sign`].
    pub fn solve_sign<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Bounds {
        with_solver!(self, solver => solver.solve_sign(&position_of(game), control, progress))
    }

    /// See [`Solver::columns`].
    pub fn columns<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<Option<Bounds>> {
        with_solver!(self, solver => solver.columns(&position_of(game), control, progress))
    }

    /// See [`Solver::best`].
    pub fn best<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<u32> {
        with_solver!(self, solver => solver.best(&position_of(game), score, control, progress))
    }

    /// See [`Solver::most_central`].
    pub fn most_central<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Option<u32> {
        with_solver!(self, solver => {
            solver.most_central(&position_of(game), score, control, progress)
        })
    }

    /// See [`Solver::column_reaching`].
    pub fn column_reaching<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        score: i32,
        control: &SearchControl<Column>,
    ) -> Option<u32> {
        with_solver!(self, solver => solver.column_reaching(&position_of(game), score, control))
    }

    /// See [`Solver::line`].
    pub fn line<W: Word>(
        &mut self,
        game: &ConnectFour<W>,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<u32> {
        with_solver!(self, solver => solver.line(&position_of(game), score, control, progress))
    }

    /// See [`Solver::last_node`].
    pub(super) fn last_node(&self, control: &SearchControl<Column>) -> u64 {
        with_solver!(self, solver => solver.last_node(control))
    }

    /// See [`Solver::nodes`].
    pub fn nodes(&self) -> u64 {
        with_solver!(self, solver => solver.nodes())
    }
}

/// The solver of a board that fits the word.
fn solver_for<W: TableWord>(
    setup: &Setup,
    (megabytes, threads): (usize, usize),
) -> Solver<Free<W>> {
    let hole = setup.hole.map(|(column, row)| (column.into(), row.into()));
    let shape = Free::new(setup.columns.into(), setup.rows.into(), hole);
    Solver::for_shape(shape.expect("the word was chosen for the board"), megabytes, threads)
}

/// The solver's position of a game that is not over, in a word that holds its
/// board.
pub fn position_of<W: Word, V: Word>(game: &ConnectFour<W>) -> Position<V> {
    debug_assert!(bits_needed(&game.setup()) <= V::BITS && game.outcome().is_none());
    let mut filled = game.stones(Player::First) | game.stones(Player::Second);
    if let Some((column, row)) = game.setup().hole {
        // The hole counts as filled once nothing below it is empty.
        let hole = game.bit(column, row);
        if row == 0 || !(filled & hole >> 1).is_empty() {
            filled = filled | hole;
        }
    }
    let narrowed = |word: W| V::from_limbs(word.limbs());
    Position { own: narrowed(game.stones(game.to_move())), filled: narrowed(filled) }
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
