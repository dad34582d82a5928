//! Engines for whoever asks for one, within what the server has.

use std::ops::ControlFlow;

use games::TextError;
use search::Limits;
use session::{EngineSpec, Report, Session, Thinker};

use crate::purse::Share;
use crate::refusal::Refusal;
use crate::table::House;

/// An engine and the memory that it may fill. In this order: the memory is
/// given back when the engine is gone.
struct Hired {
    thinker: Box<dyn Thinker>,
    _share: Share,
}

impl House {
    /// Makes sure that an engine's name means something in a session's game.
    pub fn check(&self, session: &dyn Session, text: &str) -> Result<(), Refusal> {
        let mut spec = self.means.engine(text)?;
        if let Some(name) = spec.family().memory() {
            // It is built to be thrown away.
            spec.set(name, "3").map_err(Refusal::bad)?;
        }
        session.thinker(&spec, 0).map_err(Refusal::bad)?;
        Ok(())
    }

    /// An engine for a session's game with a part of the server's memory; none
    /// if there is too little left just now.
    pub fn hire(
        &self,
        session: &dyn Session,
        mut spec: EngineSpec,
        seed: u64,
    ) -> Result<Option<Box<dyn Thinker>>, Refusal> {
        let Some(name) = spec.family().memory() else {
            return session.thinker(&spec, seed).map(Some).map_err(Refusal::bad);
        };
        let Some(share) = self.purse.take(spec.value(name)) else { return Ok(None) };
        spec.set(name, &share.megabytes().to_string()).map_err(Refusal::bad)?;
        let thinker = session.thinker(&spec, seed).map_err(Refusal::bad)?;
        Ok(Some(Box::new(Hired { thinker, _share: share })))
    }
}

impl Thinker for Hired {
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError> {
        self.thinker.set(start, moves)
    }

    fn think(
        &mut self,
        limits: &Limits,
        watch: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Report {
        self.thinker.think(limits, watch)
    }

    fn ponder(&mut self, watch: &mut dyn FnMut(&Report) -> ControlFlow<()>) {
        self.thinker.ponder(watch);
    }

    fn new_game(&mut self, seed: u64) {
        self.thinker.new_game(seed);
    }
}
