//! The random mover.

use std::ops::ControlFlow;

use games::{Game, Record, Rng};
use search::{Engine, Info, Limits};

/// Plays any legal move.
pub struct RandomMover {
    rng: Rng,
}

impl RandomMover {
    /// One whose choices the seed decides.
    pub fn new(seed: u64) -> RandomMover {
        RandomMover { rng: Rng::seeded(seed) }
    }
}

impl<G: Game> Engine<G> for RandomMover {
    fn think(
        &mut self,
        record: &Record<G>,
        _limits: &Limits,
        _watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        Info { best: record.game().random_move(&mut self.rng), nodes: 1, ..Info::new() }
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
    }
}
