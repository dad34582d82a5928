//! One parameter, many values, a fixed opponent.

use games::mix;
use serde::{Deserialize, Serialize};

use super::{Effort, Trial, enter};
use crate::statistics::{Sample, Tally};
use crate::{RunError, Store};

/// A sweep; its own identity in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Everything else that decides the games: engine, opponent, limits, as the
    /// caller likes to write it.
    pub subject: String,
    /// The parameter's name.
    pub parameter: String,
    /// The values to try.
    pub values: Vec<f64>,
    /// Decides every random choice.
    pub seed: u64,
}

/// How a sweep stands: see [`crate::statistics::optimum`] for what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// The pairs at each value, in the order of the values.
    pub samples: Vec<Sample>,
    /// Whether all was played.
    pub finished: bool,
}

impl Sweep {
    /// Plays so many pairs at each value, all values in turn so that an
    /// interrupted sweep is even. More pairs later keep those played.
    /// `progress` hears of each pair with how it stands.
    pub fn run(
        &self,
        pairs: u64,
        effort: &Effort,
        store: &mut Store,
        progress: &mut dyn FnMut(&[Sample]),
    ) -> Result<Swept, RunError> {
        if self.values.is_empty() || self.values.iter().any(|value| !value.is_finite()) {
            return Err(RunError::Contest("a sweep needs values, all of them numbers".into()));
        }
        let id = enter(store, self)?;
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
        let finished = effort.results(store, id, &trials, &mut |trial, results| {
            tallies[(trial.index % count) as usize].add(results);
            progress(&samples(&tallies));
        })?;
        Ok(Swept { samples: samples(&tallies), finished })
    }
}
