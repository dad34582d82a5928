//! All games of a server: those on tables, and those on disk until somebody
//! asks for them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use session::GameSpec;

use crate::clock::Clocks;
use crate::gallery::Gallery;
use crate::record;
use crate::refusal::Refusal;
use crate::settings::{Contest, Seat, Settings, Study};
use crate::store::{Listed, Saved, SavedPly};
use crate::study::Tabs;
use crate::table::{House, MOST_PLIES, Table};

/// A new game, as a page asks for it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Request {
    /// The game and its setup.
    pub game: String,
    /// Where it begins, if not at the start.
    pub position: Option<String>,
    /// Moves already played.
    pub moves: Option<String>,
    /// A record in any known format, instead of position and moves; `game` only
    /// helps where it leaves something open.
    pub record: Option<String>,
    /// First's seat and Second's: `human` or an engine.
    pub seats: Option<[Seat; 2]>,
    /// Seconds an engine thinks without clocks.
    pub move_seconds: Option<f64>,
    /// Each player's time for the game, in milliseconds.
    pub total: Option<u64>,
    /// What a move gives back, in milliseconds.
    pub increment: Option<u64>,
    /// Of a contest game.
    pub contest: Option<Contest>,
    /// Analysis.
    pub study: Option<Study>,
}

/// The games and who looks at them.
pub struct Room {
    /// What all tables share.
    pub house: Arc<House>,
    /// The pages.
    pub tabs: Tabs,
    /// Matches and reports to look at.
    pub gallery: Gallery,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    ticks: AtomicUsize,
}

/// How many ticks lie between two writings of the running clocks: a second.
const CLOCK_TICKS: usize = 4;

impl Room {
    /// An empty room.
    pub fn new(house: House, gallery: Gallery) -> Room {
        Room {
            house: Arc::new(house),
            tabs: Tabs::default(),
            gallery,
            tables: Mutex::default(),
            ticks: AtomicUsize::new(1),
        }
    }

    /// Begins a game.
    pub fn create(&self, mut request: Request) -> Result<Arc<Table>, Refusal> {
        if let Some(text) = request.record.take() {
            let hint = request.game.parse().ok();
            let (game, start, moves) = record::read(&text, hint.as_ref()).map_err(Refusal::bad)?;
            request.game = game.to_string();
            request.position = start;
            request.moves = Some(moves.join(" "));
        }
        let spec: GameSpec = request.game.parse().map_err(Refusal::bad)?;
        let mut session = session::open(&spec);
        session.set(request.position.as_deref(), &[]).map_err(Refusal::bad)?;
        if let Some(moves) = &request.moves {
            session.play(moves).map_err(Refusal::bad)?;
        }
        if session.moves().len() > MOST_PLIES {
            return Err(Refusal::bad(format!("a game here has at most {MOST_PLIES} moves")));
        }
        let settings = self.settings(&*session, &request)?;
        let clocks = match request.total {
            None => None,
            Some(total) if (1_000..=24 * 3_600_000).contains(&total) => {
                let increment = request.increment.unwrap_or(0).min(3_600_000);
                let mut clocks = Clocks::new(total, increment);
                // In a contest somebody says when the game begins.
                clocks.paused = settings.contest.is_some();
                Some(clocks)
            }
            Some(_) => return Err(Refusal::bad("a clock has from a second to a day")),
        };
        let moves = session.moves();
        let saved = Saved {
            id: crate::id::fresh(),
            spec: spec.to_string(),
            start: request.position,
            settings,
            clocks,
            played: moves.len(),
            ended: None,
            review: None,
            plies: moves.into_iter().map(|mv| SavedPly { mv, eval: None, left: None }).collect(),
            touched: 0,
            generation: String::new(),
        };
        self.begin(saved)
    }

    /// Puts a finished game of a match on a table.
    pub fn exhibit(&self, store: &str, number: i64, game: u64) -> Result<Arc<Table>, Refusal> {
        self.begin(self.gallery.game(store, number, game)?)
    }

    fn begin(&self, mut saved: Saved) -> Result<Arc<Table>, Refusal> {
        self.house.store.create(&mut saved)?;
        let table = self.seat(saved)?;
        // Under the lock, so that no game is opened while it is forgotten.
        let open = self.lock();
        self.house.store.prune(|id| open.contains_key(id))?;
        Ok(table)
    }

    fn settings(
        &self,
        session: &dyn session::Session,
        request: &Request,
    ) -> Result<Settings, Refusal> {
        let seats = request.seats.clone().unwrap_or([Seat::Human, Seat::Human]);
        let study = request.study.clone().unwrap_or_default();
        let engines = seats.iter().filter_map(|seat| match seat {
            Seat::Engine(spec) => Some(spec),
            Seat::Human => None,
        });
        for engine in engines.chain([&study.engine]) {
            self.house.check(session, engine)?;
        }
        let move_seconds = request.move_seconds.unwrap_or(1.0);
        if !(0.01..=600.0).contains(&move_seconds) {
            return Err(Refusal::bad("an engine thinks from 0.01 to 600 seconds a move"));
        }
        let contest = request.contest.clone();
        if let Some(contest) = &contest {
            let mut texts = contest.names.iter().chain([&contest.event, &contest.place]);
            if contest.ours > 1 || !texts.all(|text| record::is_name(text)) {
                return Err(Refusal::bad(
                    "a name has at most 100 characters, in one line and all visible",
                ));
            }
        }
        Ok(Settings { seats, move_seconds, contest, study, names: None })
    }

    /// The game with this id.
    pub fn find(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        if !crate::id::is_one(id) {
            return Err(Refusal::missing());
        }
        if let Some(table) = self.lock().get(id) {
            return Ok(Arc::clone(table));
        }
        let saved = self.house.store.load(id)?.ok_or_else(Refusal::missing)?;
        let table = self.seat(saved)?;
        // It may have been forgotten after it was read and before it was open.
        if !self.house.store.contains(id)? {
            self.lock().remove(id);
            return Err(Refusal::missing());
        }
        Ok(table)
    }

    fn seat(&self, saved: Saved) -> Result<Arc<Table>, Refusal> {
        let table = Table::restore(Arc::clone(&self.house), saved)?;
        // Two requests may have loaded the same game; the first one counts.
        let table = Arc::clone(self.lock().entry(table.id.clone()).or_insert(table));
        table.wake();
        Ok(table)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games that changed last.
    pub fn recent(&self) -> Result<Vec<Listed>, Refusal> {
        Ok(self.house.store.recent(30)?)
    }

    /// Looks after the clocks, and clears tables that nobody uses.
    pub fn tick(&self) {
        let tables: Vec<Arc<Table>> = self.lock().values().cloned().collect();
        if self.house.store.was_restored().unwrap_or(false) {
            for table in &tables {
                table.reload();
            }
        }
        for table in &tables {
            table.tick();
        }
        if self.ticks.fetch_add(1, SeqCst).is_multiple_of(CLOCK_TICKS) {
            let running: Vec<_> =
                tables.iter().filter_map(|table| table.running_clocks()).collect();
            if !running.is_empty() {
                // If the disk is full, the next second tries again.
                let _ = self.house.store.save_clocks(&running);
            }
        }
        drop(tables);
        // A table in somebody's hands has more than the map's own reference.
        self.lock().retain(|_, table| Arc::strong_count(table) > 1 || !table.is_idle());
    }
}
