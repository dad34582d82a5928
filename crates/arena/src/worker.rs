//! A worker of a match: takes game after game of the schedule, plays it or has it
//! played elsewhere, and reports it. It writes nothing itself.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use games::{Outcome, Player, Reason, Record, Text};
use search::{Engine, Runner};

use crate::referee::guarded;
use crate::remote::{RemotePlayers, check_game, opening};
use crate::run::Factory;
use crate::{GameConfig, GameDraft, GameResult, MatchConfig, Ply, Schedule, ScheduledGame, play};

/// Who plays the games of a match.
#[derive(Clone)]
pub(crate) enum Players<G: Text> {
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

/// What the workers share. They may outlive the match, if an engine never
/// returns, so they own it together.
pub(crate) struct MatchState<G: Text> {
    pub(crate) config: MatchConfig,
    pub(crate) schedule: Schedule,
    pub(crate) players: Players<G>,
    /// Games finished in earlier runs.
    pub(crate) done: HashSet<u64>,
    /// The plies of games that earlier runs did not finish.
    pub(crate) journal: HashMap<u64, Vec<Ply>>,
    pub(crate) next: AtomicU64,
    /// No game is begun any more.
    pub(crate) finish: Option<&'static AtomicBool>,
    /// No game goes on.
    pub(crate) halt: Arc<AtomicBool>,
    pub(crate) sender: Mutex<Sender<(u64, WorkerMessage)>>,
}

/// What a worker reports, sent with its number.
pub(crate) enum WorkerMessage {
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
    pub(crate) fn worker_loop(&self, draft: &Arc<GameDraft>, send: impl Fn(WorkerMessage)) {
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
