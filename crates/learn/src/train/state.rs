//! The state of a run: weights, optimiser state and counters in one safetensors
//! file, replaced in one step.

use std::collections::HashMap;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::folder::{RunFolder, TrainError};
use crate::net::{Network, Optimiser, UpdateRule};

/// The metadata key and value that mark our files.
const KIND: (&str, &str) = ("format", "boyi-training-1");

/// A point of the Elo curve: a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloPoint {
    /// Training steps at the checkpoint.
    pub steps: u64,
    /// Seconds of training until then.
    pub seconds: f64,
    /// Its rating; the first checkpoint has 0.
    pub elo: f64,
    /// Its wins, draws and losses against an earlier checkpoint.
    pub score: [u32; 3],
}

/// The counters of a run. The names in the file are those of the first version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainProgress {
    /// Training steps.
    pub steps: u64,
    /// Games received.
    pub games: u64,
    /// Samples in them.
    pub samples: u64,
    /// Plies in them.
    pub plies: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// Samples that are still to be drawn for the games received.
    #[serde(rename = "owed")]
    pub samples_due: f64,
    /// The lowest id that no game has yet.
    pub next_game: u64,
    /// Shards whose games the other counters include.
    pub shards: u64,
    /// Whether the training on random games is done.
    #[serde(rename = "warm")]
    pub warmed_up: bool,
    /// The Elo curve.
    pub curve: Vec<EloPoint>,
    /// Steps of the last checkpoint that the gate accepted, if any.
    #[serde(default)]
    pub accepted: Option<u64>,
    /// How the network was trained that the run started from, if it started from one.
    #[serde(default)]
    pub history: Vec<String>,
}

/// Writes the state of a run.
pub(super) fn save(
    folder: &RunFolder,
    network: &Network<f32>,
    optimiser: &Optimiser<f32>,
    progress: &TrainProgress,
) -> Result<(), TrainError> {
    let (steps, moments) = optimiser.state();
    let bytes = |numbers: &[f32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let mut parts: Vec<(String, Vec<u8>)> =
        network.tensors.iter().map(|t| (format!("value/{}", t.name), bytes(&t.value))).collect();
    for (kind, moments) in ["first", "second"].into_iter().zip(moments) {
        for (tensor, numbers) in network.tensors.iter().zip(moments) {
            parts.push((format!("{kind}/{}", tensor.name), bytes(numbers)));
        }
    }
    let views = parts.iter().map(|(name, bytes)| {
        let view = TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes);
        (name, view.expect("the shape is the length"))
    });
    let metadata = HashMap::from([
        (KIND.0.to_owned(), KIND.1.to_owned()),
        ("optimiser".to_owned(), steps.to_string()),
        ("progress".to_owned(), serde_json::to_string(progress).expect("counters are plain data")),
    ]);
    let whole = safetensors::serialize(views, Some(metadata)).expect("names are distinct");
    folder.write(&folder.state(), &whole)
}

/// Reads the state of a run into a network of the same architecture.
pub(super) fn load(
    path: &Path,
    network: &mut Network<f32>,
    rule: UpdateRule,
) -> Result<(Optimiser<f32>, TrainProgress), TrainError> {
    let bytes =
        std::fs::read(path).map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    parse(&bytes, network, rule)
        .map_err(|reason| TrainError::Damaged { path: path.to_owned(), reason })
}

/// The counters of a run's saved state; all 0 if there is none yet.
pub fn read_progress(folder: &RunFolder) -> Result<TrainProgress, TrainError> {
    let path = folder.state();
    if !path.exists() {
        return Ok(TrainProgress::default());
    }
    let bytes =
        std::fs::read(&path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
    let read = read_metadata(&bytes).map(|(progress, _)| progress);
    read.map_err(|reason| TrainError::Damaged { path, reason })
}

/// The counters, and the optimiser's steps.
fn read_metadata(bytes: &[u8]) -> Result<(TrainProgress, i32), String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let metadata = header.metadata().clone().unwrap_or_default();
    let field = |name: &str| metadata.get(name).ok_or(format!("it lacks {name}"));
    if field(KIND.0)? != KIND.1 {
        return Err("it is no training state".to_owned());
    }
    let progress = serde_json::from_str(field("progress")?).map_err(|error| error.to_string())?;
    let steps =
        field("optimiser")?.parse().map_err(|_| "its optimiser steps are no number".to_owned())?;
    Ok((progress, steps))
}

fn parse(
    bytes: &[u8],
    network: &mut Network<f32>,
    rule: UpdateRule,
) -> Result<(Optimiser<f32>, TrainProgress), String> {
    let (progress, steps) = read_metadata(bytes)?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let read = |name: String, length: usize| -> Result<Vec<f32>, String> {
        let view = file.tensor(&name).map_err(|_| format!("it lacks {name}"))?;
        let numbers: Vec<f32> =
            view.data().as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        match view.dtype() == Dtype::F32 && numbers.len() == length {
            true => Ok(numbers),
            false => Err(format!("{name} has another size")),
        }
    };
    let mut moments: [Vec<Vec<f32>>; 2] = Default::default();
    for tensor in network.tensors.iter_mut() {
        tensor.value = read(format!("value/{}", tensor.name), tensor.value.len())?;
        let kinds = match rule {
            _ if steps == 0 => 0,
            UpdateRule::Sgd { .. } => 1,
            UpdateRule::Adam { .. } => 2,
        };
        for (kind, moments) in ["first", "second"].into_iter().zip(&mut moments).take(kinds) {
            moments.push(read(format!("{kind}/{}", tensor.name), tensor.gradient.len())?);
        }
    }
    Ok((Optimiser::from_state(rule, steps, moments), progress))
}
