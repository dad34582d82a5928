//! The solver at work in games: as an oracle for other searches and as an
//! engine's better half.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::{Game, Player, Record};
use search::{Budget, Engine, Info, Line, Oracle, Score, Source, Verdict};

use super::board::{BoardError, Position};
use super::solver::{Limits, Progress, Solver};

/// Nodes that an average solve takes where 36 edges are undrawn, after careful
/// play; two edges more cost 4.5 times as many.
const USUAL: f64 = 5_500.0;
const GROWTH: f64 = 4.5;

/// Nodes a second, roughly.
const SPEED: f64 = 1.5e6;

/// Undrawn edges up to which a solve has a chance within the limits: some need
/// only an eighth of what the average one does. Without limits it may take a
/// while.
fn most_tried(limits: &Limits) -> u32 {
    let nodes = limits.nodes.map_or(7e6, |nodes| nodes as f64);
    let nodes = limits.time.map_or(nodes, |time| time.as_secs_f64() * SPEED);
    let times = (8.0 * nodes / USUAL).max(1e-3);
    (36.0 + 2.0 * times.ln() / GROWTH.ln()).clamp(24.0, 50.0) as u32
}

/// Nodes on the opponent's time before the other engine gets the rest of it.
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

/// Answers for certain what the solver can find out within a probe's budget.
pub struct Certain(pub Solver);

impl Oracle<DotsAndBoxes> for Certain {
    fn probe(&self, game: &DotsAndBoxes, budget: &Budget) -> Option<Verdict<Edge>> {
        let position = position(&self.0, game)?;
        let limits = Limits { nodes: Some(budget.nodes), time: None, stop: budget.stop };
        let mut go_on = |_: &Progress| ControlFlow::Continue(());
        let value = self.0.solve(position, &limits, &mut go_on).bounds.value()?;
        let lead = final_lead(game, value);
        let winner = match lead {
            0 => None,
            1.. => Some(Player::First),
            _ => Some(Player::Second),
        };
        let best = self.0.first_reaching(position, value, &limits, &mut go_on);
        Some(Verdict {
            winner,
            score: game.to_move().sign() * value,
            plies: Some(position.edges()),
            best: best.map(|edge| Edge(edge as u8)),
            source: Source::Solver,
        })
    }
}

/// An engine that leaves the game to the solver as soon as the clock allows, and
/// says so.
///
/// Where there is hope, the solver may use most of a move's time to learn whether
/// the game is won, and if it can how high: a tree of the same time wins half of
/// its games against another such tree, with the solver nine of ten. What it finds
/// stays in its table, so after the first success the game is certain to its end.
pub struct WithSolver<E> {
    solver: Solver,
    inner: E,
}

impl<E> WithSolver<E> {
    /// An engine with a solver for the same board.
    pub fn new(solver: Solver, inner: E) -> WithSolver<E> {
        WithSolver { solver, inner }
    }

    /// The engine that plays what is not certain yet.
    pub fn inner(&self) -> &E {
        &self.inner
    }

    /// Tries to solve a game within the time. `Err` holds whether the watch
    /// ended it.
    fn certain(
        &mut self,
        game: &DotsAndBoxes,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<DotsAndBoxes>) -> ControlFlow<()>,
    ) -> Result<Info<DotsAndBoxes>, bool> {
        let position = position(&self.solver, game).ok_or(false)?;
        if position.edges() > most_tried(limits) {
            return Err(false);
        }
        self.solver.prepare(position).map_err(|_: BoardError| false)?;
        let mut broken = false;
        let mut info = Info::new();
        // Whatever happens, there is a legal answer to show.
        info.best = self.solver.board().list(position).next().map(|edge| Edge(edge as u8));
        let mut show = |progress: &Progress| {
            info.nodes = progress.nodes;
            info.elapsed = progress.elapsed;
            let flow = watch(&info);
            broken |= flow.is_break();
            flow
        };
        let ahead = game.to_move().sign() * game.lead();
        // A board with an odd number of boxes cannot end in a draw.
        let aim = 2 - game.setup().boxes() as i32 % 2 - ahead;
        let solution = self.solver.solve_towards(position, aim, limits, &mut show);
        // The move is found in the table, mostly.
        let limits = Limits { time: limits.time.map(|time| time / 4), ..*limits };
        let (value, line) = match solution.bounds.value() {
            Some(value) => (value, self.solver.line(position, &limits, &mut show)),
            None if solution.bounds.low >= aim => {
                let won = self.solver.first_reaching(position, aim, &limits, &mut show);
                (aim, won.into_iter().collect())
            }
            None => return Err(broken),
        };
        let Some(&best) = line.first() else { return Err(broken) };
        let result = (game.to_move().sign() * final_lead(game, value)).signum();
        let pv: Vec<Edge> = line.iter().map(|&edge| Edge(edge as u8)).collect();
        let score = Score::Proven { result, plies: Some(position.edges()) };
        Ok(Info {
            best: Some(Edge(best as u8)),
            score,
            win_rate: f64::from(result + 1) / 2.0,
            depth: position.edges(),
            nodes: solution.nodes,
            elapsed: solution.elapsed,
            lines: vec![Line { mv: Edge(best as u8), score, visits: solution.nodes, pv }],
            source: Source::Solver,
            ..Info::new()
        })
    }
}

impl<E: Engine<DotsAndBoxes>> Engine<DotsAndBoxes> for WithSolver<E> {
    fn think(
        &mut self,
        record: &Record<DotsAndBoxes>,
        limits: &search::Limits,
        watch: &mut dyn FnMut(&Info<DotsAndBoxes>) -> ControlFlow<()>,
    ) -> Info<DotsAndBoxes> {
        let begun = Instant::now();
        let game = record.game();
        // Of a clock, a twentieth is a fair share for one move.
        let clock = limits.clock.map(|clock| {
            let (left, increment) = clock.of(game.to_move());
            left / 20 + increment / 2
        });
        let share = [limits.time, clock].into_iter().flatten().min().map(|time| time * 2 / 3);
        let nodes = limits.nodes.or(limits.sims).map(|nodes| nodes / 4);
        let ours = Limits { nodes, time: share, stop: None };
        match self.certain(game, &ours, watch) {
            Ok(info) => info,
            Err(true) => self.inner.think(record, limits, &mut |_| ControlFlow::Break(())),
            Err(false) => {
                let rest = left_over(limits, game.to_move(), begun.elapsed());
                self.inner.think(record, &rest, watch)
            }
        }
    }

    fn ponder(
        &mut self,
        record: &Record<DotsAndBoxes>,
        watch: &mut dyn FnMut(&Info<DotsAndBoxes>) -> ControlFlow<()>,
    ) {
        // A solve of the opponent's position fills the table for ours.
        let limits = Limits { nodes: Some(PONDERED), ..Limits::default() };
        if let Err(false) = self.certain(record.game(), &limits, watch) {
            self.inner.ponder(record, watch);
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }
}

/// What is left of the limits for the other engine.
fn left_over(limits: &search::Limits, mover: Player, used: Duration) -> search::Limits {
    let mut rest = *limits;
    rest.time = limits.time.map(|time| time.saturating_sub(used));
    rest.nodes = limits.nodes.map(|nodes| nodes - nodes / 4);
    if let Some(clock) = &mut rest.clock {
        let left = &mut clock.left[mover as usize];
        *left = left.saturating_sub(used);
    }
    rest
}
