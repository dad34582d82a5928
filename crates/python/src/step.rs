//! What a step of many games gives, as NumPy arrays.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};

use games::TextError;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use session::StepBuffers;

use crate::error::{error, internal_error};

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
    pub fn new(py: Python<'_>, games: usize, moves: usize) -> Step {
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
    pub fn fill(
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
        // The bindings' own check of borrows took a tenth of the time of a step of a
        // thousand games. Python code that reads an array while a step is written to it
        // may see parts of both, as with every function of NumPy that releases the lock.
        // SAFETY: slices of these arrays are made here only, and `busy` lets one caller
        // in at a time.
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
