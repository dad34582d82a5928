//! Training on one machine: self-play in threads of this process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use super::TrainError;
use super::metrics::SelfPlayStats;
use super::run::{Actors, RunEnd, run};
use super::trainer::Trainer;
use crate::encode::Encode;
use crate::evaluator::NetworkEvaluator;
use crate::net::{ModelInfo, Network};
use crate::selfplay::{Adjudicator, TrainingGame, Worker};

/// Finished games that may wait; self-play blocks when there are more.
const QUEUE: usize = 64;
/// Positions that each thread caches.
const CACHE_SIZE: usize = 1 << 15;
/// How long the loop waits for a game.
const WAIT: Duration = Duration::from_millis(100);

/// Trains with self-play on this machine until the settings' time is over or
/// `stop` is set. `adjudicator` ends games whose result it knows; `log` is given
/// lines for people.
pub fn run_local<G: Encode>(
    trainer: &mut Trainer<G>,
    adjudicator: &Adjudicator<G>,
    stop: &AtomicBool,
    log: &mut impl FnMut(&str),
) -> Result<RunEnd, TrainError> {
    let shared = Shared::default();
    let settings = &trainer.settings;
    let threads = settings.threads.max(1) as u64;
    let workers = (0..threads)
        .map(|i| {
            let first = trainer.progress.next_game + i;
            let selfplay = settings.selfplay.clone();
            Worker::new(trainer.start().clone(), selfplay, settings.seed, first, threads)
                .with_adjudicator(adjudicator.clone())
        })
        .collect();
    thread::scope(|scope| {
        let (sender, games) = sync_channel(QUEUE);
        let idle = Some((workers, sender));
        let mut actors = LocalActors { scope, shared: &shared, idle, games };
        let end = run(trainer, &mut actors, stop, log);
        // A thread that waits for space in the queue sees that it is gone, for the
        // receiver goes with the actors.
        shared.end.store(true, Relaxed);
        end
    })
}

/// What the training loop and the threads of self-play share.
#[derive(Default)]
struct Shared {
    network: Mutex<Option<Arc<Network<f32>>>>,
    /// Counts the networks published.
    version: AtomicU64,
    end: AtomicBool,
    stats: Mutex<SelfPlayStats>,
}

impl Shared {
    fn network(&self) -> Option<Arc<Network<f32>>> {
        self.network.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Threads of self-play in this process.
struct LocalActors<'scope, 'env, G: Encode> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope Shared,
    /// Workers that wait for the first network, and where their games go.
    idle: Option<(Vec<Worker<G>>, SyncSender<TrainingGame>)>,
    games: Receiver<TrainingGame>,
}

impl<G: Encode> Actors for LocalActors<'_, '_, G> {
    type Error = TrainError;

    fn publish(&mut self, network: &Network<f32>, _: &ModelInfo) -> Result<(), TrainError> {
        let network = Arc::new(network.clone());
        *self.shared.network.lock().unwrap_or_else(PoisonError::into_inner) = Some(network);
        self.shared.version.fetch_add(1, Relaxed);
        // The senders belong to the threads alone, so that their end is noticed.
        if let Some((workers, sender)) = self.idle.take() {
            for worker in workers {
                let (shared, sender) = (self.shared, sender.clone());
                self.scope.spawn(move || play(worker, shared, &sender));
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<TrainingGame>, TrainError> {
        match self.games.recv_timeout(WAIT) {
            Ok(game) => Ok(Some(game)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(TrainError::NoActors),
        }
    }

    fn take_stats(&mut self) -> SelfPlayStats {
        std::mem::take(&mut self.shared.stats.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One thread of self-play.
fn play<G: Encode>(mut worker: Worker<G>, shared: &Shared, sender: &SyncSender<TrainingGame>) {
    let mut version = shared.version.load(Relaxed);
    let Some(network) = shared.network() else { return };
    let mut evaluator = NetworkEvaluator::new(&network, CACHE_SIZE);
    let mut reported = Instant::now();
    let mut blocked = Duration::ZERO;
    while !shared.end.load(Relaxed) {
        let newest = shared.version.load(Relaxed);
        if newest != version
            && let Some(network) = shared.network()
        {
            version = newest;
            evaluator.set_network(&network);
        }
        for game in worker.step(&mut evaluator) {
            let started = Instant::now();
            if sender.send(game).is_err() {
                return;
            }
            blocked += started.elapsed();
        }
        if reported.elapsed() > Duration::from_secs(1) {
            let playing = reported.elapsed().saturating_sub(std::mem::take(&mut blocked));
            let stats = SelfPlayStats { evaluator: evaluator.take_stats(), playing };
            shared.stats.lock().unwrap_or_else(PoisonError::into_inner).add(stats);
            reported = Instant::now();
        }
    }
}
