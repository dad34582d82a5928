//! The solver as the rest of the workspace knows it: an oracle that searches may
//! ask, and an engine that answers before a search.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::connect_four::{Column, ConnectFour, Setup, Word, bits_needed};
use games::{Game, MoveList, Record, SetupError};
use search::{
    Limits, Line, Oracle, Score, SearchControl, SearchHints, SearchInfo, Source, Verdict,
};

use super::any_solver::{AnySolver, plies_to_end};
use super::solver::{Bounds, SolveProgress};
use crate::{ExactEngine, ExactKnowledge, SolverOptions};

/// The solver at work in games, for boards of one setup.
pub struct SolverEngine {
    setup: Setup,
    /// Searches on many threads may ask; one at a time is answered.
    solver: Mutex<AnySolver>,
}

impl SolverEngine {
    /// For boards of this setup with a table of at most so many megabytes and so
    /// many threads.
    pub fn new(setup: &Setup, megabytes: usize, threads: usize) -> Result<Self, SetupError> {
        let solver = Mutex::new(AnySolver::new(setup, megabytes, threads)?);
        Ok(SolverEngine { setup: setup.clone(), solver })
    }

    fn solver(&self) -> MutexGuard<'_, AnySolver> {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The score and the most central of the best columns, if they are found within
    /// the limits.
    fn solve<W: Word>(
        &self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
    ) -> Option<(i32, u32)> {
        let mut solver = self.solver();
        let end = solver.last_node(control);
        let score = solver.solve(game, control, &mut |_| {}).score()?;
        let rest = until(&solver, end, control);
        Some((score, solver.most_central(game, score, &rest, &mut |_| {})?))
    }

    /// Who wins, by a row of threats or two windows around zero, and a move that
    /// wins if it is the mover. The move is looked for with `more`, at once, while
    /// the table has its proof.
    fn solve_sign<W: Word>(
        &self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
        more: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Option<(Bounds, Option<Column>)> {
        let threats = match game.static_result() {
            None => game.forced_win(THREATS),
            Some(_) => None,
        };
        if let Some((mv, plies)) = threats {
            let bounds = Bounds { lower: score_after(game, plies), upper: MOST_SCORE };
            return Some((bounds, Some(mv)));
        }
        if solver_share(game) == 0.0 {
            return None;
        }
        let mut solver = self.solver();
        let bounds = solver.solve_sign(game, control, progress);
        let won = bounds.sign()? > 0;
        let found = if won { solver.column_reaching(game, 1, more) } else { None };
        Some((bounds, found.map(|column| Column(column as u8))))
    }

    /// The score that lies in `sign` and the most central of the best columns, or the
    /// bounds reached and none.
    fn solve_score<W: Word>(
        &self,
        game: &ConnectFour<W>,
        sign: &Bounds,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> (Bounds, Option<Column>) {
        let mut solver = self.solver();
        let end = solver.last_node(control);
        let bounds = solver.solve(game, control, progress).and(sign);
        let best = bounds.score().and_then(|score| {
            let rest = until(&solver, end, control);
            solver.most_central(game, score, &rest, progress)
        });
        (bounds, best.map(|column| Column(column as u8)))
    }
}

/// Positions of a search for a win by threats alone.
const THREATS: u32 = 1_000;

/// More than any score.
const MOST_SCORE: i32 = 127;

/// The score of a win in so many plies.
fn score_after<W: Word>(game: &ConnectFour<W>, plies: u32) -> i32 {
    (game.cells() as i32 + 2 - game.plies() as i32 - plies as i32) / 2
}

/// The solver's share of what a move may spend, where it may come to an end. On boards
/// beyond 64 bits that is with 64 empty cells or fewer: of the positions with 60, 50 and
/// 40 in `data/course-positions.tsv` it solves a third, three quarters and all in a
/// sixth of a second. What it did in vain stays in its table for the next move.
fn solver_share<W: Word>(game: &ConnectFour<W>) -> f64 {
    match game.cells() - game.plies() {
        _ if bits_needed(&game.setup()) <= 64 => 0.5,
        ..=44 => 0.5,
        45..=64 => 0.3,
        _ => 0.0,
    }
}

/// A simulation of the search takes as long as so many nodes of the solver.
const NODES_PER_SIMULATION: u64 = 8;

/// What is left of a search that ends at this count of nodes.
fn until(solver: &AnySolver, end: u64, control: &SearchControl<Column>) -> SearchControl<Column> {
    control.within(Limits::nodes(end.saturating_sub(solver.nodes())), *control.time())
}

impl<W: Word> Oracle<ConnectFour<W>> for SolverEngine {
    fn probe(&self, game: &ConnectFour<W>, nodes: u64) -> Option<Verdict<Column>> {
        if game.setup() != self.setup || game.outcome().is_some() {
            return None;
        }
        let (score, column) = self.solve(game, &SearchControl::new(Limits::nodes(nodes)))?;
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

/// The solver's share where the game is lost: the longer the way to the end, the more
/// chances has an opponent who does not see it to lose it. A search has nothing to find
/// there. If it chooses the move instead of the solver, `best` takes 58.0 % of 100 games
/// from the `best` of c19e6d6 instead of 71.5 %, on the same drawn boards at 0.1 s; with
/// this share it takes 77.0 % there, and 68.0 % of 200 on other boards.
const LOST_SHARE: f64 = 0.9;

/// How long the solver tries where there is no limit at all: the user wants to
/// see a search, if not the exact value soon.
const UNLIMITED: Duration = Duration::from_secs(2);

/// Nodes of a solve on the opponent's time, before the search goes on with it.
const PONDERED: u64 = 4_000_000;

impl<W: Word> ExactEngine<ConnectFour<W>> for SolverEngine {
    /// A share of the time, and as large a share of the nodes that the search may
    /// visit (`solver_share`).
    fn answer(
        &mut self,
        record: &Record<ConnectFour<W>>,
        control: &SearchControl<Column>,
    ) -> Option<SearchInfo<Column>> {
        let game = record.game();
        if game.setup() != self.setup {
            return None;
        }
        let limits = control.limits();
        let simulated = limits.sims.map(|sims| sims.saturating_mul(NODES_PER_SIMULATION));
        let most = limits.nodes.or(simulated);
        let unlimited = control.time().left().is_none() && most.is_none();
        let spend = |share: f64| {
            let nodes = most.map(|nodes| (nodes as f64 * share) as u64);
            let time = control.time().share(share);
            let time = if unlimited { time.at_most(UNLIMITED) } else { time };
            control.within(Limits { nodes, ..Limits::default() }, time)
        };
        let share = solver_share(game);
        let (part, more) = (spend(share), spend((1.0 + share) / 2.0));
        let begun = self.solver().nodes();
        // Whatever happens, there is an answer: the most central open column that
        // does not lose at once.
        let mut info = SearchInfo { best: fallback(game), ..SearchInfo::default() };
        let show = |info: &mut SearchInfo<Column>, nodes: u64| {
            info.nodes = nodes - begun;
            info.elapsed = control.time().elapsed();
            control.publish(info);
        };
        let (sign, won) =
            self.solve_sign(game, &part, &more, &mut |now| show(&mut info, now.nodes))?;
        if let Some(mv) = won {
            info = proven(game, sign.lower, mv, info);
            control.publish(&info);
        }
        let lost = sign.upper < 0;
        let whole = if lost { spend(LOST_SHARE) } else { part };
        let end = begun.saturating_add(whole.limits().nodes.unwrap_or(u64::MAX));
        let rest = until(&self.solver(), end, &whole);
        let (bounds, best) =
            self.solve_score(game, &sign, &rest, &mut |now| show(&mut info, now.nodes));
        // A column that loses no sooner than is known of the position.
        let resisting = || {
            let more = spend((1.0 + LOST_SHARE) / 2.0);
            self.solver().column_reaching(game, bounds.lower, &more).map(|at| Column(at as u8))
        };
        let mv = best.or(won).or_else(|| if lost { resisting() } else { None })?;
        info.elapsed = control.time().elapsed();
        // Of a winning move that is not the best only the win is known.
        let nearest = match best {
            Some(_) => bounds.lower,
            None if lost => bounds.upper,
            None => sign.lower,
        };
        Some(proven(game, nearest, mv, info))
    }

    /// A solve of the opponent's position fills the table for ours.
    fn ponder(&mut self, record: &Record<ConnectFour<W>>, control: &SearchControl<Column>) -> bool {
        let game = record.game();
        let share = control.within(Limits::nodes(PONDERED), *control.time());
        game.setup() == self.setup
            && solver_share(game) > 0.0
            && self.solver().solve_sign(game, &share, &mut |_| {}).sign().is_some()
    }
}

impl<W: Word> ExactKnowledge for ConnectFour<W> {
    type Exact = SolverEngine;

    fn exact(setup: &Setup, options: &SolverOptions) -> Option<SolverEngine> {
        SolverEngine::new(setup, options.megabytes, options.threads).ok()
    }
}

/// What is known when a move is proven to reach this score. Where only bounds are known
/// it is the one next to zero: the end comes no later.
fn proven<W: Word>(
    game: &ConnectFour<W>,
    score: i32,
    mv: Column,
    info: SearchInfo<Column>,
) -> SearchInfo<Column> {
    let plies = plies_to_end(game.cells() as i32, game.plies() as i32, score);
    let result = score.signum();
    let score = Score::Proven { result, plies: Some(plies) };
    SearchInfo {
        best: Some(mv),
        score,
        win_rate: f64::from(1 + result) / 2.0,
        source: Source::Solver,
        depth: plies,
        lines: vec![Line { mv, score, visits: info.nodes, pv: vec![mv] }],
        ..info
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
