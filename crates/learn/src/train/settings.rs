//! The settings of training. Their names in `settings.json` and in
//! `boyi train --set` are those of the first version, so that old training runs
//! resume.

use serde::{Deserialize, Serialize};

use super::TrainError;
use crate::encode::Shape;
use crate::net::{Architecture, UpdateRule};
use crate::selfplay::{Resign, RootSearch, SelfPlaySettings};

/// How many training steps are made for how much self-play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrainRatio {
    /// Each sample is used this often on average.
    Reuse(f64),
    /// This many steps for each finished game.
    PerGame(f64),
}

/// Everything that can be set about training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// Decides every random choice.
    pub seed: u64,
    /// Threads of self-play; one more trains.
    pub threads: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Channels of the tower.
    pub channels: usize,
    /// How games are played.
    pub selfplay: SelfPlaySettings,
    /// How a step changes the weights.
    #[serde(rename = "rule")]
    pub update_rule: UpdateRule,
    /// The first learning rate.
    #[serde(rename = "rate")]
    pub learning_rate: f64,
    /// The last learning rate as a share of the first.
    #[serde(rename = "last_rate")]
    pub final_rate: f64,
    /// The weight of the L2 regularisation.
    #[serde(rename = "decay")]
    pub weight_decay: f64,
    /// Samples of a step.
    #[serde(rename = "batch")]
    pub batch_size: usize,
    /// Training steps per self-play.
    #[serde(rename = "pace")]
    pub ratio: TrainRatio,
    /// The size of the replay buffer in samples.
    pub window: u64,
    /// How the result and the searches' values blend into the value target; 1 is
    /// the result alone.
    pub lambda: f32,
    /// The share of samples that are drawn in proportion to their policy surprise;
    /// 0 draws all alike.
    #[serde(default)]
    pub surprise: f32,
    /// Random games on whose values the network is trained first.
    pub random_games: u64,
    /// Steps of that.
    pub random_steps: u64,
    /// Seconds between publications of new weights to self-play.
    #[serde(rename = "publish")]
    pub publish_seconds: f64,
    /// Seconds between reports.
    #[serde(rename = "report")]
    pub report_seconds: f64,
    /// Minutes between checkpoints.
    #[serde(rename = "checkpoint")]
    pub checkpoint_minutes: f64,
    /// Pairs of games of each checkpoint against an earlier one, for the Elo
    /// curve; 0 plays none.
    pub match_pairs: u64,
    /// If set, self-play gets new weights only at checkpoints, and only those that
    /// score at least this much (0 to 1) against the weights it has.
    pub gate: Option<f64>,
    /// Numbers of games after which the network is saved apart, as the 2020 paper
    /// compares them.
    #[serde(default, rename = "marks")]
    pub milestones: Vec<u64>,
    /// Games after which training ends before its time; 0 is no limit.
    #[serde(default, rename = "games")]
    pub max_games: u64,
    /// Minutes of training; the learning rate falls over them.
    pub minutes: f64,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            blocks: 6,
            channels: 64,
            selfplay: SelfPlaySettings::default(),
            update_rule: UpdateRule::Adam { mean: 0.9, square: 0.999 },
            learning_rate: 2e-3,
            final_rate: 0.05,
            weight_decay: 1e-5,
            batch_size: 256,
            ratio: TrainRatio::Reuse(1.5),
            window: 400_000,
            lambda: 0.95,
            surprise: 0.0,
            random_games: 1000,
            random_steps: 250,
            publish_seconds: 10.0,
            report_seconds: 20.0,
            checkpoint_minutes: 10.0,
            match_pairs: 20,
            gate: None,
            milestones: Vec::new(),
            max_games: 0,
            minutes: 120.0,
        }
    }
}

impl TrainSettings {
    /// The 2020 paper's: 6 blocks of 256 channels as in its code, Adam, a step for
    /// each finished game, new weights every minute, the result as value target.
    pub fn paper_002() -> TrainSettings {
        TrainSettings {
            blocks: 6,
            channels: 256,
            selfplay: SelfPlaySettings::paper_002(),
            learning_rate: 1e-3,
            final_rate: 1.0,
            weight_decay: 1e-4,
            batch_size: 256,
            ratio: TrainRatio::PerGame(1.0),
            lambda: 1.0,
            random_games: 0,
            random_steps: 0,
            publish_seconds: 60.0,
            milestones: vec![560, 1000],
            ..TrainSettings::default()
        }
    }

    /// Checks that every setting is in its range.
    ///
    /// ```
    /// use learn::train::TrainSettings;
    ///
    /// assert!(TrainSettings::default().check().is_ok());
    /// let error = TrainSettings { learning_rate: -1.0, ..Default::default() }.check().unwrap_err();
    /// assert_eq!(error.to_string(), "the setting rate is -1; it can be 0.000000001 to 1");
    /// ```
    pub fn check(&self) -> Result<(), TrainError> {
        let one = 0.0..=1.0;
        let (ratio_name, ratio) = match self.ratio {
            TrainRatio::Reuse(times) => ("pace.reuse", times),
            TrainRatio::PerGame(steps) => ("pace.per_game", steps),
        };
        let (rule, [mean, square]) = match self.update_rule {
            UpdateRule::Sgd { momentum } => ("rule.sgd.momentum", [momentum, 0.0]),
            UpdateRule::Adam { mean, square } => ("rule.adam", [mean, square]),
        };
        let play = &self.selfplay;
        let resign = play.resign.unwrap_or(Resign { below: 0.0, moves: 1, check: 0.0 });
        let (considered, c, noise) = match play.root {
            RootSearch::Gumbel { considered } => (considered, 0.0, 0.0),
            RootSearch::Puct { c, noise } => (1, c, noise),
        };
        for (name, value, range) in [
            ("threads", self.threads as f64, 1.0..=1024.0),
            ("blocks", self.blocks as f64, 0.0..=256.0),
            ("channels", self.channels as f64, 1.0..=1024.0),
            ("rate", self.learning_rate, 1e-9..=1.0),
            ("last_rate", self.final_rate, one.clone()),
            ("decay", self.weight_decay, one.clone()),
            ("batch", self.batch_size as f64, 2.0..=65_536.0),
            (rule, mean, 0.0..=0.999_999),
            (rule, square, 0.0..=0.999_999),
            (ratio_name, ratio, 0.0..=1000.0),
            ("window", self.window as f64, 1.0..=f64::MAX),
            ("lambda", self.lambda.into(), one.clone()),
            ("surprise", self.surprise.into(), one.clone()),
            ("random_games", self.random_games as f64, 0.0..=1e6),
            ("random_steps", self.random_steps as f64, 0.0..=1e6),
            ("publish", self.publish_seconds, 0.0..=1e9),
            ("report", self.report_seconds, 0.0..=1e9),
            ("checkpoint", self.checkpoint_minutes, 0.0..=1e9),
            ("match_pairs", self.match_pairs as f64, 0.0..=1e5),
            ("gate", self.gate.unwrap_or(0.0), one.clone()),
            ("minutes", self.minutes, 1e-9..=1e9),
            ("selfplay.games", play.games as f64, 1.0..=4096.0),
            ("selfplay.root.gumbel.considered", considered as f64, 1.0..=1e6),
            ("selfplay.root.puct.c", c.into(), 0.0..=1000.0),
            ("selfplay.root.puct.noise", noise.into(), one.clone()),
            ("selfplay.sims", play.sims.into(), 1.0..=1e6),
            ("selfplay.quick", play.fast, one.clone()),
            ("selfplay.quick_sims", play.fast_sims.into(), 1.0..=1e6),
            ("selfplay.random_plies", play.random_plies as f64, 0.0..=1e5),
            ("selfplay.resign.below", resign.below.into(), -1.0..=1.0),
            ("selfplay.resign.moves", resign.moves.into(), 1.0..=1e5),
            ("selfplay.resign.check", resign.check, one.clone()),
        ] {
            if !range.contains(&value) {
                let end = match *range.end() {
                    f64::MAX => "or more".to_owned(),
                    end => format!("to {end}"),
                };
                return Err(TrainError::Settings(format!(
                    "the setting {name} is {value}; it can be {} {end}",
                    range.start()
                )));
            }
        }
        // 252 MB of weights: `net::load` reads files of up to 256.
        const MOST: usize = 3_500_000;
        if self.blocks * self.channels * self.channels > MOST {
            return Err(TrainError::Settings(format!(
                "{} blocks of {} channels are too large a network: blocks times the square of \
                 channels can be up to {MOST}",
                self.blocks, self.channels,
            )));
        }
        Ok(())
    }

    /// Checks that a run with the settings `old` can continue with these: its saved
    /// state fits only a network and an optimiser of the same shape.
    pub fn check_resume(&self, old: &TrainSettings) -> Result<(), TrainError> {
        let rule = |settings: &TrainSettings| match settings.update_rule {
            UpdateRule::Sgd { .. } => "sgd".to_owned(),
            UpdateRule::Adam { .. } => "adam".to_owned(),
        };
        for (name, before, now) in [
            ("blocks", old.blocks.to_string(), self.blocks.to_string()),
            ("channels", old.channels.to_string(), self.channels.to_string()),
            ("rule", rule(old), rule(self)),
        ] {
            if before != now {
                return Err(TrainError::Settings(format!(
                    "this run has {name}={before}, which its saved network needs: start a new run \
                     for {name}={now}"
                )));
            }
        }
        Ok(())
    }

    /// The network for boards of this shape.
    pub fn architecture(&self, shape: &Shape) -> Architecture {
        Architecture { blocks: self.blocks, channels: self.channels, ..shape.architecture() }
    }

    /// About how many bytes training for boards of this shape takes: the weights with
    /// their gradients, two moments and a copy for each thread of self-play, and what
    /// the layers keep of a batch for the backward pass.
    pub fn memory(&self, shape: &Shape) -> u64 {
        let net = self.architecture(shape);
        let area = net.grid().area();
        let tower = 9 * net.channels * (net.planes + 2 * net.blocks * net.channels);
        let heads: usize =
            net.dense_layers().iter().map(|(inputs, outputs)| inputs * outputs).sum();
        // Sums and output of each convolution, and the gradients on their way.
        let kept = self.batch_size * area * net.channels * (4 * net.blocks + 8);
        (size_of::<f32>() * ((4 + self.threads) * (tower + heads) + kept)) as u64
    }

    /// The learning rate after a fraction (0 to 1) of the time.
    pub fn rate_at(&self, fraction: f64) -> f64 {
        self.learning_rate * (1.0 + (self.final_rate - 1.0) * fraction.clamp(0.0, 1.0))
    }
}
