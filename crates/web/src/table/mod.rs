//! One game on the table: its moves, its clocks, the engines that sit at it.
//!
//! Everything happens under one lock, in this order: the rules are asked
//! (`line`), the change is written to disk, the engines are set to work
//! (`drive`), and then it is published (`told`).

mod drive;
mod line;
mod told;

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use session::{GameSpec, Session, Thinker};
use tokio::sync::watch;

use crate::clock::{Clocks, now};
use crate::refusal::Refusal;
use crate::settings::{Means, Seat, Settings};
use crate::store::{Ended, Saved, SavedPly, Store};
use crate::think::Pool;
use crate::view::{self, View};
use drive::{Errand, Task};
pub use told::{Ply, Snapshot, first_chance, outcome_json, report_json};

/// A game is not followed beyond this; the longest serious ones have 200.
pub const MOST_PLIES: usize = 2000;

/// What everybody at a server shares.
pub struct House {
    /// The database.
    pub store: Store,
    /// Where searches run.
    pub pool: Pool,
    /// What one search may take.
    pub means: Means,
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
    /// Changes whenever a running search is about something else than before.
    version: u64,
    errand: Option<Errand>,
    /// The version for which pondering came to its end by itself.
    pondered: Option<u64>,
    thinkers: [Option<Box<dyn Thinker>>; 2],
    /// Changes whenever other engines sit down.
    sitting: u64,
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

/// What a page can ask of a game.
#[derive(Debug, serde::Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Plays a move at a ply; what was played after that ply is dropped.
    Play {
        /// Moves played before it.
        ply: usize,
        /// Its text.
        r#move: String,
    },
    /// Takes back to the last time a person was to move.
    Undo,
    /// The other way.
    Redo,
    /// In a contest: the move at a ply was another one. No clock is turned back.
    Correct {
        /// Moves played before it.
        ply: usize,
        /// What it really was.
        r#move: String,
    },
    /// A player gives up.
    Resign {
        /// 0 for First.
        player: usize,
    },
    /// Stops or starts the clocks and the engines.
    Pause {
        /// Whether to stop.
        on: bool,
    },
    /// Sets the clocks by hand.
    Clocks {
        /// Milliseconds of First and Second.
        left: [u64; 2],
    },
    /// Changes who sits where.
    Seats {
        /// First's seat and Second's.
        seats: [Seat; 2],
    },
    /// An engine shall answer now.
    Hurry,
    /// What would the best engine play?
    Hint,
}

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
        self.watchers.load(SeqCst) == 0 && self.lock().errand.is_none()
    }

    /// Does what a page asks.
    pub fn obey(self: &Arc<Table>, command: Command) -> Result<(), Refusal> {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let mut from = inner.plies.len() - 1;
        match command {
            Command::Play { ply, r#move } => {
                from = self.play(inner, ply, &r#move, None)?;
            }
            Command::Undo => inner.take_back()?,
            Command::Redo => inner.play_again()?,
            Command::Correct { ply, r#move } => from = self.correct(inner, ply, &r#move)?,
            Command::Resign { player } => {
                if inner.session.outcome().is_some() {
                    return Err(Refusal::stale("the game is over"));
                }
                let winner = Some(1 - player.min(1));
                inner.ended = Some(Ended { winner, reason: "resigned".to_owned() });
                inner.declare();
                inner.stop_clocks();
            }
            Command::Pause { on } => inner.pause(on)?,
            Command::Clocks { left } => inner.set_clocks(left)?,
            Command::Seats { seats } => {
                for seat in &seats {
                    if let Seat::Engine(spec) = seat {
                        self.check_engine(inner, spec)?;
                    }
                }
                inner.settings.seats = seats;
                inner.thinkers = [None, None];
                inner.sitting += 1;
                inner.version += 1;
            }
            Command::Hurry => {
                if let Some(errand) = &inner.errand {
                    errand.stop.answer_now();
                }
                return Ok(());
            }
            Command::Hint => return self.hint(inner),
        }
        self.keep(inner, from)
    }

    /// Makes sure that an engine's name means something here.
    pub(crate) fn check_engine(&self, inner: &Inner, spec: &str) -> Result<(), Refusal> {
        let spec = self.house.means.engine(&self.spec, spec)?;
        inner.session.thinker(&spec, 0).map_err(Refusal::bad)?;
        Ok(())
    }

    /// Plays a move; gives the first ply that is new.
    fn play(
        &self,
        inner: &mut Inner,
        ply: usize,
        mv: &str,
        eval: Option<f64>,
    ) -> Result<usize, Refusal> {
        if ply > inner.played {
            return Err(Refusal::stale("the game is not there yet"));
        }
        if ply < inner.played {
            let live = inner.session.outcome().is_none();
            let engines = inner.settings.seats.iter().any(|seat| *seat != Seat::Human);
            if live && engines {
                return Err(Refusal::stale("the game has moved on; take the move back first"));
            }
            inner.rewind_to_play(ply)?;
        }
        let time = now();
        let mover = inner.session.to_move();
        let kept = inner.advance(&self.spec, mv, eval, None)?;
        if let Some(clocks) = &mut inner.clocks {
            clocks.moved(mover, time);
            match inner.session.outcome() {
                None => clocks.run(inner.session.to_move(), time),
                Some(_) => clocks.stop(time),
            }
            let left = clocks.left;
            inner.note_clocks(left);
        }
        inner.hint = None;
        Ok(kept)
    }

    /// Replaces a move that was put in wrongly. Time that has passed has passed.
    fn correct(&self, inner: &mut Inner, ply: usize, mv: &str) -> Result<usize, Refusal> {
        if ply >= inner.played {
            return Err(Refusal::stale("there is no such move to correct"));
        }
        inner.stop_clocks();
        let (played, ended) = (inner.played, inner.ended.clone());
        inner.rewind(ply)?;
        match inner.advance(&self.spec, mv, None, None) {
            Ok(kept) => {
                inner.run_clocks();
                if let Some(clocks) = inner.clocks {
                    inner.note_clocks(clocks.left);
                }
                Ok(kept)
            }
            Err(refusal) => {
                inner.rewind(played)?;
                inner.ended = ended;
                inner.declare();
                inner.run_clocks();
                Err(refusal)
            }
        }
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

    /// Lets a clock that has run out end a game; a contest has its officials.
    pub fn tick(self: &Arc<Table>) {
        let mut inner = self.lock();
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

    /// Shows the game to everybody who looks.
    pub(crate) fn publish(&self, inner: &mut Inner) {
        let session = &inner.session;
        let board = &inner.plies[inner.played].view;
        let legal: Vec<Value> =
            session.legal().iter().map(|mv| self.legal_json(board, mv)).collect();
        let time = now();
        let head = json!({
            "id": self.id,
            "game": self.spec.to_string(),
            "name": self.spec.name(),
            "start": inner.start,
            "played": inner.played,
            "to_move": session.to_move() as usize,
            "outcome": session.outcome().map(outcome_json),
            "seats": inner.settings.seats,
            "move_seconds": inner.settings.move_seconds,
            "contest": inner.settings.contest,
            "study": inner.settings.study,
            "clocks": inner.clocks.map(|clocks| json!({
                "left": clocks.left_at(time), "running": clocks.running.map(|(player, _)| player),
                "increment": clocks.increment, "paused": clocks.paused,
            })),
            "legal": legal,
            "thinking": inner.errand.as_ref().and_then(|errand| match errand.task {
                Task::Move(player) => Some(player as usize),
                Task::Ponder(_) => None,
            }),
            "pondering": inner.errand.as_ref().is_some_and(|errand| matches!(errand.task, Task::Ponder(_))),
            "hint": inner.hint,
            "trouble": inner.trouble,
        });
        self.snapshot.send_replace(Snapshot { plies: inner.plies.clone(), head: Arc::new(head) });
    }

    fn legal_json(&self, board: &View, mv: &str) -> Value {
        json!([mv, view::places(&self.spec, mv), view::landing(&self.spec, board, mv)])
    }

    /// The legal moves after so many moves of this game.
    pub fn legal_at(&self, ply: usize) -> Result<Value, Refusal> {
        let session = self.session_at(ply)?;
        let board = view::view(&self.spec, None, &session.position()).map_err(Refusal::bad)?;
        Ok(session.legal().iter().map(|mv| self.legal_json(&board, mv)).collect())
    }

    /// The game as it stood after so many moves, those that can be redone
    /// included.
    pub fn session_at(&self, ply: usize) -> Result<Box<dyn Session>, Refusal> {
        let inner = self.lock();
        if ply >= inner.plies.len() {
            return Err(Refusal::bad("the game is not that long"));
        }
        let moves: Vec<&str> =
            inner.plies[1..=ply].iter().filter_map(|ply| ply.mv.as_deref()).collect();
        let mut session = session::open(&self.spec);
        session.set(inner.start.as_deref(), &moves).map_err(Refusal::bad)?;
        Ok(session)
    }

    /// The moves of the game as text, and the setup.
    pub fn notation(&self) -> (String, Option<String>, Vec<String>) {
        let inner = self.lock();
        (self.spec.to_string(), inner.start.clone(), inner.session.moves())
    }
}
