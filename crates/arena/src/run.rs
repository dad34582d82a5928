//! Plays a match: threads that play, and one that listens, counts and writes.
//!
//! Each playing thread takes the next game of the schedule, so games by
//! simulations or nodes are the same in any concurrency. The calling thread is
//! the store's one writer. It also listens for signs of life at every desk (see
//! [`Desk`]) and replaces a thread whose engine has fallen silent.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use games::{Outcome, Player, Reason, Record, Text};
use search::Engine;

use crate::referee::guarded;
use crate::standing::Counter;
use crate::statistics::Sprt;
use crate::{
    Boards, Contest, Desk, Fixture, MatchId, Openings, Played, Schedule, Standing, Store,
    StoreError, Terms, play,
};

/// Makes the engine with a number of the contest. Called again for each thread
/// that plays, and after a crash.
pub type Factory<G> = Arc<dyn Fn(usize) -> Result<Box<dyn Engine<G>>, String> + Send + Sync>;

/// How to play a match; changes nothing about its games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Pairs of each pairing.
    pub rounds: u64,
    /// Games at a time.
    pub concurrency: usize,
    /// When to stop early; for two engines only.
    pub sprt: Option<Sprt>,
    /// How long an engine may give no sign of life before it is abandoned. Its
    /// watch is due every 5 ms, so this is for machines that are very busy.
    pub patience: Duration,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { rounds: 1, concurrency: 1, sprt: None, patience: Duration::from_secs(30) }
    }
}

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The contest or the plan makes no sense.
    #[error("{0}")]
    Contest(String),
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something broke that is not an engine's fault.
    #[error("the arena failed: {0}")]
    Arena(String),
}

/// What happened: a pair was finished and counted or waits for its turn.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// How the match stands.
    pub standing: &'a Standing,
    /// The pair that has just been stored; `None` at the beginning.
    pub pair: Option<&'a [Played; 2]>,
    /// Pairs stored, those before this run included. May be ahead of the
    /// standing, which counts in order.
    pub stored: u64,
}

/// Plays what is missing of a match, and answers how it stands. Ends when all is
/// played, when the sequential test has decided, or soon after `stop` is set;
/// every finished pair is in the store by then. Call it again with the same
/// contest to go on.
pub fn run<G: Text>(
    contest: &Contest,
    plan: &Plan,
    factory: Factory<G>,
    store: &mut Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Standing, RunError> {
    check::<G>(contest, plan)?;
    store.claim()?;
    let id = store.enter(contest)?;
    let schedule = Schedule::new(contest, plan.rounds);
    let mut counter = Counter::new(&schedule, plan.sprt);
    let mut done = HashSet::new();
    for games in store.results(id)?.chunks_exact(2) {
        let pair = games[0].0 / 2;
        if pair < schedule.pairs() {
            counter.add(pair, [games[0].1, games[1].1]);
            done.insert(pair);
        }
    }
    let stored = done.len() as u64;
    progress(&Progress { standing: counter.standing(), pair: None, stored });
    if counter.standing().finished() {
        return Ok(counter.standing().clone());
    }

    let (sender, receiver) = channel();
    let hall = Arc::new(Hall {
        contest: contest.clone(),
        schedule,
        factory,
        done,
        next: AtomicU64::new(0),
        halt: AtomicBool::new(false),
        sender: Mutex::new(sender),
    });
    let mut clerk = Clerk { store, id, counter, halves: HashMap::new(), stored, progress };
    let answer = preside(&hall, plan, &receiver, &mut clerk, stop);
    hall.halt.store(true, Ordering::Relaxed);
    answer?;
    Ok(clerk.counter.standing().clone())
}

/// Whether contest and plan make sense for the game.
fn check<G: Text>(contest: &Contest, plan: &Plan) -> Result<(), RunError> {
    let refuse = |text: String| Err(RunError::Contest(text));
    if contest.game != G::NAME {
        return refuse(format!("this is a match of {}, not of {}", contest.game, G::NAME));
    }
    if contest.engines.len() < 2 {
        return refuse("a match needs at least two engines".into());
    }
    if plan.concurrency == 0 {
        return refuse("at least one game at a time has to be played".into());
    }
    contest.rules.check().map_err(RunError::Contest)?;
    if let Some(sprt) = plan.sprt {
        sprt.check().map_err(RunError::Contest)?;
        if contest.engines.len() != 2 {
            return refuse("a sequential test is for two engines".into());
        }
    }
    if contest.boards == Boards::Drawn && matches!(contest.openings, Openings::Listed(_)) {
        return refuse("a list of openings is for one board, not for drawn ones".into());
    }
    let first = Schedule::new(contest, 1).game(0);
    let start: G = contest.start(&first).map_err(RunError::Contest)?;
    contest.openings.check(&start).map_err(RunError::Contest)
}

/// What the playing threads share. They may outlive the match, if an engine
/// never returns, so they own it together.
struct Hall<G: Text> {
    contest: Contest,
    schedule: Schedule,
    factory: Factory<G>,
    /// Pairs that an earlier run has stored.
    done: HashSet<u64>,
    next: AtomicU64,
    halt: AtomicBool,
    sender: Mutex<Sender<(u64, Message)>>,
}

/// What a playing thread has to say; sent with its number.
enum Message {
    Game(Played),
    /// No more games for this one.
    Done,
    /// A fault that is no engine's.
    Failed(String),
}

impl<G: Text> Hall<G> {
    fn next(&self) -> Option<Fixture> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= 2 * self.schedule.pairs() || self.halt.load(Ordering::Relaxed) {
                return None;
            }
            if !self.done.contains(&(index / 2)) {
                return Some(self.schedule.game(index));
            }
        }
    }

    /// The life of a playing thread. Ends without a word if it was abandoned.
    fn serve(&self, desk: &Desk, send: &dyn Fn(Message)) {
        let mut engines: Vec<_> = self.contest.engines.iter().map(|_| None).collect();
        let mut board = None;
        while let Some(fixture) = self.next() {
            let begin = self.contest.start::<G>(&fixture);
            let record = match begin.and_then(|s| self.contest.openings.record(&s, &fixture)) {
                Ok(record) => record,
                Err(text) => return send(Message::Failed(text)),
            };
            // An engine belongs to a board: what it knows and has made room for
            // is of no use on another one.
            let setup = record.game().setup();
            if board.replace(setup.clone()).is_some_and(|old| old != setup) {
                engines.iter_mut().filter_map(Option::take).for_each(discard);
            }
            desk.open(&fixture, setup.to_string(), record.moves_text());
            let finished = self.game(&fixture, record, &mut engines, desk);
            match desk.take::<G>() {
                Some(game) if finished => send(Message::Game(game)),
                Some(_) => break,
                None => return,
            }
        }
        engines.into_iter().flatten().for_each(discard);
        send(Message::Done);
    }

    /// Plays one game with engines made on demand. False if it was stopped.
    fn game(
        &self,
        fixture: &Fixture,
        record: Record<G>,
        engines: &mut [Option<Box<dyn Engine<G>>>],
        desk: &Desk,
    ) -> bool {
        for player in Player::BOTH {
            let number = fixture.engines[player as usize];
            if engines[number].is_some() {
                continue;
            }
            let lost = Outcome::win(!player, Reason::Crashed);
            desk.expect(lost, "could not be started in time");
            match guarded(|| (self.factory)(number)).and_then(|made| made) {
                Ok(engine) => engines[number] = Some(engine),
                Err(text) => {
                    desk.expect(lost, &format!("could not be started: {text}"));
                    return true;
                }
            }
        }
        let mut seated =
            fixture.engines.map(|number| engines[number].take().expect("it was just made"));
        let terms = Terms {
            allowances: fixture.engines.map(|number| &self.contest.engines[number].allowance),
            rules: &self.contest.rules,
            seed: fixture.seed,
        };
        let [first, second] = &mut seated;
        let broken = play(record, [&mut **first, &mut **second], &terms, desk, &self.halt);
        for ((engine, number), broken) in
            seated.into_iter().zip(fixture.engines).zip(broken.unwrap_or([false; 2]))
        {
            if broken {
                discard(engine);
            } else {
                engines[number] = Some(engine);
            }
        }
        broken.is_some()
    }
}

/// Drops an engine, which may panic in doing so.
fn discard<G: Text>(engine: Box<dyn Engine<G>>) {
    let _ = guarded(|| drop(engine));
}

/// A playing thread as the presiding one sees it.
struct Seat {
    desk: Arc<Desk>,
    signs: u64,
    quiet: Duration,
}

/// Listens, counts and writes until no thread plays any more.
fn preside<G: Text>(
    hall: &Arc<Hall<G>>,
    plan: &Plan,
    receiver: &Receiver<(u64, Message)>,
    clerk: &mut Clerk,
    stop: &AtomicBool,
) -> Result<(), RunError> {
    let tick = (plan.patience / 10).clamp(Duration::from_millis(1), Duration::from_millis(50));
    let mut seats: HashMap<u64, Seat> = HashMap::new();
    let mut numbers = 0..;
    let mut seat = |seats: &mut HashMap<u64, Seat>| -> Result<(), RunError> {
        let number = numbers.next().expect("endless");
        let desk = Arc::new(Desk::new());
        sit(hall, number, &desk)?;
        seats.insert(number, Seat { desk, signs: 0, quiet: Duration::ZERO });
        Ok(())
    };
    for _ in 0..plan.concurrency {
        seat(&mut seats)?;
    }
    let mut listened = Instant::now();
    while !seats.is_empty() {
        match receiver.recv_timeout(tick) {
            Ok((number, message)) if seats.contains_key(&number) => match message {
                Message::Game(game) => clerk.game(game)?,
                Message::Done => drop(seats.remove(&number)),
                Message::Failed(text) => return Err(RunError::Arena(text)),
            },
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("the hall keeps a sender"),
        }
        if stop.load(Ordering::Relaxed) || clerk.counter.standing().finished() {
            hall.halt.store(true, Ordering::Relaxed);
        }
        let passed = listened.elapsed();
        if passed < tick {
            continue;
        }
        listened = Instant::now();
        // If this thread itself was held up (the process was suspended, the
        // machine slept), so were the engines: it counts as a few ticks at most.
        let silent = listen(&mut seats, passed.min(4 * tick), plan.patience);
        for Seat { desk, .. } in silent {
            let Some(game) = desk.take::<G>() else { continue };
            if !hall.halt.load(Ordering::Relaxed) {
                clerk.game(game)?;
                seat(&mut seats)?;
            }
        }
    }
    Ok(())
}

/// Starts a playing thread.
fn sit<G: Text>(hall: &Arc<Hall<G>>, number: u64, desk: &Arc<Desk>) -> Result<(), RunError> {
    let (hall, desk) = (Arc::clone(hall), Arc::clone(desk));
    let sender = hall.sender.lock().expect("no holder panics").clone();
    thread::Builder::new()
        .name(format!("game {number}"))
        .stack_size(16 << 20) // searches recurse
        .spawn(move || {
            // Nobody listens any more when the match is over; that is fine.
            let send = |message| drop(sender.send((number, message)));
            if let Err(text) = guarded(|| hall.serve(&desk, &send)) {
                send(Message::Failed(text));
            }
        })
        .map(drop)
        .map_err(|error| RunError::Arena(format!("no thread for a game: {error}")))
}

/// Removes the seats from which nothing has been heard for too long.
fn listen(seats: &mut HashMap<u64, Seat>, passed: Duration, patience: Duration) -> Vec<Seat> {
    for seat in seats.values_mut() {
        let signs = seat.desk.signs();
        seat.quiet = if signs == seat.signs { seat.quiet + passed } else { Duration::ZERO };
        seat.signs = signs;
    }
    seats.extract_if(|_, seat| seat.quiet > patience).map(|(_, seat)| seat).collect()
}

/// Puts games together to pairs, stores and counts them.
struct Clerk<'a> {
    store: &'a mut Store,
    id: MatchId,
    counter: Counter,
    /// Games whose partner is still being played.
    halves: HashMap<u64, Played>,
    stored: u64,
    progress: &'a mut dyn FnMut(&Progress),
}

impl Clerk<'_> {
    fn game(&mut self, game: Played) -> Result<(), RunError> {
        let pair = game.index / 2;
        let Some(other) = self.halves.remove(&pair) else {
            self.halves.insert(pair, game);
            return Ok(());
        };
        let games = if game.index % 2 == 1 { [other, game] } else { [game, other] };
        self.store.add_pair(self.id, &games)?;
        self.counter.add(pair, [games[0].result(), games[1].result()]);
        self.stored += 1;
        let standing = self.counter.standing();
        (self.progress)(&Progress { standing, pair: Some(&games), stored: self.stored });
        Ok(())
    }
}
