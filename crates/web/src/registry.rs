//! All games of a server: the live ones, and those on disk, which are read when
//! they are asked for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use session::GameSpec;

use crate::analysis::Tabs;
use crate::clock::Clocks;
use crate::error::ApiError;
use crate::live_game::{AppState, LiveGame, MOST_PLIES};
use crate::matches::Matches;
use crate::record;
use crate::settings::{Contest, Seat, Settings, Study};
use crate::store::{GameSummary, StoredGame, StoredPly};

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

/// The live games and the pages that show them.
pub struct GameRegistry {
    /// What all games share.
    pub app: Arc<AppState>,
    /// The pages.
    pub tabs: Tabs,
    /// Matches and reports to look at.
    pub matches: Matches,
    games: Mutex<HashMap<String, Arc<LiveGame>>>,
    ticks: AtomicUsize,
}

/// How many ticks lie between two writings of the running clocks: a second.
const CLOCK_TICKS: usize = 4;

impl GameRegistry {
    /// An empty registry.
    pub fn new(app: AppState, matches: Matches) -> GameRegistry {
        GameRegistry {
            app: Arc::new(app),
            tabs: Tabs::default(),
            matches,
            games: Mutex::default(),
            ticks: AtomicUsize::new(1),
        }
    }

    /// Begins a game.
    pub fn create(&self, mut request: Request) -> Result<Arc<LiveGame>, ApiError> {
        if let Some(text) = request.record.take() {
            let hint = request.game.parse().ok();
            let (game, start, moves) = record::read(&text, hint.as_ref()).map_err(ApiError::bad)?;
            request.game = game.to_string();
            request.position = start;
            request.moves = Some(moves.join(" "));
        }
        let spec: GameSpec = request.game.parse().map_err(ApiError::bad)?;
        let mut session = session::open(&spec);
        session.set(request.position.as_deref(), &[]).map_err(ApiError::bad)?;
        if let Some(moves) = &request.moves {
            session.play(moves).map_err(ApiError::bad)?;
        }
        if session.moves().len() > MOST_PLIES {
            return Err(ApiError::bad(format!("a game here has at most {MOST_PLIES} moves")));
        }
        let settings = self.settings(&session, &request)?;
        let clocks = match request.total {
            None => None,
            Some(total) if (1_000..=24 * 3_600_000).contains(&total) => {
                let increment = request.increment.unwrap_or(0).min(3_600_000);
                let mut clocks = Clocks::new(total, increment);
                // In a contest the referee says when the game begins.
                clocks.paused = settings.contest.is_some();
                Some(clocks)
            }
            Some(_) => return Err(ApiError::bad("a clock has from a second to a day")),
        };
        let moves = session.moves();
        let saved = StoredGame {
            id: crate::id::fresh(),
            spec: spec.to_string(),
            start: request.position,
            settings,
            clocks,
            played: moves.len(),
            ended: None,
            review: None,
            plies: moves.into_iter().map(|mv| StoredPly { mv, eval: None, left: None }).collect(),
            touched: 0,
            generation: String::new(),
        };
        self.begin(saved)
    }

    /// Begins a game that is a finished game of a match.
    pub fn open_game(
        &self,
        store: &str,
        number: i64,
        game: u64,
    ) -> Result<Arc<LiveGame>, ApiError> {
        self.begin(self.matches.game(store, number, game)?)
    }

    fn begin(&self, mut saved: StoredGame) -> Result<Arc<LiveGame>, ApiError> {
        self.app.store.create(&mut saved)?;
        let game = self.open(saved)?;
        // Under the lock, so that no game is opened while it is forgotten.
        let open = self.lock();
        self.app.store.prune(|id| open.contains_key(id))?;
        Ok(game)
    }

    fn settings(
        &self,
        session: &session::Session,
        request: &Request,
    ) -> Result<Settings, ApiError> {
        let seats = request.seats.clone().unwrap_or([Seat::Human, Seat::Human]);
        let study = request.study.clone().unwrap_or_default();
        let engines = seats.iter().filter_map(|seat| match seat {
            Seat::Engine(spec) => Some(spec),
            Seat::Human => None,
        });
        for engine in engines.chain([&study.engine]) {
            self.app.check(session, engine)?;
        }
        let move_seconds = request.move_seconds.unwrap_or(1.0);
        if !(0.01..=600.0).contains(&move_seconds) {
            return Err(ApiError::bad("an engine thinks from 0.01 to 600 seconds a move"));
        }
        let contest = request.contest.clone();
        if let Some(contest) = &contest {
            let mut texts = contest.names.iter().chain([&contest.event, &contest.place]);
            if contest.ours > 1 || !texts.all(|text| record::is_name(text)) {
                return Err(ApiError::bad(
                    "a name has at most 100 characters, in one line and all visible",
                ));
            }
        }
        Ok(Settings { seats, move_seconds, contest, study, names: None })
    }

    /// The game with this id.
    pub fn find(&self, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        if !crate::id::is_one(id) {
            return Err(ApiError::missing());
        }
        if let Some(game) = self.lock().get(id) {
            return Ok(Arc::clone(game));
        }
        let saved = self.app.store.load(id)?.ok_or_else(ApiError::missing)?;
        let game = self.open(saved)?;
        // It may have been forgotten after it was read and before it was open.
        if !self.app.store.contains(id)? {
            self.lock().remove(id);
            return Err(ApiError::missing());
        }
        Ok(game)
    }

    fn open(&self, saved: StoredGame) -> Result<Arc<LiveGame>, ApiError> {
        let game = LiveGame::restore(Arc::clone(&self.app), saved)?;
        // Two requests may have loaded the same game; the first one counts.
        let game = Arc::clone(self.lock().entry(game.id.clone()).or_insert(game));
        game.wake();
        Ok(game)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<LiveGame>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games that changed last.
    pub fn recent(&self) -> Result<Vec<GameSummary>, ApiError> {
        Ok(self.app.store.recent(30)?)
    }

    /// Looks after the clocks, and closes games that are not used.
    pub fn tick(&self) {
        let games: Vec<Arc<LiveGame>> = self.lock().values().cloned().collect();
        if self.app.store.was_restored().unwrap_or(false) {
            for game in &games {
                game.reload();
            }
        }
        for game in &games {
            game.tick();
        }
        if self.ticks.fetch_add(1, SeqCst).is_multiple_of(CLOCK_TICKS) {
            let running: Vec<_> = games.iter().filter_map(|game| game.running_clocks()).collect();
            if !running.is_empty() {
                // If the disk is full, the next second tries again.
                let _ = self.app.store.save_clocks(&running);
            }
        }
        drop(games);
        // A game in use has more than the map's own reference.
        self.lock().retain(|_, game| Arc::strong_count(game) > 1 || !game.is_idle());
    }
}
