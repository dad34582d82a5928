//! The referee's desk: the game as written so far, readable from outside.
//!
//! An engine inside this process can't be killed. What can be done is to stop
//! waiting for it, and for that the game must not live on the engine's stack
//! alone. The thread that plays writes each ply here, and before it asks an
//! engine it writes down how the game ends if no answer ever comes. A second
//! thread listens for a sign of life: each call of the engine's watch is one,
//! until the referee has told it to stop. If there is none for too long, that
//! thread takes the draft as the final word and abandons the other, engine and
//! all; when the engine returns after all, its thread finds the desk empty and
//! ends.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use games::{Outcome, Reason, Text};
use serde::{Deserialize, Serialize};

use crate::Fixture;

/// One ply as the referee wrote it down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// The move in its short form.
    #[serde(rename = "move")]
    pub mv: String,
    /// The time it took by the referee's clock, in microseconds.
    pub micros: u64,
    /// The mover's chance to win as the engine sees it, from 0 to 1.
    pub win_rate: f64,
    /// The mover's score in the engine's words: an expected result from -1 to 1,
    /// points as in `1.5p`, or what is proven as in `win 7`.
    pub score: String,
    /// Depth reached.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Simulations finished.
    pub sims: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its place in the match.
    pub index: u64,
    /// The engines that played First and Second, by number.
    pub engines: [usize; 2],
    /// The game's seed.
    pub seed: u64,
    /// The text of the setup; empty for the game's default.
    pub setup: String,
    /// The moves given, as text.
    pub opening: String,
    /// All moves, the opening included, as text.
    pub moves: String,
    /// The plies after the opening.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
    /// What the referee has to say about it: what an engine did wrong.
    pub note: String,
}

impl Played {
    /// The result of the engine with the lower number, which comes first in its
    /// pairing: 1 won, 0 drawn, -1 lost.
    pub fn result(&self) -> i32 {
        let first = self.outcome.for_first();
        if self.engines[0] < self.engines[1] { first } else { -first }
    }

    /// The same game without what a clock measured: equal for repeated matches.
    pub fn untimed(&self) -> Played {
        let mut game = self.clone();
        game.plies.iter_mut().for_each(|ply| ply.micros = 0);
        game
    }
}

/// Where one game is written down while it is played.
#[derive(Debug, Default)]
pub struct Desk {
    draft: Mutex<Option<Played>>,
    signs: AtomicU64,
}

impl Desk {
    /// An empty desk.
    pub fn new() -> Desk {
        Desk::default()
    }

    /// A new game lies on the desk, with its setup and its opening as text.
    pub fn open(&self, fixture: &Fixture, setup: String, opening: String) {
        let draft = Played {
            index: fixture.index,
            engines: fixture.engines,
            seed: fixture.seed,
            setup,
            opening,
            moves: String::new(),
            plies: Vec::new(),
            outcome: Outcome::draw(Reason::Adjudicated),
            note: String::new(),
        };
        *self.draft.lock().expect("no holder panics") = Some(draft);
        self.sign();
    }

    /// Changes the draft. False if it was taken: the game goes on without us.
    pub fn write(&self, change: impl FnOnce(&mut Played)) -> bool {
        self.sign();
        self.draft.lock().expect("no holder panics").as_mut().map(change).is_some()
    }

    /// Writes down how the game ends if nothing more is heard. False if the
    /// draft was taken.
    pub fn expect(&self, outcome: Outcome, note: &str) -> bool {
        self.write(|draft| {
            draft.outcome = outcome;
            draft.note.clear();
            draft.note.push_str(note);
        })
    }

    /// A sign of life.
    #[inline]
    pub fn sign(&self) {
        self.signs.fetch_add(1, Ordering::Relaxed);
    }

    /// How many signs of life there were.
    pub fn signs(&self) -> u64 {
        self.signs.load(Ordering::Relaxed)
    }

    /// Takes the draft: whoever comes first has the game, the other has nothing.
    pub fn take<G: Text>(&self) -> Option<Played> {
        let mut game = self.draft.lock().expect("no holder panics").take()?;
        let opening = G::split_moves(&game.opening).into_iter().map(str::to_string);
        let moves: Vec<String> =
            opening.chain(game.plies.iter().map(|ply| ply.mv.clone())).collect();
        game.moves = G::join_moves(&moves);
        Some(game)
    }
}
