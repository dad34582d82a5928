//! Many games at once, as NumPy arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use games::TextError;
use numpy::{
    AllowTypeChange, PyArray1, PyArray4, PyArrayDescrMethods, PyArrayLike1, PyArrayMethods,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use search::Limits;
use session::{GameBatch, LabelRequest};

use crate::error::error;
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::labels::PyLabels;
use crate::limits::duration;
use crate::state::State;
use crate::step::Step;

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
        check_count(count)?;
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
        check_count(count)?;
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
        actions: &Bound<'_, PyAny>,
        out: Option<Py<Step>>,
    ) -> PyResult<Py<Step>> {
        let actions = whole_numbers(actions, "actions")?;
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
            check_memory(batch.len(), "observations", shape.inputs() * size_of::<f32>())?;
            let sizes = [batch.len(), shape.grid.height, shape.grid.width, shape.planes];
            let mut planes = vec![0.0; batch.len() * shape.inputs()];
            batch.encode(&mut planes);
            Ok::<_, PyErr>((planes, sizes))
        })?;
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
    fn select(&self, py: Python<'_>, numbers: &Bound<'_, PyAny>) -> PyResult<VectorState> {
        let numbers = whole_numbers(numbers, "numbers of games")?;
        let len = self.__len__(py);
        let check = |&number: &i64| match usize::try_from(number).ok().filter(|&n| n < len) {
            Some(number) => Ok(number),
            None => Err(error(format!("there is no game {number} of {len}"))),
        };
        let numbers = numbers.iter().map(check).collect::<PyResult<Vec<usize>>>()?;
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

/// Refuses what there is no memory for: an allocation that fails would end the process.
fn check_memory(count: usize, what: &str, bytes_each: usize) -> PyResult<()> {
    let megabytes = (count as u64).saturating_mul(bytes_each as u64) >> 20;
    match megabytes {
        // Not worth a question.
        0..64 => Ok(()),
        _ => session::machine::require_memory(&format!("{count} {what}"), megabytes).map_err(error),
    }
}

/// Likewise for games, with their rows of a step's arrays.
fn check_count(count: usize) -> PyResult<()> {
    const AT_LEAST: usize = 256;
    check_memory(count, "games", AT_LEAST)
}

/// The numbers of a list or an array of integers; NumPy alone would cut off fractions
/// and read texts.
fn whole_numbers(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<i64>> {
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    let array = array.cast::<PyUntypedArray>()?;
    let is_whole = array.is_empty() || matches!(array.dtype().kind(), b'i' | b'u' | b'b');
    if array.ndim() != 1 || !is_whole {
        let (shape, kind) = (array.shape(), array.dtype());
        return Err(error(format!(
            "{what} are an array of whole numbers in one dimension, not of {kind} with shape {shape:?}"
        )));
    }
    let array: PyArrayLike1<'_, i64, AllowTypeChange> = array.extract()?;
    Ok(array.as_array().iter().copied().collect())
}
