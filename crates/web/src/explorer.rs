//! The explorer: what is on record from a position. The shipped book's moves, the
//! moves of games in match stores, and how fast games from here end.
//!
//! Positions of stored games are found by their key, so that another order of
//! moves counts too. A store is read once for as long as it does not change, and
//! for a bounded time; what was not read is said.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::Store;
use games::{Player, Rng};
use search::Limits;
use serde_json::{Value, json};
use session::{GameSpec, Session};
use tokio::sync::watch;

use crate::error::ApiError;
use crate::live_game::{LiveGame, name};
use crate::memory::LeasedEngine;
use crate::search_pool::{CancelToken, StudySlot};
use crate::tree::Spot;

/// The time in which stores are read for one request.
const READING: Duration = Duration::from_secs(3);

/// The most games of a store that are read, the newest first.
const MOST_GAMES: usize = 20_000;

/// How games ended: First won, drawn, Second won.
type Results = [u32; 3];

fn add(results: &mut Results, winner: Option<Player>) {
    let place = match winner {
        Some(Player::First) => 0,
        None => 1,
        Some(Player::Second) => 2,
    };
    results[place] += 1;
}

/// The moves played from each position of a store's games of one spec.
#[derive(Debug, Default)]
pub struct StoreIndex {
    /// When the store changed last.
    pub changed: u64,
    /// By the position's key and the move's text.
    positions: HashMap<u64, HashMap<String, Results>>,
    games: usize,
    whole: bool,
}

impl StoreIndex {
    /// Reads the games of a store that have this spec, until a moment.
    pub fn read(store: &Store, changed: u64, spec: &GameSpec, until: Instant) -> StoreIndex {
        let mut index = StoreIndex { changed, whole: true, ..StoreIndex::default() };
        let matches = store.matches().unwrap_or_default();
        for (id, config) in matches.iter().rev().filter(|(_, config)| config.game == spec.name()) {
            let read = store.for_each_result(*id, |game| {
                let given = format!("{} {}", config.game, game.setup);
                let same = given.trim_end().parse::<GameSpec>().is_ok_and(|other| other == *spec);
                if same {
                    index.add(spec, &game.moves, game.outcome.winner);
                }
                if Instant::now() < until && index.games < MOST_GAMES {
                    return ControlFlow::Continue(());
                }
                index.whole = false;
                ControlFlow::Break(())
            });
            if read.is_err() || !index.whole {
                index.whole = false;
                break;
            }
        }
        index
    }

    fn add(&mut self, spec: &GameSpec, moves: &str, winner: Option<Player>) {
        let mut whole = session::open(spec);
        if whole.play(moves).is_err() {
            return;
        }
        self.games += 1;
        let mut session = session::open(spec);
        for mv in whole.moves() {
            let moves = self.positions.entry(session.key()).or_default();
            add(moves.entry(mv.clone()).or_default(), winner);
            if session.play(&format!("{mv},")).is_err() {
                break;
            }
        }
    }
}

/// What the indexes have for a position, the moves played most first.
pub fn stored_moves(session: &Session, indexes: &[Arc<StoreIndex>]) -> Value {
    let mut all: HashMap<&String, Results> = HashMap::new();
    let found = indexes.iter().filter_map(|index| index.positions.get(&session.key()));
    for (mv, results) in found.flatten() {
        let sum = all.entry(mv).or_default();
        for (place, count) in results.iter().enumerate() {
            sum[place] += count;
        }
    }
    json!({
        "games": indexes.iter().map(|index| index.games).sum::<usize>(),
        "whole": indexes.iter().all(|index| index.whole),
        "moves": listed(session, all),
    })
}

/// Moves with their results, those played most first.
fn listed<'a>(session: &Session, all: impl IntoIterator<Item = (&'a String, Results)>) -> Value {
    let mut moves: Vec<(&String, Results)> = all.into_iter().collect();
    moves.sort_by_key(|(mv, results)| (std::cmp::Reverse(results.iter().sum::<u32>()), *mv));
    let one = |(mv, results): (&String, Results)| {
        name(session, mv).map(|name| json!({ "move": mv, "name": name, "results": results }))
    };
    moves.into_iter().filter_map(one).collect()
}

/// The time by which stores have to be read.
pub fn deadline() -> Instant {
    Instant::now() + READING
}

/// The games of a sample.
const SAMPLE: u32 = 100;

/// The work for each move of a fast game.
const FAST: Limits =
    Limits { time: None, clock: None, nodes: Some(3_000), sims: Some(300), depth: None };

/// A random move now and then in a fast game's first plies, so that the games
/// differ: one in so many, for so many plies.
const RANDOM_ONE_IN: usize = 8;
const RANDOM_PLIES: usize = 10;

/// The longest fast game.
const LONGEST_GAME: usize = 400;

/// The sample of a game that was asked for last.
pub struct Samples {
    cancel: Mutex<CancelToken>,
    newest: watch::Sender<Option<Arc<Value>>>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples { cancel: Mutex::default(), newest: watch::Sender::new(None) }
    }
}

impl Samples {
    /// How the sample goes.
    pub fn subscribe(&self) -> watch::Receiver<Option<Arc<Value>>> {
        self.newest.subscribe()
    }

    /// Ends the sample that runs; the token ends the new one.
    fn begin(&self) -> CancelToken {
        let mut cancel = self.cancel.lock().unwrap_or_else(PoisonError::into_inner);
        cancel.cancel();
        *cancel = CancelToken::default();
        cancel.clone()
    }
}

impl LiveGame {
    /// Plays fast games from a position in the background; the pages hear how they
    /// end. Another sample ends one that runs.
    pub fn sample(self: &Arc<LiveGame>, spot: Spot) -> Result<(), ApiError> {
        let session = self.session_at(spot)?;
        if session.outcome().is_some() {
            return Err(ApiError::stale("the game is over here"));
        }
        let permit = self.app.pool.enter_study().ok_or_else(ApiError::busy)?;
        let spec = self.app.engine_limits.analyst(&self.spec, "best")?;
        let engine = self.app.lease(&session, spec, 1, None)?.ok_or_else(ApiError::busy)?;
        let cancel = self.samples.begin();
        let game = Arc::clone(self);
        self.app.pool.run_beside(cancel.clone(), move |slot| {
            let _permit = permit;
            Sample { game: &game, session, ply: spot.ply, cancel }.run(engine, slot);
        });
        Ok(())
    }
}

/// A sample of fast games that runs.
struct Sample<'a> {
    game: &'a LiveGame,
    session: Session,
    ply: usize,
    cancel: CancelToken,
}

impl Sample<'_> {
    fn run(&self, mut engine: LeasedEngine, mut slot: StudySlot) {
        let mut results = Results::default();
        let mut by_move: HashMap<String, Results> = HashMap::new();
        let mut plies = 0;
        for number in 0..SAMPLE {
            self.publish(number, results, plies, &by_move);
            let Some(played) = self.play(&mut engine, &mut slot, number.into()) else { return };
            let winner = played.outcome().and_then(|outcome| outcome.winner);
            add(&mut results, winner);
            let moves = played.moves();
            let own = self.session.moves().len();
            plies += moves.len() - own;
            add(by_move.entry(moves[own].clone()).or_default(), winner);
        }
        self.publish(SAMPLE, results, plies, &by_move);
    }

    /// One game; `None` if the sample is over.
    fn play(
        &self,
        engine: &mut LeasedEngine,
        slot: &mut StudySlot,
        number: u64,
    ) -> Option<Session> {
        let mut rng = Rng::stream(1, number);
        let mut session = self.session.clone();
        let start = session.start();
        engine.handle.new_game(number);
        for ply in 0..LONGEST_GAME {
            if session.outcome().is_some() {
                break;
            }
            if slot.poll().is_break() || self.game.is_unwatched() {
                return None;
            }
            let legal = session.legal();
            let mv = match ply < RANDOM_PLIES && rng.below(RANDOM_ONE_IN) == 0 {
                true => legal[rng.below(legal.len())].clone(),
                false => {
                    let moves = session.moves();
                    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                    engine.handle.set(Some(&start), &moves).ok()?;
                    engine.handle.search(&FAST, None).best?
                }
            };
            session.play(&format!("{mv},")).ok()?;
        }
        Some(session)
    }

    fn publish(
        &self,
        played: u32,
        results: Results,
        plies: usize,
        by_move: &HashMap<String, Results>,
    ) {
        if self.cancel.is_cancelled() {
            return;
        }
        let moves = by_move.iter().map(|(mv, results)| (mv, *results));
        self.game.samples.newest.send_replace(Some(Arc::new(json!({
            "ply": self.ply,
            "position": self.session.position(),
            "wanted": SAMPLE,
            "played": played,
            "results": results,
            "plies": (played > 0).then(|| plies as f64 / f64::from(played)),
            "moves": listed(&self.session, moves),
        }))));
    }
}
