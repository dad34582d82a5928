//! Weights on disk: safetensors, with a description of the network in the
//! metadata.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Architecture, Network};

/// The metadata key and value that mark our files.
const KIND: (&str, &str) = ("format", "boyi-network-1");
/// The metadata key of the description.
const INFO: &str = "card";
/// The most bytes that a file of weights may have.
const LARGEST: u64 = 256 << 20;
/// The largest size in a description, so that a damaged one allocates little.
const MAX_SIZE: usize = 4096;

/// The description of a network in its weights file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The sizes of the network.
    pub architecture: Architecture,
    /// The game it plays ([`Encode::kind`](crate::Encode::kind)).
    pub game: String,
    /// The version of the encoding it was trained with.
    pub encoding: u32,
    /// How it was trained, a line for each run.
    pub history: Vec<String>,
}

/// Why weights could not be saved or loaded.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// An error of the file system.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Not a safetensors file, or an incomplete or damaged one.
    #[error("{path} is not a whole safetensors file: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A safetensors file of another program.
    #[error("{path} is not a network of this program: {reason}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is missing or different.
        reason: String,
    },
}

/// Writes a network with its description.
///
/// ```
/// use games::Rng;
/// use learn::net::{Architecture, Grid, ModelInfo, Network, load, save};
///
/// let architecture = Architecture::new(Grid { height: 3, width: 3 }, 2, 9);
/// let mut rng = Rng::seeded(1);
/// let network = Network::new(architecture, || rng.unit());
/// let info = ModelInfo { architecture, game: "tic-tac-toe".to_owned(), encoding: 1, history: vec![] };
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("net.safetensors");
/// save(&path, &network, &info).unwrap();
/// assert_eq!(load(&path).unwrap().1, info);
/// ```
///
/// The file is replaced in one step: a
/// reader sees the old contents or the new ones.
pub fn save(path: &Path, network: &Network<f32>, info: &ModelInfo) -> Result<(), WeightsError> {
    files::write(path, &[&to_bytes(network, info)])
        .map_err(|source| WeightsError::Io { path: path.to_owned(), source })
}

/// A network with its description, as a file holds it.
pub fn to_bytes(network: &Network<f32>, info: &ModelInfo) -> Vec<u8> {
    assert_eq!(&info.architecture, network.architecture(), "the description is another network's");
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
    let text = serde_json::to_string(info).expect("a description is plain data");
    let metadata = HashMap::from([(KIND.0.to_owned(), KIND.1.to_owned()), (INFO.to_owned(), text)]);
    safetensors::serialize(views, Some(metadata)).expect("names are distinct")
}

/// Reads a network and its description.
pub fn load(path: &Path) -> Result<(Network<f32>, ModelInfo), WeightsError> {
    let bytes = files::read(path, LARGEST)
        .map_err(|source| WeightsError::Io { path: path.to_owned(), source })?;
    from_bytes(path, &bytes)
}

/// The same from the bytes of a file; `path` is for messages only.
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
    let text = metadata.get(INFO).ok_or_else(|| foreign("it has no description".to_owned()))?;
    let info: ModelInfo =
        serde_json::from_str(text).map_err(|error| foreign(format!("its description: {error}")))?;
    check(&info.architecture, bytes.len()).map_err(foreign)?;

    let mut network = Network::new(info.architecture, || 0.5);
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
    Ok((network, info))
}

/// Checks that a file of this length can hold a network of these sizes, so that a
/// wrong description allocates at most a few times the file.
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
    if sizes.iter().any(|&size| size == 0 || size > MAX_SIZE) || a.blocks > MAX_SIZE {
        return Err(format!("its description has a size outside 1..={MAX_SIZE}"));
    }
    let [planes, channels] = [a.planes, a.channels].map(|n| n as u128);
    let dense = a.dense_layers().map(|(inputs, outputs)| inputs as u128 * outputs as u128);
    let numbers =
        9 * channels * (planes + 2 * a.blocks as u128 * channels) + dense.iter().sum::<u128>();
    if numbers * 4 > length as u128 {
        return Err("its description is of a larger network than it holds".to_owned());
    }
    Ok(())
}
