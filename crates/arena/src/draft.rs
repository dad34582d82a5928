//! The game being played, as far as it has got, readable from another thread.
//!
//! An engine inside this process can't be killed; the arena can only stop
//! waiting for it. So the game must not live on the stack of the thread that
//! plays it. That thread writes each ply into the draft, and before it asks an
//! engine it writes how the game ends if no answer ever comes. The supervising
//! thread counts heartbeats: the engine's progress callback sends one at each
//! call until the referee has stopped the engine. If they stay away for too
//! long, the supervisor takes the draft as the final result and abandons the
//! thread, engine and all. Should the engine return later, its thread finds the
//! draft gone and ends.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use games::{Outcome, Reason, Record, Text};
use serde::{Deserialize, Serialize};

use crate::{MatchConfig, ScheduledGame, replay, split_position};

/// One ply as the referee recorded it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// The move in its short form.
    #[serde(rename = "move")]
    pub mv: String,
    /// The time it took by the referee's clock, in microseconds.
    pub micros: u64,
    /// The mover's win rate by the engine's own estimate, from 0 to 1.
    pub win_rate: f64,
    /// The mover's score as text: an expected result from -1 to 1, points as in
    /// `1.5p`, or a proven result as in `win 7`.
    pub score: String,
    /// Depth reached.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Simulations finished.
    pub sims: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// Its index in the match.
    pub index: u64,
    /// The engines that played First and Second, by number.
    pub engines: [usize; 2],
    /// The game's seed.
    pub seed: u64,
    /// The text of the setup; empty for the game's default.
    pub setup: String,
    /// The opening, as text ([`crate::replay`]).
    pub opening: String,
    /// All moves, the opening included, as text ([`crate::replay`]).
    pub moves: String,
    /// The plies after the opening.
    pub plies: Vec<Ply>,
    /// How it ended.
    #[serde(with = "outcome_json")]
    pub outcome: Outcome,
    /// The referee's note: what an engine did wrong, if anything.
    pub note: String,
}

impl GameResult {
    /// The result of the engine with the lower number, which comes first in its
    /// pairing: 1 won, 0 drawn, -1 lost.
    pub fn for_lower_engine(&self) -> i32 {
        let first = self.outcome.for_first();
        if self.engines[0] < self.engines[1] { first } else { -first }
    }

    /// The game as a record; none if it is not one of this match's game.
    pub fn record<G: Text>(&self, config: &MatchConfig) -> Option<Record<G>> {
        let setup = if self.setup.is_empty() { &config.setup } else { &self.setup };
        replay(&G::start(&setup.parse().ok()?).ok()?, &self.moves).ok()
    }

    /// The same game without measured times: equal for repeated matches.
    pub fn untimed(&self) -> GameResult {
        let mut game = self.clone();
        game.plies.iter_mut().for_each(|ply| ply.micros = 0);
        game
    }
}

/// An outcome as a store has it: 1 for First, 2 for Second, and the reason's words.
mod outcome_json {
    use games::{Outcome, Player, Reason};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        let winner = outcome.winner.map(|winner| winner as u8 + 1);
        (winner, outcome.reason.to_string()).serialize(serializer)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Outcome, D::Error> {
        let (winner, reason): (Option<u8>, String) = Deserialize::deserialize(deserializer)?;
        let known = Reason::ALL.into_iter().find(|known| known.to_string() == reason);
        let reason = known.ok_or_else(|| D::Error::custom("a reason that does not exist"))?;
        let winner = match winner {
            None => None,
            Some(1) => Some(Player::First),
            Some(2) => Some(Player::Second),
            Some(_) => return Err(D::Error::custom("a winner is 1 or 2")),
        };
        Ok(Outcome { winner, reason })
    }
}

/// A game while it is played, shared by the playing and the supervising thread.
#[derive(Debug, Default)]
pub struct GameDraft {
    game: Mutex<Option<GameResult>>,
    heartbeats: AtomicU64,
}

impl GameDraft {
    /// Without a game.
    pub fn new() -> GameDraft {
        GameDraft::default()
    }

    /// Begins a game with its setup and its opening as text, and the plies that an
    /// earlier run has played.
    pub fn begin(
        &self,
        scheduled: &ScheduledGame,
        setup: String,
        opening: String,
        plies: Vec<Ply>,
    ) {
        let game = GameResult {
            index: scheduled.index,
            engines: scheduled.engines,
            seed: scheduled.seed,
            setup,
            opening,
            moves: String::new(),
            plies,
            outcome: Outcome::draw(Reason::Adjudicated),
            note: String::new(),
        };
        *self.game.lock().expect("no holder panics") = Some(game);
        self.heartbeat();
    }

    /// Changes the game. False if it was taken by the supervisor.
    pub fn update(&self, change: impl FnOnce(&mut GameResult)) -> bool {
        self.heartbeat();
        self.game.lock().expect("no holder panics").as_mut().map(change).is_some()
    }

    /// Sets how the game ends if nothing more happens. False if it was taken by
    /// the supervisor.
    pub fn set_outcome(&self, outcome: Outcome, note: &str) -> bool {
        self.update(|game| {
            game.outcome = outcome;
            game.note.clear();
            game.note.push_str(note);
        })
    }

    /// Signals that the game makes progress.
    #[inline]
    pub fn heartbeat(&self) {
        self.heartbeats.fetch_add(1, Ordering::Relaxed);
    }

    /// How many heartbeats there were.
    pub fn heartbeats(&self) -> u64 {
        self.heartbeats.load(Ordering::Relaxed)
    }

    /// Takes the game. Only the first of the two threads to ask gets it.
    pub fn take<G: Text>(&self) -> Option<GameResult> {
        let mut game = self.game.lock().expect("no holder panics").take()?;
        let (position, opening) = split_position(&game.opening);
        let opening = G::split_moves(opening).into_iter().map(str::to_string);
        let moves: Vec<String> =
            opening.chain(game.plies.iter().map(|ply| ply.mv.clone())).collect();
        let moves = G::join_moves(&moves);
        game.moves = match position {
            None => moves,
            Some(position) => format!("position {position} moves {moves}"),
        };
        Some(game)
    }
}
