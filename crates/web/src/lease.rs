//! Engines within what the server has.

use session::{EngineHandle, EngineSpec, Session};

use crate::memory::MemoryLease;
use crate::refusal::Refusal;
use crate::table::House;

/// An engine and the memory that it may fill. In this order: the memory is given
/// back when the engine is gone.
pub struct LeasedEngine {
    /// The engine.
    pub handle: Box<dyn EngineHandle>,
    _memory: Option<MemoryLease>,
}

impl House {
    /// Makes sure that an engine's name means something in a session's game.
    pub fn check(&self, session: &dyn Session, text: &str) -> Result<(), Refusal> {
        session.check_engine(&self.means.engine(text)?).map_err(Refusal::bad)
    }

    /// An engine for a session's game with a part of the server's memory; none if
    /// there is too little left just now.
    pub fn lease(
        &self,
        session: &dyn Session,
        mut spec: EngineSpec,
        seed: u64,
    ) -> Result<Option<LeasedEngine>, Refusal> {
        let mut memory = None;
        if let Some(name) = spec.family().memory() {
            let Some(share) = self.memory.take(spec.value(name)) else { return Ok(None) };
            spec.set(name, &share.megabytes().to_string()).map_err(Refusal::bad)?;
            memory = Some(share);
        }
        let handle = session.engine(&spec, seed).map_err(Refusal::bad)?;
        Ok(Some(LeasedEngine { handle, _memory: memory }))
    }
}
