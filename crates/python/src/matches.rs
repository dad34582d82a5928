//! Matches between engines, Python functions among them, with their statistics.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use arena::statistics::{Decision, Sprt, Tally, ratings};
use arena::{Entrant, Format, GameResult, MatchConfig, Openings, RunOptions, Standing, Store, run};
use games::Record;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use search::{Clock, Engine, Fault, Limits, SearchControl, SearchInfo};
use session::{EngineSpec, GameSpec, GameVisitor, Playable, Session};

use crate::engine::{Engine as PyEngine, check_limits, limits};
use crate::error::{ErrorSlot, error};
use crate::evaluation::leaf_evaluator;
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::state::{GameOutcome, State};
use crate::vector::duration;

/// How long an engine of Python's may compute without a sign of life: as long as
/// its author likes.
const PATIENCE: Duration = Duration::from_secs(7 * 86_400);

/// A player of a match.
enum Entry {
    /// By its spec, perhaps with a function in the place of its network.
    Spec(EngineSpec, Option<Py<PyAny>>),
    /// A function from a state to a move.
    Function(Py<PyAny>),
}

impl Entry {
    fn extract(value: &Bound<'_, PyAny>) -> PyResult<Entry> {
        if let Ok(text) = value.extract::<String>() {
            return Ok(Entry::Spec(text.parse().map_err(error)?, None));
        }
        if let Ok(engine) = value.cast::<PyEngine>() {
            let engine = engine.get();
            let function = engine.evaluation.as_ref().map(|one| one.clone_ref(value.py()));
            return Ok(Entry::Spec(engine.spec.clone(), function));
        }
        match value.is_callable() {
            true => Ok(Entry::Function(value.clone().unbind())),
            false => Err(PyTypeError::new_err(
                "an engine is a spec, a boyi.Engine, or a function from a state to a move",
            )),
        }
    }

    /// What the match calls it. Two functions with one name are two players by
    /// their numbers.
    fn label(&self, py: Python<'_>, number: usize) -> String {
        let name = |function: &Py<PyAny>| {
            let name = function.getattr(py, "__name__").ok();
            let name = name.and_then(|name| name.extract::<String>(py).ok());
            name.unwrap_or_else(|| "function".to_owned())
        };
        match self {
            Entry::Spec(spec, None) => spec.to_string(),
            Entry::Spec(spec, Some(function)) => {
                format!("{spec} with {} ({})", name(function), number + 1)
            }
            Entry::Function(function) => format!("{} ({})", name(function), number + 1),
        }
    }

    fn is_python(&self) -> bool {
        !matches!(self, Entry::Spec(_, None))
    }
}

/// A Python function as an engine.
struct FunctionEngine {
    function: Py<PyAny>,
    errors: ErrorSlot,
}

impl FunctionEngine {
    fn ask<G: Playable>(&self, py: Python<'_>, record: &Record<G>) -> PyResult<G::Move> {
        let session = Session::of_record(record.clone());
        let state = Py::new(py, State::new(session.clone()))?;
        let answer = self.function.bind(py).call1((state,))?;
        let action = State::extract_action(&session, &answer)?;
        session.action_text(action).map_err(error)?;
        Ok(G::Move::from(action as u16))
    }
}

impl<G: Playable> Engine<G> for FunctionEngine {
    fn search(&mut self, record: &Record<G>, _: &SearchControl<G::Move>) -> SearchInfo<G::Move> {
        let unsearched = SearchInfo::default();
        match Python::try_attach(|py| self.ask(py, record)) {
            Some(Ok(mv)) => SearchInfo { best: Some(mv), nodes: 1, ..unsearched },
            Some(Err(exception)) => {
                let fault = Some(Fault::Gone(format!("raised {exception}")));
                self.errors.put(exception);
                SearchInfo { fault, ..unsearched }
            }
            None => SearchInfo { fault: Some(Fault::Gone("lost Python".into())), ..unsearched },
        }
    }

    fn new_game(&mut self, _seed: u64) {}

    fn is_anytime(&self) -> bool {
        false
    }
}

/// The results of one engine against another, from the first one's viewpoint.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct Encounter {
    /// The two engines by number.
    engines: [usize; 2],
    /// Games won by the first.
    wins: u64,
    /// Games drawn.
    draws: u64,
    /// Games lost.
    losses: u64,
    /// Pairs of games by their points: 0, 1/2, 1, 3/2 and 2.
    pentanomial: [u64; 5],
    /// Points per game, from 0 to 1.
    score: f64,
    /// The 95% Wilson interval of the score.
    interval: (f64, f64),
    /// The Elo difference, with half the width of its 95% interval; None without
    /// games.
    elo: Option<(f64, f64)>,
    /// The same in normalized Elo.
    nelo: Option<(f64, f64)>,
    /// The chance that the first is the stronger.
    los: Option<f64>,
    text: String,
}

impl Encounter {
    fn new(engines: [usize; 2], tally: &Tally) -> Encounter {
        let elo = tally.elo();
        Encounter {
            engines,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pentanomial: tally.pairs,
            score: tally.score(),
            interval: tally.wilson(),
            elo: elo.map(|one| (one.elo.value, one.elo.error)),
            nelo: elo.map(|one| (one.nelo.value, one.nelo.error)),
            los: elo.map(|one| one.los),
            text: tally.to_string(),
        }
    }
}

#[pymethods]
impl Encounter {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<boyi.Encounter +{} ={} -{}>", self.wins, self.draws, self.losses)
    }
}

/// A finished game of a match.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct MatchGame {
    /// Its number; games 2k and 2k + 1 are a pair with one opening.
    number: u64,
    /// The engines that played first and second, by number.
    engines: [usize; 2],
    /// All moves as text, the opening included.
    moves: String,
    /// The moves of the opening.
    opening: String,
    /// How it ended.
    outcome: Py<GameOutcome>,
    /// What the referee remarked, such as what an engine did wrong.
    note: String,
    /// Seconds of each move after the opening.
    seconds: Vec<f64>,
    /// The mover's win rate by its own estimate at each move after the opening.
    win_rates: Vec<f64>,
    spec: String,
}

impl MatchGame {
    fn new(py: Python<'_>, name: &str, game: GameResult) -> PyResult<MatchGame> {
        Ok(MatchGame {
            number: game.index,
            engines: game.engines,
            seconds: game.plies.iter().map(|ply| ply.micros as f64 / 1e6).collect(),
            win_rates: game.plies.iter().map(|ply| ply.win_rate).collect(),
            spec: format!("{name} {}", game.setup).trim_end().to_owned(),
            moves: game.moves,
            opening: game.opening,
            outcome: Py::new(py, GameOutcome::new(game.outcome))?,
            note: game.note,
        })
    }
}

#[pymethods]
impl MatchGame {
    /// The game at its end, as a state.
    fn state(&self) -> PyResult<State> {
        let mut session = session::open(&self.spec.parse().map_err(error)?);
        let (position, moves) = arena::split_position(&self.moves);
        session.set(position, &[]).and_then(|()| session.play(moves)).map_err(error)?;
        Ok(State::new(session))
    }

    fn __repr__(&self) -> String {
        format!("<boyi.MatchGame {}: {}>", self.number, self.outcome.get().text)
    }
}

/// A match and what its results mean.
///
/// `wins`, `score`, `elo` and so on are those of the first engine against all
/// others; `encounters` has every pairing.
#[pyclass(frozen, module = "boyi")]
pub struct MatchResult {
    #[pyo3(get)]
    engines: Vec<String>,
    #[pyo3(get)]
    encounters: Vec<Py<Encounter>>,
    #[pyo3(get)]
    games: Vec<Py<MatchGame>>,
    standing: Standing,
    seed: u64,
}

impl MatchResult {
    fn first(&self) -> Encounter {
        Encounter::new([0, 1], &self.standing.of(0))
    }
}

#[pymethods]
impl MatchResult {
    /// Games won by the first engine.
    #[getter]
    fn wins(&self) -> u64 {
        self.first().wins
    }

    /// Its draws.
    #[getter]
    fn draws(&self) -> u64 {
        self.first().draws
    }

    /// Its losses.
    #[getter]
    fn losses(&self) -> u64 {
        self.first().losses
    }

    /// Its points per game, from 0 to 1.
    #[getter]
    fn score(&self) -> f64 {
        self.first().score
    }

    /// The 95% Wilson interval of its score.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        self.first().interval
    }

    /// Its Elo difference and half the width of the 95% interval.
    #[getter]
    fn elo(&self) -> Option<(f64, f64)> {
        self.first().elo
    }

    /// The same in normalized Elo.
    #[getter]
    fn nelo(&self) -> Option<(f64, f64)> {
        self.first().nelo
    }

    /// The chance that it is the stronger.
    #[getter]
    fn los(&self) -> Option<f64> {
        self.first().los
    }

    /// Its pairs of games by their points: 0, 1/2, 1, 3/2 and 2.
    #[getter]
    fn pentanomial(&self) -> [u64; 5] {
        self.first().pentanomial
    }

    /// The log-likelihood ratio of the sequential test; 0 without one.
    #[getter]
    fn llr(&self) -> f64 {
        self.standing.llr
    }

    /// What the sequential test decided: "elo0", "elo1" or None.
    #[getter]
    fn decision(&self) -> Option<&'static str> {
        match self.standing.decision {
            Decision::Open => None,
            Decision::Null => Some("elo0"),
            Decision::Better => Some("elo1"),
        }
    }

    /// Bradley-Terry ratings of all engines on one scale: Elo, and the ends of its
    /// 95% interval by bootstrap over pairs.
    fn ratings(&self) -> Vec<(f64, f64, f64)> {
        let found = ratings(self.engines.len(), &self.standing.encounters, 1000, self.seed);
        found.iter().map(|one| (one.elo, one.low, one.high)).collect()
    }

    fn __str__(&self) -> String {
        let one = |encounter: &arena::statistics::Encounter| {
            let [a, b] = encounter.engines.map(|number| &self.engines[number]);
            format!("{a} against {b}\n{}", encounter.tally)
        };
        self.standing.encounters.iter().map(one).collect::<Vec<_>>().join("\n\n")
    }

    fn __repr__(&self) -> String {
        let first = self.first();
        let (wins, draws, losses) = (first.wins, first.draws, first.losses);
        format!("<boyi.MatchResult +{wins} ={draws} -{losses} of {}>", self.engines[0])
    }
}

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
    engines: Vec<Bound<'_, PyAny>>,
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
    let entries = engines.iter().map(Entry::extract).collect::<PyResult<Vec<_>>>()?;
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
    let encounter =
        |one: &arena::statistics::Encounter| Py::new(py, Encounter::new(one.engines, &one.tally));
    let game = |game: GameResult| Py::new(py, MatchGame::new(py, name, game)?);
    Ok(MatchResult {
        engines: names,
        encounters: standing.encounters.iter().map(encounter).collect::<PyResult<_>>()?,
        games: games.into_iter().map(game).collect::<PyResult<_>>()?,
        standing,
        seed,
    })
}
