//! How much an engine may think, from Python's arguments.

use std::time::Duration;

use pyo3::prelude::*;
use search::Limits;
use session::engine::missing_limits;
use session::{EngineSpec, GameSpec};

use crate::error::error;

/// A number of seconds, if there is one.
pub fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let convert = |value: f64| match (0.001..=86_400.0).contains(&value) {
        true => Ok(Duration::from_secs_f64(value)),
        false => Err(error(format!("{value} s is not possible; seconds go from 0.001 to 86400"))),
    };
    seconds.map(convert).transpose()
}

/// Limits from Python's arguments.
pub fn limits(
    seconds: Option<f64>,
    sims: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> PyResult<Limits> {
    if sims == Some(0) || nodes == Some(0) || depth == Some(0) {
        return Err(error("sims, nodes and depth are at least 1"));
    }
    Ok(Limits { time: duration(seconds)?, clock: None, nodes, sims, depth })
}

/// Refuses limits under which an engine would search for ever.
pub fn check_limits(game: &GameSpec, spec: &EngineSpec, limits: &Limits) -> PyResult<()> {
    match missing_limits(game, spec, limits).map_err(error)? {
        None => Ok(()),
        Some(names) => {
            let names = names.join(" or ");
            Err(error(format!("'{spec}' would think for ever: give seconds, {names}")))
        }
    }
}
