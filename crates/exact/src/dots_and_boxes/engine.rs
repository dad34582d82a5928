//! The solver at work in games: an oracle that searches may ask, and an engine
//! that answers before a search.

use std::time::Duration;

use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::{Game, Player, Record};
use search::{Limits, Line, Oracle, Score, SearchControl, SearchInfo, Source, Verdict};

use super::board::{Board, Position};
use super::captures::settle;
use super::solver::{SolveProgress, Solver};
use crate::{ExactEngine, ExactKnowledge, SolverOptions};

/// The natural logarithm of the nodes that a solve takes: the more edges are left
/// the more, and the fewer the more boxes belong to chains already. Fitted to 144
/// positions of 5 x 5 with 34 to 40 edges left after strong play; the error has
/// a standard deviation of 0.8, and of 1.2 without the boxes of chains.
fn expected_work(board: &Board, position: Position) -> f64 {
    let rest = settle(board, position).rest;
    let in_chains = board.degrees(rest).two.count_ones();
    14.5 + 0.64 * (f64::from(rest.edges()) - 36.0) - 0.36 * f64::from(in_chains)
}

/// A solve is tried on the clock where it is expected to take up to e times the nodes
/// it has: about one of nine succeeds there. Less hope is not worth the time, which
/// a tree can use.
const HOPE: f64 = 1.0;
/// The same where nodes or simulations are counted: a solve in vain costs the tree
/// less there.
const COUNTED_HOPE: f64 = 2.0;

/// Undrawn edges with which a solve is always tried.
const ALWAYS: u32 = 24;

/// What the solver has achieved in the time it had.
struct Experience {
    /// Nodes a second.
    speed: f64,
    /// By how much the logarithm of the nodes of the last solves was larger than
    /// expected: positions of one game are alike.
    harder: f64,
}

impl Experience {
    const NONE: Experience = Experience { speed: 1.5e6, harder: 0.0 };

    /// Whether a solve has a chance within the limits. Those of nodes alone are not
    /// judged by experience, so that they repeat bit for bit. Without limits it
    /// may take a while.
    fn promises(&self, expected: f64, share: &SearchControl<Edge>) -> bool {
        let (nodes, hope) = match (share.time().left(), share.limits().nodes) {
            (Some(time), _) => (time.as_secs_f64() * self.speed, HOPE - self.harder),
            (None, nodes) => (nodes.map_or(7e6, |nodes| nodes as f64), COUNTED_HOPE),
        };
        nodes.max(1.0).ln() + hope >= expected
    }

    /// Learns from a solve that took so many nodes or, if it did not succeed, would
    /// have taken more.
    fn learn(&mut self, expected: f64, nodes: u64, time: Duration, solved: bool) {
        // Shorter ones tell more about the clock and the first table entries.
        if nodes < 10_000 {
            return;
        }
        self.speed += 0.5 * (nodes as f64 / time.as_secs_f64().max(1e-4) - self.speed);
        let harder = (nodes as f64).ln() - expected;
        self.harder = match solved {
            true => 0.5 * (self.harder + harder),
            false => self.harder.max(harder + 0.5),
        };
    }
}

/// Nodes on the opponent's time before the search gets the rest of it.
const PONDERED: u64 = 4_000_000;

/// The position of a game as the solver sees it, if it is on the solver's board.
fn position(solver: &Solver, game: &DotsAndBoxes) -> Option<Position> {
    let setup = game.setup();
    let board = solver.board();
    let same =
        (usize::from(setup.rows), usize::from(setup.columns)) == (board.rows(), board.cols());
    if same { board.position(game.drawn()).ok() } else { None }
}

/// First's lead at the end, when the mover wins `value` boxes more than the
/// opponent from here on.
fn final_lead(game: &DotsAndBoxes, value: i32) -> i32 {
    game.lead() + game.to_move().sign() * value
}

/// The solver at work in games on one board.
///
/// Where there is hope, it may use most of a move's time to find out whether the
/// game is won, and if it can how high: a tree of the same time wins half of its
/// games against another such tree, with the solver nine of ten. What it finds
/// stays in its table, so after the first success the game is solved to its end.
/// Where there is none, the tree gets all of the time.
pub struct SolverEngine {
    solver: Solver,
    experience: Experience,
}

impl Oracle<DotsAndBoxes> for SolverEngine {
    fn probe(&self, game: &DotsAndBoxes, nodes: u64) -> Option<Verdict<Edge>> {
        let solver = &self.solver;
        let position = position(solver, game)?;
        let control = SearchControl::new(Limits::nodes(nodes));
        let value = solver.solve(position, &control, &mut |_| {}).bounds.value()?;
        let lead = final_lead(game, value);
        let winner = match lead {
            0 => None,
            1.. => Some(Player::First),
            _ => Some(Player::Second),
        };
        let best = solver.first_reaching(position, value, &control, &mut |_| {});
        Some(Verdict {
            winner,
            score: game.to_move().sign() * value,
            plies: Some(position.edges()),
            best: best.map(|edge| Edge(edge as u8)),
            source: Source::Solver,
        })
    }
}

impl SolverEngine {
    /// A solver at work that has no experience yet.
    pub fn new(solver: Solver) -> SolverEngine {
        SolverEngine { solver, experience: Experience::NONE }
    }

    /// Tries to solve a game with `share`, and to find the move with `more`. What
    /// is published goes to both.
    fn solve(
        &mut self,
        game: &DotsAndBoxes,
        share: &SearchControl<Edge>,
        more: &SearchControl<Edge>,
    ) -> Option<SearchInfo<Edge>> {
        let SolverEngine { solver, experience } = self;
        let position = position(solver, game)?;
        let expected = expected_work(solver.board(), position);
        if position.edges() > ALWAYS && !experience.promises(expected, share) {
            return None;
        }
        solver.prepare(position).ok()?;
        // Whatever happens, there is a legal answer.
        let best = solver.board().list(position).next().map(|edge| Edge(edge as u8));
        let mut info = SearchInfo { best, ..SearchInfo::default() };
        let mut show = |progress: &SolveProgress| {
            info.nodes = progress.nodes;
            info.elapsed = share.time().elapsed();
            share.publish(&info);
        };
        let ahead = game.to_move().sign() * game.lead();
        // A board with an odd number of boxes cannot end in a draw.
        let aim = 2 - game.setup().boxes() as i32 % 2 - ahead;
        let solution = solver.solve_towards(position, aim, share, &mut show);
        let won = solution.bounds.low >= aim;
        let solved = won || solution.bounds.value().is_some();
        experience.learn(expected, solution.nodes, solution.elapsed, solved);
        // The move is found in the table, mostly.
        let (value, line) = match solution.bounds.value() {
            Some(value) => (value, solver.line(position, more, &mut show)),
            None if won => {
                let best = solver.first_reaching(position, aim, more, &mut show);
                (aim, best.into_iter().collect())
            }
            None => return None,
        };
        let pv: Vec<Edge> = line.iter().map(|&edge| Edge(edge as u8)).collect();
        let mv = *pv.first()?;
        let result = (game.to_move().sign() * final_lead(game, value)).signum();
        let score = Score::Proven { result, plies: Some(position.edges()) };
        Some(SearchInfo {
            best: Some(mv),
            score,
            win_rate: f64::from(result + 1) / 2.0,
            depth: position.edges(),
            nodes: solution.nodes,
            elapsed: solution.elapsed,
            lines: vec![Line { mv, score, visits: solution.nodes, pv }],
            source: Source::Solver,
            ..SearchInfo::default()
        })
    }
}

impl ExactEngine<DotsAndBoxes> for SolverEngine {
    /// Two thirds of the time, and a quarter more for the move; a quarter of the
    /// nodes that the search may visit.
    fn answer(
        &mut self,
        record: &Record<DotsAndBoxes>,
        control: &SearchControl<Edge>,
    ) -> Option<SearchInfo<Edge>> {
        let limits = control.limits();
        let nodes = limits.nodes.or(limits.sims).map(|nodes| nodes / 4);
        let limits = Limits { nodes, ..Limits::default() };
        let share = control.within(limits, control.time().share(2.0 / 3.0));
        let more = control.within(limits, control.time().share(5.0 / 6.0));
        self.solve(record.game(), &share, &more)
    }

    fn left_over(&self, limits: &Limits) -> Limits {
        Limits { nodes: limits.nodes.map(|nodes| nodes - nodes / 4), ..*limits }
    }

    fn ponder(&mut self, record: &Record<DotsAndBoxes>, control: &SearchControl<Edge>) -> bool {
        // A solve of the opponent's position fills the table for ours.
        let share = control.within(Limits::nodes(PONDERED), *control.time());
        self.solve(record.game(), &share, &share).is_some()
    }
}

impl ExactKnowledge for DotsAndBoxes {
    type Exact = SolverEngine;

    fn exact(setup: &Self::Setup, options: &SolverOptions) -> Option<SolverEngine> {
        let (rows, columns) = (setup.rows.into(), setup.columns.into());
        Solver::new(rows, columns, options.megabytes, options.threads).ok().map(SolverEngine::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hope_follows_experience_on_the_clock_and_not_with_nodes() {
        let timed = SearchControl::new(Limits::time(Duration::from_secs(1_000)));
        let counted = SearchControl::new(Limits::nodes(100_000));
        let expected = 1e9f64.ln();
        let mut experience = Experience::NONE;
        assert!(experience.promises(expected, &timed));
        assert!(!experience.promises(expected, &counted));
        assert!(experience.promises(1e5f64.ln(), &counted));
        // A solve that was cut short after as many nodes as were expected.
        experience.learn(expected, 1_000_000_000, Duration::from_secs(1_000), false);
        assert!(experience.harder >= 0.5 && experience.promises(expected, &timed));
        // One that was ten times as hard, twice.
        for _ in 0..2 {
            experience.learn(expected, 10_000_000_000, Duration::from_secs(10_000), false);
        }
        assert!(!experience.promises(expected, &timed));
        assert!(experience.promises(1e5f64.ln(), &counted), "nodes alone repeat bit for bit");
        // Easy ones give hope again.
        for _ in 0..4 {
            experience.learn(expected, 100_000_000, Duration::from_secs(100), true);
        }
        assert!(experience.promises(expected, &timed));
        assert!((experience.speed - 1e6).abs() < 1e5, "{}", experience.speed);
    }

    #[test]
    fn edges_make_a_solve_longer_and_chains_shorter() {
        let board = Board::new(5, 5).unwrap();
        let left = |position: Position, drawn: &[u32]| {
            drawn.iter().fold(position, |left, &edge| left.without(board.edge(edge)))
        };
        let start = board.start();
        let apart = left(start, &[0, 12]);
        // Both edges of one corner box.
        let chain = left(start, &[0, 30]);
        let work = |position| expected_work(&board, position);
        assert!(work(start) > work(apart) && work(apart) > work(chain));
    }
}
