//! How weights follow their gradients. Weight decay is part of the loss
//! ([`super::Network::decay`]) and so of the gradient, as in the paper.

use serde::{Deserialize, Serialize};

use super::{Real, Tensors};

/// The rule of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Stochastic gradient descent: the step keeps a share of the last one.
    Sgd {
        /// Share kept, usually 0.9.
        momentum: f64,
    },
    /// Kingma and Ba's Adam (2014), steps scaled by running moments.
    Adam {
        /// Share of the running mean that is kept, usually 0.9.
        mean: f64,
        /// Share of the running square that is kept, usually 0.999.
        square: f64,
    },
}

/// A rule with what it remembers between steps.
#[derive(Clone, Debug)]
pub struct Optimiser<R> {
    rule: Rule,
    steps: i32,
    first: Vec<Vec<R>>,
    second: Vec<Vec<R>>,
}

impl<R: Real> Optimiser<R> {
    /// Before the first step.
    pub fn new(rule: Rule) -> Self {
        Optimiser { rule, steps: 0, first: Vec::new(), second: Vec::new() }
    }

    /// What it remembers: the steps made, and the running moments of each tensor
    /// (the second ones under Adam alone).
    pub fn memory(&self) -> (i32, [&[Vec<R>]; 2]) {
        (self.steps, [&self.first, &self.second])
    }

    /// An optimiser that remembers what [`Optimiser::memory`] told.
    pub fn resumed(rule: Rule, steps: i32, [first, second]: [Vec<Vec<R>>; 2]) -> Self {
        Optimiser { rule, steps, first, second }
    }

    /// Change the weights by their gradients and clear these. One optimiser
    /// belongs to one network.
    pub fn step(&mut self, tensors: &mut Tensors<R>, rate: f64) {
        if self.first.is_empty() {
            let noughts = || tensors.iter().map(|t| vec![R::ZERO; t.gradient.len()]).collect();
            self.first = noughts();
            self.second = if matches!(self.rule, Rule::Adam { .. }) { noughts() } else { vec![] };
        }
        self.steps = self.steps.saturating_add(1);
        for (i, tensor) in tensors.iter_mut().enumerate() {
            let first = self.first[i].iter_mut();
            let numbers = tensor.value.iter_mut().zip(&tensor.gradient);
            match self.rule {
                Rule::Sgd { momentum } => {
                    let (momentum, rate) = (R::of(momentum), R::of(rate));
                    for ((value, &g), speed) in numbers.zip(first) {
                        *speed = momentum * *speed + g;
                        *value -= rate * *speed;
                    }
                }
                Rule::Adam { mean, square } => {
                    // Early moments are too small by a known factor.
                    let rate = R::of(rate / (1.0 - mean.powi(self.steps)));
                    let unbias = R::of(1.0 / (1.0 - square.powi(self.steps)));
                    let (keep1, keep2) = (R::of(mean), R::of(square));
                    let second = self.second[i].iter_mut();
                    for (((value, &g), m), s) in numbers.zip(first).zip(second) {
                        *m = keep1 * *m + (R::ONE - keep1) * g;
                        *s = keep2 * *s + (R::ONE - keep2) * g * g;
                        *value -= rate * *m / ((*s * unbias).sqrt() + R::of(1e-8));
                    }
                }
            }
        }
        tensors.clear_gradients();
    }
}
