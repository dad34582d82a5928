//! Many games at once, as NumPy arrays.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::TextError;
use numpy::{
    AllowTypeChange, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods,
    PyUntypedArrayMethods, ToPyArray,
};
use pyo3::prelude::*;
use search::Limits;
use session::{GameBatch, LabelRequest, Labels, StepBuffers};

use crate::error::{error, internal_error};
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::state::State;

/// What a step of many games gave: arrays with an entry for each game.
#[pyclass(frozen, module = "boyi")]
pub struct Step {
    /// The moves that were played (int16); -1 in a game that was over before.
    #[pyo3(get)]
    actions: Py<PyArray1<i16>>,
    /// Player 0's results of the games that this step ended (int8); 0 elsewhere.
    #[pyo3(get)]
    results: Py<PyArray1<i8>>,
    /// Whether this step ended the game (bool), or it was over before.
    #[pyo3(get)]
    finished: Py<PyArray1<bool>>,
    /// Who moves next (int8).
    #[pyo3(get)]
    players: Py<PyArray1<i8>>,
    /// The legal moves after the step: int8 of games by actions.
    #[pyo3(get)]
    mask: Py<PyArray2<i8>>,
    /// Whether a thread writes to the arrays.
    busy: AtomicBool,
}

impl Step {
    fn new(py: Python<'_>, games: usize, moves: usize) -> Step {
        Step {
            actions: PyArray1::zeros(py, games, false).unbind(),
            results: PyArray1::zeros(py, games, false).unbind(),
            finished: PyArray1::zeros(py, games, false).unbind(),
            players: PyArray1::zeros(py, games, false).unbind(),
            mask: PyArray2::zeros(py, [games, moves], false).unbind(),
            busy: AtomicBool::new(false),
        }
    }

    /// Fills its arrays, without the interpreter's lock.
    fn fill(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut StepBuffers) -> Result<(), TextError> + Send,
    ) -> PyResult<()> {
        if self.busy.swap(true, Acquire) {
            return Err(error("another thread writes to this step; give each thread its own"));
        }
        let filled = self.fill_exclusively(py, work);
        self.busy.store(false, Release);
        filled
    }

    /// The same for the one caller that has set `busy`.
    fn fill_exclusively(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut StepBuffers) -> Result<(), TextError> + Send,
    ) -> PyResult<()> {
        // SAFETY: slices of these arrays are made here only, and `busy` lets one caller
        // in at a time. The bindings' own check of borrows took a tenth of the time of
        // a step of a thousand games. Python code that reads an array while a step is
        // written to it may see parts of both, as with every function of NumPy that
        // releases the lock.
        let (actions, results, finished, movers, masks) = unsafe {
            (
                self.actions.bind(py).as_slice_mut()?,
                self.results.bind(py).as_slice_mut()?,
                self.finished.bind(py).as_slice_mut()?,
                self.players.bind(py).as_slice_mut()?,
                self.mask.bind(py).as_slice_mut()?,
            )
        };
        let mut buffers = StepBuffers { actions, results, finished, movers, masks };
        let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&mut buffers))));
        done.map_err(|_| internal_error())?.map_err(error)
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self, py: Python<'_>) -> String {
        let games = self.actions.bind(py).len();
        format!("<boyi.Step of {games} games>")
    }
}

/// What is exactly known of positions, an entry for each.
///
/// Values are the mover's in the game's own measure: the published score in Connect
/// Four (+k: wins with its k-th last stone), the difference of boxes still to be
/// won in Dots and Boxes, the sign in Surakarta. The result is the sign of how the
/// game ends: 1, 0 or -1.
#[pyclass(frozen, get_all, name = "Labels", module = "boyi")]
pub struct PyLabels {
    /// The values (int16), where `exact`; else a lower bound.
    value: Py<PyArray1<i16>>,
    /// Upper bounds (int16), equal to `value` where `exact`.
    upper: Py<PyArray1<i16>>,
    /// Whether the value is exact (bool).
    exact: Py<PyArray1<bool>>,
    /// How the game ends for the mover (int8): 1, 0 or -1; -128 where that is open.
    result: Py<PyArray1<i8>>,
    /// Each move's value for its mover (int16, positions by actions), -32768 where a
    /// move is not legal or not solved; None unless moves were solved.
    moves: Option<Py<PyArray2<i16>>>,
    /// Positions that the solver visited.
    nodes: u64,
}

impl PyLabels {
    fn new(py: Python<'_>, labels: Labels, moves: usize) -> PyResult<PyLabels> {
        let Labels { low, high, results, moves: values, nodes } = labels;
        let exact: Vec<bool> = low.iter().zip(&high).map(|(low, high)| low == high).collect();
        let games = low.len();
        let values = match values.is_empty() {
            true => None,
            false => Some(PyArray1::from_vec(py, values).reshape([games, moves])?.unbind()),
        };
        Ok(PyLabels {
            value: PyArray1::from_vec(py, low).unbind(),
            upper: PyArray1::from_vec(py, high).unbind(),
            exact: PyArray1::from_vec(py, exact).unbind(),
            result: PyArray1::from_vec(py, results).unbind(),
            moves: values,
            nodes,
        })
    }
}

#[pymethods]
impl PyLabels {
    /// The best moves (bool, positions by actions); None unless moves were solved.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<bool>>>> {
        let Some(moves) = &self.moves else { return Ok(None) };
        let moves = moves.bind(py).try_readonly()?;
        let mut best = moves.as_array().map(|_| false);
        for (row, mut out) in moves.as_array().outer_iter().zip(best.outer_iter_mut()) {
            let most = row.iter().copied().max().unwrap_or(Labels::NO_MOVE);
            let is_best = |&value: &i16| value == most && value != Labels::NO_MOVE;
            out.iter_mut().zip(&row).for_each(|(out, value)| *out = is_best(value));
        }
        Ok(Some(best.to_pyarray(py)))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.value.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let exact = self.exact.bind(py).try_readonly()?;
        let known = exact.as_array().iter().filter(|&&exact| exact).count();
        Ok(format!("<boyi.Labels: {known} of {} positions solved>", self.__len__(py)))
    }
}

/// Many games of one setup at once.
///
/// Every call works on all games, with the interpreter's lock released. A game is
/// its position; games that end begin again at once unless `restart=False`.
///
/// >>> games = boyi.VectorState("connect-four", 1024, seed=1)
/// >>> step = games.step_random()
/// >>> step.mask.shape, step.finished.sum()
/// ((1024, 7), 0)
/// >>> games.observations().shape
/// (1024, 6, 7, 4)
#[pyclass(frozen, module = "boyi")]
pub struct VectorState {
    batch: Mutex<GameBatch>,
    restart: bool,
}

impl VectorState {
    pub fn of(batch: GameBatch, restart: bool) -> VectorState {
        VectorState { batch: Mutex::new(batch), restart }
    }

    /// The batch; waiting for another thread with it must be done without the
    /// interpreter's lock, or that thread may wait for us.
    fn lock(&self) -> MutexGuard<'_, GameBatch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A step into `out`, or into new arrays.
    fn advance(
        &self,
        py: Python<'_>,
        actions: Option<&[i64]>,
        out: Option<Py<Step>>,
    ) -> PyResult<Py<Step>> {
        let step = match out {
            Some(step) => step,
            None => self.arrays(py)?,
        };
        step.get().fill(py, |buffers| {
            let mut batch = self.lock();
            let sizes = [buffers.actions.len(), buffers.masks.len()];
            if sizes != [batch.len(), batch.len() * batch.shape().moves] {
                let text = "out is a step of other games; give one of this vector's";
                return Err(TextError::new(text));
            }
            batch.step(actions, self.restart, buffers)
        })?;
        Ok(step)
    }

    /// New arrays for a step of these games.
    fn arrays(&self, py: Python<'_>) -> PyResult<Py<Step>> {
        let (games, moves) = py.detach(|| {
            let batch = self.lock();
            (batch.len(), batch.shape().moves)
        });
        Py::new(py, Step::new(py, games, moves))
    }
}

#[pymethods]
impl VectorState {
    #[new]
    #[pyo3(signature = (game, count, *, seed = 1, restart = true))]
    fn new(
        game: &Bound<'_, PyAny>,
        count: usize,
        seed: u64,
        restart: bool,
    ) -> PyResult<VectorState> {
        let spec = Game::extract(game)?;
        Ok(VectorState::of(GameBatch::new(&spec, count, seed), restart))
    }

    /// The positions of some states, with their histories.
    #[staticmethod]
    #[pyo3(signature = (states, *, seed = 1, restart = false))]
    fn from_states(
        states: Vec<PyRef<'_, State>>,
        seed: u64,
        restart: bool,
    ) -> PyResult<VectorState> {
        let first = states.first().ok_or_else(|| error("there is no state; give at least one"))?;
        let mut batch = GameBatch::new(first.session.spec(), 0, seed);
        states.iter().try_for_each(|state| batch.push(&state.session)).map_err(error)?;
        Ok(VectorState::of(batch, restart))
    }

    /// Random positions that are not over: each after a number of uniformly random
    /// plies drawn from `min_plies` to `max_plies`. If `distinct`, no two are equal
    /// or symmetric images of each other.
    #[staticmethod]
    #[pyo3(signature = (game, count, min_plies, max_plies, *, distinct = true, seed = 1))]
    fn random_positions(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        count: usize,
        min_plies: u32,
        max_plies: u32,
        distinct: bool,
        seed: u64,
    ) -> PyResult<VectorState> {
        if min_plies > max_plies {
            return Err(error(format!("min_plies {min_plies} is above max_plies {max_plies}")));
        }
        let mut batch = GameBatch::new(&Game::extract(game)?, 0, seed);
        interruptible(py, |stop| batch.scatter(count, min_plies..=max_plies, distinct, stop))?
            .map_err(error)?;
        Ok(VectorState::of(batch, false))
    }

    /// The game and its setup.
    #[getter]
    fn game(&self, py: Python<'_>) -> Game {
        Game::of(py.detach(|| self.lock().spec().clone()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.lock().len())
    }

    /// Plays a move in each game: an array of action numbers. What is given for a
    /// game that is over is ignored. If one of them is not legal, nothing is played.
    /// `out` is a step whose arrays are written again, instead of new ones.
    #[pyo3(signature = (actions, *, out = None))]
    fn step(
        &self,
        py: Python<'_>,
        actions: PyArrayLike1<'_, i64, AllowTypeChange>,
        out: Option<Py<Step>>,
    ) -> PyResult<Py<Step>> {
        let actions: Vec<i64> = actions.as_array().iter().copied().collect();
        self.advance(py, Some(&actions), out)
    }

    /// Plays a uniformly random legal move in each game. `out` is a step whose arrays
    /// are written again, instead of new ones.
    #[pyo3(signature = (*, out = None))]
    fn step_random(&self, py: Python<'_>, out: Option<Py<Step>>) -> PyResult<Py<Step>> {
        self.advance(py, None, out)
    }

    /// What stands now, as a step that played nothing: masks, players, and the
    /// results of games that are over.
    fn current(&self, py: Python<'_>) -> PyResult<Py<Step>> {
        let step = self.arrays(py)?;
        step.get().fill(py, |buffers| {
            self.lock().observe(buffers);
            Ok(())
        })?;
        Ok(step)
    }

    /// Begins every game again.
    fn reset(&self, py: Python<'_>) {
        py.detach(|| self.lock().reset());
    }

    /// The positions as a network sees them: float32 of games, rows, columns and
    /// planes, each from its mover's viewpoint.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let (planes, sizes) = py.detach(|| {
            let batch = self.lock();
            let shape = batch.shape();
            let sizes = [batch.len(), shape.grid.height, shape.grid.width, shape.planes];
            let mut planes = vec![0.0; batch.len() * shape.inputs()];
            batch.encode(&mut planes);
            (planes, sizes)
        });
        PyArray1::from_vec(py, planes).reshape(sizes)
    }

    /// Hashes of the positions (uint64); equal for symmetric images if `canonical`.
    #[pyo3(signature = (canonical = false))]
    fn keys<'py>(&self, py: Python<'py>, canonical: bool) -> Bound<'py, PyArray1<u64>> {
        let keys = py.detach(|| self.lock().keys(canonical));
        PyArray1::from_vec(py, keys)
    }

    /// One of the games, as a state that begins at its position.
    fn state(&self, py: Python<'_>, index: usize) -> PyResult<State> {
        let found = py.detach(|| {
            let batch = self.lock();
            batch.session(index).ok_or(batch.len())
        });
        let session = found.map_err(|len| error(format!("there is no game {index} of {len}")))?;
        Ok(State::new(session))
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<State> {
        let len = self.__len__(py);
        let wrapped = if index < 0 { index + len as isize } else { index };
        if wrapped < 0 || wrapped as usize >= len {
            let text = format!("there is no game {index} of {len}");
            return Err(pyo3::exceptions::PyIndexError::new_err(text));
        }
        self.state(py, wrapped as usize)
    }

    /// The games with these numbers, in this order, as a new vector.
    fn select(
        &self,
        py: Python<'_>,
        numbers: PyArrayLike1<'_, i64, AllowTypeChange>,
    ) -> PyResult<VectorState> {
        let len = self.__len__(py);
        let check = |&number: &i64| match usize::try_from(number).ok().filter(|&n| n < len) {
            Some(number) => Ok(number),
            None => Err(error(format!("there is no game {number} of {len}"))),
        };
        let numbers = numbers.as_array().iter().map(check).collect::<PyResult<Vec<usize>>>()?;
        let chosen = py.detach(|| self.lock().select(&numbers));
        Ok(VectorState::of(chosen, self.restart))
    }

    /// Solves every position: its exact value and result, with `moves=True` also
    /// every move's. Surakarta needs endgame tables (`boyi.tables`).
    ///
    /// `seconds` limits each position, `memory` (megabytes) and `threads` are for all
    /// together. Ctrl-C stops it.
    #[pyo3(signature = (*, moves = false, seconds = None, memory = 256, threads = 1))]
    fn solve(
        &self,
        py: Python<'_>,
        moves: bool,
        seconds: Option<f64>,
        memory: usize,
        threads: usize,
    ) -> PyResult<PyLabels> {
        let limits = Limits { time: duration(seconds)?, ..Limits::default() };
        session::machine::require_memory("the table", memory as u64).map_err(error)?;
        let request = LabelRequest { limits, megabytes: memory, threads, moves };
        let (labels, width) = interruptible(py, |stop| {
            let mut batch = self.lock();
            let width = batch.shape().moves;
            batch.solve(&request, stop).map(|labels| (labels, width))
        })?
        .map_err(error)?;
        PyLabels::new(py, labels, width)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (len, spec) = py.detach(|| {
            let batch = self.lock();
            (batch.len(), batch.spec().to_string())
        });
        format!("<boyi.VectorState of {len} games of {spec}>")
    }
}

/// A number of seconds, if there is one.
pub fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let convert = |value: f64| match (0.001..=86_400.0).contains(&value) {
        true => Ok(Duration::from_secs_f64(value)),
        false => Err(error(format!("{value} s is not possible; seconds go from 0.001 to 86400"))),
    };
    seconds.map(convert).transpose()
}
