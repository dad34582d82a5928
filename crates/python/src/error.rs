//! Errors as Python sees them: one exception with our sentence.

use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    boyi,
    Error,
    PyValueError,
    "What Boyi says about a wrong argument, an illegal move, a damaged file or a failed engine: \
     one sentence that tells what would be right. It is a ValueError."
);

/// Our sentence as an exception.
pub fn error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// A panic as an exception; the panic itself has printed where it happened.
pub fn internal_error() -> PyErr {
    error("an internal error of Boyi; the standard error output says where")
}

/// The first exception that Python code raised in another thread, where nothing
/// above it could catch it.
#[derive(Clone, Default)]
pub struct ErrorSlot(Arc<Mutex<Option<PyErr>>>);

impl ErrorSlot {
    /// Keeps an exception, unless there is one already.
    pub fn put(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Takes the exception out, if there is one.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether there is one.
    pub fn is_full(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
