//! Who plays in a match: specs, and functions of Python's.

use games::Record;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use search::{Engine, Fault, SearchControl, SearchInfo};
use session::{EngineSpec, Playable, Session};

use crate::engine::Engine as PyEngine;
use crate::error::{ErrorSlot, error};
use crate::state::State;

/// A player of a match.
pub enum Entry {
    /// By its spec, perhaps with a function in the place of its network.
    Spec(EngineSpec, Option<Py<PyAny>>),
    /// A function from a state to a move.
    Function(Py<PyAny>),
}

impl Entry {
    pub fn extract(value: &Bound<'_, PyAny>) -> PyResult<Entry> {
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
    pub fn label(&self, py: Python<'_>, number: usize) -> String {
        let name = |function: &Py<PyAny>| {
            let function = function.bind(py);
            let name = function.getattr("__name__").and_then(|name| name.extract::<String>());
            // An object that can be called has the name of its class.
            name.or_else(|_| Ok::<_, PyErr>(function.get_type().name()?.to_string()))
                .unwrap_or_else(|_| "function".to_owned())
        };
        match self {
            Entry::Spec(spec, None) => spec.to_string(),
            Entry::Spec(spec, Some(function)) => {
                format!("{spec} with {} ({})", name(function), number + 1)
            }
            Entry::Function(function) => format!("{} ({})", name(function), number + 1),
        }
    }

    pub fn is_python(&self) -> bool {
        !matches!(self, Entry::Spec(_, None))
    }
}

/// A Python function as an engine.
pub struct FunctionEngine {
    pub function: Py<PyAny>,
    /// Where what it raises is put.
    pub errors: ErrorSlot,
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
