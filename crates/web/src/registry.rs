//! All games of a server: the live ones, and those on disk, which are read when
//! they are asked for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use session::GameSpec;

use crate::access::Rights;
use crate::analysis::Tabs;
use crate::caller::Caller;
use crate::clock::Clocks;
use crate::error::ApiError;
use crate::events::Events;
use crate::live_game::{AppState, LiveGame, MOST_PLIES};
use crate::matches::Matches;
use crate::record;
use crate::settings::{Contest, Seat, Settings, Study};
use crate::store::{GameSummary, ListRequest, StoredGame, StoredPly};
use crate::stream_limits::StreamLimits;
use crate::tree::Tree;

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
    /// Contest days.
    pub events: Events,
    /// The event streams.
    pub streams: StreamLimits,
    games: Mutex<HashMap<String, Arc<LiveGame>>>,
    ticks: AtomicUsize,
}

/// How many ticks lie between two writings of the running clocks: a second.
const CLOCK_TICKS: usize = 4;

impl GameRegistry {
    /// An empty registry.
    pub fn new(app: AppState, matches: Matches, events: Events) -> GameRegistry {
        GameRegistry {
            app: Arc::new(app),
            tabs: Tabs::default(),
            matches,
            events,
            streams: StreamLimits::default(),
            games: Mutex::default(),
            ticks: AtomicUsize::new(1),
        }
    }

    /// Begins a game of a caller.
    pub fn create(&self, mut request: Request, caller: &Caller) -> Result<Arc<LiveGame>, ApiError> {
        let mut tree = Tree::default();
        if let Some(text) = request.record.take() {
            let hint = request.game.parse().ok();
            let record = record::read(&text, hint.as_ref()).map_err(ApiError::bad)?;
            tree = record::tree_of(&record).map_err(ApiError::bad)?;
            request.game = record.game.to_string();
            request.position = record.start;
            let moves: Vec<String> = record.moves.into_iter().map(|(_, mv)| mv).collect();
            request.moves = Some(moves.join(" "));
        }
        let spec: GameSpec = request.game.parse().map_err(ApiError::bad)?;
        let mut session = session::open(&spec);
        session.set(request.position.as_deref(), &[]).map_err(ApiError::bad)?;
        if let Some(moves) = request.moves.take() {
            if moves.contains(['(', '{']) {
                let record = record::of_moves(&spec, request.position.clone(), &moves);
                let record = record.map_err(ApiError::bad)?;
                tree = record::tree_of(&record).map_err(ApiError::bad)?;
                session = record.replay(None).map_err(ApiError::bad)?;
            } else {
                session.play(&moves).map_err(ApiError::bad)?;
            }
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
            tree,
            result: Some(record::result_text(session.outcome()).to_owned()),
            touched: 0,
            generation: String::new(),
        };
        self.begin(saved, caller)
    }

    /// Begins a caller's game that is a finished game of a match.
    pub fn open_game(
        &self,
        store: &str,
        number: i64,
        game: u64,
        caller: &Caller,
    ) -> Result<Arc<LiveGame>, ApiError> {
        self.begin(self.matches.game(store, number, game)?, caller)
    }

    fn begin(&self, mut saved: StoredGame, caller: &Caller) -> Result<Arc<LiveGame>, ApiError> {
        self.app.store.create(&mut saved, &caller.key)?;
        let game = self.open(saved, caller)?;
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
        Ok(Settings { seats, move_seconds, contest, study, ..Settings::default() })
    }

    /// The game with this id, and what a caller may do in it. One that the caller
    /// may not even see is missing.
    pub fn find(&self, id: &str, caller: &Caller) -> Result<(Arc<LiveGame>, Rights), ApiError> {
        let game = self.live(id, caller)?;
        let rights = game.rights(caller);
        if game.is_contest() && !rights.owns {
            return Err(ApiError::missing());
        }
        Ok((game, rights))
    }

    fn live(&self, id: &str, caller: &Caller) -> Result<Arc<LiveGame>, ApiError> {
        if !crate::id::is_one(id) {
            return Err(ApiError::missing());
        }
        if let Some(game) = self.lock().get(id) {
            return Ok(Arc::clone(game));
        }
        let saved = self.app.store.load(id)?.ok_or_else(ApiError::missing)?;
        let game = self.open(saved, caller)?;
        // It may have been forgotten after it was read and before it was open.
        if !self.app.store.contains(id)? {
            self.lock().remove(id);
            return Err(ApiError::missing());
        }
        Ok(game)
    }

    fn open(&self, saved: StoredGame, caller: &Caller) -> Result<Arc<LiveGame>, ApiError> {
        let game = LiveGame::restore(Arc::clone(&self.app), saved, caller)?;
        // Two requests may have loaded the same game; the first one counts.
        let game = Arc::clone(self.lock().entry(game.id.clone()).or_insert(game));
        game.wake();
        Ok(game)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<LiveGame>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A caller's games that changed last; all games for the operator.
    pub fn list(
        &self,
        request: &ListRequest,
        caller: &Caller,
    ) -> Result<Vec<GameSummary>, ApiError> {
        let key = (!caller.is_operator).then_some(caller.key.as_str());
        Ok(self.app.store.list(request, key)?)
    }

    /// Keeps a caller's game whatever its age, or no longer.
    pub fn keep(&self, id: &str, on: bool, caller: &Caller) -> Result<(), ApiError> {
        self.find(id, caller)?.1.owner()?;
        Ok(self.app.store.keep(id, on)?)
    }

    /// Deletes a caller's game; whoever looks at it is told.
    pub fn delete(&self, id: &str, caller: &Caller) -> Result<(), ApiError> {
        let (game, rights) = self.find(id, caller)?;
        rights.owner()?;
        // Under the lock, so that it is not opened again before it is gone.
        let mut open = self.lock();
        self.app.store.delete(id)?;
        open.remove(id);
        drop(open);
        game.close_deleted();
        Ok(())
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
