//! The random mover.

use games::{Game, Record, Rng};
use search::{Engine, SearchControl, SearchInfo};

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
    fn search(&mut self, record: &Record<G>, _: &SearchControl<G::Move>) -> SearchInfo<G::Move> {
        let best = record.game().random_move(&mut self.rng);
        SearchInfo { best, nodes: 1, ..SearchInfo::default() }
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
    }
}
