//! An engine that brings limits of its own, from its spec.

use std::ops::ControlFlow;

use games::{Game, Record};
use search::{Engine, Info, Limits};

/// Thinks within the limits it is given and within its own.
pub struct Limited<G: Game> {
    /// The engine that thinks.
    pub engine: Box<dyn Engine<G>>,
    /// Its own limits on simulations and nodes.
    pub sims: Option<u64>,
    /// As above.
    pub nodes: Option<u64>,
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}

impl<G: Game> Engine<G> for Limited<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let limits = Limits {
            sims: least(limits.sims, self.sims),
            nodes: least(limits.nodes, self.nodes),
            ..*limits
        };
        self.engine.think(record, &limits, watch)
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        self.engine.ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }
}
