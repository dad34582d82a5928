//! Who tells a book what to play.

use std::ops::ControlFlow;
use std::time::Duration;

use exact::SolverOptions;
use games::{Record, TextError};
use search::{Engine, Limits, Score, SearchControl};

use super::{Choice, Origin};
use crate::Playable;
use crate::engine::{EngineSpec, build};
use crate::machine::require_memory;

/// How the moves of a book are found.
#[derive(Clone, Debug)]
pub enum Method {
    /// By solving each position.
    Solve(SolverOptions),
    /// By an engine, within limits at each position. Repeatable if it has one
    /// thread and the limits are not of time.
    Search(EngineSpec, Limits),
}

/// Finds a move for one position after another, each as if it were the first.
pub enum MoveSource<G: Playable> {
    /// Solves.
    Solver(G::Solver),
    /// Searches.
    Engine(Box<dyn Engine<G>>, Limits),
}

impl<G: Playable> MoveSource<G> {
    /// A source that uses this method on boards of this setup.
    pub fn new(method: &Method, setup: &G::Setup) -> Result<MoveSource<G>, TextError> {
        Ok(match method {
            Method::Solve(options) => {
                require_memory("the solver", options.megabytes as u64)?;
                MoveSource::Solver(G::solver(setup, options).map_err(TextError::new)?)
            }
            Method::Search(spec, limits) => MoveSource::Engine(build::<G>(spec, 0)?, *limits),
        })
    }

    /// The move to play in a position that is not over; `None` when `stopped` said
    /// so before it was found.
    pub fn ask(
        &mut self,
        game: &G,
        stopped: impl Fn() -> bool + Clone + Send + 'static,
    ) -> Option<Choice<G::Move>> {
        match self {
            MoveSource::Solver(solver) => {
                let control = SearchControl::unlimited();
                if stopped() {
                    control.stop();
                }
                let solved = game.solve_position(solver, false, &control, &mut |_| {
                    if stopped() {
                        control.stop();
                    }
                });
                let (value, &mv) = solved.value().zip(solved.best.first())?;
                let score = Score::Proven { result: game.result(value), plies: solved.plies };
                Some(Choice { mv, score, games: 0, origin: Origin::Solver })
            }
            MoveSource::Engine(engine, limits) => {
                engine.new_game(game.key());
                let poll = stopped.clone();
                let control = SearchControl::new(*limits).observed(move |_| match poll() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                });
                let info = engine.search(&Record::new(game.clone()), &control);
                let score = match info.score {
                    certain @ Score::Proven { .. } => certain,
                    _ => Score::Expected(2.0 * info.win_rate - 1.0),
                };
                let origin = match score {
                    Score::Proven { .. } => Origin::Solver,
                    _ => Origin::Search,
                };
                let mv = info.best.filter(|_| !control.is_stopped() && !stopped())?;
                Some(Choice { mv, score, games: 0, origin })
            }
        }
    }
}

impl Method {
    /// The method in words, for the head of the file.
    pub fn words(&self) -> String {
        match self {
            Method::Solve(_) => "solver".to_owned(),
            Method::Search(spec, limits) => {
                let seconds = |time: Duration| format!("{} s", time.as_secs_f64());
                let parts = [
                    limits.time.map(seconds),
                    limits.sims.map(|n| format!("{n} simulations")),
                    limits.nodes.map(|n| format!("{n} positions")),
                    limits.depth.map(|n| format!("depth {n}")),
                ];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                format!("search by '{spec}', {} a position", parts.join(", "))
            }
        }
    }
}
