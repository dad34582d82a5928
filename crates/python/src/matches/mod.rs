//! Matches between engines, Python functions among them, with their statistics.

mod entry;
mod result;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use arena::statistics::Sprt;
use arena::{Entrant, Format, GameResult, MatchConfig, Openings, RunOptions, Standing, Store, run};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use search::{Clock, Limits};
use session::{GameSpec, GameVisitor, Playable};

use self::entry::{Entry, FunctionEngine};
use crate::error::{ErrorSlot, error};
use crate::evaluation::leaf_evaluator;
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::limits::{check_limits, duration, limits};

pub use self::result::{Encounter, MatchGame, MatchResult};

/// How long an engine of Python's may compute without a sign of life: as long as
/// its author likes.
const PATIENCE: Duration = Duration::from_secs(7 * 86_400);

/// A match to be played.
struct Match<'a> {
    game: GameSpec,
    entries: Arc<Vec<Entry>>,
    labels: Vec<String>,
    limits: Limits,
    pairs: u64,
    openings: Openings,
    gauntlet: bool,
    concurrency: usize,
    sprt: Option<Sprt>,
    margin: Duration,
    store: Option<PathBuf>,
    seed: u64,
    errors: ErrorSlot,
    stop: &'a AtomicBool,
}

impl GameVisitor for Match<'_> {
    type Output = PyResult<(Standing, Vec<GameResult>)>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let entrant = |spec: &String| Entrant {
            spec: spec.clone(),
            version: version.clone(),
            limits: self.limits,
        };
        let entrants = self.labels.iter().map(entrant).collect();
        let mut config = MatchConfig {
            format: if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
            openings: self.openings,
            ..MatchConfig::new::<G>(&start.setup(), entrants, self.seed)
        };
        config.rules.margin = self.margin;
        config.openings.check(&start).map_err(error)?;
        let mut store = match &self.store {
            None => Store::in_memory(),
            Some(path) => Store::open(path),
        }
        .map_err(error)?;
        let pairings = arena::Schedule::new(&config, 1).pairs();
        let python = self.entries.iter().any(Entry::is_python);
        let options = RunOptions {
            rounds: self.pairs.div_ceil(pairings.max(1)),
            concurrency: self.concurrency,
            sprt: self.sprt,
            hang_timeout: if python { PATIENCE } else { RunOptions::default().hang_timeout },
            ..RunOptions::default()
        };
        let (entries, errors) = (self.entries, self.errors.clone());
        let make = move |number: usize| match &entries[number] {
            Entry::Spec(spec, None) => G::engine(spec, &start, 0).map_err(|e| e.to_string()),
            Entry::Spec(spec, Some(function)) => {
                let function = Python::attach(|py| function.clone_ref(py));
                let evaluator = leaf_evaluator(spec, &start, function, &errors);
                let evaluator = evaluator.map_err(|e| e.to_string())?;
                G::engine_with(spec, &start, 0, Some(evaluator)).map_err(|e| e.to_string())
            }
            Entry::Function(function) => {
                let function = Python::attach(|py| function.clone_ref(py));
                Ok(Box::new(FunctionEngine { function, errors: errors.clone() }) as _)
            }
        };
        // What a function raised ends the match; its pair is not counted.
        let (stop, errors) = (self.stop, &self.errors);
        let progress = |_: &arena::MatchProgress| {
            if errors.is_full() {
                stop.store(true, Relaxed);
            }
        };
        let played = run::<G>(&config, &options, Arc::new(make), &mut store, stop, progress);
        let standing = played.map_err(error)?;
        let id = store.match_id(&config).map_err(error)?;
        let mut games = store.games(id).map_err(error)?;
        games.retain(|game| game.index / 2 < standing.pairs);
        Ok((standing, games))
    }
}

/// Plays engines against each other, in pairs of games from one opening with the
/// sides swapped.
///
/// An engine is a spec, a `boyi.Engine` (its spec and evaluation; the match makes
/// its own), or a function from a state to a move. Limits are for each move;
/// `clock` is (seconds, increment) for a whole game. With `store`, games are kept in
/// a file, and the same call goes on after an interruption; Ctrl-C stops it.
/// `sprt=(elo0, elo1)` ends the match when the test has decided.
///
/// >>> result = boyi.match("connect-four", ["uct", "random"], games=20, sims=100)
/// >>> result.score > 0.9
/// True
/// >>> result.games[0].state().outcome
/// <boyi.Outcome: ...>
#[pyfunction]
#[pyo3(name = "match", signature = (
    game, engines, *, games = 100, seconds = None, sims = None, nodes = None, depth = None,
    clock = None, opening_plies = 4, openings = None, gauntlet = false, concurrency = 1,
    sprt = None, margin = 0.1, store = None, seed = 1
))]
#[expect(clippy::too_many_arguments, reason = "Python's keyword arguments")]
pub fn play_match(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    engines: &Bound<'_, PyAny>,
    games: u64,
    seconds: Option<f64>,
    sims: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    clock: Option<(f64, f64)>,
    opening_plies: u32,
    openings: Option<Vec<String>>,
    gauntlet: bool,
    concurrency: usize,
    sprt: Option<(f64, f64)>,
    margin: f64,
    store: Option<PathBuf>,
    seed: u64,
) -> PyResult<MatchResult> {
    let game = Game::extract(game)?;
    let entries = match engines.try_iter() {
        Ok(items) if !engines.is_instance_of::<PyString>() => {
            items.map(|item| Entry::extract(&item?)).collect::<PyResult<Vec<_>>>()?
        }
        _ => return Err(PyTypeError::new_err("engines is a list, such as [\"best\", \"uct\"]")),
    };
    if entries.len() < 2 {
        return Err(error("a match needs at least two engines"));
    }
    if games == 0 || concurrency == 0 || concurrency > 1024 {
        return Err(error("games are at least 1, and concurrency goes from 1 to 1024"));
    }
    let mut limits = limits(seconds, sims, nodes, depth)?;
    if let Some((base, increment)) = clock {
        let base = duration(Some(base))?.unwrap_or_default();
        let increment = if increment == 0.0 { None } else { duration(Some(increment))? };
        limits.clock = Some(Clock::new(base, increment.unwrap_or_default()));
    }
    for entry in &entries {
        if let Entry::Spec(spec, _) = entry {
            check_limits(&game, spec, &limits)?;
            session::open(&game).check_engine(spec).map_err(error)?;
        }
    }
    let labels: Vec<String> =
        entries.iter().enumerate().map(|(number, entry)| entry.label(py, number)).collect();
    let sprt = sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1));
    if let Some(sprt) = &sprt {
        sprt.check().map_err(error)?;
    }
    let openings = match openings {
        Some(list) => Openings::Listed(list),
        None => Openings::Random { plies: opening_plies },
    };
    let (errors, entries) = (ErrorSlot::default(), Arc::new(entries));
    let (names, name) = (labels.clone(), game.name());
    let margin = duration(Some(margin))?.unwrap_or_default();
    let played = interruptible(py, |stop| {
        let work = Match {
            game: game.clone(),
            entries: entries.clone(),
            labels,
            limits,
            pairs: games.div_ceil(2),
            openings,
            gauntlet,
            concurrency,
            sprt,
            margin,
            store,
            seed,
            errors: errors.clone(),
            stop,
        };
        work.game.clone().visit(work)
    })?;
    if let Some(exception) = errors.take() {
        return Err(exception);
    }
    let (standing, games) = played?;
    MatchResult::new(py, name, names, standing, games, seed)
}
