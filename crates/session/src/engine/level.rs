//! Strength from 1 to 10, so that a beginner can win.
//!
//! A level is a budget and a habit of not looking: each step up thinks about
//! three times as much and overlooks less often. Level 10 never overlooks.

use std::ops::ControlFlow;

use games::{Game, Record, Rng};
use search::{Engine, Info, Limits};

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

    /// Work for a move: about 20 positions at level 1, 400,000 at level 10.
    fn work(&self) -> u64 {
        20 * 3u64.pow(self.level - 1)
    }

    /// The chance to overlook everything and move at random.
    fn carelessness(&self) -> f64 {
        0.4 * f64::from(10 - self.level) / 9.0
    }
}

impl<G: Game> Engine<G> for Level<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        if self.rng.unit() < self.carelessness() {
            let best = record.game().random_move(&mut self.rng);
            return Info { best, nodes: 1, ..Info::new() };
        }
        let work = Some(self.work());
        self.engine.think(record, &Limits { sims: work, nodes: work, ..*limits }, watch)
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::stream(seed, 1);
        self.engine.new_game(seed);
    }
}
