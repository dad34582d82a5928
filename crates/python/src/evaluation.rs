//! A Python function in the place of a network.
//!
//! The tree gathers leaves, the function evaluates their observations as one
//! batch. It runs in the search's threads; what it raises ends the search and is
//! raised again in the thread that asked for it.

use std::sync::Arc;

use learn::net::Output;
use learn::{Forward, NetworkEvaluator, Shape};
use numpy::{AllowTypeChange, PyArray1, PyArrayLikeDyn, PyArrayMethods};
use pyo3::prelude::*;
use search::tree::LeafEvaluator;
use session::{EngineSpec, Playable};

use crate::error::{ErrorSlot, error};

/// Positions that each thread's cache holds.
const CACHE_SIZE: usize = 1 << 14;

/// A function of observations.
struct PythonNet {
    function: Arc<Py<PyAny>>,
    shape: Shape,
    errors: ErrorSlot,
}

impl PythonNet {
    fn call(&self, py: Python<'_>, planes: &[f32], out: &mut Output<f32>) -> PyResult<()> {
        let Shape { grid, planes: depth, moves, .. } = self.shape;
        let positions = planes.len() / self.shape.inputs();
        let planes = PyArray1::from_slice(py, planes).reshape([
            positions,
            grid.height,
            grid.width,
            depth,
        ])?;
        let answer = self.function.bind(py).call1((planes,))?;
        let parts: (Bound<'_, PyAny>, Bound<'_, PyAny>) = answer
            .extract()
            .map_err(|_| error("an evaluation returns two arrays: logits and values"))?;
        let read = |value: &Bound<'_, PyAny>, what: &str, each: usize| -> PyResult<Vec<f32>> {
            let array: PyArrayLikeDyn<'_, f32, AllowTypeChange> =
                value.extract().map_err(|_| {
                    error(format!("the {what} of an evaluation are no array of numbers"))
                })?;
            let numbers: Vec<f32> = array.as_array().iter().copied().collect();
            match numbers.len() == positions * each && numbers.iter().all(|x| x.is_finite()) {
                true => Ok(numbers),
                false => Err(error(format!(
                    "an evaluation of {positions} positions returns {} finite {what}, not an array \
                     of shape {:?}",
                    positions * each,
                    array.as_array().shape()
                ))),
            }
        };
        out.logits = read(&parts.0, "logits", moves)?;
        out.values = read(&parts.1, "values", 1)?;
        Ok(())
    }
}

impl Forward for PythonNet {
    fn fits(&self, shape: &Shape) -> bool {
        *shape == self.shape
    }

    fn forward(&mut self, _shape: &Shape, planes: &[f32], out: &mut Output<f32>) {
        let called = match self.errors.is_full() {
            true => Ok(()),
            false => Python::try_attach(|py| self.call(py, planes, out))
                .unwrap_or_else(|| Err(error("Python is shutting down"))),
        };
        let positions = planes.len() / self.shape.inputs();
        if let Err(exception) = called {
            self.errors.put(exception);
        }
        if self.errors.is_full() {
            // The search is about to be stopped; it must not see old numbers.
            out.logits = vec![0.0; positions * self.shape.moves];
            out.values = vec![0.0; positions];
        }
    }
}

/// The evaluator of leaves by a function.
pub fn leaf_evaluator<G: Playable>(
    spec: &EngineSpec,
    start: &G,
    function: Py<PyAny>,
    errors: &ErrorSlot,
) -> PyResult<LeafEvaluator<G>> {
    let batch = match spec.family().has("batch") {
        true => spec.text("batch").parse().unwrap_or(1),
        false => 8,
    };
    let (function, shape, errors) = (Arc::new(function), start.shape(), errors.clone());
    let make = Arc::new(move || {
        let network = PythonNet { function: function.clone(), shape, errors: errors.clone() };
        Box::new(NetworkEvaluator::<G, PythonNet>::over(network, CACHE_SIZE)) as _
    });
    Ok(LeafEvaluator::Evaluator { make, batch })
}
