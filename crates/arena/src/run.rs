//! Plays a match: worker threads that play, and a supervisor that counts and
//! writes.
//!
//! Each worker takes the next game of the schedule, so games limited by
//! simulations or nodes are the same in any concurrency. The supervisor is the
//! calling thread and the store's only writer. It also watches the heartbeats of
//! every game (see [`GameDraft`]) and replaces a worker whose engine hangs, and
//! it journals what a killed run would lose (see `store::journal`).

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use games::{Outcome, Player, Reason, Record, Text};
use search::{Engine, Runner};

use crate::referee::guarded;
use crate::remote::{RemotePlayers, check_game, opening};
use crate::standing::Counter;
use crate::statistics::Sprt;
use crate::{
    Boards, GameConfig, GameDraft, GameResult, MatchConfig, MatchId, Openings, Ply, Schedule,
    ScheduledGame, Standing, Store, StoreError, play,
};

/// Makes the engine with this number in the configuration. Called once for each
/// worker thread, and again after a crash.
pub type Factory<G> = Arc<dyn Fn(usize) -> Result<Box<dyn Engine<G>>, String> + Send + Sync>;

/// Who plays the games of a match.
#[derive(Clone)]
enum Players<G: Text> {
    /// Engines in this process.
    Here(Factory<G>),
    /// Another process.
    Elsewhere(RemotePlayers),
}

/// An engine in a match.
type MatchEngine<G> = Runner<G, Box<dyn Engine<G>>>;

impl<G: Text> Players<G> {
    /// The engine with this number.
    fn make(&self, number: usize) -> Result<MatchEngine<G>, String> {
        match self {
            Players::Here(factory) => factory(number).map(Runner::new),
            Players::Elsewhere(_) => Err("it plays elsewhere".to_owned()),
        }
    }
}

/// How to play a match. None of this changes its games.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Pairs of each pairing.
    pub rounds: u64,
    /// Games at a time.
    pub concurrency: usize,
    /// When to stop early; for two engines only.
    pub sprt: Option<Sprt>,
    /// How long an engine may show no progress before it is abandoned. Its
    /// callback is due every 5 ms, so this is for machines that are very busy.
    pub hang_timeout: Duration,
    /// Set by the caller to end the match when the running games are finished.
    pub finish: Option<&'static AtomicBool>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        let hang_timeout = Duration::from_secs(30);
        RunOptions { rounds: 1, concurrency: 1, sprt: None, hang_timeout, finish: None }
    }
}

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration or the run options are invalid.
    #[error("{0}")]
    Config(String),
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something failed that is not an engine's fault.
    #[error("the arena failed: {0}")]
    Arena(String),
}

/// The state of a running match after a pair was stored.
#[derive(Clone, Copy, Debug)]
pub struct MatchProgress<'a> {
    /// The standing of the match.
    pub standing: &'a Standing,
    /// The pair that has just been stored; `None` at the beginning.
    pub pair: Option<&'a [GameResult; 2]>,
    /// Pairs stored, those of earlier runs included. May be ahead of the
    /// standing, which counts in order.
    pub stored: u64,
}

/// Plays what is missing of a match and returns its standing. Ends when all is
/// played, when the sequential test has decided, soon after `stop` is set, or when the
/// running games are over after [`RunOptions::finish`] was set; every finished pair is in the store by then, and every ply of unfinished games
/// limited by time. A second call with the same configuration resumes the match.
pub fn run<G: Text>(
    config: &MatchConfig,
    options: &RunOptions,
    factory: Factory<G>,
    store: &mut Store,
    stop: &AtomicBool,
    progress: impl FnMut(&MatchProgress),
) -> Result<Standing, RunError> {
    run_with(config, options, Players::Here(factory), store, stop, progress)
}

/// The same match, with its games played elsewhere: schedule, store and statistics do
/// not know the difference. [`RunOptions::concurrency`] is how many games are given
/// out at a time.
pub fn run_remotely<G: Text>(
    config: &MatchConfig,
    options: &RunOptions,
    remote: RemotePlayers,
    store: &mut Store,
    stop: &AtomicBool,
    progress: impl FnMut(&MatchProgress),
) -> Result<Standing, RunError> {
    run_with::<G>(config, options, Players::Elsewhere(remote), store, stop, progress)
}

fn run_with<G: Text>(
    config: &MatchConfig,
    options: &RunOptions,
    players: Players<G>,
    store: &mut Store,
    stop: &AtomicBool,
    mut progress: impl FnMut(&MatchProgress),
) -> Result<Standing, RunError> {
    check::<G>(config, options)?;
    store.lock()?;
    let id = store.match_id(config)?;
    let mut counter = Counter::new(&Schedule::new(config, options.rounds), options.sprt);
    let mut done = HashSet::new();
    let mut stored = 0;
    for games in store.results(id)?.chunks_exact(2) {
        let pair = games[0].0 / 2;
        if pair < counter.schedule().pairs() {
            counter.add(pair, [games[0].1, games[1].1]);
            done.extend([2 * pair, 2 * pair + 1]);
            stored += 1;
        }
    }
    progress(&MatchProgress { standing: counter.standing(), pair: None, stored });
    if counter.standing().finished() {
        return Ok(counter.standing().clone());
    }

    let journal = store.journal(id)?;
    let mut writer = ResultWriter { store, id, counter, halves: HashMap::new(), stored, progress };
    for half in writer.store.halves(id)? {
        if half.index < 2 * writer.counter.schedule().pairs() && done.insert(half.index) {
            writer.add(half)?;
        }
    }
    // A Swiss match has a state for each round: the next is paired when all of the
    // last have ended.
    let mut first = 0;
    loop {
        let (sender, receiver) = channel();
        let schedule = writer.counter.schedule().clone();
        let known = schedule.known_pairs();
        let state = Arc::new(MatchState {
            config: config.clone(),
            schedule,
            players: players.clone(),
            done: done.clone(),
            journal: journal.clone(),
            next: AtomicU64::new(2 * first),
            finish: options.finish,
            halt: Arc::default(),
            sender: Mutex::new(sender),
        });
        let ended = supervise(&state, options, &receiver, &mut writer, stop);
        state.halt.store(true, Ordering::Relaxed);
        ended?;
        let standing = writer.counter.standing();
        if standing.finished() || standing.pairs < known {
            return Ok(standing.clone());
        }
        first = known;
    }
}

/// Whether configuration and options are valid for the game.
fn check<G: Text>(config: &MatchConfig, options: &RunOptions) -> Result<(), RunError> {
    let refuse = |text: String| Err(RunError::Config(text));
    if config.game != G::NAME {
        return refuse(format!("this is a match of {}, not of {}", config.game, G::NAME));
    }
    if config.engines.len() < 2 {
        return refuse("a match needs at least two engines".into());
    }
    if options.concurrency == 0 {
        return refuse("the concurrency has to be at least one game at a time".into());
    }
    config.rules.check().map_err(RunError::Config)?;
    if let Some(sprt) = options.sprt {
        sprt.check().map_err(RunError::Config)?;
        if config.engines.len() != 2 {
            return refuse("a sequential test is for two engines".into());
        }
    }
    if config.boards == Boards::Drawn && matches!(config.openings, Openings::Listed(_)) {
        return refuse("a list of openings needs one board, not random boards".into());
    }
    let counter = Counter::new(&Schedule::new(config, 1), None);
    let start: G = config.start(&counter.schedule().game(0)).map_err(RunError::Config)?;
    config.openings.check(&start).map_err(RunError::Config)
}

/// What the workers share. They may outlive the match, if an engine never
/// returns, so they own it together.
struct MatchState<G: Text> {
    config: MatchConfig,
    schedule: Schedule,
    players: Players<G>,
    /// Games finished in earlier runs.
    done: HashSet<u64>,
    /// The plies of games that earlier runs did not finish.
    journal: HashMap<u64, Vec<Ply>>,
    next: AtomicU64,
    /// No game is begun any more.
    finish: Option<&'static AtomicBool>,
    /// No game goes on.
    halt: Arc<AtomicBool>,
    sender: Mutex<Sender<(u64, WorkerMessage)>>,
}

/// What a worker reports, sent with its number.
enum WorkerMessage {
    /// A ply of a game limited by time, to be journaled. The sender waits until it
    /// is written, so that a kill costs the move being searched and no other.
    Played {
        game: u64,
        index: usize,
        ply: Ply,
        written: Sender<()>,
    },
    Finished(GameResult),
    /// There are no more games for this worker.
    Done,
    /// An error that is not an engine's fault.
    Failed(String),
}

impl<G: Text> MatchState<G> {
    fn next(&self) -> Option<ScheduledGame> {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let ends = is_set(&self.halt) || self.finish.is_some_and(is_set);
            if index >= 2 * self.schedule.known_pairs() || ends {
                return None;
            }
            if !self.done.contains(&index) {
                return Some(self.schedule.game(index));
            }
        }
    }

    /// Plays games until there are none left. Ends without a message if it was
    /// abandoned.
    fn worker_loop(&self, draft: &Arc<GameDraft>, send: impl Fn(WorkerMessage)) {
        match &self.players {
            Players::Here(_) => self.play_here(draft, send),
            Players::Elsewhere(remote) => self.play_elsewhere(remote, draft, send),
        }
    }

    /// Has games played elsewhere until there are none left. What comes back is
    /// checked before it counts.
    fn play_elsewhere(
        &self,
        remote: &RemotePlayers,
        draft: &GameDraft,
        send: impl Fn(WorkerMessage),
    ) {
        while let Some(scheduled) = self.next() {
            let go_on = || {
                draft.heartbeat();
                !self.halt.load(Ordering::Relaxed)
            };
            let Some(game) = remote.play(&self.config, &scheduled, go_on) else { break };
            match check_game::<G>(&self.config, &scheduled, &game) {
                Ok(()) => send(WorkerMessage::Finished(game)),
                Err(text) => return send(WorkerMessage::Failed(text)),
            }
        }
        send(WorkerMessage::Done);
    }

    fn play_here(&self, draft: &Arc<GameDraft>, send: impl Fn(WorkerMessage)) {
        let mut engines: Vec<_> = self.config.engines.iter().map(|_| None).collect();
        let mut board = None;
        while let Some(scheduled) = self.next() {
            let begin = opening::<G>(&self.config, &scheduled);
            let (opening, record) = match begin {
                Ok(begin) => begin,
                Err(text) => return send(WorkerMessage::Failed(text)),
            };
            // An engine belongs to a board: its tables are of no use on another.
            let setup = record.game().setup();
            if board.replace(setup.clone()).is_some_and(|old| old != setup) {
                engines.iter_mut().filter_map(Option::take).for_each(discard);
            }
            let (record, resumed) = self.resume(record, &scheduled);
            draft.begin(&scheduled, setup.to_string(), opening, resumed.to_vec());
            let on_ply = |index: usize, ply: &Ply| {
                if self.is_timed(&scheduled) {
                    let (written, wait) = channel();
                    let (game, ply) = (scheduled.index, ply.clone());
                    send(WorkerMessage::Played { game, index, ply, written });
                    // An error means that the match is over.
                    let _ = wait.recv();
                }
            };
            let finished = self.play_game(&scheduled, record, resumed, &mut engines, draft, on_ply);
            match draft.take::<G>() {
                Some(game) if finished => send(WorkerMessage::Finished(game)),
                Some(_) => break,
                None => return,
            }
        }
        engines.into_iter().flatten().for_each(discard);
        send(WorkerMessage::Done);
    }

    /// Whether a side of the game is limited by time, so that it can't be repeated.
    fn is_timed(&self, scheduled: &ScheduledGame) -> bool {
        scheduled.engines.iter().any(|&number| {
            let limits = &self.config.engines[number].limits;
            limits.time.is_some() || limits.clock.is_some()
        })
    }

    /// The record of a game with the plies that an earlier run journaled. A
    /// journal that does not fit the game is ignored.
    fn resume(&self, opening: Record<G>, scheduled: &ScheduledGame) -> (Record<G>, &[Ply]) {
        let journaled = self.journal.get(&scheduled.index).filter(|_| self.is_timed(scheduled));
        let plies = journaled.map_or(&[][..], Vec::as_slice);
        let mut record = opening.clone();
        let replayed = plies.iter().try_for_each(|ply| record.play_text(&ply.mv));
        match replayed {
            Ok(()) => (record, plies),
            Err(_) => (opening, &[]),
        }
    }

    /// Plays one game with engines made on demand. False if it was stopped.
    fn play_game(
        &self,
        scheduled: &ScheduledGame,
        record: Record<G>,
        resumed: &[Ply],
        engines: &mut [Option<MatchEngine<G>>],
        draft: &Arc<GameDraft>,
        on_ply: impl FnMut(usize, &Ply),
    ) -> bool {
        for player in Player::BOTH {
            let number = scheduled.engines[player as usize];
            if engines[number].is_some() {
                continue;
            }
            let lost = Outcome::win(!player, Reason::Crashed);
            draft.set_outcome(lost, "could not be started in time");
            match guarded(|| self.players.make(number)).and_then(|made| made) {
                Ok(engine) => engines[number] = Some(engine),
                Err(text) => {
                    draft.set_outcome(lost, &format!("could not be started: {text}"));
                    return true;
                }
            }
        }
        let mut players =
            scheduled.engines.map(|number| engines[number].take().expect("it was just made"));
        let game = GameConfig {
            limits: scheduled.engines.map(|number| &self.config.engines[number].limits),
            rules: &self.config.rules,
            resumed,
            seed: scheduled.seed,
        };
        let [first, second] = &mut players;
        let broken = play(record, [first, second], &game, draft, &self.halt, on_ply);
        for ((engine, number), broken) in
            players.into_iter().zip(scheduled.engines).zip(broken.unwrap_or([false; 2]))
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
fn discard<E: Send + 'static>(engine: E) {
    let _ = guarded(|| drop(engine));
}

/// A worker thread as the supervisor sees it.
struct Worker {
    draft: Arc<GameDraft>,
    heartbeats: u64,
    silent_for: Duration,
}

/// Counts and writes finished games until no worker plays any more.
fn supervise<G: Text, P: FnMut(&MatchProgress)>(
    state: &Arc<MatchState<G>>,
    options: &RunOptions,
    receiver: &Receiver<(u64, WorkerMessage)>,
    writer: &mut ResultWriter<P>,
    stop: &AtomicBool,
) -> Result<(), RunError> {
    let tick =
        (options.hang_timeout / 10).clamp(Duration::from_millis(1), Duration::from_millis(50));
    let mut workers: HashMap<u64, Worker> = HashMap::new();
    let mut numbers = 0..;
    let mut add_worker = |workers: &mut HashMap<u64, Worker>| -> Result<(), RunError> {
        let number = numbers.next().expect("endless");
        let draft = Arc::new(GameDraft::new());
        spawn_worker(state, number, &draft)?;
        workers.insert(number, Worker { draft, heartbeats: 0, silent_for: Duration::ZERO });
        Ok(())
    };
    for _ in 0..options.concurrency {
        add_worker(&mut workers)?;
    }
    let mut checked = Instant::now();
    while !workers.is_empty() {
        match receiver.recv_timeout(tick) {
            Ok((number, message)) if workers.contains_key(&number) => match message {
                WorkerMessage::Played { game, index, ply, written } => {
                    if let Err(error) = writer.store.journal_ply(writer.id, game, index, &ply) {
                        // Before the worker goes on, which it does when `written` is gone.
                        state.halt.store(true, Ordering::Relaxed);
                        return Err(error.into());
                    }
                    let _ = written.send(()); // unless the worker was abandoned
                }
                WorkerMessage::Finished(game) => writer.add(game)?,
                WorkerMessage::Done => drop(workers.remove(&number)),
                WorkerMessage::Failed(text) => return Err(RunError::Arena(text)),
            },
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("the state keeps a sender"),
        }
        if stop.load(Ordering::Relaxed) || writer.counter.standing().finished() {
            state.halt.store(true, Ordering::Relaxed);
        }
        let passed = checked.elapsed();
        if passed < tick {
            continue;
        }
        checked = Instant::now();
        // If this thread itself was held up (the process was suspended, the
        // machine slept), so were the engines: it counts as a few ticks at most.
        let hung = remove_hung(&mut workers, passed.min(4 * tick), options.hang_timeout);
        for Worker { draft, .. } in hung {
            let Some(game) = draft.take::<G>() else { continue };
            if !state.halt.load(Ordering::Relaxed) {
                writer.add(game)?;
                add_worker(&mut workers)?;
            }
        }
    }
    Ok(())
}

fn spawn_worker<G: Text>(
    state: &Arc<MatchState<G>>,
    number: u64,
    draft: &Arc<GameDraft>,
) -> Result<(), RunError> {
    let (state, draft) = (Arc::clone(state), Arc::clone(draft));
    let sender = state.sender.lock().expect("no holder panics").clone();
    thread::Builder::new()
        .name(format!("game {number}"))
        .stack_size(16 << 20) // searches recurse
        .spawn(move || {
            // The receiver is gone when the match is over; that is fine.
            let send = |message| drop(sender.send((number, message)));
            if let Err(text) = guarded(|| state.worker_loop(&draft, send)) {
                send(WorkerMessage::Failed(text));
            }
        })
        .map(drop)
        .map_err(|error| RunError::Arena(format!("no thread for a game: {error}")))
}

/// Removes the workers whose games have shown no progress for too long.
fn remove_hung(
    workers: &mut HashMap<u64, Worker>,
    passed: Duration,
    timeout: Duration,
) -> Vec<Worker> {
    for worker in workers.values_mut() {
        let heartbeats = worker.draft.heartbeats();
        let silent = heartbeats == worker.heartbeats;
        worker.silent_for = if silent { worker.silent_for + passed } else { Duration::ZERO };
        worker.heartbeats = heartbeats;
    }
    workers.extract_if(|_, worker| worker.silent_for > timeout).map(|(_, worker)| worker).collect()
}

/// Joins games into pairs, stores and counts them.
struct ResultWriter<'a, P> {
    store: &'a mut Store,
    id: MatchId,
    counter: Counter,
    /// Games whose other game of the pair is still being played.
    halves: HashMap<u64, GameResult>,
    stored: u64,
    progress: P,
}

impl<P: FnMut(&MatchProgress)> ResultWriter<'_, P> {
    fn add(&mut self, game: GameResult) -> Result<(), RunError> {
        let pair = game.index / 2;
        let Some(other) = self.halves.remove(&pair) else {
            self.store.add_half(self.id, &game)?;
            self.halves.insert(pair, game);
            return Ok(());
        };
        let games = if game.index % 2 == 1 { [other, game] } else { [game, other] };
        self.store.add_pair(self.id, &games)?;
        self.counter.add(pair, games.each_ref().map(GameResult::for_lower_engine));
        self.stored += 1;
        let standing = self.counter.standing();
        (self.progress)(&MatchProgress { standing, pair: Some(&games), stored: self.stored });
        Ok(())
    }
}
