//! The random mover.

use std::ops::ControlFlow;

use games::{Dice, Game, Record};
use search::{Engine, Info, Limits};

/// Plays any legal move.
pub struct RandomMover {
    dice: Dice,
}

impl RandomMover {
    /// One whose choices the seed decides.
    pub fn new(seed: u64) -> RandomMover {
        RandomMover { dice: Dice::seeded(seed) }
    }
}

impl<G: Game> Engine<G> for RandomMover {
    fn think(
        &mut self,
        record: &Record<G>,
        _limits: &Limits,
        _watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        Info { best: record.game().random_move(&mut self.dice), nodes: 1, ..Info::new() }
    }

    fn new_game(&mut self, seed: u64) {
        self.dice = Dice::seeded(seed);
    }
}
