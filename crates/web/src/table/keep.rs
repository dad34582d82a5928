//! The game and its disk: what is written before anybody sees it, and how it
//! comes back.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use session::GameSpec;
use tokio::sync::watch;

use super::{House, Inner, Snapshot, Table};
use crate::clock::{Clocks, now};
use crate::refusal::Refusal;
use crate::store::{Saved, SavedPly, StoreError};

impl Table {
    /// Puts a saved game on the table.
    pub fn restore(house: Arc<House>, saved: Saved) -> Result<Arc<Table>, Refusal> {
        let spec: GameSpec = saved.spec.parse().map_err(Refusal::bad)?;
        let id = saved.id.clone();
        let inner = Inner::of(&spec, saved)?;
        let review = inner.review.clone().map(Arc::new);
        let table = Arc::new(Table {
            id,
            spec,
            house,
            inner: Mutex::new(inner),
            snapshot: watch::Sender::new(Snapshot::default()),
            thought: watch::Sender::new(None),
            review: watch::Sender::new(review),
            watchers: AtomicUsize::new(0),
        });
        table.publish(&mut table.lock());
        Ok(table)
    }

    /// Writes the game to disk, sets the engines to work, and shows it. If the
    /// disk refuses, the game stays as the disk has it.
    pub(crate) fn keep(self: &Arc<Table>, inner: &mut Inner, from: usize) -> Result<(), Refusal> {
        if let Err(error) = self.write(inner, from) {
            inner.failed_at = Some(now());
            self.revert(inner, matches!(error, StoreError::Restored))?;
            self.publish(inner);
            return Err(error.into());
        }
        inner.notice = None;
        self.drive(inner);
        self.publish(inner);
        Ok(())
    }

    /// Writes the game to disk as it is, plies before `from` being unchanged.
    pub(crate) fn write(&self, inner: &mut Inner, from: usize) -> Result<(), StoreError> {
        let mut game = self.saved(inner);
        self.house.store.save(&mut game, from)?;
        inner.stored = game;
        Ok(())
    }

    /// Makes the game what the disk has: what was written last, or, after a
    /// backup was restored, what is there now.
    fn revert(&self, inner: &mut Inner, restored: bool) -> Result<(), Refusal> {
        let (stored, gone) = match restored {
            false => (inner.stored.clone(), false),
            true => match self.house.store.load(&self.id)? {
                Some(stored) => (stored, false),
                None => (inner.stored.clone(), true),
            },
        };
        let known = Inner::of(&self.spec, stored)?;
        let (version, engine_epoch) = (inner.version + 1, inner.engine_epoch + 1);
        let (running, failed_at) = (inner.running.take(), inner.failed_at);
        let trouble = gone.then(|| StoreError::Gone.to_string());
        *inner = Inner { version, engine_epoch, running, failed_at, trouble, ..known };
        Ok(())
    }

    /// Reads the game anew, after a backup was restored.
    pub fn reload(self: &Arc<Table>) {
        let mut inner = self.lock();
        // If it can't be read, the next change of it is refused and reads again.
        if self.revert(&mut inner, true).is_ok() {
            self.drive(&mut inner);
            self.publish(&mut inner);
        }
    }

    /// What the running clocks have left, to be written down.
    pub fn running_clocks(&self) -> Option<(String, i64, Clocks)> {
        let inner = self.lock();
        let clocks = inner.clocks.filter(|clocks| clocks.running.is_some())?;
        Some((self.id.clone(), inner.stored.touched, clocks.charged(now())))
    }

    fn saved(&self, inner: &Inner) -> Saved {
        let plies = inner.plies[1..].iter().map(|ply| SavedPly {
            mv: ply.mv.clone().unwrap_or_default(),
            eval: ply.eval,
            left: ply.left,
        });
        Saved {
            id: self.id.clone(),
            spec: self.spec.to_string(),
            start: inner.start.clone(),
            settings: inner.settings.clone(),
            clocks: inner.clocks.map(|clocks| clocks.charged(now())),
            played: inner.played,
            ended: inner.ended.clone(),
            review: inner.review.clone(),
            plies: plies.collect(),
            touched: inner.stored.touched,
            generation: inner.stored.generation.clone(),
        }
    }
}
