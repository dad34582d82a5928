//! Matches that were started in the page: one plays at a time, in this process.
//!
//! Their games are in a store of their own, `page-matches.sqlite` in the matches
//! folder, written and resumed as `boyi match` does it ([`arena::run`]); beside it
//! `page-matches.json` says how many games each was to have, so that a match goes
//! on after a pause, a crash or a restart. A pause ends the run: finished pairs and
//! the plies of games limited by time are kept, as after Ctrl-C.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena::{Entrant, MatchConfig, Openings, RunOptions, Store};
use search::Limits;
use serde::{Deserialize, Serialize};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

use super::live::{LiveMatch, Watched};
use crate::error::ApiError;
use crate::settings::EngineLimits;

/// The store's name in the matches folder.
pub const STORE: &str = "page-matches.sqlite";
/// What is remembered of the matches in it.
const FACTS: &str = "page-matches.json";
/// The most games of a match from the page.
const MOST_GAMES: u64 = 100_000;

/// A match as the page asks for it.
#[derive(Clone, Debug, Deserialize)]
pub struct NewMatch {
    game: String,
    /// Specs, from two to eight.
    engines: Vec<String>,
    games: u64,
    /// Seconds of a move.
    seconds: Option<f64>,
    /// Simulations or nodes of a move.
    nodes: Option<u64>,
    /// Random plies at the beginning of a pair.
    plies: u32,
    seed: u64,
}

/// What the page can ask of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum MatchCommand {
    /// Ends the run for now.
    Pause,
    /// Goes on.
    Resume,
    /// Ends the run for good; what was played stays.
    Stop,
}

/// Where a match from the page stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It plays.
    Running,
    /// It can go on.
    Paused,
    /// It was ended by hand.
    Stopped,
    /// All games are played.
    Done,
    /// It broke off; the server's own fault, or the disk's.
    Failed,
}

/// What is known of a match beside its store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunFacts {
    /// How many games it is to have.
    pub games: u64,
    /// Where it stands.
    pub state: RunState,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// The match that plays.
struct Run {
    number: i64,
    stop: Arc<AtomicBool>,
    live: Arc<LiveMatch>,
}

#[derive(Default)]
struct State {
    run: Option<Run>,
    /// By number in the store; read from disk with the first use.
    facts: Option<BTreeMap<i64, RunFacts>>,
}

/// Starts, pauses and stops matches.
pub struct MatchControl {
    folder: Option<PathBuf>,
    limits: EngineLimits,
    state: Mutex<State>,
}

impl MatchControl {
    /// In this folder; `None` starts nothing.
    pub fn new(folder: Option<PathBuf>, limits: EngineLimits) -> Arc<MatchControl> {
        Arc::new(MatchControl { folder, limits, state: Mutex::default() })
    }

    /// Whether matches can be started at all.
    pub fn can_start(&self) -> bool {
        self.folder.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.facts.is_none() {
            let text = self.path(FACTS).and_then(|path| std::fs::read_to_string(path).ok());
            let mut facts: BTreeMap<i64, RunFacts> =
                text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            // Whatever ran when the process before this one ended.
            for fact in facts.values_mut().filter(|fact| fact.state == RunState::Running) {
                fact.state = RunState::Paused;
            }
            state.facts = Some(facts);
        }
        state
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(name))
    }

    /// What is known of a match in our store.
    pub fn facts(&self, number: i64) -> Option<RunFacts> {
        self.lock().facts.as_ref()?.get(&number).cloned()
    }

    /// The games that a match plays at this moment.
    pub fn live(&self, number: i64) -> Option<Arc<LiveMatch>> {
        let state = self.lock();
        let run = state.run.as_ref().filter(|run| run.number == number)?;
        Some(Arc::clone(&run.live))
    }

    fn set(&self, state: &mut State, number: i64, facts: RunFacts) -> Result<(), ApiError> {
        let all = state.facts.get_or_insert_default();
        all.insert(number, facts);
        let text = serde_json::to_vec_pretty(all).expect("plain data");
        let path = self.path(FACTS).ok_or_else(nowhere)?;
        files::write(&path, &[&text]).map_err(|error| {
            ApiError::bad(format!("the match can't be written to its folder: {error}"))
        })
    }

    /// Starts a match and gives its number in the store.
    pub fn start(self: &Arc<Self>, new: &NewMatch) -> Result<i64, ApiError> {
        let game: GameSpec = new.game.parse().map_err(ApiError::bad)?;
        if !(2..=8).contains(&new.engines.len()) {
            return Err(ApiError::bad("a match has from two to eight engines"));
        }
        if !(1..=MOST_GAMES).contains(&new.games) || new.plies > 40 {
            let sentence =
                format!("a match has from 1 to {MOST_GAMES} games and up to 40 random plies");
            return Err(ApiError::bad(sentence));
        }
        let engines: Result<Vec<EngineSpec>, ApiError> =
            new.engines.iter().map(|text| self.limits.engine(text)).collect();
        let limits = match (new.seconds, new.nodes) {
            (Some(seconds), None) if (0.005..=600.0).contains(&seconds) => {
                Limits::time(Duration::from_secs_f64(seconds))
            }
            (None, Some(nodes)) if (1..=1_000_000_000).contains(&nodes) => {
                Limits { sims: Some(nodes), nodes: Some(nodes), ..Limits::default() }
            }
            _ => {
                let sentence = "give seconds a move, from 0.005 to 600, or simulations";
                return Err(ApiError::bad(sentence));
            }
        };
        let prepare = Prepare { new, engines: engines?, limits };
        let config = game.visit(prepare)?;
        self.launch(config, new.games)
    }

    /// Does what the page asks of a match.
    pub fn apply(self: &Arc<Self>, number: i64, command: MatchCommand) -> Result<(), ApiError> {
        let unknown = || ApiError::bad("this match was not started here");
        let facts = self.facts(number).ok_or_else(unknown)?;
        match command {
            MatchCommand::Pause | MatchCommand::Stop => {
                let mut state = self.lock();
                let ended = match command {
                    MatchCommand::Stop => RunState::Stopped,
                    _ => RunState::Paused,
                };
                if let Some(run) = state.run.as_ref().filter(|run| run.number == number) {
                    run.stop.store(true, SeqCst);
                } else if facts.state != RunState::Paused || ended == RunState::Paused {
                    return Err(ApiError::stale("this match does not play"));
                }
                self.set(&mut state, number, RunFacts { state: ended, ..facts })
            }
            MatchCommand::Resume => {
                let store = Store::open_read_only(self.path(STORE).ok_or_else(nowhere)?);
                let matches = store.and_then(|store| store.matches()).map_err(ApiError::bad)?;
                let found = matches.into_iter().find(|(id, _)| id.number() == number);
                self.launch(found.ok_or_else(unknown)?.1, facts.games).map(drop)
            }
        }
    }

    /// Plays what is missing of a match in a thread of its own.
    fn launch(self: &Arc<Self>, config: MatchConfig, games: u64) -> Result<i64, ApiError> {
        let mut state = self.lock();
        if state.run.is_some() {
            return Err(ApiError::stale("a match is playing; pause or stop it first"));
        }
        let path = self.path(STORE).ok_or_else(nowhere)?;
        let mut store = Store::open(path).map_err(ApiError::bad)?;
        let number = store.match_id(&config).map_err(ApiError::bad)?.number();
        let facts = RunFacts { games, state: RunState::Running, trouble: None };
        self.set(&mut state, number, facts)?;
        let stop = Arc::new(AtomicBool::new(false));
        let live = Arc::new(LiveMatch::default());
        state.run = Some(Run { number, stop: Arc::clone(&stop), live: Arc::clone(&live) });
        drop(state);
        let (control, limits) = (Arc::clone(self), self.limits);
        std::thread::spawn(move || {
            let spec = format!("{} {}", config.game, config.setup);
            let play = Play { config, games, store, limits, stop, live };
            let ended = match spec.trim_end().parse::<GameSpec>() {
                Ok(spec) => spec.visit(play),
                Err(error) => Err(error.to_string()),
            };
            control.ended(number, ended);
        });
        Ok(number)
    }

    /// A run has ended: by itself, by a command, or by a fault.
    fn ended(&self, number: i64, ended: Result<bool, String>) {
        let mut state = self.lock();
        state.run = None;
        let Some(facts) = state.facts.as_ref().and_then(|facts| facts.get(&number)).cloned() else {
            return;
        };
        let facts = match ended {
            Ok(true) => RunFacts { state: RunState::Done, ..facts },
            // A command has said already what it is now.
            Ok(false) => facts,
            Err(trouble) => RunFacts { state: RunState::Failed, trouble: Some(trouble), ..facts },
        };
        // If the disk is full, a restart finds it paused.
        let _ = self.set(&mut state, number, facts);
    }
}

fn nowhere() -> ApiError {
    ApiError::bad("this server has no folder for matches; start it with --matches DIR")
}

/// Checks the engines of a new match and makes its configuration.
struct Prepare<'a> {
    new: &'a NewMatch,
    engines: Vec<EngineSpec>,
    limits: Limits,
}

impl GameVisitor for Prepare<'_> {
    type Output = Result<MatchConfig, ApiError>;

    fn visit<G: Playable>(self, start: G) -> Result<MatchConfig, ApiError> {
        for spec in &self.engines {
            session::engine::check::<G>(spec, &start).map_err(ApiError::bad)?;
        }
        let limits = self.limits;
        let entrants = self.new.engines.iter().map(|spec| Entrant {
            spec: spec.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            limits,
        });
        let openings = Openings::Random { plies: self.new.plies };
        openings.check(&start).map_err(ApiError::bad)?;
        Ok(MatchConfig {
            openings,
            ..MatchConfig::new::<G>(&start.setup(), entrants.collect(), self.new.seed)
        })
    }
}

/// Plays a match.
struct Play {
    config: MatchConfig,
    games: u64,
    store: Store,
    limits: EngineLimits,
    stop: Arc<AtomicBool>,
    live: Arc<LiveMatch>,
}

impl GameVisitor for Play {
    /// Whether all games are played, or what went wrong.
    type Output = Result<bool, String>;

    fn visit<G: Playable>(mut self, start: G) -> Result<bool, String> {
        let entrants = self.config.engines.iter();
        let specs: Result<Vec<EngineSpec>, ApiError> =
            entrants.map(|entrant| self.limits.engine(&entrant.spec)).collect();
        let specs = specs.map_err(|error| error.sentence)?;
        let live = Arc::clone(&self.live);
        let pairings = arena::Schedule::new(&self.config, 1).pairs().max(1);
        let options =
            RunOptions { rounds: self.games.div_ceil(2 * pairings), ..RunOptions::default() };
        let ended = arena::run::<G>(
            &self.config,
            &options,
            Arc::new(move |index| {
                let engine = G::engine(&specs[index], &start, 0);
                let engine = engine.map_err(|error| error.to_string())?;
                Ok(Box::new(Watched { engine, index, live: Arc::clone(&live) }))
            }),
            &mut self.store,
            &self.stop,
            |_| {},
        );
        ended.map(|standing| standing.finished()).map_err(|error| error.to_string())
    }
}
