//! The replay buffer.

use std::collections::VecDeque;

use games::{MoveList, Rng};

use crate::encode::Encode;
use crate::net::{Boards, Target};
use crate::selfplay::TrainingGame;

/// Separates the random numbers of surprise weighting from others.
const SURPRISE_SEED: u64 = 0x5a9b;

/// Positions with their training targets.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The sizes of their boards; those of one size are together.
    pub boards: Boards,
    /// The planes of all positions, one after another.
    pub planes: Vec<f32>,
    /// The target of each position.
    pub targets: Vec<Target>,
}

struct Entry<G> {
    start: G,
    game: TrainingGame,
    /// First's value target at each ply.
    values: Vec<f32>,
    /// The plies to sample, some of them more than once.
    plies: Vec<u32>,
    /// Samples of all games before this one, since the buffer was made.
    before: u64,
}

/// The newest games, from which batches are sampled.
///
/// ```
/// use games::{Rng, Game};
/// use games::dots_and_boxes::DotsAndBoxes;
/// use learn::replay::{Batch, ReplayBuffer};
/// use learn::selfplay::random_game;
///
/// let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
/// let mut buffer = ReplayBuffer::new(start, 1000, 1.0);
/// buffer.add(random_game(&start, 1, 0));
/// let mut batch = Batch::default();
/// buffer.sample(16, &mut Rng::seeded(1), &mut batch);
/// assert_eq!(batch.targets.len(), 16);
/// ```
pub struct ReplayBuffer<G> {
    start: G,
    games: VecDeque<Entry<G>>,
    /// Samples of all games ever added.
    added: u64,
    window: u64,
    lambda: f32,
    surprise: f32,
}

impl<G: Encode> ReplayBuffer<G> {
    /// A buffer of the newest `window` samples of games that begin at `start`, or on
    /// another board that shares its network; whole games are dropped, so it may hold
    /// a few more. `lambda` blends value targets, see [`TrainingGame::values`].
    pub fn new(start: G, window: u64, lambda: f32) -> ReplayBuffer<G> {
        ReplayBuffer { start, games: VecDeque::new(), added: 0, window, lambda, surprise: 0.0 }
    }

    /// The same buffer, but a share (0 to 1) of each game's samples goes to its
    /// plies in proportion to their policy surprise (Wu's policy surprise
    /// weighting, 2020): where the search agreed with the network there is little
    /// to learn.
    pub fn with_surprise(self, share: f32) -> ReplayBuffer<G> {
        ReplayBuffer { surprise: share.clamp(0.0, 1.0), ..self }
    }

    /// Adds a game, which must be legal ([`TrainingGame::check`]), and gives its
    /// number of samples: the plies with a policy target, or all if none has one.
    ///
    /// # Panics
    /// If the game's setup is no board of this network.
    pub fn add(&mut self, game: TrainingGame) -> u64 {
        let start = game.start(&self.start).expect("a legal game");
        let all = 0..game.plies.len() as u32;
        let mut plies: Vec<u32> =
            all.clone().filter(|&ply| game.plies[ply as usize].has_policy()).collect();
        if plies.is_empty() {
            plies = all.collect();
        }
        let plies = self.weigh_by_surprise(&game, plies);
        let count = plies.len() as u64;
        let values = game.values(self.lambda);
        self.games.push_back(Entry { start, game, values, plies, before: self.added });
        self.added += count;
        while self.games.get(1).is_some_and(|second| self.added - second.before >= self.window) {
            self.games.pop_front();
        }
        count
    }

    /// The plies repeated by their surprise; the mean number of repetitions is 1.
    fn weigh_by_surprise(&self, game: &TrainingGame, plies: Vec<u32>) -> Vec<u32> {
        let surprise = |ply: u32| game.plies[ply as usize].surprise();
        let mean = plies.iter().map(|&ply| surprise(ply)).sum::<f32>() / plies.len() as f32;
        if self.surprise == 0.0 || mean.is_nan() || mean <= 0.0 {
            return plies;
        }
        // Fractions are rounded at random, by the game's own random numbers.
        let mut rng = Rng::stream(SURPRISE_SEED, game.id);
        let repeat = |&ply: &u32| {
            let times = 1.0 - self.surprise + self.surprise * surprise(ply) / mean;
            std::iter::repeat_n(ply, (times + rng.unit() as f32) as usize)
        };
        let repeated: Vec<u32> = plies.iter().flat_map(repeat).collect();
        if repeated.is_empty() { plies } else { repeated }
    }

    /// The number of samples it holds.
    pub fn len(&self) -> u64 {
        self.games.front().map_or(0, |oldest| self.added - oldest.before)
    }

    /// Whether it holds no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `batch` with `count` samples drawn uniformly with replacement; with
    /// none if the buffer is empty.
    pub fn sample(&self, count: usize, rng: &mut Rng, batch: &mut Batch) {
        batch.boards.clear();
        batch.planes.clear();
        batch.targets.clear();
        if self.is_empty() {
            return;
        }
        let draw = |_| {
            let number = self.added - 1 - rng.below(self.len() as usize) as u64;
            let entry = &self.games[self.games.partition_point(|e| e.before <= number) - 1];
            let ply = entry.plies[(number - entry.before) as usize] as usize;
            (entry, ply, rng.below(entry.start.symmetries()))
        };
        let mut drawn: Vec<(&Entry<G>, usize, usize)> = (0..count).map(draw).collect();
        drawn.sort_by_key(|(entry, ..)| {
            let grid = entry.start.shape().grid;
            (grid.height, grid.width)
        });
        for (entry, ply, symmetry) in drawn {
            entry.push_sample(ply, symmetry, batch);
        }
    }
}

impl<G: Encode> Entry<G> {
    fn push_sample(&self, ply: usize, symmetry: usize, batch: &mut Batch) {
        let mut game = self.start.clone();
        let mut last = None;
        for ply in &self.game.plies[..ply] {
            let mv = G::Move::from(ply.mv);
            last = Some((game.clone(), mv));
            game.play(mv);
        }
        let transformed = game.transform(symmetry);
        let last = last.map(|(before, mv)| before.transform_move(symmetry, mv));
        let at = batch.planes.len();
        let shape = transformed.shape();
        batch.boards.push(shape.grid);
        batch.planes.resize(at + shape.inputs(), 0.0);
        transformed.encode(last, &mut batch.planes[at..]);

        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let codes = moves.iter().map(|&mv| transformed.code(game.transform_move(symmetry, mv)));
        let policy = codes.zip(self.game.plies[ply].policy()).collect();
        let value = self.values[ply] * game.to_move().sign() as f32;
        batch.targets.push(Target { policy, value });
    }
}
