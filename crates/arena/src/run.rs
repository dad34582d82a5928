//! Plays a match: worker threads that play (`worker`), and a supervisor that counts
//! and writes (`supervisor`).
//!
//! Each worker takes the next game of the schedule, so games limited by
//! simulations or nodes are the same in any concurrency. The supervisor is the
//! calling thread and the store's only writer.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use games::Text;
use search::Engine;

use crate::remote::RemotePlayers;
use crate::standing::Counter;
use crate::statistics::Sprt;
use crate::supervisor::supervise;
use crate::worker::{MatchState, Players};
use crate::{
    Boards, GameResult, MatchConfig, MatchId, Openings, Schedule, Standing, Store, StoreError,
};

/// Makes the engine with this number in the configuration. Called once for each
/// worker thread, and again after a crash.
pub type Factory<G> = Arc<dyn Fn(usize) -> Result<Box<dyn Engine<G>>, String> + Send + Sync>;

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
/// running games are over after [`RunOptions::finish`] was set; every finished pair is
/// in the store by then, and every ply of unfinished games limited by time. A second
/// call with the same configuration resumes the match.
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
            next: (2 * first).into(),
            finish: options.finish,
            halt: Arc::default(),
            sender: sender.into(),
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

/// Joins games into pairs, stores and counts them.
pub(crate) struct ResultWriter<'a, P> {
    pub(crate) store: &'a mut Store,
    pub(crate) id: MatchId,
    pub(crate) counter: Counter,
    /// Games whose other game of the pair is still being played.
    halves: HashMap<u64, GameResult>,
    stored: u64,
    progress: P,
}

impl<P: FnMut(&MatchProgress)> ResultWriter<'_, P> {
    pub(crate) fn add(&mut self, game: GameResult) -> Result<(), RunError> {
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
