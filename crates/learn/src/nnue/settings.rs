//! What can be chosen about a run.

use serde::{Deserialize, Serialize};

/// What a run trains: the contents of `settings.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NnueConfig {
    /// The game, as text.
    pub game: String,
    /// How it is trained.
    pub settings: NnueSettings,
}

/// The settings of a run. They are kept in its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NnueSettings {
    /// The positions of each generation; so many generations there are.
    pub positions: Vec<u64>,
    /// The newest generations that a network is trained on.
    pub window: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// Random plies at the beginning of a game: at least and at most.
    pub opening_plies: [u32; 2],
    /// The chance of a random move in place of the search's.
    pub random_moves: f64,
    /// The weight of the game's result in a label; the rest is the search's.
    pub result_weight: f32,
    /// Positions whose evaluation is changed by captures by more than this, in hundredths
    /// of the game's unit, are not trained on; 0 leaves none out.
    #[serde(default)]
    pub quiet_margin: i32,
    /// How often each position is trained on.
    pub passes: f64,
    /// Positions of a step.
    pub batch_size: usize,
    /// The learning rate at the beginning; it falls to a hundredth by a cosine.
    pub rate: f32,
    /// Train on from the weights of the network before, where there is one, and not
    /// from random ones.
    #[serde(default)]
    pub warm_start: bool,
    /// Seed of every random choice.
    pub seed: u64,
}

impl Default for NnueSettings {
    fn default() -> NnueSettings {
        NnueSettings {
            positions: vec![1_000_000, 2_000_000, 3_000_000, 10_000_000],
            window: 2,
            nodes: 400,
            opening_plies: [4, 12],
            random_moves: 0.02,
            result_weight: 0.3,
            quiet_margin: 20,
            passes: 12.0,
            batch_size: 4096,
            rate: 0.002,
            warm_start: false,
            seed: 1,
        }
    }
}

impl NnueSettings {
    /// Says what is not possible.
    pub fn check(&self) -> Result<(), String> {
        let [least, most] = self.opening_plies;
        let wrong = [
            (self.positions.is_empty() || self.positions.contains(&0), "positions must not be 0"),
            (self.window == 0, "window must be at least 1"),
            (self.nodes == 0, "nodes must be at least 1"),
            (least > most || most > 200, "opening_plies must be two numbers up to 200 in order"),
            (!(0.0..=1.0).contains(&self.random_moves), "random_moves must be from 0 to 1"),
            (!(0.0..=1.0).contains(&self.result_weight), "result_weight must be from 0 to 1"),
            (self.quiet_margin < 0, "quiet_margin must not be negative"),
            (!(self.passes > 0.0 && self.passes <= 1000.0), "passes must be from 0 to 1000"),
            (self.batch_size == 0, "batch_size must be at least 1"),
            (!(self.rate > 0.0 && self.rate <= 1.0), "rate must be from 0 to 1"),
        ];
        match wrong.into_iter().find(|(wrong, _)| *wrong) {
            Some((_, reason)) => Err(reason.to_owned()),
            None => Ok(()),
        }
    }
}
