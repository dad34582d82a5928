//! The Python package `boyi`: games, engines, exact values, matches and networks
//! for people who write Python.
//!
//! It stands on `session` and adds no rules: a `State` is a
//! session, a `VectorState` a batch, an engine is named by
//! its spec. Long work runs without the interpreter's lock and ends at Ctrl-C
//! (`interrupt`); every error is an exception with our sentence (`error`). What
//! needs no Rust is written in Python beside it (`python/boyi`): the environments
//! of other libraries, the PyTorch model, the ONNX export.

mod action_list;
mod engine;
mod error;
mod evaluation;
mod game;
mod interrupt;
mod labels;
mod limits;
mod matches;
mod network;
mod search_result;
mod shards;
mod solve;
mod state;
mod step;
mod tables;
mod vector;

/// The part of the package that is written in Rust.
#[pyo3::pymodule]
mod _boyi {
    #[pymodule_export]
    use crate::engine::{Engine, Progress, engines, has_book};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::game::{Game, games};
    #[pymodule_export]
    use crate::labels::PyLabels;
    #[pymodule_export]
    use crate::matches::{Encounter, MatchGame, MatchResult, play_match};
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::search_result::{MoveInfo, PyScore, SearchResult};
    #[pymodule_export]
    use crate::shards::{Samples, Shards, shards};
    #[pymodule_export]
    use crate::solve::{MoveValue, Solution, solve};
    #[pymodule_export]
    use crate::state::{_restore_state, GameOutcome, State};
    #[pymodule_export]
    use crate::step::Step;
    #[pymodule_export]
    use crate::tables::{build_tables, table_pieces, table_sizes};
    #[pymodule_export]
    use crate::vector::VectorState;

    /// Panics, so that tests see what a panic becomes.
    #[pyo3::pyfunction]
    fn _panic(py: pyo3::Python<'_>) -> pyo3::PyResult<()> {
        crate::interrupt::interruptible(py, |_| panic!("a test asked for it"))
    }
}
