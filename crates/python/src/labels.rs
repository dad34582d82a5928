//! Exact values of many positions, as NumPy arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods, ToPyArray};
use pyo3::prelude::*;
use session::Labels;

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
    pub fn new(py: Python<'_>, labels: Labels, moves: usize) -> PyResult<PyLabels> {
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
