//! The 2020 paper's loss, (z - v)² - π · log p, the mean over a batch. Its third
//! term, c |θ|², is [`super::Network::add_weight_decay`].

use super::Real;

/// The training target of a position.
#[derive(Clone, Debug)]
pub struct Target {
    /// π: every legal move's code with its probability.
    pub policy: Vec<(usize, f32)>,
    /// z: the mover's result, from -1 to 1.
    pub value: f32,
}

/// The two terms of the loss, means over a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// -π · log p.
    pub policy: f64,
    /// (z - v)².
    pub value: f64,
}

impl Loss {
    /// Their sum.
    pub fn total(self) -> f64 {
        self.policy + self.value
    }
}

/// Probabilities in proportion to the exponentials of the logits; empty if there
/// are none.
pub fn softmax<R: Real>(logits: impl Iterator<Item = R> + Clone) -> Vec<R> {
    let top = logits.clone().map(Real::to_f64).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.map(|logit| (logit.to_f64() - top).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| R::from_f64(weight / sum)).collect()
}

/// The loss of one position and its derivative by the value. The derivatives by
/// the logits, 0 for illegal moves, go into `logit_gradient`. Both are times
/// `weight`, the position's share of the batch.
pub(super) fn position_loss<R: Real>(
    logits: &[R],
    value: R,
    target: &Target,
    weight: f64,
    logit_gradient: &mut [R],
) -> (Loss, R) {
    let policy = softmax(target.policy.iter().map(|&(code, _)| logits[code]));
    logit_gradient.fill(R::ZERO);
    let sum: f64 = target.policy.iter().map(|&(_, target)| f64::from(target)).sum();
    let mut policy_loss = 0.0;
    for (&(code, target), p) in target.policy.iter().zip(policy) {
        let (target, p) = (f64::from(target), p.to_f64());
        if target > 0.0 {
            policy_loss -= target * p.max(f64::MIN_POSITIVE).ln();
        }
        logit_gradient[code] = R::from_f64((p * sum - target) * weight);
    }
    let error = value.to_f64() - f64::from(target.value);
    let loss = Loss { policy: policy_loss, value: error * error };
    (loss, R::from_f64(2.0 * error * weight))
}
