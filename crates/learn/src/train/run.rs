//! Self-play and learning on one machine: threads that play, one that learns.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::folder::TrainError;
use super::metrics::{Journal, Metrics, Row};
use super::state::Point;
use super::trainer::Trainer;
use crate::encode::Encode;
use crate::evaluator::{Judge, Tally};
use crate::net::{Network, load};
use crate::selfplay::{Played, Worker, play_match};

/// Games that may wait to be learnt from; players wait when there are more.
const QUEUE: usize = 64;
/// Positions that each player's cache holds.
const MEMORY: usize = 1 << 15;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its time is over.
    Finished,
    /// Somebody asked for it; it can go on later.
    Asked,
}

/// What players and the trainer share.
struct Shared {
    network: Mutex<Arc<Network<f32>>>,
    version: AtomicU64,
    over: AtomicBool,
    metrics: Mutex<Metrics>,
}

impl Shared {
    fn publish(&self, network: &Network<f32>) {
        *self.network.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(network.clone());
        self.version.fetch_add(1, Relaxed);
    }

    fn network(&self) -> Arc<Network<f32>> {
        self.network.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn metrics<T>(&self, change: impl FnOnce(&mut Metrics) -> T) -> T {
        change(&mut self.metrics.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Trains until the settings' time is over or `stop` is set. `tell` is given
/// lines for people.
pub fn run<G: Encode>(
    trainer: &mut Trainer<G>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&str),
) -> Result<Stop, TrainError> {
    let mut clock = Clock::new(trainer.progress.seconds);
    let mut journal = Journal::open(&trainer.folder)?;
    if !trainer.progress.warm {
        let mut last = None;
        trainer.warm_up(|step, loss| {
            last = Some((step + 1, loss));
            !stop.load(Relaxed)
        });
        if let Some((steps, loss)) = last {
            tell(&format!("values of random games: {steps} steps, loss {:.3}", loss.value));
        }
    }
    let shared = Shared {
        network: Mutex::new(Arc::new(trainer.network().clone())),
        version: AtomicU64::new(0),
        over: AtomicBool::new(false),
        metrics: Mutex::default(),
    };
    let threads = trainer.settings.threads.max(1) as u64;
    let (send, receive) = sync_channel(QUEUE);
    let first = trainer.progress.next_game;
    thread::scope(|scope| {
        for i in 0..threads {
            let settings = trainer.settings.selfplay.clone();
            let seed = trainer.settings.seed;
            let worker = Worker::new(trainer.start().clone(), settings, seed, first + i, threads)
                .with_oracle(trainer.oracle.clone());
            let (shared, send) = (&shared, send.clone());
            scope.spawn(move || play(worker, shared, &send));
        }
        drop(send);
        let end = learn(trainer, &shared, &receive, &mut clock, &mut journal, stop, tell);
        shared.over.store(true, Relaxed);
        // A player that waits for room in the queue finds it gone.
        drop(receive);
        end
    })
}

/// A player's life.
fn play<G: Encode>(mut worker: Worker<G>, shared: &Shared, send: &SyncSender<Played>) {
    let mut version = shared.version.load(Relaxed);
    let mut judge = Judge::new(&shared.network(), MEMORY);
    let mut begun = Instant::now();
    let mut waited = Duration::ZERO;
    while !shared.over.load(Relaxed) {
        let newest = shared.version.load(Relaxed);
        if newest != version {
            version = newest;
            judge.renew(&shared.network());
        }
        let mut gone = false;
        worker.step(&mut judge, &mut |played| {
            let asked = Instant::now();
            gone |= send.send(played).is_err();
            waited += asked.elapsed();
        });
        if gone {
            return;
        }
        if begun.elapsed() > Duration::from_secs(1) {
            let worked = begun.elapsed().saturating_sub(std::mem::take(&mut waited));
            let tally: Tally = judge.take_tally();
            shared.metrics(|metrics| metrics.worked(tally, worked));
            begun = Instant::now();
        }
    }
}

/// The trainer's life.
fn learn<G: Encode>(
    trainer: &mut Trainer<G>,
    shared: &Shared,
    receive: &Receiver<Played>,
    clock: &mut Clock,
    journal: &mut Journal,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&str),
) -> Result<Stop, TrainError> {
    tell(Row::HEAD);
    let settings = trainer.settings.clone();
    let minute = Duration::from_secs(60);
    let mut published = Timer::new(Duration::from_secs_f64(settings.publish));
    let mut reported = Timer::new(Duration::from_secs_f64(settings.report));
    let mut saved = Timer::new(minute);
    let mut kept = Timer::new(minute.mul_f64(settings.checkpoint));
    if trainer.progress.curve.is_empty() {
        keep(trainer, tell)?;
    }
    loop {
        match receive.recv_timeout(Duration::from_millis(100)) {
            Ok(played) => {
                shared.metrics(|metrics| metrics.played(&played));
                trainer.take(played)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(TrainError::Folder("the players have gone".to_owned()));
            }
        }
        loop {
            let begun = Instant::now();
            let Some(loss) = trainer.learn() else { break };
            shared.metrics(|metrics| metrics.learnt(loss, begun.elapsed()));
        }
        trainer.mark()?;
        trainer.progress.seconds = clock.seconds();
        let over = trainer.is_over();
        let asked = stop.load(Relaxed);
        if settings.gate.is_none() && published.rings() {
            shared.publish(trainer.network());
        }
        if over || kept.rings() {
            let score = keep(trainer, tell)?;
            if settings.gate.is_some_and(|gate| score >= gate) {
                shared.publish(trainer.network());
            }
        }
        if let Some(time) = reported.time_if(over || asked) {
            let row = shared.metrics(|metrics| metrics.report(trainer, time));
            journal.write(&row)?;
            tell(&row.line());
        }
        if over || asked || saved.rings() {
            trainer.save()?;
        }
        if over || asked {
            return Ok(if over { Stop::Finished } else { Stop::Asked });
        }
    }
}

/// Makes a checkpoint and plays it against the one before; gives its score from
/// 0 to 1.
pub fn keep<G: Encode>(
    trainer: &mut Trainer<G>,
    tell: &mut dyn FnMut(&str),
) -> Result<f64, TrainError> {
    let (steps, seconds) = (trainer.progress.steps, trainer.progress.seconds);
    let pairs = trainer.settings.match_pairs;
    let before = trainer.progress.curve.last().cloned();
    if before.as_ref().is_some_and(|point| point.steps == steps) {
        return Ok(0.5);
    }
    trainer.checkpoint()?;
    let mut point = Point { steps, seconds, elo: 0.0, score: [0; 3] };
    let mut share = 0.5;
    if let Some(before) = before {
        point.elo = before.elo;
        if pairs > 0 {
            let old = load(&trainer.folder.checkpoint(before.steps))?.0;
            let mut judges =
                [trainer.network(), &old].map(|network| Judge::<G>::new(network, MEMORY));
            let [new, old] = &mut judges;
            let settings = &trainer.settings.selfplay;
            let seed = trainer.settings.seed ^ 0xe10 ^ steps;
            point.score = play_match(trainer.start(), settings, [new, old], pairs, seed);
            let [wins, draws, losses] = point.score.map(f64::from);
            // Half a game for each side keeps a clean sweep finite.
            let games = wins + draws + losses + 1.0;
            share = (wins + draws / 2.0 + 0.5) / games;
            let elo = 400.0 * (share / (1.0 - share)).log10();
            point.elo += elo;
            tell(&format!(
                "checkpoint after {steps} steps: {wins} won, {draws} drawn, {losses} lost against \
                 the last, {elo:+.0} Elo"
            ));
        }
    }
    trainer.progress.curve.push(point);
    trainer.save()?;
    Ok(share)
}

/// Seconds of training, over all processes of a run.
struct Clock {
    before: f64,
    begun: Instant,
}

impl Clock {
    fn new(before: f64) -> Clock {
        Clock { before, begun: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }
}

/// Rings once in a while.
struct Timer {
    every: Duration,
    last: Instant,
}

impl Timer {
    fn new(every: Duration) -> Timer {
        Timer { every, last: Instant::now() }
    }

    fn rings(&mut self) -> bool {
        self.time_if(false).is_some()
    }

    /// The time since it last rang, if it rings now or must.
    fn time_if(&mut self, must: bool) -> Option<Duration> {
        let time = self.last.elapsed();
        (must || time >= self.every).then(|| {
            self.last = Instant::now();
            time
        })
    }
}
