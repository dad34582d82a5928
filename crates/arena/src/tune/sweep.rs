//! One parameter, many values, a fixed opponent.

use games::mix;
use serde::{Deserialize, Serialize};

use super::{Trial, TrialResult, TrialRunner, study_id};
use crate::statistics::{Sample, Tally};
use crate::{RunError, Store};

/// A sweep, which is also its identity in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Everything else that decides the games: engine, opponent, limits, in the
    /// caller's format.
    pub subject: String,
    /// The parameter's name.
    pub parameter: String,
    /// The values to try.
    pub values: Vec<f64>,
    /// Seeds every random choice.
    pub seed: u64,
}

/// The results of a sweep; [`crate::statistics::optimum`] finds its maximum.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepResult {
    /// The pairs at each value, in the order of the values.
    pub samples: Vec<Sample>,
    /// Whether all was played.
    pub finished: bool,
}

impl Sweep {
    /// Plays so many pairs at each value, all values in turn so that an
    /// interrupted sweep is even. More pairs later keep those played.
    /// `progress` is called after each pair.
    pub fn run(
        &self,
        pairs: u64,
        runner: &TrialRunner<impl Fn(&Trial) -> TrialResult + Sync>,
        store: &mut Store,
        mut progress: impl FnMut(&[Sample]),
    ) -> Result<SweepResult, RunError> {
        if self.values.is_empty() || self.values.iter().any(|value| !value.is_finite()) {
            return Err(RunError::Config(
                "a sweep needs at least one value, and finite numbers".into(),
            ));
        }
        let id = study_id(store, self)?;
        let count = self.values.len() as u64;
        let trials: Vec<Trial> = (0..pairs * count)
            .map(|index| Trial {
                index,
                seed: mix(self.seed, index),
                parameters: vec![self.values[(index % count) as usize]],
                against: None,
            })
            .collect();
        let mut tallies = vec![Tally::default(); self.values.len()];
        let samples = |tallies: &[Tally]| -> Vec<Sample> {
            let points = self.values.iter().zip(tallies);
            points.map(|(&x, tally)| Sample { x, pairs: tally.pairs }).collect()
        };
        let finished = runner.run(store, id, &trials, |trial, results| {
            tallies[(trial.index % count) as usize].add(results);
            progress(&samples(&tallies));
        })?;
        Ok(SweepResult { samples: samples(&tallies), finished })
    }
}
