//! Exact values of many positions: one solver for each thread, some positions at a time.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use exact::SolverOptions;
use games::TextError;
use search::{Limits, SearchControl};

use super::games::BatchGame;
use crate::Playable;

/// What is exactly known of positions, an entry for each; values are the
/// mover's, in the measure of `exact::Solved`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// The value is at least this,
    pub low: Vec<i16>,
    /// and at most this.
    pub high: Vec<i16>,
    /// How the game ends for the mover: +1, 0 or -1; [`Labels::UNKNOWN`] where the
    /// bounds allow more than one result.
    pub results: Vec<i8>,
    /// The value of each move for its mover, [`learn::Shape::moves`] for each position;
    /// [`Labels::NO_MOVE`] for a move that is not legal or not solved. Empty unless
    /// moves were to be solved.
    pub moves: Vec<i16>,
    /// Positions visited by the solver.
    pub nodes: u64,
}

impl Labels {
    /// A result that is not known.
    pub const UNKNOWN: i8 = i8::MIN;
    /// A move without a value.
    pub const NO_MOVE: i16 = i16::MIN;

    fn new(games: usize, moves: usize) -> Labels {
        Labels {
            low: vec![i16::MIN; games],
            high: vec![i16::MAX; games],
            results: vec![Labels::UNKNOWN; games],
            moves: vec![Labels::NO_MOVE; games * moves],
            nodes: 0,
        }
    }
}

/// What to solve.
#[derive(Clone, Copy, Debug)]
pub struct LabelRequest {
    /// What each position may take.
    pub limits: Limits,
    /// Megabytes of tables, all threads together.
    pub megabytes: usize,
    /// Threads, each with some of the positions and a table of its own.
    pub threads: usize,
    /// Whether every move is solved too.
    pub moves: bool,
}

/// Solves every position, until `stop` is set. The solvers are kept from one call to the
/// next, each with its megabytes; `start` says for which board they are.
pub(super) fn solve<G: Playable>(
    start: &G,
    games: &[BatchGame<G>],
    solvers: &mut Vec<(usize, G::Solver)>,
    request: &LabelRequest,
    stop: &AtomicBool,
) -> Result<Labels, TextError> {
    let threads = request.threads.clamp(1, games.len().max(1));
    let megabytes = (request.megabytes / threads).max(1);
    solvers.retain(|(size, _)| *size == megabytes);
    while solvers.len() < threads {
        let options = SolverOptions { megabytes, threads: 1 };
        let solver = G::solver(&start.setup(), &options).map_err(TextError::new)?;
        solvers.push((megabytes, solver));
    }
    // Some at a time in turn: neighbours are alike, and none waits for long.
    const TURN: usize = 64;
    let turns: Vec<&[BatchGame<G>]> = games.chunks(TURN).collect();
    let mut found: Vec<Vec<(usize, Labels)>> = Vec::new();
    thread::scope(|scope| {
        let workers = solvers.iter_mut().take(threads).enumerate();
        let running: Vec<_> = workers
            .map(|(worker, (_, solver))| {
                let mine = turns.iter().enumerate().skip(worker).step_by(threads);
                let work = mine.map(|(number, turn)| (number, *turn)).collect::<Vec<_>>();
                let label = move |(number, turn): (usize, &[BatchGame<G>])| {
                    (number, label_turn(turn, solver, request, stop))
                };
                scope.spawn(move || work.into_iter().map(label).collect())
            })
            .collect();
        found = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
    });
    let mut found: Vec<(usize, Labels)> = found.into_iter().flatten().collect();
    found.sort_by_key(|(number, _)| *number);
    let mut labels = Labels::default();
    for (_, part) in found {
        labels.low.extend(part.low);
        labels.high.extend(part.high);
        labels.results.extend(part.results);
        labels.moves.extend(part.moves);
        labels.nodes += part.nodes;
    }
    Ok(labels)
}

/// The labels of a few positions, by one solver.
fn label_turn<G: Playable>(
    games: &[BatchGame<G>],
    solver: &mut G::Solver,
    request: &LabelRequest,
    stop: &AtomicBool,
) -> Labels {
    let moves = games.first().map_or(0, |one| one.game.shape().moves);
    let width = if request.moves { moves } else { 0 };
    let mut labels = Labels::new(games.len(), width);
    for (i, BatchGame { game, outcome, .. }) in games.iter().enumerate() {
        if let Some(outcome) = outcome {
            let result = (outcome.for_first() * game.to_move().sign()) as i8;
            (labels.low[i], labels.high[i]) = (result.into(), result.into());
            labels.results[i] = result;
            continue;
        }
        if stop.load(Relaxed) {
            continue;
        }
        let control = SearchControl::new(request.limits);
        let watch = &mut |_| {
            if stop.load(Relaxed) {
                control.stop();
            }
        };
        let (low, high, nodes) = if request.moves {
            let found = game.solve_moves(solver, &control, watch);
            let row = &mut labels.moves[i * width..(i + 1) * width];
            for (mv, range) in &found.moves {
                if range.start() == range.end() {
                    row[game.code(*mv)] = *range.start() as i16;
                }
            }
            // The best move's bounds are the position's, if every move has some.
            let all = found.moves.len() == game.count_moves();
            let low = found.moves.iter().map(|(_, range)| *range.start()).max();
            let high = found.moves.iter().map(|(_, range)| *range.end()).max().filter(|_| all);
            (low.unwrap_or(i16::MIN.into()), high.unwrap_or(i16::MAX.into()), found.nodes)
        } else {
            let bounds = game.solve_position(solver, false, &control, watch).bounds;
            (bounds.low, bounds.high, bounds.nodes)
        };
        labels.nodes += nodes;
        (labels.low[i], labels.high[i]) = (low as i16, high as i16);
        let result = game.result(low);
        if result == game.result(high) {
            labels.results[i] = result as i8;
        }
    }
    labels
}
