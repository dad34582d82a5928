//! Strength from 1 to 10, so that a beginner can win.
//!
//! A level is a number of nodes and a rate of blunders: each step up searches
//! about three times as much and moves at random less often. Level 10 never does.

use games::{Game, Record, Rng};
use search::{Engine, Limits, SearchControl, SearchInfo};

/// The best engine, weakened.
pub struct Level<G: Game> {
    engine: Box<dyn Engine<G>>,
    level: u32,
    rng: Rng,
}

impl<G: Game> Level<G> {
    /// `level` from 1 to 10 of an engine.
    pub fn new(engine: Box<dyn Engine<G>>, level: u32, seed: u64) -> Level<G> {
        Level { engine, level, rng: Rng::seeded(seed) }
    }

    /// Nodes of a move: about 20 at level 1, 400,000 at level 10.
    fn nodes(&self) -> u64 {
        20 * 3u64.pow(self.level - 1)
    }

    /// The chance of a random move.
    fn blunder_rate(&self) -> f64 {
        0.4 * f64::from(10 - self.level) / 9.0
    }
}

impl<G: Game> Engine<G> for Level<G> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        if self.rng.unit() < self.blunder_rate() {
            let best = record.game().random_move(&mut self.rng);
            return SearchInfo { best, nodes: 1, ..SearchInfo::default() };
        }
        let nodes = Some(self.nodes());
        let limits = Limits { sims: nodes, nodes, ..*control.limits() };
        self.engine.search(record, &control.within(limits, *control.time()))
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        self.engine.guess(record, limits)
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::stream(seed, 1);
        self.engine.new_game(seed);
    }
}
