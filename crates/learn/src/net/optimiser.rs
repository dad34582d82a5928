//! How gradients change the weights. Weight decay is part of the loss
//! ([`super::Network::add_weight_decay`]) and so of the gradient, as in the
//! paper.

use serde::{Deserialize, Serialize};

use super::{Real, Tensors};

/// The rule by which a step changes the weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpdateRule {
    /// Stochastic gradient descent with momentum.
    Sgd {
        /// The share of the last step that is kept, usually 0.9.
        momentum: f64,
    },
    /// Adam (Kingma and Ba, 2014).
    Adam {
        /// β1, the decay of the running mean, usually 0.9.
        mean: f64,
        /// β2, the decay of the running square, usually 0.999.
        square: f64,
    },
}

/// An update rule with its running moments.
///
/// ```
/// use games::Rng;
/// use learn::net::{Architecture, Grid, Network, Optimiser, Target, UpdateRule};
///
/// let grid = Grid { height: 3, width: 3 };
/// let small = Architecture { blocks: 1, channels: 8, ..Architecture::new(grid, 2, 9) };
/// let mut rng = Rng::seeded(1);
/// let mut network: Network<f32> = Network::new(small, || rng.unit());
/// let mut optimiser = Optimiser::new(UpdateRule::Adam { mean: 0.9, square: 0.999 });
/// let planes = vec![1.0; 4 * small.inputs()];
/// let targets = vec![Target { policy: vec![(4, 1.0)], value: 1.0 }; 4];
/// let mut losses = Vec::new();
/// for _ in 0..20 {
///     losses.push(network.forward_backward(&planes, &targets).total());
///     optimiser.step(&mut network.tensors, 0.01);
/// }
/// assert!(losses[19] < losses[0] / 2.0, "{losses:?}");
/// ```
#[derive(Clone, Debug)]
pub struct Optimiser<R> {
    rule: UpdateRule,
    steps: i32,
    first: Vec<Vec<R>>,
    second: Vec<Vec<R>>,
}

impl<R: Real> Optimiser<R> {
    /// An optimiser before its first step.
    pub fn new(rule: UpdateRule) -> Self {
        Optimiser { rule, steps: 0, first: Vec::new(), second: Vec::new() }
    }

    /// Its state: the steps made, and the running moments of each tensor (the
    /// second ones under Adam only).
    pub fn state(&self) -> (i32, [&[Vec<R>]; 2]) {
        (self.steps, [&self.first, &self.second])
    }

    /// An optimiser with the state that [`Optimiser::state`] gave.
    pub fn from_state(rule: UpdateRule, steps: i32, [first, second]: [Vec<Vec<R>>; 2]) -> Self {
        Optimiser { rule, steps, first, second }
    }

    /// Changes the weights by their gradients and clears these. An optimiser
    /// belongs to one network.
    pub fn step(&mut self, tensors: &mut Tensors<R>, rate: f64) {
        if self.first.is_empty() {
            let zeros = || tensors.iter().map(|t| vec![R::ZERO; t.gradient.len()]).collect();
            self.first = zeros();
            self.second =
                if matches!(self.rule, UpdateRule::Adam { .. }) { zeros() } else { vec![] };
        }
        self.steps = self.steps.saturating_add(1);
        for (i, tensor) in tensors.iter_mut().enumerate() {
            let first = self.first[i].iter_mut();
            let numbers = tensor.value.iter_mut().zip(&tensor.gradient);
            match self.rule {
                UpdateRule::Sgd { momentum } => {
                    let (momentum, rate) = (R::from_f64(momentum), R::from_f64(rate));
                    for ((value, &g), speed) in numbers.zip(first) {
                        *speed = momentum * *speed + g;
                        *value -= rate * *speed;
                    }
                }
                UpdateRule::Adam { mean, square } => {
                    // Adam's bias correction: early moments are too small by a known factor.
                    let rate = R::from_f64(rate / (1.0 - mean.powi(self.steps)));
                    let unbias = R::from_f64(1.0 / (1.0 - square.powi(self.steps)));
                    let (keep1, keep2) = (R::from_f64(mean), R::from_f64(square));
                    let second = self.second[i].iter_mut();
                    for (((value, &g), m), s) in numbers.zip(first).zip(second) {
                        *m = keep1 * *m + (R::ONE - keep1) * g;
                        *s = keep2 * *s + (R::ONE - keep2) * g * g;
                        *value -= rate * *m / ((*s * unbias).sqrt() + R::from_f64(1e-8));
                    }
                }
            }
        }
        tensors.clear_gradients();
    }
}
