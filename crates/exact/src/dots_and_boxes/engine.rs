//! The solver at work in games: an oracle that searches may ask, and an engine
//! that answers before a search.

use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::{Game, Player, Record};
use search::knowledge::best_by_default;
use search::{
    Limits, Line, Oracle, Score, SearchControl, SearchInfo, Source, TimeManager, Verdict,
};

use super::board::Position;
use super::search::PATIENCE;
use super::solver::{SolveProgress, Solver};
use crate::{ExactEngine, ExactKnowledge, SolverOptions};

/// Nodes that an average solve takes where 36 edges are undrawn, after careful
/// play; two edges more cost 4.5 times as many.
const USUAL: f64 = 5_500.0;
const GROWTH: f64 = 4.5;

/// Nodes a second, roughly.
const SPEED: f64 = 2e6;

/// Undrawn edges up to which a solve has a chance within the limits: some need
/// only an eighth of what the average one does. Without limits it may take a
/// while.
fn most_tried(share: &SearchControl<Edge>) -> u32 {
    let nodes = share.limits().nodes.map_or(7e6, |nodes| nodes as f64);
    let nodes = share.time().left().map_or(nodes, |time| time.as_secs_f64() * SPEED);
    let times = (8.0 * nodes / USUAL).max(1e-3);
    (36.0 + 2.0 * times.ln() / GROWTH.ln()).clamp(24.0, 50.0) as u32
}

/// The natural logarithm of the nodes that a whole solve takes after strong play, by the
/// undrawn edges and the boxes that have two of them left; measured on 5 x 5.
fn expected_work(edges: u32, twos: u32) -> f64 {
    14.5 + 0.64 * (f64::from(edges) - 36.0) - 0.36 * f64::from(twos)
}

/// The standard deviation of [`expected_work`].
const WORK_DEVIATION: f64 = 0.8;

/// Whether a solve has a fair chance to end within the time of a share: to know that a
/// position is won takes less than to know its value, and the table may know a part.
fn is_likely(solver: &Solver, position: Position, share: &TimeManager) -> bool {
    let twos = solver.board().boxes_with_two(position);
    let nodes = share.left().map_or(f64::INFINITY, |time| time.as_secs_f64() * SPEED);
    expected_work(position.edges(), twos) <= nodes.ln() + WORK_DEVIATION
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
pub struct SolverEngine(pub Solver);

impl Oracle<DotsAndBoxes> for SolverEngine {
    /// Nodes are counted a thousand at a time; with fewer there is no answer.
    fn probe(&self, game: &DotsAndBoxes, nodes: u64) -> Option<Verdict<Edge>> {
        if nodes < PATIENCE {
            return None;
        }
        let position = position(&self.0, game)?;
        let control = SearchControl::new(Limits::nodes(nodes));
        let value = self.0.solve(position, &control, &mut |_| {}).bounds.value()?;
        let lead = final_lead(game, value);
        let winner = match lead {
            0 => None,
            1.. => Some(Player::First),
            _ => Some(Player::Second),
        };
        let best = self.0.move_reaching(position, value, &control, &mut |_| {});
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
    /// Tries to solve a game with `share`, and to find the move with `more`. What
    /// is published goes to both.
    fn solve(
        &mut self,
        game: &DotsAndBoxes,
        share: &SearchControl<Edge>,
        more: &SearchControl<Edge>,
    ) -> Option<SearchInfo<Edge>> {
        let SolverEngine(solver) = self;
        let position = position(solver, game)?;
        if position.edges() > most_tried(share) {
            return None;
        }
        solver.prepare(position).ok()?;
        // Whatever happens, there is an answer, and no arbitrary one.
        let best = best_by_default(game);
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
        let won = (solution.bounds.low >= aim).then_some(aim);
        let value = solution.bounds.value().or(won)?;
        let mv = solver.move_reaching(position, value, more, &mut show)?;
        let result = (game.to_move().sign() * final_lead(game, value)).signum();
        let score = Score::Proven { result, plies: Some(position.edges()) };
        info = SearchInfo {
            best: Some(Edge(mv as u8)),
            score,
            win_rate: f64::from(result + 1) / 2.0,
            depth: position.edges(),
            nodes: solution.nodes,
            elapsed: solution.elapsed,
            source: Source::Solver,
            ..SearchInfo::default()
        };
        // From here on an interruption finds the move.
        share.publish(&info);
        let mut pv = vec![mv];
        if solution.bounds.value().is_some() {
            let after = position.without(solver.board().edge(mv));
            pv.extend(solver.line(after, more, &mut |_| {}));
        }
        let pv: Vec<Edge> = pv.into_iter().map(|edge| Edge(edge as u8)).collect();
        info.lines = vec![Line { mv: pv[0], score, visits: solution.nodes, pv }];
        Some(info)
    }
}

impl ExactEngine<DotsAndBoxes> for SolverEngine {
    /// Two thirds of the time, and a quarter more for the move; a quarter of the
    /// nodes that the search may visit. Where a hand-out can be kept or given away, almost
    /// all of the time: one of the two wins as a rule, and a tree does not know which.
    ///
    /// On a clock a solve that is likely to end may use several times an even part: after
    /// it no move of the game takes time.
    fn answer(
        &mut self,
        record: &Record<DotsAndBoxes>,
        control: &SearchControl<Edge>,
    ) -> Option<SearchInfo<Edge>> {
        let limits = control.limits();
        let nodes = limits.nodes.or(limits.sims).map(|nodes| nodes / 4);
        let limits = Limits { nodes, ..Limits::default() };
        let (solver, time) = (&self.0, control.time());
        let position = position(solver, record.game())?;
        let handout = solver.offers_handout(position);
        let (solving, choosing) = if handout { (0.85, 0.9) } else { (2.0 / 3.0, 5.0 / 6.0) };
        let long = time.on_clock() && is_likely(solver, position, &time.long_share(solving));
        let part = |fraction| if long { time.long_share(fraction) } else { time.share(fraction) };
        let share = control.within(limits, part(solving));
        let more = control.within(limits, part(choosing));
        self.solve(record.game(), &share, &more)
    }

    fn left_over(&self, limits: &Limits) -> Limits {
        Limits { nodes: limits.nodes.map(|nodes| nodes - nodes / 4), ..*limits }
    }

    fn warm_up(&mut self) {
        self.0.warm_up();
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
        Solver::new(rows, columns, options.megabytes, options.threads).ok().map(SolverEngine)
    }
}
