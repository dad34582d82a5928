//! One live game: its moves, its clocks, its engines.
//!
//! Everything happens under one lock, in this order: a page sends a command
//! (`command`), the rules are applied (`history`), the change is written to disk
//! (`LiveGame::persist`), the engines are started or stopped (`engine_control`),
//! and then it is published (`snapshot`).

mod command;
mod engine_control;
mod history;
mod lines;
mod restore;
mod seats;
mod snapshot;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use session::{GameSpec, Session};
use tokio::sync::watch;

use crate::access::{Access, Rights};
use crate::caller::Caller;
use crate::clock::{Clocks, now};
use crate::explorer::Samples;
use crate::memory::LeasedEngine;
use crate::memory::MemoryBudget;
use crate::search_pool::SearchPool;
use crate::settings::{EngineLimits, Settings};
use crate::store::{Ended, Store, StoreError, StoredGame};
use crate::tree::Tree;
use crate::unwatched::{UnwatchedGames, UnwatchedPermit};
pub use command::Command;
use engine_control::{RunningSearch, Waiting};
pub use snapshot::{
    Ply, Snapshot, first_chance, legal_json, line_names, name, outcome_json, position_json,
    report_json,
};

/// A game is not followed beyond this; the longest serious ones have 200.
pub const MOST_PLIES: usize = 2000;

/// Milliseconds after which an engine's move that could not be written is tried
/// again.
const RETRY: u64 = 2000;

/// What all games of a server share.
pub struct AppState {
    /// The database.
    pub store: Store,
    /// Where searches run.
    pub pool: SearchPool,
    /// What one engine may take.
    pub engine_limits: EngineLimits,
    /// The memory of all engines.
    pub memory: Arc<MemoryBudget>,
    /// The games that compute although no page shows them.
    pub unwatched: UnwatchedGames,
    /// The token in links for others, where one is needed.
    pub guest_token: Option<String>,
}

/// The part under lock.
pub(crate) struct GameState {
    pub(crate) session: Session,
    pub(crate) settings: Settings,
    pub(crate) clocks: Option<Clocks>,
    pub(crate) plies: Vec<Arc<Ply>>,
    pub(crate) played: usize,
    pub(crate) ended: Option<Ended>,
    pub(crate) review: Option<String>,
    start: Option<String>,
    /// Side lines and comments.
    pub(crate) tree: Tree,
    /// The tree as a page gets it; none after a change.
    tree_view: Option<Arc<Value>>,
    /// How the game had ended from outside, while a move is played that replaces
    /// its end.
    tail_end: Option<Ended>,
    /// The game as the disk has it.
    pub(crate) stored: StoredGame,
    /// Whether it is deleted: nothing of it is written any more.
    deleted: bool,
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
    /// Why the engine that should move does not compute, for the page.
    waiting: Option<Waiting>,
    /// The place of a game that no page shows.
    unwatched: Option<UnwatchedPermit>,
    /// Whether the engines' memory goes to others when the search has ended.
    yields: bool,
}

/// A live game.
pub struct LiveGame {
    /// Its id.
    pub id: String,
    /// The game and its setup.
    pub spec: GameSpec,
    pub(crate) app: Arc<AppState>,
    state: Mutex<GameState>,
    snapshot: watch::Sender<Snapshot>,
    thought: watch::Sender<Option<Arc<Value>>>,
    pub(crate) review: watch::Sender<Option<Arc<String>>>,
    pub(crate) samples: Samples,
    watchers: AtomicUsize,
    /// When the last page went; 0 if there was none.
    last_watched: AtomicU64,
    access: watch::Sender<Access>,
    /// Whose turn it is when the game waits for memory.
    client: String,
    /// Where the game's last page, or its creator, is.
    address: Mutex<IpAddr>,
}

impl LiveGame {
    /// Starts the engines of a restored game, when it is sure that the game was
    /// not restored twice.
    pub fn wake(self: &Arc<LiveGame>) {
        let mut state = self.lock();
        self.update_engine(&mut state);
        self.publish(&mut state);
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, GameState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it changes.
    pub fn snapshots(&self) -> watch::Receiver<Snapshot> {
        self.snapshot.subscribe()
    }

    /// What the engine that moves next thinks.
    pub fn thoughts(&self) -> watch::Receiver<Option<Arc<Value>>> {
        self.thought.subscribe()
    }

    /// What a review has found so far.
    pub fn reviews(&self) -> watch::Receiver<Option<Arc<String>>> {
        self.review.subscribe()
    }

    /// The keys of the game as they change.
    pub fn access(&self) -> watch::Receiver<Access> {
        self.access.subscribe()
    }

    /// What a caller may do.
    pub fn rights(&self, caller: &Caller) -> Rights {
        self.access.borrow().rights(caller)
    }

    /// Whether it is a game of a contest, which is for its owner alone.
    pub fn is_contest(&self) -> bool {
        self.lock().settings.contest.is_some()
    }

    /// Whether no page shows the game.
    pub(crate) fn is_unwatched(&self) -> bool {
        self.review.receiver_count() == 0
    }

    /// A caller's page shows the game.
    pub fn subscribe(self: &Arc<LiveGame>, caller: &Caller) {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner) = caller.address;
        self.watchers.fetch_add(1, SeqCst);
        let mut state = self.lock();
        self.refresh(&mut state);
        // What a running clock had left when the game was last shown is not what it
        // has now.
        if state.clocks.is_some_and(|clocks| clocks.running.is_some()) {
            self.publish(&mut state);
        }
    }

    /// A page is gone.
    pub fn unsubscribe(self: &Arc<LiveGame>) {
        self.last_watched.store(now(), SeqCst);
        self.watchers.fetch_sub(1, SeqCst);
        self.refresh(&mut self.lock());
    }

    /// Makes the engines do what they ought to, and shows it if that changed.
    fn refresh(self: &Arc<LiveGame>, state: &mut GameState) {
        let shown = |state: &GameState| (state.running.is_some(), state.waiting);
        let before = shown(state);
        self.update_engine(state);
        if shown(state) != before {
            self.publish(state);
        }
    }

    fn address(&self) -> IpAddr {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no page shows the game and no engine searches or waits to.
    pub fn is_idle(&self) -> bool {
        let state = self.lock();
        self.watchers.load(SeqCst) == 0 && state.running.is_none() && state.waiting.is_none()
    }

    /// Lets a clock that has run out end a game (a contest has its officials),
    /// and shares memory: an engine that waits for its opponent goes if others
    /// find none, and one that found none tries again.
    pub fn tick(self: &Arc<LiveGame>) {
        let mut state = self.lock();
        if state.failed_at.is_some_and(|at| now() >= at + RETRY) {
            // An engine whose move could not be written thinks again.
            state.failed_at = None;
            state.trouble = None;
        }
        if state.running.is_none() && self.app.memory.is_short() {
            state.engines = [None, None];
        }
        self.yield_memory(&mut state);
        self.refresh(&mut state);
        let fallen = state.clocks.and_then(|clocks| clocks.fallen(now()));
        if let Some(player) = fallen
            && state.settings.contest.is_none()
            && state.session.outcome().is_none()
        {
            let outcome = state.session.on_time(player);
            let winner = outcome.winner.map(|winner| winner as usize);
            state.ended = Some(Ended { winner, reason: "time".to_owned() });
            state.declare();
            state.stop_clocks();
            let from = state.plies.len() - 1;
            // If the disk is full, the next tick tries again.
            let _ = self.persist(&mut state, from);
        }
    }

    /// The game was deleted from the store: its engines stop, and its pages are told.
    pub fn close_deleted(self: &Arc<LiveGame>) {
        let mut state = self.lock();
        state.deleted = true;
        state.trouble = Some(StoreError::Gone.to_string());
        self.update_engine(&mut state);
        self.publish(&mut state);
    }

    /// The moves of the game as text, and the setup.
    pub fn notation(&self) -> (String, Option<String>, Vec<String>) {
        let state = self.lock();
        (self.spec.to_string(), state.start.clone(), state.session.moves())
    }
}
