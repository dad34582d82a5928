//! A game as the disk has it: how it comes back after a restart, a failed write or
//! a restored backup.

use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex};

use session::GameSpec;
use tokio::sync::watch;

use super::snapshot::first_ply;
use super::{AppState, GameState, LiveGame, Snapshot};
use crate::caller::Caller;
use crate::clock::{Clocks, now};
use crate::error::ApiError;
use crate::explorer::Samples;
use crate::store::{StoreError, StoredGame};

impl LiveGame {
    /// Makes a live game of a saved one that a caller asks for.
    pub fn restore(
        app: Arc<AppState>,
        saved: StoredGame,
        caller: &Caller,
    ) -> Result<Arc<LiveGame>, ApiError> {
        let spec: GameSpec = saved.spec.parse().map_err(ApiError::bad)?;
        let id = saved.id.clone();
        let state = GameState::of(&spec, saved)?;
        let review = state.review.clone().map(Arc::new);
        let access = app.store.access(&id)?;
        // A program that keeps no key has another in each of its games.
        let client = match &access.owner {
            Some(owner) if caller.is_known => owner.clone(),
            _ => caller.address.to_string(),
        };
        let game = Arc::new(LiveGame {
            id,
            spec,
            app,
            state: Mutex::new(state),
            snapshot: watch::Sender::new(Snapshot::default()),
            thought: watch::Sender::new(None),
            review: watch::Sender::new(review),
            samples: Samples::default(),
            watchers: AtomicUsize::new(0),
            last_watched: AtomicU64::new(0),
            access: watch::Sender::new(access),
            client,
            address: Mutex::new(caller.address),
        });
        game.publish(&mut game.lock());
        Ok(game)
    }

    /// Makes the game what the disk has: what was written last, or, after a
    /// backup was restored, what is there now.
    pub(super) fn revert(&self, state: &mut GameState, restored: bool) -> Result<(), ApiError> {
        let (stored, gone) = match restored {
            false => (state.stored.clone(), false),
            true => match self.app.store.load(&self.id)? {
                Some(stored) => (stored, false),
                None => (state.stored.clone(), true),
            },
        };
        let known = GameState::of(&self.spec, stored)?;
        let (version, engine_epoch) = (state.version + 1, state.engine_epoch + 1);
        let (running, failed_at) = (state.running.take(), state.failed_at);
        let deleted = state.deleted;
        let trouble = (gone || deleted).then(|| StoreError::Gone.to_string());
        *state = GameState { deleted, version, engine_epoch, running, failed_at, trouble, ..known };
        Ok(())
    }

    /// Reads the game anew, after a backup was restored.
    pub fn reload(self: &Arc<LiveGame>) {
        let mut state = self.lock();
        // If it can't be read, the next change of it is refused and reads again.
        if self.revert(&mut state, true).is_ok() {
            if let Ok(access) = self.app.store.access(&self.id) {
                self.access.send_replace(access);
            }
            self.update_engine(&mut state);
            self.publish(&mut state);
        }
    }

    /// What the running clocks have left, to be written down.
    pub fn running_clocks(&self) -> Option<(String, i64, Clocks)> {
        let state = self.lock();
        let clocks = state.clocks.filter(|clocks| clocks.running.is_some())?;
        Some((self.id.clone(), state.stored.touched, clocks.charged(now())))
    }
}

impl GameState {
    /// A game as it was saved.
    pub(super) fn of(spec: &GameSpec, saved: StoredGame) -> Result<GameState, ApiError> {
        let mut session = session::open(spec);
        session.set(saved.start.as_deref(), &[]).map_err(ApiError::bad)?;
        let stored = saved.clone();
        let mut clocks = saved.clocks;
        let resumed = clocks.as_mut().is_some_and(|clocks| clocks.resume(now()));
        let mut state = GameState {
            stored,
            notice: resumed.then_some("restarted"),
            failed_at: None,
            deleted: false,
            plies: vec![Arc::new(first_ply(&session))],
            session,
            settings: saved.settings,
            clocks,
            played: 0,
            ended: None,
            review: saved.review,
            start: saved.start,
            tree: saved.tree,
            tree_view: None,
            tail_end: None,
            version: 0,
            running: None,
            pondered: None,
            engines: [None, None],
            engine_epoch: 0,
            hint: None,
            trouble: None,
            waiting: None,
            unwatched: None,
            yields: false,
        };
        for ply in saved.plies {
            state.advance(&ply.mv, ply.eval, ply.left)?;
        }
        state.rewind(saved.played)?;
        state.ended = saved.ended;
        state.declare();
        state.tree_view()?;
        Ok(state)
    }
}
