//! A network as a search's evaluator: positions in, values and policies out.
//!
//! [`NetworkEvaluator`] encodes leaves, runs the network on those that its cache
//! does not hold, and turns the mover's values into First's. [`EvaluatorPool`]
//! keeps evaluators from one search to the next: a search asks for new ones each
//! time, and a network with its cache is large.
//!
//! It knows neither trees nor self-play; both use it.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::{MoveList, TextError, mix};
use search::{Evaluation, Evaluator, Leaf};

use crate::encode::{Encode, Shape};
use crate::net::{
    Grid, InferenceNet, ModelInfo, Network, Output, WeightsError, from_bytes, load, softmax,
};

/// The largest batch given to the network: a larger one gains no speed and takes
/// more memory.
const MAX_BATCH: usize = 256;

/// Counters of an evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluatorStats {
    /// Positions evaluated by the network.
    pub evaluated: u64,
    /// Positions found in the cache.
    pub cache_hits: u64,
    /// Time spent in the network.
    pub time: Duration,
}

/// What turns planes into logits and values: our network, or one that another
/// library runs.
pub trait Forward {
    /// Whether it evaluates positions of this shape.
    fn fits(&self, shape: &Shape) -> bool;

    /// Evaluates a batch of positions of this shape, each [`Shape::inputs`] numbers,
    /// into `out`: as many logits as there are move codes, and one value of the
    /// mover's.
    fn forward(&mut self, shape: &Shape, planes: &[f32], out: &mut Output<f32>);
}

impl Forward for InferenceNet<f32> {
    fn fits(&self, shape: &Shape) -> bool {
        shape.fits(self.architecture())
    }

    fn forward(&mut self, shape: &Shape, planes: &[f32], out: &mut Output<f32>) {
        self.forward_on(shape.grid, planes, out);
    }
}

/// Evaluates positions by a network, with a cache.
///
/// ```
/// use games::{Rng, Game};
/// use games::connect_four::ConnectFour;
/// use learn::net::Network;
/// use learn::{Encode, NetworkEvaluator};
/// use search::{Evaluator, Leaf};
///
/// let game = ConnectFour::<u64>::start(&Default::default()).unwrap();
/// let mut rng = Rng::seeded(1);
/// let network = Network::new(game.shape().architecture(), || rng.unit());
/// let mut evaluator = NetworkEvaluator::new(&network, 1024);
/// let mut out = Vec::new();
/// evaluator.evaluate(&[Leaf { game, last: None }], &mut out);
/// assert_eq!(out[0].policy.len(), 7);
/// assert!(out[0].value.abs() <= 1.0);
/// ```
pub struct NetworkEvaluator<G, N = InferenceNet<f32>> {
    network: N,
    cache: Vec<Option<(u64, Evaluation)>>,
    planes: Vec<f32>,
    output: Output<f32>,
    /// The leaves of a batch that the cache lacks: index and key.
    misses: Vec<(usize, u64)>,
    stats: EvaluatorStats,
    game: PhantomData<fn(G)>,
}

impl<G: Encode> NetworkEvaluator<G> {
    /// An evaluator whose cache holds `cache_size` positions.
    pub fn new(network: &Network<f32>, cache_size: usize) -> NetworkEvaluator<G> {
        NetworkEvaluator::over(InferenceNet::new(network), cache_size)
    }

    /// Replaces the network and clears the cache.
    pub fn set_network(&mut self, network: &Network<f32>) {
        self.network = InferenceNet::new(network);
        self.cache.fill(None);
    }
}

impl<G: Encode, N: Forward> NetworkEvaluator<G, N> {
    /// An evaluator over whatever runs the network.
    pub fn over(network: N, cache_size: usize) -> NetworkEvaluator<G, N> {
        NetworkEvaluator {
            network,
            cache: vec![None; cache_size],
            planes: Vec::new(),
            output: Output::default(),
            misses: Vec::new(),
            stats: EvaluatorStats::default(),
            game: PhantomData,
        }
    }

    /// The counters since the last call.
    pub fn take_stats(&mut self) -> EvaluatorStats {
        std::mem::take(&mut self.stats)
    }

    /// Evaluates the cache misses by the network, the boards of each size together.
    fn evaluate_misses(&mut self, batch: &[Leaf<G>], out: &mut [Evaluation]) {
        let mut misses = std::mem::take(&mut self.misses);
        let grid = |&(i, _): &(usize, u64)| batch[i].game.shape().grid;
        misses.sort_by_key(|miss| (grid(miss).height, grid(miss).width));
        for alike in misses.chunk_by(|one, other| grid(one) == grid(other)) {
            self.evaluate_alike(batch, alike, out);
        }
        misses.clear();
        self.misses = misses;
    }

    /// Evaluates leaves on boards of one size by the network: their indices and keys.
    fn evaluate_alike(
        &mut self,
        batch: &[Leaf<G>],
        misses: &[(usize, u64)],
        out: &mut [Evaluation],
    ) {
        let shape = batch[misses[0].0].game.shape();
        assert!(self.network.fits(&shape), "the network is for another board");
        self.planes.clear();
        self.planes.resize(misses.len() * shape.inputs(), 0.0);
        let inputs = self.planes.chunks_exact_mut(shape.inputs());
        for (&(i, _), planes) in misses.iter().zip(inputs) {
            batch[i].game.encode(batch[i].last, planes);
        }
        let started = Instant::now();
        self.network.forward(&shape, &self.planes, &mut self.output);
        self.stats.time += started.elapsed();
        self.stats.evaluated += misses.len() as u64;
        let logits = self.output.logits.chunks_exact(shape.moves);
        for ((&(i, key), logits), value) in misses.iter().zip(logits).zip(&self.output.values) {
            let game = &batch[i].game;
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let policy = softmax(moves.iter().map(|&mv| logits[game.code(mv)]));
            out[i] = Evaluation { value: value * game.to_move().sign() as f32, policy };
            if let Some(slot) = cache_slot(&self.cache, key) {
                self.cache[slot] = Some((key, out[i].clone()));
            }
        }
    }
}

/// The index of a key in a cache; none if the cache has no entries.
fn cache_slot(cache: &[Option<(u64, Evaluation)>], key: u64) -> Option<usize> {
    (!cache.is_empty()).then(|| ((u128::from(key) * cache.len() as u128) >> 64) as usize)
}

/// A key of everything that the network sees.
fn cache_key<G: Encode>(leaf: &Leaf<G>) -> u64 {
    match leaf.last.filter(|_| G::SEES_LAST) {
        Some(last) => mix(leaf.game.cache_key(), 1 + u64::from(last.into())),
        None => mix(leaf.game.cache_key(), 0),
    }
}

impl<G: Encode, N: Forward> Evaluator<G> for NetworkEvaluator<G, N> {
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        out.clear();
        out.resize_with(batch.len(), Evaluation::default);
        for (i, leaf) in batch.iter().enumerate() {
            let key = cache_key(leaf);
            let cached = cache_slot(&self.cache, key).and_then(|slot| self.cache[slot].as_ref());
            match cached {
                Some((other, evaluation)) if *other == key => {
                    out[i].clone_from(evaluation);
                    self.stats.cache_hits += 1;
                }
                _ => self.misses.push((i, key)),
            }
            if self.misses.len() == MAX_BATCH {
                self.evaluate_misses(batch, out);
            }
        }
        self.evaluate_misses(batch, out);
    }
}

/// Loads a network and checks that it is for this game.
pub fn load_for<G: Encode>(path: &Path, game: &G) -> Result<(Network<f32>, ModelInfo), TextError> {
    check_game(path, game, load(path))
}

/// The same for a network in memory; `path` is for messages only.
pub fn read_for<G: Encode>(
    path: &Path,
    bytes: &[u8],
    game: &G,
) -> Result<(Network<f32>, ModelInfo), TextError> {
    check_game(path, game, from_bytes(path, bytes))
}

fn check_game<G: Encode>(
    path: &Path,
    game: &G,
    read: Result<(Network<f32>, ModelInfo), WeightsError>,
) -> Result<(Network<f32>, ModelInfo), TextError> {
    let (network, info) = read.map_err(|error| TextError::new(error.to_string()))?;
    let path = path.display();
    let (theirs, ours) = (&info.game, game.kind());
    let is_named = theirs.split(' ').next() == Some(G::NAME);
    let (encoding, version) = (info.encoding, G::VERSION);
    let shape = game.shape();
    let problem = if is_named && encoding != version {
        format!(
            "was trained with encoding {encoding} of {theirs}; this program has encoding {version}"
        )
    } else if *theirs != ours {
        format!("plays {theirs}, not {ours}")
    } else if !info.architecture.has_board(shape.grid) {
        let Grid { height, width } = info.architecture.grid();
        let (columns, rows) = (shape.grid.width, shape.grid.height);
        format!("is for boards of {width} columns and {height} rows, not of {columns} and {rows}")
    } else if !shape.fits(&info.architecture) {
        format!("has another number of planes or moves than {ours}")
    } else {
        return Ok((network, info));
    };
    Err(TextError::new(format!("{path} {problem}")))
}

/// Evaluators of one network that are reused by later searches.
///
/// ```
/// use games::{Game, Rng};
/// use games::connect_four::ConnectFour;
/// use learn::net::Network;
/// use learn::{Encode, EvaluatorPool};
/// use search::{Evaluator, Leaf};
///
/// let game = ConnectFour::<u64>::start(&Default::default()).unwrap();
/// let mut rng = Rng::seeded(1);
/// let pool = EvaluatorPool::new(Network::new(game.shape().architecture(), || rng.unit()), 1024);
/// let [mut one, mut other] = [Vec::new(), Vec::new()];
/// pool.get().evaluate(&[Leaf { game, last: None }], &mut one);
/// pool.get().evaluate(&[Leaf { game, last: None }], &mut other);
/// assert_eq!(one, other);
/// ```
pub struct EvaluatorPool<G> {
    network: Network<f32>,
    cache_size: usize,
    idle: Mutex<Vec<NetworkEvaluator<G>>>,
}

impl<G: Encode> EvaluatorPool<G> {
    /// An empty pool; each of its evaluators will cache `cache_size` positions.
    pub fn new(network: Network<f32>, cache_size: usize) -> Arc<EvaluatorPool<G>> {
        Arc::new(EvaluatorPool { network, cache_size, idle: Mutex::default() })
    }

    /// An idle evaluator or a new one; it returns to the pool when dropped.
    pub fn get(self: &Arc<Self>) -> Pooled<G> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let evaluator =
            idle.unwrap_or_else(|| NetworkEvaluator::new(&self.network, self.cache_size));
        Pooled { evaluator: Some(evaluator), pool: self.clone() }
    }
}

/// An evaluator on loan from an [`EvaluatorPool`].
pub struct Pooled<G: Encode> {
    evaluator: Option<NetworkEvaluator<G>>,
    pool: Arc<EvaluatorPool<G>>,
}

impl<G: Encode> Evaluator<G> for Pooled<G> {
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        self.evaluator.as_mut().expect("taken only by drop").evaluate(batch, out);
    }
}

impl<G: Encode> Drop for Pooled<G> {
    fn drop(&mut self) {
        let mut idle = self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.evaluator.take());
    }
}

#[cfg(test)]
mod tests {
    use games::dots_and_boxes::DotsAndBoxes;
    use games::{Game, Rng};

    use super::*;

    #[test]
    fn threads_share_a_pool_and_its_evaluators_are_reused() {
        let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
        let mut rng = Rng::seeded(1);
        let network = Network::new(start.shape().architecture(), || rng.unit());
        let leaf = |i: usize| {
            let mut game = start;
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            game.play(moves[i]);
            Leaf { game, last: Some(moves[i]) }
        };
        let leaves: Vec<_> = (0..4).map(leaf).collect();
        let mut expected = Vec::new();
        NetworkEvaluator::new(&network, 0).evaluate(&leaves, &mut expected);
        let pool = EvaluatorPool::new(network, 16);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let mut out = Vec::new();
                        pool.get().evaluate(&leaves, &mut out);
                        assert_eq!(out, expected);
                    }
                });
            }
        });
        assert!(pool.idle.lock().unwrap().len() <= 3);
    }
}
