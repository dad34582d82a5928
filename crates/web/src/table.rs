//! One game on the table: its moves, its clocks, the engines that sit at it.
//!
//! Everything happens under one lock, in this order: the rules are asked, the
//! change is written to disk, then it is published. What an engine should be
//! doing follows from the state (`wanted`), and `drive` makes it so; nobody
//! else starts or stops an engine's search.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::{Outcome, Player, Reason};
use search::Limits;
use serde::Serialize;
use serde_json::{Value, json};
use session::{GameSpec, Report, Session, Thinker};
use tokio::sync::watch;

use crate::clock::{Clocks, now};
use crate::refusal::Refusal;
use crate::settings::{Means, Seat, Settings};
use crate::slots::Purpose;
use crate::store::{Ended, Saved, SavedPly, Store};
use crate::think::{Kind, Order, Pool, Stop};
use crate::view::{self, View};

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

/// One position of the game and the move that led to it, as the page gets it.
#[derive(Debug, Serialize)]
pub struct Ply {
    /// The move's text; none at the start.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The move as people write it.
    pub name: Option<String>,
    /// Who made it: 0 for First, 1 for Second.
    pub by: Option<usize>,
    /// Who moves next.
    pub to_move: usize,
    /// First's chance to win, if an engine had an opinion.
    pub eval: Option<f64>,
    /// What both clocks had left.
    pub left: Option<[u64; 2]>,
    /// The position in one line.
    pub position: String,
    /// The board.
    pub view: View,
}

/// All that a page shows of a game. Plies are shared, so that a stream can tell
/// by address what its page has already.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The start and one after each move, those that can be redone included.
    pub plies: Vec<Arc<Ply>>,
    /// Everything else.
    pub head: Arc<Value>,
}

/// What an engine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Task {
    Move(Player),
    Ponder(Player),
}

struct Errand {
    task: Task,
    version: u64,
    stop: Stop,
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
    thinkers: [Option<Box<dyn Thinker>>; 2],
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
        let mut session = session::open(&spec);
        session.set(saved.start.as_deref(), &[]).map_err(Refusal::bad)?;
        let mut inner = Inner {
            plies: vec![Arc::new(first_ply(&spec, &*session)?)],
            session,
            settings: saved.settings,
            clocks: saved.clocks,
            played: 0,
            ended: None,
            review: saved.review,
            start: saved.start,
            version: 0,
            errand: None,
            thinkers: [None, None],
            hint: None,
            trouble: None,
        };
        for ply in saved.plies {
            inner.advance(&spec, &ply.mv, ply.eval, ply.left)?;
        }
        inner.rewind(saved.played)?;
        inner.ended = saved.ended;
        inner.declare();
        let review = inner.review.clone().map(Arc::new);
        let table = Arc::new(Table {
            id: saved.id,
            spec,
            house,
            inner: Mutex::new(inner),
            snapshot: watch::Sender::new(Snapshot::default()),
            thought: watch::Sender::new(None),
            review: watch::Sender::new(review),
            watchers: AtomicUsize::new(0),
        });
        let mut inner = table.lock();
        table.drive(&mut inner);
        table.publish(&mut inner);
        drop(inner);
        Ok(table)
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

    /// Writes the game to disk, sets the engines to work, and shows it.
    pub(crate) fn keep(self: &Arc<Table>, inner: &mut Inner, from: usize) -> Result<(), Refusal> {
        self.house.store.save(&self.saved(inner), from)?;
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

    /// What an engine ought to be doing.
    fn wanted(&self, inner: &Inner) -> Option<Task> {
        let contest = inner.settings.contest.as_ref();
        let watched = self.watchers.load(SeqCst) > 0;
        let paused = inner.clocks.is_some_and(|clocks| clocks.paused);
        if inner.session.outcome().is_some()
            || paused
            || inner.trouble.is_some()
            || !(watched || contest.is_some())
            || inner.played >= MOST_PLIES
        {
            return None;
        }
        let mover = inner.session.to_move();
        if inner.settings.engine(mover).is_some() {
            return Some(Task::Move(mover));
        }
        let other = !mover;
        let ponders =
            contest.is_some_and(|contest| contest.ponder && contest.ours == other as usize);
        (ponders && watched && inner.settings.engine(other).is_some())
            .then_some(Task::Ponder(other))
    }

    /// Makes the engines do what they ought to.
    pub(crate) fn drive(self: &Arc<Table>, inner: &mut Inner) {
        let wanted = self.wanted(inner);
        match (&inner.errand, wanted) {
            (Some(errand), Some(task))
                if errand.task == task && errand.version == inner.version => {}
            // Whoever ends drives again.
            (Some(errand), _) => errand.stop.drop_it(),
            (None, Some(task)) => {
                if let Err(refusal) = self.send(inner, task) {
                    inner.trouble = Some(refusal.sentence);
                    inner.errand = None;
                }
            }
            (None, None) => {}
        }
    }

    fn send(self: &Arc<Table>, inner: &mut Inner, task: Task) -> Result<(), Refusal> {
        let (player, purpose) = match task {
            Task::Move(player) => (player, Purpose::Move),
            Task::Ponder(player) => (player, Purpose::Study),
        };
        let spec = inner.settings.engine(player).ok_or_else(Refusal::missing)?;
        let spec = self.house.means.engine(&self.spec, spec)?;
        let mut thinker = match inner.thinkers[player as usize].take() {
            Some(thinker) => thinker,
            None => inner.session.thinker(&spec, crate::id::seed()).map_err(Refusal::bad)?,
        };
        let moves = inner.session.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        thinker.set(inner.start.as_deref(), &moves).map_err(Refusal::bad)?;
        let kind = match task {
            Task::Ponder(_) => Kind::Ponder,
            Task::Move(_) => Kind::Think(match inner.clocks {
                Some(clocks) => {
                    let clock = clocks.for_search(now());
                    Limits { clock: Some(clock), ..Limits::default() }
                }
                None => {
                    let time = Duration::from_secs_f64(inner.settings.move_seconds);
                    Limits { time: Some(time), ..Limits::default() }
                }
            }),
        };
        let stop = Stop::default();
        inner.errand =
            Some(Errand { task: task.clone(), version: inner.version, stop: stop.clone() });
        let order = Order { thinker, kind, purpose, stop: stop.clone() };
        let (ply, version) = (inner.played, inner.version);
        let teller = Arc::clone(self);
        let table = Arc::clone(self);
        let spec = self.spec.clone();
        self.house.pool.run(
            order,
            move |report| {
                let thought = report_json(&spec, player, ply, report);
                teller.thought.send_replace(Some(Arc::new(thought)));
            },
            move |thinker, report| {
                table.answered(player, version, thinker, report.filter(|_| !stop.is_dropped()));
            },
        );
        Ok(())
    }

    /// A search at this table has ended.
    fn answered(
        self: &Arc<Table>,
        player: Player,
        version: u64,
        thinker: Box<dyn Thinker>,
        report: Option<Report>,
    ) {
        let mut guard = self.lock();
        let inner = &mut *guard;
        inner.errand = None;
        if inner.version == version {
            inner.thinkers[player as usize] = Some(thinker);
            if let Some(report) = report
                && let Some(mv) = &report.best
            {
                let eval = first_chance(player, report.win_rate);
                let ply = inner.played;
                let kept = self.play(inner, ply, mv, Some(eval));
                if let Err(refusal) = kept.and_then(|from| self.keep(inner, from)) {
                    inner.trouble = Some(refusal.sentence);
                }
            }
        }
        self.drive(inner);
        self.publish(inner);
    }

    fn hint(self: &Arc<Table>, inner: &mut Inner) -> Result<(), Refusal> {
        if inner.session.outcome().is_some() {
            return Err(Refusal::stale("the game is over"));
        }
        if !self.house.pool.has_room() {
            return Err(Refusal::busy());
        }
        let spec = self.house.means.engine(&self.spec, "best")?;
        let thinker = inner.session.thinker(&spec, 1).map_err(Refusal::bad)?;
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        let order = Order {
            thinker,
            kind: Kind::Think(limits),
            purpose: Purpose::Move,
            stop: Stop::default(),
        };
        let (ply, version, player) = (inner.played, inner.version, inner.session.to_move());
        let table = Arc::clone(self);
        self.house.pool.run(
            order,
            |_| {},
            move |_, report| {
                let mut inner = table.lock();
                if let Some(report) = report.filter(|_| inner.version == version) {
                    inner.hint = Some(report_json(&table.spec, player, ply, &report));
                    table.publish(&mut inner);
                }
            },
        );
        Ok(())
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

impl Inner {
    /// Plays a move on the board alone. Gives the number of plies that were
    /// there before and still are.
    pub(crate) fn advance(
        &mut self,
        spec: &GameSpec,
        mv: &str,
        eval: Option<f64>,
        left: Option<[u64; 2]>,
    ) -> Result<usize, Refusal> {
        if self.played >= MOST_PLIES {
            return Err(Refusal::bad(format!("a game here has at most {MOST_PLIES} moves")));
        }
        let mut session = self.session.copy();
        let before = session.position();
        let mover = session.to_move();
        session.play(mv).map_err(Refusal::bad)?;
        let moves = session.moves();
        if moves.len() != self.played + 1 {
            return Err(Refusal::bad("one move at a time"));
        }
        let mv = moves.last().expect("a move was played").clone();
        let position = session.position();
        let view = view::view(spec, Some((&before, &mv)), &position).map_err(Refusal::bad)?;
        let ply = Ply {
            name: Some(view::name(spec, &mv)),
            mv: Some(mv),
            by: Some(mover as usize),
            to_move: session.to_move() as usize,
            eval,
            left,
            position,
            view,
        };
        self.plies.truncate(self.played + 1);
        self.plies.push(Arc::new(ply));
        self.session = session;
        self.played += 1;
        self.version += 1;
        Ok(self.played - 1)
    }

    /// Makes the board stand after so many moves of the line.
    pub(crate) fn rewind(&mut self, ply: usize) -> Result<(), Refusal> {
        let moves: Vec<&str> =
            self.plies[1..=ply].iter().filter_map(|ply| ply.mv.as_deref()).collect();
        let mut session = session::open(self.session.spec());
        session.set(self.start.as_deref(), &moves).map_err(Refusal::bad)?;
        self.session = session;
        self.played = ply;
        self.ended = None;
        self.version += 1;
        self.hint = None;
        self.trouble = None;
        Ok(())
    }

    /// As [`Inner::rewind`], with the clocks as they were then; in a contest
    /// time that has passed has passed.
    fn rewind_to_play(&mut self, ply: usize) -> Result<(), Refusal> {
        self.stop_clocks();
        self.rewind(ply)?;
        if self.settings.contest.is_none()
            && let (Some(clocks), Some(left)) = (&mut self.clocks, self.plies[ply].left)
        {
            clocks.left = left;
        }
        self.run_clocks();
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Refusal> {
        if self.ended.is_some() {
            return self.rewind_to_play(self.played);
        }
        let mut ply = self.played;
        let engines = !self.settings.seats.iter().all(|seat| *seat == Seat::Human);
        loop {
            if ply == 0 {
                break;
            }
            ply -= 1;
            let human = self.settings.seats[self.plies[ply].to_move] == Seat::Human;
            if human || !engines || self.settings.seats.iter().all(|seat| *seat != Seat::Human) {
                break;
            }
        }
        if ply == self.played {
            return Err(Refusal::stale("there is nothing to take back"));
        }
        self.rewind_to_play(ply)
    }

    fn play_again(&mut self) -> Result<(), Refusal> {
        let last = self.plies.len() - 1;
        if self.played == last {
            return Err(Refusal::stale("there is nothing to play again"));
        }
        let mut ply = self.played + 1;
        while ply < last && self.settings.seats[self.plies[ply].to_move] != Seat::Human {
            ply += 1;
        }
        self.rewind_to_play(ply)
    }

    fn declare(&mut self) {
        if let Some(Ended { winner, reason }) = &self.ended {
            let reason = if reason == "time" { Reason::Time } else { Reason::Resigned };
            let winner = winner.map(|winner| Player::BOTH[winner.min(1)]);
            self.session.end(Outcome { winner, reason });
        }
        self.version += 1;
    }

    fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(now());
        }
    }

    /// The clock of whoever moves runs, unless nothing has been played yet in a
    /// game among friends.
    fn run_clocks(&mut self) {
        let begun = self.played > 0 || self.settings.contest.is_some();
        if let Some(clocks) = &mut self.clocks
            && begun
            && self.session.outcome().is_none()
        {
            clocks.run(self.session.to_move(), now());
        }
    }

    fn pause(&mut self, on: bool) -> Result<(), Refusal> {
        let Some(clocks) = &mut self.clocks else {
            return Err(Refusal::bad("this game has no clocks"));
        };
        clocks.stop(now());
        clocks.paused = on;
        self.version += 1;
        self.run_clocks();
        Ok(())
    }

    fn set_clocks(&mut self, left: [u64; 2]) -> Result<(), Refusal> {
        if left.iter().any(|&left| left > 24 * 3_600_000) {
            return Err(Refusal::bad("a clock shows at most a day"));
        }
        let Some(clocks) = &mut self.clocks else {
            return Err(Refusal::bad("this game has no clocks"));
        };
        clocks.stop(now());
        clocks.left = left;
        self.run_clocks();
        Ok(())
    }

    /// Writes what the clocks had left beside the last move.
    fn note_clocks(&mut self, left: [u64; 2]) {
        if let Some(ply) = self.plies.last_mut().and_then(Arc::get_mut) {
            ply.left = Some(left);
        }
    }
}

/// The start of a game.
fn first_ply(spec: &GameSpec, session: &dyn Session) -> Result<Ply, Refusal> {
    let position = session.position();
    let view = view::view(spec, None, &position).map_err(Refusal::bad)?;
    let to_move = session.to_move() as usize;
    Ok(Ply { mv: None, name: None, by: None, to_move, eval: None, left: None, position, view })
}

/// First's chance to win, given the mover's.
pub fn first_chance(mover: Player, chance: f64) -> f64 {
    match mover {
        Player::First => chance,
        Player::Second => 1.0 - chance,
    }
}

/// An outcome for the page.
pub fn outcome_json(outcome: Outcome) -> Value {
    json!({ "winner": outcome.winner.map(|winner| winner as usize), "reason": outcome.reason.to_string() })
}

/// What a search knows, for the page: with the names of moves, and First's
/// chance beside the mover's numbers.
pub fn report_json(spec: &GameSpec, mover: Player, ply: usize, report: &Report) -> Value {
    let mut value = serde_json::to_value(report).expect("plain data");
    value["ply"] = json!(ply);
    value["mover"] = json!(mover as usize);
    value["first"] = json!(first_chance(mover, report.win_rate));
    value["best_name"] = json!(report.best.as_ref().map(|mv| view::name(spec, mv)));
    if let Some(lines) = value["lines"].as_array_mut() {
        lines.truncate(64);
        for line in lines {
            let mv = line["move"].as_str().unwrap_or_default().to_owned();
            line["name"] = json!(view::name(spec, &mv));
            line["places"] = json!(view::places(spec, &mv));
            let named: Vec<String> = line["pv"]
                .as_array()
                .into_iter()
                .flatten()
                .take(12)
                .filter_map(|mv| mv.as_str().map(|mv| view::name(spec, mv)))
                .collect();
            line["pv"] = json!(named);
        }
    }
    value
}
