//! What can be chosen about learning.

use serde::{Deserialize, Serialize};

use crate::encode::Shape;
use crate::net::{Architecture, Rule};
use crate::selfplay;

/// How much is learnt from how much play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Each sample is learnt from so often, on average.
    Reuse(f64),
    /// So many steps for each finished game.
    PerGame(f64),
}

/// Everything that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Decides every random choice.
    pub seed: u64,
    /// Threads that play; one more learns.
    pub threads: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Channels of the tower.
    pub channels: usize,
    /// How games are played.
    pub selfplay: selfplay::Settings,
    /// How weights follow their gradients.
    pub rule: Rule,
    /// The first size of a step.
    pub rate: f64,
    /// The last step's size as a share of the first one's.
    pub last_rate: f64,
    /// The weight of the loss's third term.
    pub decay: f64,
    /// Samples of a step.
    pub batch: usize,
    /// Steps for play.
    pub pace: Pace,
    /// Samples to draw from: the newest so many.
    pub window: u64,
    /// How the result and the searches' values blend into what is learnt; 1 is
    /// the result alone.
    pub lambda: f32,
    /// The share of samples that are drawn in proportion to how much their
    /// searches changed the policy; 0 draws all alike.
    #[serde(default)]
    pub surprise: f32,
    /// Games of random moves from which values are learnt first.
    pub random_games: u64,
    /// Steps of that.
    pub random_steps: u64,
    /// Seconds after which players get the newest weights.
    pub publish: f64,
    /// Seconds from report to report.
    pub report: f64,
    /// Minutes from checkpoint to checkpoint.
    pub checkpoint: f64,
    /// Pairs of games of a checkpoint against the one before, for the Elo curve;
    /// 0 plays none.
    pub match_pairs: u64,
    /// If set, players get new weights only at checkpoints, and only if these
    /// score at least so much (0 to 1) against the last they got.
    pub gate: Option<f64>,
    /// Numbers of games after which the network is kept apart, as the 2020 paper
    /// compares them.
    #[serde(default)]
    pub marks: Vec<u64>,
    /// Games in all, if they are played before the time is over; 0 sets none.
    #[serde(default)]
    pub games: u64,
    /// Minutes in all; the step's size falls until then.
    pub minutes: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            blocks: 6,
            channels: 64,
            selfplay: selfplay::Settings::default(),
            rule: Rule::Adam { mean: 0.9, square: 0.999 },
            rate: 2e-3,
            last_rate: 0.05,
            decay: 1e-5,
            batch: 256,
            pace: Pace::Reuse(1.5),
            window: 400_000,
            lambda: 0.95,
            surprise: 0.0,
            random_games: 1000,
            random_steps: 250,
            publish: 10.0,
            report: 20.0,
            checkpoint: 10.0,
            match_pairs: 20,
            gate: None,
            marks: Vec::new(),
            games: 0,
            minutes: 120.0,
        }
    }
}

impl Settings {
    /// The 2020 paper's: 6 blocks of 256 channels as in its code, Adam, a step a
    /// finished game, new weights every minute, nothing but the result learnt.
    pub fn paper_002() -> Settings {
        Settings {
            blocks: 6,
            channels: 256,
            selfplay: selfplay::Settings::paper_002(),
            rate: 1e-3,
            last_rate: 1.0,
            decay: 1e-4,
            batch: 256,
            pace: Pace::PerGame(1.0),
            lambda: 1.0,
            random_games: 0,
            random_steps: 0,
            publish: 60.0,
            marks: vec![560, 1000],
            ..Settings::default()
        }
    }

    /// The network for boards of this shape.
    pub fn architecture(&self, shape: &Shape) -> Architecture {
        Architecture { blocks: self.blocks, channels: self.channels, ..shape.architecture() }
    }

    /// The size of a step after a share (0 to 1) of the time.
    pub fn rate_at(&self, share: f64) -> f64 {
        self.rate * (1.0 + (self.last_rate - 1.0) * share.clamp(0.0, 1.0))
    }
}
