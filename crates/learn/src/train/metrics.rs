//! The metrics of a run: one row from time to time, as a line of a table, as a
//! line of JSON and as TensorBoard events.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::events::Events;
use super::folder::{RunFolder, TrainError};
use super::trainer::Trainer;
use crate::encode::Encode;
use crate::evaluator::EvaluatorStats;
use crate::net::Loss;
use crate::selfplay::TrainingGame;

/// Counters of self-play.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelfPlayStats {
    /// Counters of the evaluators.
    pub evaluator: EvaluatorStats,
    /// Time of all threads, without waiting for space in the queue.
    pub playing: Duration,
}

impl SelfPlayStats {
    /// Adds those of another thread or time.
    pub fn add(&mut self, other: SelfPlayStats) {
        self.evaluator.evaluated += other.evaluator.evaluated;
        self.evaluator.cache_hits += other.evaluator.cache_hits;
        self.evaluator.time += other.evaluator.time;
        self.playing += other.playing;
    }
}

/// What is gathered between two reports.
#[derive(Clone, Debug, Default)]
pub(super) struct Metrics {
    losses: Loss,
    steps: u64,
    training: Duration,
    games: u64,
    samples: u64,
    plies: u64,
    results: [u64; 3],
}

/// One report. Rates are over the time since the last one. The names in the file
/// are those of the first version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricsRow {
    /// Seconds of training.
    pub seconds: f64,
    /// Training steps so far.
    pub steps: u64,
    /// Games so far.
    pub games: u64,
    /// Samples so far.
    pub samples: u64,
    /// The mean policy loss of the steps since the last report.
    pub policy_loss: f64,
    /// The mean value loss.
    pub value_loss: f64,
    /// The learning rate.
    #[serde(rename = "rate")]
    pub learning_rate: f64,
    /// Games per hour.
    pub games_per_hour: f64,
    /// Samples per hour.
    pub samples_per_hour: f64,
    /// Positions that networks evaluated per second.
    #[serde(rename = "judged_per_second")]
    pub evaluated_per_second: f64,
    /// The share of positions found in a cache.
    #[serde(rename = "remembered")]
    pub cache_hit_rate: f64,
    /// The share of self-play's time spent in networks.
    pub network_share: f64,
    /// The share of one thread's time spent in training steps.
    #[serde(rename = "learning_share")]
    pub training_share: f64,
    /// Mean plies of a game.
    pub plies: f64,
    /// Shares of games that First won, that were drawn, that Second won.
    pub results: [f64; 3],
    /// The rating of the last checkpoint; the first has 0.
    pub elo: f64,
}

impl Metrics {
    /// Counts a training step.
    pub fn add_step(&mut self, loss: Loss, time: Duration) {
        self.losses.policy += loss.policy;
        self.losses.value += loss.value;
        self.steps += 1;
        self.training += time;
    }

    /// Counts a game.
    pub fn add_game(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.samples += game.policy_plies();
        self.results[(1 - game.result) as usize] += 1;
    }

    /// The progress of the trainer and what was gathered over `time`; clears it.
    pub fn take_row<G: Encode>(
        &mut self,
        trainer: &Trainer<G>,
        selfplay: SelfPlayStats,
        time: Duration,
    ) -> MetricsRow {
        let Metrics { losses, steps, training, games, samples, plies, results } =
            std::mem::take(self);
        let SelfPlayStats { evaluator, playing } = selfplay;
        let progress = &trainer.progress;
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let seconds = time.as_secs_f64();
        let (hours, steps, games) = (seconds / 3600.0, steps as f64, games as f64);
        let positions = evaluator.evaluated + evaluator.cache_hits;
        MetricsRow {
            seconds: progress.seconds,
            steps: progress.steps,
            games: progress.games,
            samples: progress.samples,
            policy_loss: ratio(losses.policy, steps),
            value_loss: ratio(losses.value, steps),
            learning_rate: trainer.settings.rate_at(trainer.time_fraction()),
            games_per_hour: ratio(games, hours),
            samples_per_hour: ratio(samples as f64, hours),
            evaluated_per_second: ratio(evaluator.evaluated as f64, seconds),
            cache_hit_rate: ratio(evaluator.cache_hits as f64, positions as f64),
            network_share: ratio(evaluator.time.as_secs_f64(), playing.as_secs_f64()),
            training_share: ratio(training.as_secs_f64(), seconds),
            plies: ratio(plies as f64, games),
            results: results.map(|count| ratio(count as f64, games)),
            elo: progress.curve.last().map_or(0.0, |point| point.elo),
        }
    }
}

impl MetricsRow {
    /// The heads of the columns of [`MetricsRow::line`].
    pub const HEAD: &'static str = "   time   games samples   steps  policy   value  games/h   \
                                    pos/h  net  plies  F/D/S %     Elo";

    /// The row as a line of a table.
    pub fn line(&self) -> String {
        let [first, draw, second] = self.results.map(|share| share * 100.0);
        format!(
            "{:>3}:{:02.0} {:>7} {:>6.0}k {:>7} {:>7.3} {:>7.3} {:>8.0} {:>6.0}k {:>3.0}% {:>6.1} \
             {first:>3.0}/{draw:.0}/{second:.0} {:>8.0}",
            (self.seconds / 60.0).floor(),
            self.seconds % 60.0,
            self.games,
            self.samples as f64 / 1e3,
            self.steps,
            self.policy_loss,
            self.value_loss,
            self.games_per_hour,
            self.samples_per_hour / 1e3,
            self.network_share * 100.0,
            self.plies,
            self.elo,
        )
    }

    /// The row as TensorBoard's scalars.
    fn scalars(&self) -> [(&'static str, f64); 14] {
        [
            ("loss/policy", self.policy_loss),
            ("loss/value", self.value_loss),
            ("learning/rate", self.learning_rate),
            ("learning/share", self.training_share),
            ("play/games_per_hour", self.games_per_hour),
            ("play/samples_per_hour", self.samples_per_hour),
            ("play/judged_per_second", self.evaluated_per_second),
            ("play/remembered", self.cache_hit_rate),
            ("play/network_share", self.network_share),
            ("play/plies", self.plies),
            ("play/first_wins", self.results[0]),
            ("play/draws", self.results[1]),
            ("play/games", self.games as f64),
            ("elo", self.elo),
        ]
    }
}

/// The files that rows are appended to.
pub(super) struct MetricsLog {
    lines: File,
    events: Events,
    folder: RunFolder,
}

impl MetricsLog {
    /// Opens the files of a run, to append to them.
    pub fn open(folder: &RunFolder) -> Result<MetricsLog, TrainError> {
        let path = folder.metrics();
        let io_error = |source| TrainError::Io { path: path.clone(), source };
        let lines = OpenOptions::new().create(true).append(true).open(&path).map_err(io_error)?;
        let events = Events::create(folder.path()).map_err(io_error)?;
        Ok(MetricsLog { lines, events, folder: folder.clone() })
    }

    /// Appends a row.
    pub fn write(&mut self, row: &MetricsRow) -> Result<(), TrainError> {
        let mut text = serde_json::to_string(row).expect("a row is plain data");
        text.push('\n');
        let written = (|| -> io::Result<()> {
            self.lines.write_all(text.as_bytes())?;
            self.events.write(row.steps, &row.scalars())
        })();
        let path = self.folder.path().to_owned();
        written.map_err(|source| TrainError::Io { path, source })
    }
}

/// The rows that a run has written so far; an incomplete last line is skipped.
pub fn read_metrics(folder: &RunFolder) -> Result<Vec<MetricsRow>, TrainError> {
    let path = folder.metrics();
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|source| TrainError::Io { path, source })?,
    };
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
