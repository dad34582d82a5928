//! An engine that plays what is certain for certain.

use std::ops::ControlFlow;

use games::Record;
use search::{Engine, Info, Limits, Punctual};

use crate::{Certain, Effort};

/// Leaves a position to solver, table or book where they know it in time, and to
/// another engine where they do not. What knows the board is made when the
/// first position of a setup is seen, since only then is the setup known.
pub struct Assured<G: Certain> {
    effort: Effort,
    /// Who plays the rest, until the first position is seen.
    waiting: Option<Box<dyn Engine<G>>>,
    ready: Option<(G::Setup, Punctual<G>)>,
}

impl<G: Certain> Assured<G> {
    /// `inner` with everything that is certain in front of it.
    pub fn new(inner: Box<dyn Engine<G>>, effort: Effort) -> Assured<G> {
        Assured { effort, waiting: Some(inner), ready: None }
    }

    fn engine(&mut self, game: &G) -> &mut dyn Engine<G> {
        let setup = game.setup();
        if let Some(inner) = self.waiting.take() {
            let engine = Punctual::new(G::assure(inner, &setup, &self.effort));
            self.ready = Some((setup.clone(), engine));
        }
        let (known, engine) = self.ready.as_mut().expect("it was waiting or is ready");
        debug_assert!(*known == setup, "an engine plays one setup");
        engine
    }
}

impl<G: Certain> Engine<G> for Assured<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        self.engine(record.game()).think(record, limits, watch)
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        self.engine(record.game()).ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        if let Some((_, engine)) = &mut self.ready {
            engine.new_game(seed);
        } else if let Some(engine) = &mut self.waiting {
            engine.new_game(seed);
        }
    }
}
