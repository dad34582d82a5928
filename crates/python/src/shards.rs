//! The games of a training run as arrays.

use std::path::PathBuf;

use games::{MoveList, Rng};
use learn::Encode;
use learn::replay::Shards as Files;
use learn::selfplay::TrainingGame;
use learn::train::RunFolder;
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use session::{GameSpec, GameVisitor, Playable};

use crate::error::error;
use crate::game::Game;
use crate::interrupt::interruptible;

/// Training positions: an entry for each ply that was searched.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct Samples {
    /// The planes (float32): positions, rows, columns, planes.
    observations: Py<PyArray4<f32>>,
    /// The search's policy (float32): positions by actions, each row adding up to 1.
    policy: Py<PyArray2<f32>>,
    /// The value target for the mover (float32), from -1 to 1.
    value: Py<PyArray1<f32>>,
    /// The legal moves (int8): positions by actions.
    mask: Py<PyArray2<i8>>,
    /// The number of the game within the shard (int32).
    game: Py<PyArray1<i32>>,
}

#[pymethods]
impl Samples {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.value.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<boyi.Samples of {} positions>", self.__len__(py)?))
    }
}

/// The numbers of [`Samples`].
#[derive(Default)]
struct Buffers {
    observations: Vec<f32>,
    policy: Vec<f32>,
    value: Vec<f32>,
    mask: Vec<i8>,
    game: Vec<i32>,
}

/// Turns games into samples.
struct Encode1<'a> {
    games: &'a [TrainingGame],
    lambda: f32,
    symmetries: Option<u64>,
}

impl GameVisitor for Encode1<'_> {
    type Output = Result<Buffers, String>;

    fn visit<G: Playable>(self, start: G) -> Result<Buffers, String> {
        let mut out = Buffers::default();
        let mut rng = Rng::seeded(self.symmetries.unwrap_or_default());
        for (number, training) in self.games.iter().enumerate() {
            training.check(&start).map_err(|error| error.to_string())?;
            if training.setup != start.setup().to_string() {
                return Err(
                    "the games of this run are on boards of several sizes, which do not fit \
                            one array"
                        .to_owned(),
                );
            }
            let values = training.values(self.lambda);
            let (mut game, mut last) = (start.clone(), None);
            for (ply, value) in training.plies.iter().zip(values) {
                if ply.has_policy() {
                    let symmetry = match self.symmetries {
                        Some(_) => rng.below(game.symmetries()),
                        None => 0,
                    };
                    out.push(&game, last.as_ref(), ply.policy(), symmetry);
                    out.value.push(value * game.to_move().sign() as f32);
                    out.game.push(number as i32);
                }
                let mv = G::Move::from(ply.mv);
                last = Some((game.clone(), mv));
                game.play(mv);
            }
        }
        Ok(out)
    }
}

impl Buffers {
    fn push<G: Encode>(
        &mut self,
        game: &G,
        last: Option<&(G, G::Move)>,
        policy: impl IntoIterator<Item = f32>,
        symmetry: usize,
    ) {
        let shape = game.shape();
        let transformed = game.transform(symmetry);
        let at = self.observations.len();
        self.observations.resize(at + shape.inputs(), 0.0);
        let last = last.map(|(before, mv)| before.transform_move(symmetry, *mv));
        transformed.encode(last, &mut self.observations[at..]);
        let row = self.policy.len();
        self.policy.resize(row + shape.moves, 0.0);
        self.mask.resize(row + shape.moves, 0);
        transformed.mask(&mut self.mask[row..]);
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        for (&mv, share) in moves.iter().zip(policy) {
            let code = transformed.code(game.transform_move(symmetry, mv));
            self.policy[row + code] = share;
        }
    }
}

/// The games of a training run (`boyi train`), shard by shard, as arrays.
///
/// Iterating gives `Samples`, one for each shard, oldest first. It only reads: a
/// training that is still running is not disturbed.
///
/// >>> for samples in boyi.shards("runs/four"):
/// ...     print(samples.observations.shape, samples.policy.shape)
#[pyclass(frozen, module = "boyi")]
pub struct Shards {
    files: Files,
    numbers: Vec<u64>,
    spec: GameSpec,
}

#[pymethods]
impl Shards {
    /// The game that is trained.
    #[getter]
    fn game(&self) -> Game {
        Game::of(self.spec.clone())
    }

    fn __len__(&self) -> usize {
        self.numbers.len()
    }

    /// A shard's samples. `td_lambda` blends the game's result with the searches'
    /// values on the way to it (1: the result alone); a number as `symmetries` seeds a
    /// random symmetry for each position.
    #[pyo3(signature = (index, *, td_lambda = 1.0, symmetries = None))]
    fn samples(
        &self,
        py: Python<'_>,
        index: usize,
        td_lambda: f32,
        symmetries: Option<u64>,
    ) -> PyResult<Samples> {
        let len = self.numbers.len();
        let number = self.numbers.get(index);
        let number = *number.ok_or_else(|| error(format!("there is no shard {index} of {len}")))?;
        let buffers = interruptible(py, |_| {
            let games = self.files.read(number).map_err(|error| error.to_string())?;
            self.spec.visit(Encode1 { games: &games, lambda: td_lambda, symmetries })
        })?
        .map_err(error)?;
        let shape = session::open(&self.spec).shape();
        let count = buffers.value.len();
        let planes = [count, shape.grid.height, shape.grid.width, shape.planes];
        let rows = [count, shape.moves];
        Ok(Samples {
            observations: PyArray1::from_vec(py, buffers.observations).reshape(planes)?.unbind(),
            policy: PyArray1::from_vec(py, buffers.policy).reshape(rows)?.unbind(),
            value: PyArray1::from_vec(py, buffers.value).unbind(),
            mask: PyArray1::from_vec(py, buffers.mask).reshape(rows)?.unbind(),
            game: PyArray1::from_vec(py, buffers.game).unbind(),
        })
    }

    fn __getitem__(&self, py: Python<'_>, index: usize) -> PyResult<Samples> {
        if index >= self.numbers.len() {
            let text = format!("there is no shard {index} of {}", self.numbers.len());
            return Err(pyo3::exceptions::PyIndexError::new_err(text));
        }
        self.samples(py, index, 1.0, None)
    }

    fn __repr__(&self) -> String {
        format!("<boyi.Shards: {} of {}>", self.numbers.len(), self.spec)
    }
}

/// The games of a training run, by its folder.
#[pyfunction]
pub fn shards(folder: PathBuf) -> PyResult<Shards> {
    let (run, config) = RunFolder::open(&folder).map_err(error)?;
    let files = Files::open_read_only(&run.games()).map_err(error)?;
    let numbers = files.numbers().map_err(error)?;
    Ok(Shards { files, numbers, spec: config.game.parse().map_err(error)? })
}
