//! The training loop: games come in, weights go out.
//!
//! It does not know where games are played: [`Actors`] are threads of this
//! process ([`run_local`](super::run_local)) or other machines (the crate
//! `fleet`). Their queue and the ratio of steps to samples keep self-play and
//! training in step.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::TrainError;
use super::checkpoint::{checkpoint, self_play_network};
use super::metrics::{Metrics, MetricsLog, MetricsRow, SelfPlayStats};
use super::trainer::Trainer;
use crate::encode::Encode;
use crate::net::{ModelInfo, Network};
use crate::selfplay::TrainingGame;

/// Seconds between saves of the whole state.
const SAVE_SECONDS: f64 = 60.0;

/// The self-play side of training: a source of games and a sink of weights.
pub trait Actors {
    /// What can go wrong.
    type Error: From<TrainError>;

    /// Makes these the weights that games are played with. Self-play starts when
    /// it gets the first ones.
    fn publish(&mut self, network: &Network<f32>, info: &ModelInfo) -> Result<(), Self::Error>;

    /// The next finished game; waits for it a short time, so that the loop can do
    /// its other work.
    fn receive(&mut self) -> Result<Option<TrainingGame>, Self::Error>;

    /// Whether games should be written to disk now, because the source keeps them
    /// until they are.
    fn wants_flush(&self) -> bool {
        false
    }

    /// Every game received so far is on disk.
    fn flushed(&mut self) {}

    /// Counters of self-play since the last call, as far as they are known here.
    fn take_stats(&mut self) -> SelfPlayStats {
        SelfPlayStats::default()
    }

    /// Finished games that wait to be received, if that is known.
    fn queued(&mut self) -> Option<u64> {
        None
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Its time is over or its games are played.
    Finished,
    /// It was asked to stop; it can be resumed.
    Stopped,
}

/// Trains until the settings' time is over or `stop` is set. `log` is given lines
/// for people.
pub fn run<G: Encode, A: Actors>(
    trainer: &mut Trainer<G>,
    actors: &mut A,
    stop: &AtomicBool,
    log: &mut impl FnMut(&str),
) -> Result<RunEnd, A::Error> {
    let clock = Clock::start(trainer.progress.seconds);
    let mut metrics = Metrics::default();
    let mut metrics_log = MetricsLog::open(&trainer.folder)?;
    warm_up(trainer, stop, log);
    let (network, info) = self_play_network(trainer)?;
    actors.publish(&network, &info)?;
    if trainer.progress.curve.is_empty() {
        checkpoint(trainer, log)?;
    }
    log(MetricsRow::HEAD);

    let settings = trainer.settings.clone();
    let mut publishing = Timer::new(settings.publish_seconds);
    let mut reporting = Timer::new(settings.report_seconds);
    let mut checkpointing = Timer::new(settings.checkpoint_minutes * 60.0);
    let mut saving = Timer::new(SAVE_SECONDS);
    let mut published_steps = trainer.progress.steps;
    loop {
        train_due_steps(trainer, &mut metrics, stop)?;
        trainer.progress.seconds = clock.seconds();
        let finished = trainer.is_finished();
        let stopped = !finished && stop.load(Relaxed);
        let end = finished || stopped;

        // Ungated weights are published on a timer, gated ones by a checkpoint.
        if (end || publishing.is_due())
            && settings.gate.is_none()
            && trainer.progress.steps > published_steps
        {
            actors.publish(trainer.network(), &trainer.info())?;
            published_steps = trainer.progress.steps;
            publishing.reset();
        }
        if finished || checkpointing.is_due() {
            let accepted = checkpoint(trainer, log)?;
            if settings.gate.is_some() && accepted {
                actors.publish(trainer.network(), &trainer.info())?;
            }
            checkpointing.reset();
        }
        if end || reporting.is_due() {
            let stats = actors.take_stats();
            let row = metrics.take_row(trainer, stats, reporting.elapsed());
            metrics_log.write(&row)?;
            match actors.queued() {
                Some(queued) => log(&format!("{}, {queued} waiting", row.line())),
                None => log(&row.line()),
            }
            reporting.reset();
        }
        if end || saving.is_due() {
            trainer.save()?;
            actors.flushed();
            saving.reset();
        } else if actors.wants_flush() {
            trainer.flush_games()?;
            actors.flushed();
        }
        if end {
            return Ok(if finished { RunEnd::Finished } else { RunEnd::Stopped });
        }
        if let Some(game) = actors.receive()? {
            metrics.add_game(&game);
            trainer.add_game(game)?;
        }
    }
}

/// Trains on random games before there are better ones.
fn warm_up<G: Encode>(trainer: &mut Trainer<G>, stop: &AtomicBool, log: &mut impl FnMut(&str)) {
    let mut last = None;
    trainer.warm_up(|step, loss| {
        last = Some((step + 1, loss));
        !stop.load(Relaxed)
    });
    if let Some((steps, loss)) = last {
        log(&format!("values of random games: {steps} steps, loss {:.3}", loss.value));
    }
}

/// Makes the steps that the games received so far call for. When asked to stop,
/// the rest stays due in the saved state.
fn train_due_steps<G: Encode>(
    trainer: &mut Trainer<G>,
    metrics: &mut Metrics,
    stop: &AtomicBool,
) -> Result<(), TrainError> {
    while !stop.load(Relaxed) {
        let started = Instant::now();
        let Some(loss) = trainer.step() else { return trainer.save_milestone() };
        metrics.add_step(loss, started.elapsed());
    }
    Ok(())
}

/// Seconds of training, over all processes of a run.
struct Clock {
    before: f64,
    started: Instant,
}

impl Clock {
    fn start(before: f64) -> Clock {
        Clock { before, started: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }
}

/// Says when some seconds have passed.
struct Timer {
    seconds: f64,
    started: Instant,
}

impl Timer {
    fn new(seconds: f64) -> Timer {
        Timer { seconds, started: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn is_due(&self) -> bool {
        self.elapsed().as_secs_f64() >= self.seconds
    }

    fn reset(&mut self) {
        self.started = Instant::now();
    }
}
