//! A network as a search wants it: positions in, values and policies out.
//!
//! [`Judge`] turns leaves into planes, asks the network once for all that its
//! cache does not know, and turns the mover's answers into First's. [`Shelf`]
//! keeps judges from one search to the next, for a search makes its evaluators
//! anew and a network is large.
//!
//! It knows neither trees nor self-play, and both use it.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::{MoveList, TextError, mix};
use search::{Evaluation, Evaluator, Leaf};

use crate::encode::Encode;
use crate::net::{Card, Frozen, Network, Output, WeightsError, from_bytes, load, softmax};

/// Leaves that the network is given at most at a time: more gains no speed and
/// takes more memory.
const MOST: usize = 256;

/// What a judge has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Positions that the network judged.
    pub judged: u64,
    /// Positions that the cache knew.
    pub remembered: u64,
    /// Time in the network.
    pub time: Duration,
}

/// Judges positions by a network.
pub struct Judge<G> {
    network: Frozen<f32>,
    cache: Vec<Option<(u64, Evaluation)>>,
    planes: Vec<f32>,
    output: Output<f32>,
    asked: Vec<(usize, u64)>,
    tally: Tally,
    game: PhantomData<fn(G)>,
}

impl<G: Encode> Judge<G> {
    /// A judge that remembers about `memory` positions.
    pub fn new(network: &Network<f32>, memory: usize) -> Judge<G> {
        Judge {
            network: Frozen::new(network),
            cache: vec![None; memory],
            planes: Vec::new(),
            output: Output::default(),
            asked: Vec::new(),
            tally: Tally::default(),
            game: PhantomData,
        }
    }

    /// Judges by another network from now on.
    pub fn renew(&mut self, network: &Network<f32>) {
        self.network = Frozen::new(network);
        self.cache.fill(None);
    }

    /// What it has done since it was last asked.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    fn judge(&mut self, batch: &[Leaf<G>], out: &mut [Evaluation]) {
        let Some(&(first, _)) = self.asked.first() else { return };
        let shape = batch[first].game.shape();
        assert!(shape.fits(self.network.architecture()), "a network for another board");
        self.planes.clear();
        self.planes.resize(self.asked.len() * shape.inputs(), 0.0);
        for (&(i, _), planes) in self.asked.iter().zip(self.planes.chunks_exact_mut(shape.inputs()))
        {
            batch[i].game.encode(batch[i].last, planes);
        }
        let begun = Instant::now();
        self.network.judge(&self.planes, &mut self.output);
        self.tally.time += begun.elapsed();
        self.tally.judged += self.asked.len() as u64;
        let scores = self.output.scores.chunks_exact(shape.moves);
        for ((&(i, key), scores), value) in self.asked.iter().zip(scores).zip(&self.output.values) {
            let game = &batch[i].game;
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let policy = softmax(scores, moves.iter().map(|&mv| game.code(mv)));
            out[i] = Evaluation { value: value * game.to_move().sign() as f32, policy };
            if let Some(place) = place(&self.cache, key) {
                self.cache[place] = Some((key, out[i].clone()));
            }
        }
    }
}

/// Where a key belongs in a cache, if there is one.
fn place(cache: &[Option<(u64, Evaluation)>], key: u64) -> Option<usize> {
    (!cache.is_empty()).then(|| ((u128::from(key) * cache.len() as u128) >> 64) as usize)
}

/// A key of all that the network sees.
fn key<G: Encode>(leaf: &Leaf<G>) -> u64 {
    match leaf.last.filter(|_| G::SEES_LAST) {
        Some(last) => mix(leaf.game.key(), 1 + u64::from(last.into())),
        None => mix(leaf.game.key(), 0),
    }
}

impl<G: Encode> Evaluator<G> for Judge<G> {
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        out.clear();
        out.resize_with(batch.len(), Evaluation::default);
        for (i, leaf) in batch.iter().enumerate() {
            let key = key(leaf);
            let known = place(&self.cache, key).and_then(|place| self.cache[place].as_ref());
            match known {
                Some((other, evaluation)) if *other == key => {
                    out[i].clone_from(evaluation);
                    self.tally.remembered += 1;
                }
                _ => self.asked.push((i, key)),
            }
            if self.asked.len() == MOST {
                self.judge(batch, out);
                self.asked.clear();
            }
        }
        self.judge(batch, out);
        self.asked.clear();
    }
}

/// Reads a network and makes sure that it plays this game.
pub fn load_for<G: Encode>(path: &Path, game: &G) -> Result<(Network<f32>, Card), TextError> {
    fits(path, game, load(path))
}

/// The same for a network that is in memory; `path` is for errors alone.
pub fn read_for<G: Encode>(
    path: &Path,
    bytes: &[u8],
    game: &G,
) -> Result<(Network<f32>, Card), TextError> {
    fits(path, game, from_bytes(path, bytes))
}

fn fits<G: Encode>(
    path: &Path,
    game: &G,
    read: Result<(Network<f32>, Card), WeightsError>,
) -> Result<(Network<f32>, Card), TextError> {
    let (network, card) = read.map_err(|error| TextError::new(error.to_string()))?;
    let path = path.display();
    if card.game != game.kind() {
        let (theirs, ours) = (&card.game, game.kind());
        return Err(TextError::new(format!("{path} plays {theirs}, not {ours}")));
    }
    if card.encoding != G::VERSION || !game.shape().fits(&card.architecture) {
        return Err(TextError::new(format!(
            "{path} was trained with encoding {} of {}; this program has encoding {}",
            card.encoding,
            card.game,
            G::VERSION
        )));
    }
    Ok((network, card))
}

/// Judges that wait for the next search.
pub struct Shelf<G> {
    network: Network<f32>,
    memory: usize,
    idle: Mutex<Vec<Judge<G>>>,
}

impl<G: Encode> Shelf<G> {
    /// A shelf of judges by one network that remember `memory` positions each.
    pub fn new(network: Network<f32>, memory: usize) -> Arc<Shelf<G>> {
        Arc::new(Shelf { network, memory, idle: Mutex::default() })
    }

    /// A judge, which comes back to the shelf by itself.
    pub fn lend(self: &Arc<Self>) -> Box<dyn Evaluator<G> + Send> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let judge = idle.unwrap_or_else(|| Judge::new(&self.network, self.memory));
        Box::new(Lent { judge: Some(judge), shelf: self.clone() })
    }
}

struct Lent<G: Encode> {
    judge: Option<Judge<G>>,
    shelf: Arc<Shelf<G>>,
}

impl<G: Encode> Evaluator<G> for Lent<G> {
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        self.judge.as_mut().expect("here until dropped").evaluate(batch, out);
    }
}

impl<G: Encode> Drop for Lent<G> {
    fn drop(&mut self) {
        let mut idle = self.shelf.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.judge.take());
    }
}
