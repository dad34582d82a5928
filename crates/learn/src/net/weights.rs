//! Weights on disk: safetensors, with a card in the metadata that says what
//! network it is and how it came about.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Architecture, Network};
use crate::atomic_file;

/// The metadata key and value that mark our files.
const KIND: (&str, &str) = ("format", "boyi-network-1");
/// No size in a card may be larger: a damaged card must not ask for the moon.
const LARGEST: usize = 4096;

/// What a weights file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The sizes of the network.
    pub architecture: Architecture,
    /// The game it plays, as the caller names it.
    pub game: String,
    /// The version of the planes and move codes it was trained with.
    pub encoding: u32,
    /// How it was trained, a line for each run.
    pub history: Vec<String>,
}

/// Why weights could not be saved or loaded.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// The file system said no.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not safetensors at all, or cut short or damaged.
    #[error("{path} is not a whole safetensors file: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Safetensors, but not a network of ours.
    #[error("{path} is not a network of this program: {reason}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is missing or different.
        reason: String,
    },
}

/// Write a network with its card. The file is replaced in one step: whoever
/// reads it sees the old one or the new one.
pub fn save(path: &Path, network: &Network<f32>, card: &ModelInfo) -> Result<(), WeightsError> {
    atomic_file::write(path, &to_bytes(network, card))
        .map_err(|source| WeightsError::Io { path: path.to_owned(), source })
}

/// A network with its card, as a file holds it.
pub fn to_bytes(network: &Network<f32>, card: &ModelInfo) -> Vec<u8> {
    assert_eq!(&card.architecture, network.architecture(), "the card is another network's");
    let bytes: Vec<(String, Vec<usize>, Vec<u8>)> = (network.tensors.iter())
        .map(|tensor| {
            let bytes = tensor.value.iter().flat_map(|x| x.to_le_bytes()).collect();
            (tensor.name.clone(), tensor.shape.clone(), bytes)
        })
        .collect();
    let views = bytes.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
        (name, view.expect("a tensor's shape fits its numbers"))
    });
    let text = serde_json::to_string(card).expect("a card is plain data");
    let metadata =
        HashMap::from([(KIND.0.to_owned(), KIND.1.to_owned()), ("card".to_owned(), text)]);
    safetensors::serialize(views, Some(metadata)).expect("names are distinct")
}

/// Read a network and its card.
pub fn load(path: &Path) -> Result<(Network<f32>, ModelInfo), WeightsError> {
    let bytes =
        fs::read(path).map_err(|source| WeightsError::Io { path: path.to_owned(), source })?;
    from_bytes(path, &bytes)
}

/// A network and its card from what a file holds; `path` is for errors alone.
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<(Network<f32>, ModelInfo), WeightsError> {
    let damaged = |reason: String| WeightsError::Damaged { path: path.to_owned(), reason };
    let foreign = |reason: String| WeightsError::Foreign { path: path.to_owned(), reason };
    let (_, header) =
        SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
    let metadata = header.metadata().clone().unwrap_or_default();
    if metadata.get(KIND.0).map(String::as_str) != Some(KIND.1) {
        return Err(foreign(format!("its metadata lack {}={}", KIND.0, KIND.1)));
    }
    let text = metadata.get("card").ok_or_else(|| foreign("it has no card".to_owned()))?;
    let card: ModelInfo =
        serde_json::from_str(text).map_err(|error| foreign(format!("its card: {error}")))?;
    check(&card.architecture, bytes.len()).map_err(foreign)?;

    let mut network = Network::new(card.architecture, || 0.5);
    for tensor in network.tensors.iter_mut() {
        let name = &tensor.name;
        let view = file.tensor(name).map_err(|_| foreign(format!("it has no tensor {name}")))?;
        if view.dtype() != Dtype::F32 || view.shape() != tensor.shape {
            let found = (view.dtype(), view.shape());
            return Err(foreign(format!("{name} should be F32 {:?}, not {found:?}", tensor.shape)));
        }
        for (to, from) in tensor.value.iter_mut().zip(view.data().as_chunks::<4>().0) {
            *to = f32::from_le_bytes(*from);
        }
        if tensor.value.iter().any(|x| !x.is_finite()) {
            return Err(damaged(format!("{name} holds a number that is not finite")));
        }
    }
    Ok((network, card))
}

/// Sizes that a file of this length can hold, so that a wrong card can't make
/// us reserve more than a few times the file.
fn check(a: &Architecture, length: usize) -> Result<(), String> {
    let sizes = [
        a.height,
        a.width,
        a.planes,
        a.moves,
        a.channels,
        a.policy_kernels,
        a.value_kernels,
        a.value_hidden,
    ];
    if sizes.iter().any(|&size| size == 0 || size > LARGEST) || a.blocks > LARGEST {
        return Err(format!("its card has a size outside 1..={LARGEST}"));
    }
    let area = (a.height * a.width) as u128;
    let [planes, moves, channels] = [a.planes, a.moves, a.channels].map(|n| n as u128);
    let numbers = 9 * channels * (planes + 2 * a.blocks as u128 * channels)
        + area * a.policy_kernels as u128 * moves
        + area * a.value_kernels as u128 * a.value_hidden as u128;
    if numbers * 4 > length as u128 {
        return Err("its card tells of a larger network than it holds".to_owned());
    }
    Ok(())
}
