//! Engines within what the server has.

use session::{EngineHandle, EngineSpec, Session};

use crate::error::ApiError;
use crate::live_game::AppState;
use crate::memory::MemoryLease;

/// An engine and the memory that it may fill. In this order: the memory is given
/// back when the engine is gone.
pub struct LeasedEngine {
    /// The engine.
    pub handle: EngineHandle,
    _memory: Option<MemoryLease>,
}

impl AppState {
    /// Makes sure that an engine's name means something in a session's game.
    pub fn check(&self, session: &Session, text: &str) -> Result<(), ApiError> {
        session.check_engine(&self.engine_limits.engine(text)?).map_err(ApiError::bad)
    }

    /// An engine for a session's game with a part of the server's memory; none if
    /// there is too little left just now.
    pub fn lease(
        &self,
        session: &Session,
        mut spec: EngineSpec,
        seed: u64,
    ) -> Result<Option<LeasedEngine>, ApiError> {
        let mut memory = None;
        if let Some(name) = spec.family().memory() {
            let Some(share) = self.memory.take(spec.value(name)) else { return Ok(None) };
            spec.set(name, &share.megabytes().to_string()).map_err(ApiError::bad)?;
            memory = Some(share);
        }
        let handle = session.engine(&spec, seed).map_err(ApiError::bad)?;
        Ok(Some(LeasedEngine { handle, _memory: memory }))
    }
}
