//! Engines and their searches.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use search::{Limits, Work};
use session::engine::{FAMILIES, missing_limits};
use session::{EngineHandle, EngineSpec, GameSpec, GameVisitor, Playable, Session, open};

use crate::error::{ErrorSlot, error};
use crate::evaluation::leaf_evaluator;
use crate::game::Game;
use crate::interrupt::TICK;
use crate::limits::{check_limits, duration, limits};
use crate::search_result::SearchResult;
use crate::state::State;

/// Where an engine is kept while it does not search.
type EngineSlot = Arc<Mutex<Option<EngineHandle>>>;

/// An engine by its spec, for one game.
///
/// The spec is the command line's: `best`, `uct c=0.5 threads=2`, `alpha-beta`,
/// `puct net=FILE`, `level n=3`, `program command=...`; `boyi.engines()` lists
/// families and parameters. An engine keeps its tree and tables from search to
/// search; `new_game` forgets them.
///
/// >>> engine = boyi.Engine("connect-four", "uct")
/// >>> result = engine.search(boyi.State("connect-four", "4455"), sims=1000)
/// >>> result.best in "3456"
/// True
///
/// `evaluation` is a function that takes the place of the network in a `uct` or
/// `puct` spec: it is called with observations (float32: positions, rows, columns,
/// planes) and returns logits (positions, actions) and values (positions), all from
/// the movers' viewpoint; several threads call it in turn.
#[pyclass(frozen, module = "boyi")]
pub struct Engine {
    pub game: GameSpec,
    pub spec: EngineSpec,
    pub evaluation: Option<Py<PyAny>>,
    handle: EngineSlot,
    errors: ErrorSlot,
}

/// Makes an engine for a game.
struct MakeEngine<'a> {
    spec: &'a EngineSpec,
    seed: u64,
    evaluation: Option<Py<PyAny>>,
    errors: &'a ErrorSlot,
}

impl GameVisitor for MakeEngine<'_> {
    type Output = PyResult<EngineHandle>;

    fn visit<G: Playable>(self, start: G) -> PyResult<EngineHandle> {
        let evaluator = match self.evaluation {
            None => None,
            Some(function) => Some(leaf_evaluator(self.spec, &start, function, self.errors)?),
        };
        let engine = G::engine_with(self.spec, &start, self.seed, evaluator).map_err(error)?;
        Ok(EngineHandle::of(start, engine))
    }
}

/// A search that goes on in its own thread.
struct Running {
    /// The process that has the thread; a child by fork has not.
    process: u32,
    handle: Option<EngineHandle>,
    finished: Receiver<()>,
    ended: bool,
    root: Session,
    slot: EngineSlot,
    errors: ErrorSlot,
}

impl Running {
    /// Waits for the end of the search, but not for longer than `patience`. True if
    /// it has ended. An exception from a signal handler stops the search.
    fn wait(&mut self, py: Python<'_>, patience: Option<Duration>) -> PyResult<bool> {
        if self.is_elsewhere() {
            return Err(error("the search runs in the parent process; make an engine in this one"));
        }
        let begun = Instant::now();
        while !self.ended {
            let left = patience.map(|patience| patience.saturating_sub(begun.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(false);
            }
            self.rest(py, TICK.min(left.unwrap_or(TICK)));
            let interrupted = match self.errors.take() {
                Some(exception) => Err(exception),
                None => py.check_signals(),
            };
            if let Err(exception) = interrupted {
                self.stop(py);
                return Err(exception);
            }
        }
        if self.handle.as_mut().is_some_and(|handle| handle.has_panicked()) {
            self.handle = None;
            return Err(error(
                "the engine failed, and the standard error output says where; make a new one",
            ));
        }
        Ok(true)
    }

    /// Whether this is the copy of a search that a fork made: nobody will end it.
    fn is_elsewhere(&self) -> bool {
        self.process != std::process::id()
    }

    /// Sleeps until the search has ended, or its time is over, or so long.
    fn rest(&mut self, py: Python<'_>, tick: Duration) {
        let (finished, handle) = (Mutex::new(&mut self.finished), &mut self.handle);
        let due = handle.as_ref().and_then(|handle| handle.time_left());
        if due.is_some_and(|left| left.is_zero())
            && let Some(handle) = handle
        {
            handle.stop();
        }
        let tick = due.filter(|left| !left.is_zero()).map_or(tick, |left| tick.min(left));
        self.ended = py.detach(|| {
            let finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
            finished.recv_timeout(tick) != Err(RecvTimeoutError::Timeout)
        });
    }

    /// Stops the search and waits for its end.
    fn stop(&mut self, py: Python<'_>) {
        if let Some(handle) = &mut self.handle {
            handle.stop();
        }
        while !self.ended {
            self.rest(py, TICK);
        }
    }

    fn newest(&self, py: Python<'_>) -> PyResult<SearchResult> {
        let handle = self.handle.as_ref().ok_or_else(|| error("the search has ended"))?;
        let info = handle.newest();
        match &info.fault {
            Some(fault) => Err(error(format!("the program gave no move: {fault:?}"))),
            None => SearchResult::new(py, &info, &self.root),
        }
    }
}

impl Drop for Running {
    /// Brings the engine back. Its thread may wait for the interpreter's lock, so
    /// that is released meanwhile.
    fn drop(&mut self) {
        if self.is_elsewhere() {
            return std::mem::forget(self.handle.take());
        }
        let ended = Python::try_attach(|py| self.stop(py));
        if let (Some(()), Some(mut handle)) = (ended, self.handle.take()) {
            // Its thread is joined here, so that a fork finds none half ended.
            if !handle.has_panicked() {
                *lock(&self.slot) = Some(handle);
            }
        }
    }
}

fn lock(slot: &EngineSlot) -> MutexGuard<'_, Option<EngineHandle>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    fn begin(&self, state: &State, mut limits: Limits) -> PyResult<Running> {
        let session = &state.session;
        if session.spec() != &self.game {
            let (theirs, ours) = (session.spec(), &self.game);
            return Err(error(format!("this engine plays {ours}, not {theirs}")));
        }
        if let Some(outcome) = session.outcome() {
            return Err(error(format!("the game is over: {outcome}")));
        }
        if limits.is_unlimited()
            && missing_limits(&self.game, &self.spec, &limits).map_err(error)?.is_some()
        {
            limits.time = Some(Duration::from_secs(1));
        }
        check_limits(&self.game, &self.spec, &limits)?;
        let busy = "this engine is searching; make another one for a second search at a time";
        let mut handle = lock(&self.handle).take().ok_or_else(|| error(busy))?;
        let moves = session.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        if let Err(fault) = handle.set(Some(&session.start()), &moves) {
            *lock(&self.handle) = Some(handle);
            return Err(error(fault));
        }
        let (sender, finished) = channel();
        // The receiver may be gone already.
        let finished_call = Box::new(move || sender.send(()).unwrap_or_default());
        handle.start(Work::Search(limits), None, finished_call);
        Ok(Running {
            process: std::process::id(),
            handle: Some(handle),
            finished,
            ended: false,
            root: session.clone(),
            slot: self.handle.clone(),
            errors: self.errors.clone(),
        })
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game, spec = "best", *, seed = 1, evaluation = None))]
    fn new(
        game: &Bound<'_, PyAny>,
        spec: &str,
        seed: u64,
        evaluation: Option<Py<PyAny>>,
    ) -> PyResult<Engine> {
        let py = game.py();
        let game = Game::extract(game)?;
        let spec: EngineSpec = spec.parse().map_err(error)?;
        let errors = ErrorSlot::default();
        let kept = evaluation.as_ref().map(|function| function.clone_ref(py));
        if kept.as_ref().is_some_and(|function| !function.bind(py).is_callable()) {
            return Err(PyTypeError::new_err("evaluation is a function of observations"));
        }
        let handle = game.visit(MakeEngine { spec: &spec, seed, evaluation, errors: &errors })?;
        let handle = Arc::new(Mutex::new(Some(handle)));
        Ok(Engine { game, spec, evaluation: kept, handle, errors })
    }

    /// The engine's spec.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The game that it plays.
    #[getter]
    fn game(&self) -> Game {
        Game::of(self.game.clone())
    }

    /// Chooses a move. Several limits hold together; without any it thinks for a
    /// second, unless its spec limits it. Ctrl-C stops it.
    #[pyo3(signature = (state, *, seconds = None, sims = None, nodes = None, depth = None))]
    fn search(
        &self,
        state: PyRef<'_, State>,
        seconds: Option<f64>,
        sims: Option<u64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<SearchResult> {
        let py = state.py();
        let mut running = self.begin(&state, limits(seconds, sims, nodes, depth)?)?;
        // Another thread may use the state while this one sleeps.
        drop(state);
        running.wait(py, None)?;
        match self.errors.take() {
            Some(exception) => Err(exception),
            None => running.newest(py),
        }
    }

    /// Iterates over a search: a result about every `every` seconds, and the answer
    /// at last. Leaving the loop stops the search.
    ///
    /// >>> for result in engine.progress(state, seconds=1, every=0.2):
    /// ...     print(result.depth, result.score)
    #[pyo3(signature = (state, *, every = 0.5, seconds = None, sims = None, nodes = None, depth = None))]
    fn progress(
        &self,
        state: PyRef<'_, State>,
        every: f64,
        seconds: Option<f64>,
        sims: Option<u64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Progress> {
        let every = duration(Some(every))?.unwrap_or(TICK);
        let running = self.begin(&state, limits(seconds, sims, nodes, depth)?)?;
        Ok(Progress { running: Mutex::new(Some(running)), every })
    }

    /// Begins another game: what was found is forgotten, and the seed decides all
    /// random choices from here on.
    #[pyo3(signature = (seed = 1))]
    fn new_game(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        py.detach(|| match &mut *lock(&self.handle) {
            Some(handle) => {
                handle.new_game(seed);
                Ok(())
            }
            None => Err(error("this engine is searching")),
        })
    }

    fn __repr__(&self) -> String {
        format!("boyi.Engine({:?}, {:?})", self.game.to_string(), self.spec.to_string())
    }
}

/// A search under way, as an iterator over its results.
#[pyclass(frozen, module = "boyi")]
pub struct Progress {
    running: Mutex<Option<Running>>,
    every: Duration,
}

#[pymethods]
impl Progress {
    fn __iter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<SearchResult>> {
        let taken = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut running) = taken else { return Ok(None) };
        let ended = running.wait(py, Some(self.every))?;
        if let Some(exception) = running.errors.take() {
            return Err(exception);
        }
        let result = running.newest(py)?;
        if !ended {
            *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
        }
        Ok(Some(result))
    }

    /// Stops the search; the iteration ends.
    fn stop(&self) {
        drop(self.running.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// The families of engines: each with a sentence and its parameters (name, default,
/// a sentence).
#[pyfunction]
pub fn engines(py: Python<'_>) -> PyResult<Bound<'_, pyo3::types::PyDict>> {
    let all = pyo3::types::PyDict::new(py);
    for family in FAMILIES.iter() {
        let parameters: Vec<(&str, String, &str)> = family
            .parameters
            .iter()
            .map(|one| (one.name, one.default.to_string(), one.help))
            .collect();
        all.set_item(family.name, (family.help, parameters))?;
    }
    Ok(all)
}

/// The moves of the opening book at the start of a game; see `State.book`.
#[pyfunction]
pub fn has_book(game: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(!open(&Game::extract(game)?).book_moves().is_empty())
}
