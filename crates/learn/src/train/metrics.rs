//! What a run measures of itself: one row from time to time, as a line of a
//! table for people, as a line of JSON and as TensorBoard events.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::events::Events;
use super::folder::{Folder, TrainError};
use super::trainer::Trainer;
use crate::encode::Encode;
use crate::evaluator::Tally;
use crate::net::Loss;
use crate::selfplay::Played;

/// What is gathered between two reports.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    losses: Loss,
    steps: u64,
    learning: Duration,
    games: u64,
    samples: u64,
    plies: u64,
    results: [u64; 3],
    tally: Tally,
    playing: Duration,
}

/// One report. Rates are of the time since the last one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Seconds of training.
    pub seconds: f64,
    /// Steps, games and samples so far.
    pub steps: u64,
    /// Games so far.
    pub games: u64,
    /// Samples so far.
    pub samples: u64,
    /// The two parts of the loss, means over the steps since the last report.
    pub policy_loss: f64,
    /// The second part.
    pub value_loss: f64,
    /// The size of a step.
    pub rate: f64,
    /// Games and samples an hour.
    pub games_per_hour: f64,
    /// Samples an hour.
    pub samples_per_hour: f64,
    /// Positions that networks judged, a second.
    pub judged_per_second: f64,
    /// The share of positions that a cache knew.
    pub remembered: f64,
    /// The share of the players' time that networks took.
    pub network_share: f64,
    /// The share of a thread's time that learning took.
    pub learning_share: f64,
    /// Plies of a game, on average.
    pub plies: f64,
    /// Shares of games that First won, that were drawn, that Second won.
    pub results: [f64; 3],
    /// The last checkpoint's rating, the first one having 0.
    pub elo: f64,
}

impl Metrics {
    /// A step was made.
    pub fn learnt(&mut self, loss: Loss, time: Duration) {
        self.losses.policy += loss.policy;
        self.losses.value += loss.value;
        self.steps += 1;
        self.learning += time;
    }

    /// A game was played.
    pub fn played(&mut self, played: &Played) {
        self.games += 1;
        self.plies += played.plies.len() as u64;
        self.samples += played.plies.iter().filter(|ply| ply.has_policy()).count() as u64;
        self.results[(1 - played.result) as usize] += 1;
    }

    /// A player worked for some time, part of it in the network.
    pub fn worked(&mut self, tally: Tally, time: Duration) {
        self.tally.judged += tally.judged;
        self.tally.remembered += tally.remembered;
        self.tally.time += tally.time;
        self.playing += time;
    }

    /// How far the trainer is and what was gathered over `time`; begins anew.
    pub fn report<G: Encode>(&mut self, trainer: &Trainer<G>, time: Duration) -> Row {
        let progress = &trainer.progress;
        let mut row = Row {
            seconds: progress.seconds,
            steps: progress.steps,
            games: progress.games,
            samples: progress.samples,
            rate: trainer.settings.rate_at(trainer.share()),
            elo: progress.curve.last().map_or(0.0, |point| point.elo),
            ..Row::default()
        };
        let of = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let (hours, steps) = (time.as_secs_f64() / 3600.0, self.steps as f64);
        row.policy_loss = of(self.losses.policy, steps);
        row.value_loss = of(self.losses.value, steps);
        row.games_per_hour = of(self.games as f64, hours);
        row.samples_per_hour = of(self.samples as f64, hours);
        row.judged_per_second = of(self.tally.judged as f64, time.as_secs_f64());
        let asked = self.tally.judged + self.tally.remembered;
        row.remembered = of(self.tally.remembered as f64, asked as f64);
        row.network_share = of(self.tally.time.as_secs_f64(), self.playing.as_secs_f64());
        row.learning_share = of(self.learning.as_secs_f64(), time.as_secs_f64());
        row.plies = of(self.plies as f64, self.games as f64);
        row.results = self.results.map(|count| of(count as f64, self.games as f64));
        *self = Metrics::default();
        row
    }
}

impl Row {
    /// The heads of the columns of [`Row::line`].
    pub const HEAD: &'static str = "   time   games samples   steps  policy   value  games/h   \
                                    pos/h  net  plies  F/D/S %     Elo";

    /// The row for people.
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

    fn numbers(&self) -> [(&'static str, f64); 14] {
        [
            ("loss/policy", self.policy_loss),
            ("loss/value", self.value_loss),
            ("learning/rate", self.rate),
            ("learning/share", self.learning_share),
            ("play/games_per_hour", self.games_per_hour),
            ("play/samples_per_hour", self.samples_per_hour),
            ("play/judged_per_second", self.judged_per_second),
            ("play/remembered", self.remembered),
            ("play/network_share", self.network_share),
            ("play/plies", self.plies),
            ("play/first_wins", self.results[0]),
            ("play/draws", self.results[1]),
            ("play/games", self.games as f64),
            ("elo", self.elo),
        ]
    }
}

/// Where rows go.
pub struct Journal {
    lines: File,
    events: Events,
    folder: Folder,
}

impl Journal {
    /// Goes on with the files of a run.
    pub fn open(folder: &Folder) -> Result<Journal, TrainError> {
        let path = folder.metrics();
        let told = |source| TrainError::Io { path: path.clone(), source };
        let lines = OpenOptions::new().create(true).append(true).open(&path).map_err(told)?;
        let events = Events::create(folder.path()).map_err(told)?;
        Ok(Journal { lines, events, folder: folder.clone() })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &Row) -> Result<(), TrainError> {
        let mut text = serde_json::to_string(row).expect("a row is plain data");
        text.push('\n');
        let written = (|| -> io::Result<()> {
            self.lines.write_all(text.as_bytes())?;
            self.events.write(row.steps, &row.numbers())
        })();
        let path = self.folder.path().to_owned();
        written.map_err(|source| TrainError::Io { path, source })
    }
}

/// The rows that a run has told of so far; the last line of its file may be half
/// a one.
pub fn rows(folder: &Folder) -> Result<Vec<Row>, TrainError> {
    let path = folder.metrics();
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|source| TrainError::Io { path, source })?,
    };
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
