//! Several parameters at once: simultaneous perturbation (J. Spall, 1992), with
//! the gain sequences that fishtest uses.
//!
//! Each iteration draws a random sign for every parameter, plays the engine with
//! all of them one step along the signs against itself one step back, and moves
//! all towards the winner. Steps shrink as `k^-0.101`, gains as `k^-0.602`. Both
//! sizes are those of the last iteration: by then a step is `step`, and a pair
//! won 2 : 0 moves a parameter by `2 rate step`.

use games::{Rng, mix};
use serde::{Deserialize, Serialize};

use super::{Trial, TrialResult, TrialRunner, study_id};
use crate::{RunError, Store};

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its initial value.
    pub start: f64,
    /// Its least value.
    pub low: f64,
    /// Its greatest value.
    pub high: f64,
    /// How far the two opponents are from its value in the last iteration: a
    /// difference large enough to show in games.
    pub step: f64,
}

/// A tuning of several parameters, which is also its identity in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    /// Everything else that decides the games, in the caller's format.
    pub subject: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// How often the values are updated.
    pub iterations: u64,
    /// Pairs in each iteration.
    pub pairs: u64,
    /// How far a result moves the values in the last iteration, in steps.
    pub rate: f64,
    /// Seeds every random choice.
    pub seed: u64,
}

/// The course of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpsaTrace {
    /// The values at the start and after each finished iteration.
    pub values: Vec<Vec<f64>>,
    /// Whether all iterations are finished.
    pub finished: bool,
}

impl Spsa {
    /// Plays what is missing. `progress` is called after each iteration with its
    /// values.
    pub fn run(
        &self,
        runner: &TrialRunner<impl Fn(&Trial) -> TrialResult + Sync>,
        store: &mut Store,
        mut progress: impl FnMut(u64, &[f64]),
    ) -> Result<SpsaTrace, RunError> {
        self.check().map_err(RunError::Config)?;
        let id = study_id(store, self)?;
        let mut values: Vec<f64> = self.parameters.iter().map(|p| p.start).collect();
        let mut trace = SpsaTrace { values: vec![values.clone()], finished: false };
        for k in 0..self.iterations {
            let mut rng = Rng::stream(self.seed, k);
            let signs: Vec<f64> =
                values.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
            let moved = |by: f64| -> Vec<f64> {
                let each = self.parameters.iter().zip(&values).zip(&signs);
                each.map(|((p, value), sign)| (value + sign * p.step * by).clamp(p.low, p.high))
                    .collect()
            };
            let step = self.step(k);
            let (ahead, back) = (moved(step), moved(-step));
            let trials: Vec<Trial> = (k * self.pairs..(k + 1) * self.pairs)
                .map(|index| Trial {
                    index,
                    seed: mix(mix(self.seed, index), self.iterations),
                    parameters: ahead.clone(),
                    against: Some(back.clone()),
                })
                .collect();
            let mut sum = 0;
            let all = runner.run(store, id, &trials, |_, results| {
                sum += results[0] + results[1];
            })?;
            if !all {
                return Ok(trace);
            }
            values = moved(self.gain(k) * f64::from(sum));
            progress(k, &values);
            trace.values.push(values.clone());
        }
        trace.finished = true;
        Ok(trace)
    }

    fn check(&self) -> Result<(), String> {
        if self.parameters.is_empty() || self.pairs == 0 {
            return Err("SPSA needs at least one parameter and one pair in each iteration".into());
        }
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(format!("the rate has to be above 0, not {}", self.rate));
        }
        for Parameter { name, start, low, high, step } in &self.parameters {
            if !(low <= start && start <= high && *step > 0.0 && step.is_finite()) {
                return Err(format!(
                    "{name} has to start between {low} and {high}, not at {start}, and its step \
                     has to be above 0, not {step}"
                ));
            }
        }
        Ok(())
    }

    /// The size of a step in an iteration; 1 in the last.
    fn step(&self, k: u64) -> f64 {
        (self.iterations as f64 / (k + 1) as f64).powf(0.101)
    }

    /// How far a point more than the opponent's moves the values, in final steps.
    fn gain(&self, k: u64) -> f64 {
        // The first gains are damped, by a tenth of all iterations.
        let delay = self.iterations as f64 / 10.0;
        let shrink = (delay + self.iterations as f64) / (delay + (k + 1) as f64);
        self.rate * shrink.powf(0.602) / self.step(k)
    }
}
