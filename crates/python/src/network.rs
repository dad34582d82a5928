//! Networks: their weights as arrays, and our forward pass.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use games::Rng;
use learn::net::{
    Architecture, Grid, Heads, InferenceNet, ModelInfo, Network as Weights, Output, from_bytes,
    load, save,
};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use session::{ROWS, open};

use crate::error::error;
use crate::game::Game;

/// A network that evaluates positions: a residual tower with a policy head and a
/// value head, as `puct net=FILE` plays with it.
///
/// `Network(name)` is one that comes with the program (`connect-four` is for 7 x 6,
/// `connect-four-boards` for every board of Connect Four), `Network(path)` one from a
/// file. `docs/python.md` describes the tensors; `boyi.torch.Net` is the same
/// network in PyTorch.
///
/// >>> network = boyi.Network("connect-four")
/// >>> games = boyi.VectorState("connect-four", 8)
/// >>> logits, values = network.forward(games.observations())
/// >>> logits.shape, values.shape
/// ((8, 7), (8,))
#[pyclass(frozen, module = "boyi")]
pub struct Network {
    weights: Weights<f32>,
    info: ModelInfo,
    inference: Mutex<InferenceNet<f32>>,
}

impl Network {
    fn of(weights: Weights<f32>, info: ModelInfo) -> Network {
        let inference = Mutex::new(InferenceNet::new(&weights));
        Network { weights, info, inference }
    }
}

/// Logits and values.
type Evaluated<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// The sizes that a network for a game has.
fn architecture(
    game: &session::GameSpec,
    blocks: usize,
    channels: usize,
    policy_kernels: Option<usize>,
    value_kernels: Option<usize>,
    value_hidden: Option<usize>,
) -> PyResult<Architecture> {
    let default = open(game).shape().architecture();
    let policy_kernels = policy_kernels.unwrap_or(default.policy_kernels);
    let value_kernels = value_kernels.unwrap_or(default.value_kernels);
    let value_hidden = value_hidden.unwrap_or(default.value_hidden);
    let sizes = [channels, policy_kernels, value_kernels, value_hidden];
    if sizes.iter().any(|size| !(1..=4096).contains(size)) || blocks > 4096 {
        return Err(error("the sizes of a network go from 1 to 4096, its blocks from 0"));
    }
    Ok(Architecture { blocks, channels, policy_kernels, value_kernels, value_hidden, ..default })
}

#[pymethods]
impl Network {
    #[new]
    fn new(source: PathBuf) -> PyResult<Network> {
        let path = source;
        let mut shipped = ROWS.iter().flat_map(|row| row.networks);
        let read = match shipped.find(|(name, _)| path == Path::new(name)) {
            Some((_, bytes)) => from_bytes(&path, bytes),
            None => load(&path),
        };
        let (weights, info) = read.map_err(error)?;
        Ok(Network::of(weights, info))
    }

    /// A new network for a game, with random weights; sizes that are not given are
    /// those of `boyi train`.
    #[staticmethod]
    #[pyo3(signature = (
        game, *, blocks = 6, channels = 64, policy_kernels = None, value_kernels = None,
        value_hidden = None, seed = 1
    ))]
    fn create(
        game: &Bound<'_, PyAny>,
        blocks: usize,
        channels: usize,
        policy_kernels: Option<usize>,
        value_kernels: Option<usize>,
        value_hidden: Option<usize>,
        seed: u64,
    ) -> PyResult<Network> {
        let game = Game::extract(game)?;
        let sizes =
            architecture(&game, blocks, channels, policy_kernels, value_kernels, value_hidden)?;
        let mut rng = Rng::seeded(seed);
        let (kind, encoding) = open(&game).network_kind();
        let info = ModelInfo { architecture: sizes, game: kind, encoding, history: Vec::new() };
        Ok(Network::of(Weights::new(sizes, || rng.unit()), info))
    }

    /// The same network with other numbers: a dict of arrays with the names and
    /// shapes of `tensors`, and a line about how they were trained.
    #[pyo3(signature = (tensors, history = None))]
    fn with_tensors(
        &self,
        tensors: &Bound<'_, PyDict>,
        history: Option<String>,
    ) -> PyResult<Network> {
        let (mut weights, mut info) = (self.weights.clone(), self.info.clone());
        info.history.extend(history);
        let known = |name: &str| weights.tensors.iter().any(|tensor| tensor.name == name);
        for name in tensors.keys() {
            let name: String = name.extract()?;
            if !known(&name) {
                return Err(error(format!("this network has no tensor '{name}'")));
            }
        }
        for tensor in weights.tensors.iter_mut() {
            let name = &tensor.name;
            let found = tensors.get_item(name)?;
            let found = found.ok_or_else(|| error(format!("there is no tensor '{name}'")))?;
            let array: PyArrayLikeDyn<'_, f32, AllowTypeChange> = found.extract()?;
            let array = array.as_array();
            if array.shape() != tensor.shape {
                let shapes = (&tensor.shape, array.shape());
                return Err(error(format!(
                    "'{name}' has shape {:?}, not {:?}",
                    shapes.0, shapes.1
                )));
            }
            if array.iter().any(|x| !x.is_finite()) {
                return Err(error(format!("'{name}' holds a number that is not finite")));
            }
            tensor.value.iter_mut().zip(array.iter()).for_each(|(to, from)| *to = *from);
        }
        Ok(Network::of(weights, info))
    }

    /// All numbers, by name: float32 arrays.
    fn tensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for tensor in self.weights.tensors.iter() {
            let array: Bound<'py, PyArrayDyn<f32>> =
                PyArray1::from_slice(py, &tensor.value).reshape(tensor.shape.clone())?;
            all.set_item(&tensor.name, array)?;
        }
        Ok(all)
    }

    /// The sizes: height, width, planes, moves, blocks, channels, policy_kernels,
    /// value_kernels, value_hidden; and heads, "dense" or "pooled". Under pooled heads
    /// height, width and moves are those of the largest board.
    #[getter]
    fn architecture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let a = &self.info.architecture;
        let all = PyDict::new(py);
        for (name, size) in [
            ("height", a.height),
            ("width", a.width),
            ("planes", a.planes),
            ("moves", a.moves),
            ("blocks", a.blocks),
            ("channels", a.channels),
            ("policy_kernels", a.policy_kernels),
            ("value_kernels", a.value_kernels),
            ("value_hidden", a.value_hidden),
        ] {
            all.set_item(name, size)?;
        }
        let heads = match a.heads {
            Heads::Dense => "dense",
            Heads::Pooled => "pooled",
        };
        all.set_item("heads", heads)?;
        Ok(all)
    }

    /// The positions that it is for (`Game.network_kind`).
    #[getter]
    fn game(&self) -> &str {
        &self.info.game
    }

    /// The version of the planes that it was trained with.
    #[getter]
    fn encoding(&self) -> u32 {
        self.info.encoding
    }

    /// How it was trained, a line for each run.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.info.history.clone()
    }

    /// Evaluates observations (positions, rows, columns, planes): logits (positions,
    /// actions) and the movers' expected results (positions), from -1 to 1. Under pooled
    /// heads the rows and columns are those of any board up to the largest.
    fn forward<'py>(
        &self,
        py: Python<'py>,
        observations: PyArrayLikeDyn<'py, f32, AllowTypeChange>,
    ) -> PyResult<Evaluated<'py>> {
        let a = self.info.architecture;
        let shape = observations.as_array().shape().to_vec();
        let grid = match shape[..] {
            [_, height, width, planes] if planes == a.planes => Some(Grid { height, width }),
            _ => None,
        };
        let grid = grid.filter(|grid| a.has_board(*grid)).ok_or_else(|| {
            let up_to = if a.heads == Heads::Pooled { "up to " } else { "" };
            error(format!(
                "observations have the shape (positions, {up_to}{}, {up_to}{}, {}), not {shape:?}",
                a.height, a.width, a.planes
            ))
        })?;
        let planes: Vec<f32> = observations.as_array().iter().copied().collect();
        let Output { logits, values } = py.detach(|| {
            let mut out = Output::default();
            let mut network = self.inference.lock().unwrap_or_else(PoisonError::into_inner);
            network.forward_on(grid, &planes, &mut out);
            out
        });
        let positions = values.len();
        let logits = PyArray1::from_vec(py, logits).reshape([positions, a.logits_on(grid)])?;
        Ok((logits, PyArray1::from_vec(py, values)))
    }

    /// An evaluation function for `boyi.Engine`.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        observations: PyArrayLikeDyn<'py, f32, AllowTypeChange>,
    ) -> PyResult<Evaluated<'py>> {
        self.forward(py, observations)
    }

    /// Writes it to a file that `puct net=FILE` reads, replaced in one step.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        save(&path, &self.weights, &self.info).map_err(error)
    }

    fn __repr__(&self) -> String {
        let a = &self.info.architecture;
        let game = &self.info.game;
        format!("<boyi.Network for {game}: {} blocks of {} channels>", a.blocks, a.channels)
    }
}
