//! All that a run needs to go on: weights, the optimiser's memory, counters; in
//! one safetensors file, replaced in one step.

use std::collections::HashMap;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::folder::{Folder, TrainError};
use crate::net::{Network, Optimiser, Rule};

/// The metadata key and value that mark our files.
const KIND: (&str, &str) = ("format", "boyi-training-1");

/// A point of the Elo curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Steps when the checkpoint was made.
    pub steps: u64,
    /// Seconds of training until then.
    pub seconds: f64,
    /// Its rating; the first checkpoint has 0.
    pub elo: f64,
    /// Its wins, draws and losses against the one before.
    pub score: [u32; 3],
}

/// How far a run has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps of learning.
    pub steps: u64,
    /// Games taken.
    pub games: u64,
    /// Samples in them.
    pub samples: u64,
    /// Plies in them.
    pub plies: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// Samples that are still to be drawn for the games taken.
    pub owed: f64,
    /// The number of the next game that nobody has begun.
    pub next_game: u64,
    /// Shards that the other counters include.
    pub shards: u64,
    /// Whether the values of random games have been learnt.
    pub warm: bool,
    /// The Elo curve.
    pub curve: Vec<Point>,
}

/// Writes the state of a run.
pub(super) fn save(
    folder: &Folder,
    network: &Network<f32>,
    optimiser: &Optimiser<f32>,
    progress: &Progress,
) -> Result<(), TrainError> {
    let (steps, moments) = optimiser.memory();
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
        ("progress".to_owned(), serde_json::to_string(progress).expect("plain data")),
    ]);
    let whole = safetensors::serialize(views, Some(metadata)).expect("names are distinct");
    folder.replace(&folder.state(), &whole)
}

/// Reads the state of a run into a network of the right sizes.
pub(super) fn load(
    path: &Path,
    network: &mut Network<f32>,
    rule: Rule,
) -> Result<(Optimiser<f32>, Progress), TrainError> {
    let bytes =
        std::fs::read(path).map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    parse(&bytes, network, rule)
        .map_err(|reason| TrainError::Damaged { path: path.to_owned(), reason })
}

/// How far a run has come, by its state; the beginning, if there is none yet.
pub fn progress(folder: &Folder) -> Result<Progress, TrainError> {
    let path = folder.state();
    if !path.exists() {
        return Ok(Progress::default());
    }
    let bytes =
        std::fs::read(&path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
    let told = read_words(&bytes).map(|(progress, _)| progress);
    told.map_err(|reason| TrainError::Damaged { path, reason })
}

/// The progress, and the optimiser's steps.
fn read_words(bytes: &[u8]) -> Result<(Progress, i32), String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let metadata = header.metadata().clone().unwrap_or_default();
    let word = |name: &str| metadata.get(name).ok_or(format!("it lacks {name}"));
    if word(KIND.0)? != KIND.1 {
        return Err("it is no state of training".to_owned());
    }
    let progress = serde_json::from_str(word("progress")?).map_err(|error| error.to_string())?;
    let steps = word("optimiser")?.parse().map_err(|_| "its steps are no number".to_owned())?;
    Ok((progress, steps))
}

fn parse(
    bytes: &[u8],
    network: &mut Network<f32>,
    rule: Rule,
) -> Result<(Optimiser<f32>, Progress), String> {
    let (progress, steps) = read_words(bytes)?;
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
            Rule::Sgd { .. } => 1,
            Rule::Adam { .. } => 2,
        };
        for (kind, moments) in ["first", "second"].into_iter().zip(&mut moments).take(kinds) {
            moments.push(read(format!("{kind}/{}", tensor.name), tensor.gradient.len())?);
        }
    }
    Ok((Optimiser::resumed(rule, steps, moments), progress))
}
