//! Games kept to learn from: on disk in compressed shards, in memory as a pool
//! of the newest positions, out of which batches are drawn.
//!
//! Positions are found again by playing a game's moves, and are turned by a
//! random symmetry each time they are drawn. The pool knows what is to be learnt
//! of a position ([`Target`]); it knows no network.

mod shard;

use std::collections::VecDeque;

use games::{MoveList, Rng};

use crate::encode::Encode;
use crate::net::Target;
use crate::selfplay::Played;

pub use shard::{ShardError, Shards};

/// Positions to learn from, with what is to be learnt.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The planes of all positions, one after another.
    pub planes: Vec<f32>,
    /// What each should have been judged to be.
    pub targets: Vec<Target>,
}

struct Entry {
    played: Played,
    /// First's value to be learnt at each ply.
    values: Vec<f32>,
    /// The plies to learn from, some of them more than once.
    plies: Vec<u32>,
    /// Samples of all games before this one, since the pool began.
    before: u64,
}

/// The newest games.
pub struct Pool<G> {
    start: G,
    games: VecDeque<Entry>,
    /// Samples of all games ever added.
    after: u64,
    window: u64,
    lambda: f32,
    surprise: f32,
}

impl<G: Encode> Pool<G> {
    /// A pool of at least `window` samples, if there are so many, of games that
    /// begin at `start`. `lambda` blends values, see [`Played::values`].
    pub fn new(start: G, window: u64, lambda: f32) -> Pool<G> {
        Pool { start, games: VecDeque::new(), after: 0, window, lambda, surprise: 0.0 }
    }

    /// The same pool, but a share (0 to 1) of what is drawn from each game goes to
    /// its plies in proportion to how much their searches changed the policy (Wu's
    /// policy surprise weighting, 2020): where the network knew as much before,
    /// there is little to learn.
    pub fn with_surprise(self, share: f32) -> Pool<G> {
        Pool { surprise: share.clamp(0.0, 1.0), ..self }
    }

    /// Adds a game, which must be legal ([`Played::check`]), and says how many
    /// samples it has: its plies with a policy, or all if none has one.
    pub fn add(&mut self, played: Played) -> u64 {
        let all = 0..played.plies.len() as u32;
        let mut plies: Vec<u32> =
            all.clone().filter(|&ply| played.plies[ply as usize].has_policy()).collect();
        if plies.is_empty() {
            plies = all.collect();
        }
        let plies = self.by_surprise(&played, plies);
        let added = plies.len() as u64;
        let values = played.values(self.lambda);
        self.games.push_back(Entry { played, values, plies, before: self.after });
        self.after += added;
        while self.games.get(1).is_some_and(|second| self.after - second.before >= self.window) {
            self.games.pop_front();
        }
        added
    }

    /// The plies as often as they are to be drawn, which is once on average.
    fn by_surprise(&self, played: &Played, plies: Vec<u32>) -> Vec<u32> {
        let surprise = |ply: u32| played.plies[ply as usize].surprise();
        let mean = plies.iter().map(|&ply| surprise(ply)).sum::<f32>() / plies.len() as f32;
        if self.surprise == 0.0 || mean.is_nan() || mean <= 0.0 {
            return plies;
        }
        // Parts of a time are left to chance, of which each game has its own.
        let mut rng = Rng::stream(0x5a9b, played.id);
        let often = |&ply: &u32| {
            let times = 1.0 - self.surprise + self.surprise * surprise(ply) / mean;
            std::iter::repeat_n(ply, (times + rng.unit() as f32) as usize)
        };
        let drawn: Vec<u32> = plies.iter().flat_map(often).collect();
        if drawn.is_empty() { plies } else { drawn }
    }

    /// How many samples it holds.
    pub fn len(&self) -> u64 {
        self.games.front().map_or(0, |oldest| self.after - oldest.before)
    }

    /// Whether there is nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Draws `count` samples, each of those held with the same chance. None, if
    /// the pool is empty.
    pub fn draw(&self, count: usize, rng: &mut Rng, batch: &mut Batch) {
        batch.planes.clear();
        batch.targets.clear();
        if self.is_empty() {
            return;
        }
        for _ in 0..count {
            let number = self.after - 1 - rng.below(self.len() as usize) as u64;
            let entry = &self.games[self.games.partition_point(|e| e.before <= number) - 1];
            let ply = entry.plies[(number - entry.before) as usize] as usize;
            self.show(entry, ply, rng, batch);
        }
    }

    fn show(&self, entry: &Entry, ply: usize, rng: &mut Rng, batch: &mut Batch) {
        let mut game = self.start.clone();
        let mut last = None;
        for ply in &entry.played.plies[..ply] {
            let mv = G::Move::from(ply.mv);
            last = Some((game.clone(), mv));
            game.play(mv);
        }
        let s = rng.below(game.symmetries());
        let turned = game.transform(s);
        let last = last.map(|(before, mv)| before.transform_move(s, mv));
        let begun = batch.planes.len();
        batch.planes.resize(begun + turned.shape().inputs(), 0.0);
        turned.encode(last, &mut batch.planes[begun..]);

        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let codes = moves.iter().map(|&mv| turned.code(game.transform_move(s, mv)));
        let policy = codes.zip(entry.played.plies[ply].policy()).collect();
        let value = entry.values[ply] * game.to_move().sign() as f32;
        batch.targets.push(Target { policy, value });
    }
}
