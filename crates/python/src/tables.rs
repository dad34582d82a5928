//! Surakarta's endgame tables.

use std::path::PathBuf;

use exact::surakarta::{BuildError, MOST_PIECES, Tables, Workers, default_folder, estimate};
use games::surakarta::Stall;
use pyo3::prelude::*;

use crate::error::error;
use crate::interrupt::interruptible;

fn stall_rule(stall: &str) -> PyResult<Stall> {
    match stall {
        "count" => Ok(Stall::Count),
        "draw" => Ok(Stall::Draw),
        _ => Err(error(format!("stall={stall} is unknown; it is count or draw"))),
    }
}

fn check_pieces(pieces: usize) -> PyResult<()> {
    match (2..=MOST_PIECES).contains(&pieces) {
        true => Ok(()),
        false => {
            Err(error(format!("tables are built for 2 to {MOST_PIECES} pieces, not {pieces}")))
        }
    }
}

/// Builds the missing tables up to a number of pieces, and returns that number.
/// Engines and `solve` find them in the folder of the variable BOYI_TABLES, by
/// default ./tables. After an interruption the same call goes on.
#[pyfunction]
#[pyo3(signature = (pieces, *, stall = "count", folder = None, threads = None))]
pub fn build_tables(
    py: Python<'_>,
    pieces: usize,
    stall: &str,
    folder: Option<PathBuf>,
    threads: Option<usize>,
) -> PyResult<usize> {
    check_pieces(pieces)?;
    let (stall, folder) = (stall_rule(stall)?, folder.unwrap_or_else(default_folder));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or(cores).clamp(1, 1024);
    let built = interruptible(py, |stop| {
        Tables::build(&folder, stall, pieces, &Workers { threads, stop }, |_| {})
    })?;
    match built {
        Ok(tables) => Ok(tables.pieces()),
        Err(BuildError::Stopped) => Err(error("stopped; the same call goes on from there")),
        Err(fault) => Err(error(fault)),
    }
}

/// The number of pieces up to which there are tables in a folder.
#[pyfunction]
#[pyo3(signature = (*, stall = "count", folder = None))]
pub fn table_pieces(stall: &str, folder: Option<PathBuf>) -> PyResult<usize> {
    let folder = folder.unwrap_or_else(default_folder);
    let tables = Tables::open(&folder, stall_rule(stall)?, MOST_PIECES).map_err(error)?;
    Ok(tables.pieces())
}

/// Bytes of memory and of disk that tables up to a number of pieces take.
#[pyfunction]
pub fn table_sizes(pieces: usize) -> PyResult<(u64, u64)> {
    check_pieces(pieces)?;
    Ok(estimate(pieces))
}
