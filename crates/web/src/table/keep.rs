//! The game and its disk: what is written before anybody sees it, and how it
//! comes back.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use session::GameSpec;
use tokio::sync::watch;

use super::{House, Inner, Snapshot, Table};
use crate::refusal::Refusal;
use crate::store::{Saved, SavedPly};

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
        if let Err(error) = self.house.store.save(&self.saved(inner), from) {
            if let Some(saved) = self.house.store.load(&self.id)? {
                let known = Inner::of(&self.spec, saved)?;
                let (version, sitting) = (inner.version + 1, inner.sitting + 1);
                let errand = inner.errand.take();
                *inner = Inner { version, sitting, errand, ..known };
            }
            return Err(error.into());
        }
        self.drive(inner);
        self.publish(inner);
        Ok(())
    }

    pub(crate) fn saved(&self, inner: &Inner) -> Saved {
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
            clocks: inner.clocks,
            played: inner.played,
            ended: inner.ended.clone(),
            review: inner.review.clone(),
            plies: plies.collect(),
        }
    }
}
