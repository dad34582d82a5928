//! One game on the table: its moves, its clocks, the engines that sit at it.
//!
//! Everything happens under one lock, in this order: a page asks for something
//! (`command`), the rules are asked (`line`), the change is written to disk
//! (`keep`), the engines are set to work (`engine_control`), and then it is published
//! (`told`).

mod command;
mod engine_control;
mod keep;
mod line;
mod told;

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use session::{GameSpec, Session};
use tokio::sync::watch;

use crate::clock::{Clocks, now};
use crate::lease::LeasedEngine;
use crate::memory::MemoryBudget;
use crate::search_pool::SearchPool;
use crate::settings::{Means, Settings};
use crate::store::{Ended, Saved, Store};
pub use command::Command;
use engine_control::RunningSearch;
pub use told::{Ply, Snapshot, first_chance, line_names, name, outcome_json, report_json};

/// A game is not followed beyond this; the longest serious ones have 200.
pub const MOST_PLIES: usize = 2000;

/// Milliseconds after which an engine's move that could not be written is tried
/// again.
const RETRY: u64 = 2000;

/// What everybody at a server shares.
pub struct House {
    /// The database.
    pub store: Store,
    /// Where searches run.
    pub pool: SearchPool,
    /// What one engine may take.
    pub means: Means,
    /// The memory of all engines.
    pub memory: Arc<MemoryBudget>,
}

/// The part under lock.
pub(crate) struct Inner {
    pub(crate) session: Box<dyn Session>,
    pub(crate) settings: Settings,
    pub(crate) clocks: Option<Clocks>,
    pub(crate) plies: Vec<Arc<Ply>>,
    pub(crate) played: usize,
    pub(crate) ended: Option<Ended>,
    pub(crate) review: Option<String>,
    start: Option<String>,
    /// The game as the disk has it.
    pub(crate) stored: Saved,
    /// What the page should say about the game besides its state; `restarted`:
    /// the clocks go on from what was stored, because the server was down.
    notice: Option<&'static str>,
    /// When a change could not be written.
    failed_at: Option<u64>,
    /// Changes whenever a running search is about something else than before.
    version: u64,
    running: Option<RunningSearch>,
    /// The version for which pondering came to its end by itself.
    pondered: Option<u64>,
    engines: [Option<LeasedEngine>; 2],
    /// Changes whenever other engines are chosen.
    engine_epoch: u64,
    hint: Option<Value>,
    /// What went wrong with an engine, for the page.
    trouble: Option<String>,
}

/// A game on the table.
pub struct Table {
    /// Its id.
    pub id: String,
    /// The game and its setup.
    pub spec: GameSpec,
    pub(crate) house: Arc<House>,
    inner: Mutex<Inner>,
    snapshot: watch::Sender<Snapshot>,
    thought: watch::Sender<Option<Arc<Value>>>,
    pub(crate) review: watch::Sender<Option<Arc<String>>>,
    watchers: AtomicUsize,
}

impl Table {
    /// Sets the engines of a restored game to work. Whoever restores a game
    /// makes sure first that nobody else has.
    pub fn wake(self: &Arc<Table>) {
        let mut inner = self.lock();
        self.drive(&mut inner);
        self.publish(&mut inner);
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it changes.
    pub fn snapshots(&self) -> watch::Receiver<Snapshot> {
        self.snapshot.subscribe()
    }

    /// What the engine at the table thinks.
    pub fn thoughts(&self) -> watch::Receiver<Option<Arc<Value>>> {
        self.thought.subscribe()
    }

    /// What a review has found so far.
    pub fn reviews(&self) -> watch::Receiver<Option<Arc<String>>> {
        self.review.subscribe()
    }

    /// Somebody looks at the table.
    pub fn sit_down(self: &Arc<Table>) {
        self.watchers.fetch_add(1, SeqCst);
        self.drive(&mut self.lock());
    }

    /// Somebody went away.
    pub fn get_up(self: &Arc<Table>) {
        self.watchers.fetch_sub(1, SeqCst);
        self.drive(&mut self.lock());
    }

    /// Whether anybody looks or any engine works.
    pub fn is_idle(&self) -> bool {
        self.watchers.load(SeqCst) == 0 && self.lock().running.is_none()
    }

    /// Lets a clock that has run out end a game (a contest has its officials),
    /// and shares memory: an engine that waits for its opponent goes if others
    /// find none, and one that found none tries again.
    pub fn tick(self: &Arc<Table>) {
        let mut inner = self.lock();
        if inner.failed_at.is_some_and(|at| now() >= at + RETRY) {
            // An engine whose move could not be written thinks again.
            inner.failed_at = None;
            inner.trouble = None;
        }
        if inner.running.is_none() {
            if self.house.memory.is_short() {
                inner.engines = [None, None];
            }
            self.drive(&mut inner);
            if inner.running.is_some() {
                self.publish(&mut inner);
            }
        }
        let fallen = inner.clocks.and_then(|clocks| clocks.fallen(now()));
        if let Some(player) = fallen
            && inner.settings.contest.is_none()
            && inner.session.outcome().is_none()
        {
            let outcome = inner.session.on_time(player);
            let winner = outcome.winner.map(|winner| winner as usize);
            inner.ended = Some(Ended { winner, reason: "time".to_owned() });
            inner.declare();
            inner.stop_clocks();
            let from = inner.plies.len() - 1;
            // If the disk is full, the next tick tries again.
            let _ = self.keep(&mut inner, from);
        }
    }

    /// The moves of the game as text, and the setup.
    pub fn notation(&self) -> (String, Option<String>, Vec<String>) {
        let inner = self.lock();
        (self.spec.to_string(), inner.start.clone(), inner.session.moves())
    }
}
