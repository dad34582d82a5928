//! What is learnt from: the 2020 paper's loss, (z - v)² - π · log p, the mean
//! over a batch. Its third term, c |θ|², is [`super::Network::decay`].

use super::Real;

/// What a position should have been judged to be.
#[derive(Clone, Debug)]
pub struct Target {
    /// Every legal move's code with its share of the search's visits; the
    /// shares add up to 1.
    pub policy: Vec<(usize, f32)>,
    /// The game's result for the mover, from -1 to 1.
    pub value: f32,
}

/// The two parts of the loss, means over a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// -π · log p.
    pub policy: f64,
    /// (z - v)².
    pub value: f64,
}

impl Loss {
    /// Both together.
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

/// The loss of one position and its gradient by the value; that by the logits
/// goes, times `share`, into `by_logits`. It is zero for illegal moves.
pub(super) fn judge<R: Real>(
    logits: &[R],
    value: R,
    target: &Target,
    share: f64,
    by_logits: &mut [R],
) -> (Loss, R) {
    let chances = softmax(target.policy.iter().map(|&(code, _)| logits[code]));
    by_logits.fill(R::ZERO);
    let all: f64 = target.policy.iter().map(|&(_, part)| f64::from(part)).sum();
    let mut policy = 0.0;
    for (&(code, part), chance) in target.policy.iter().zip(chances) {
        let part = f64::from(part);
        if part > 0.0 {
            policy -= part * chance.to_f64().max(f64::MIN_POSITIVE).ln();
        }
        by_logits[code] = R::from_f64((chance.to_f64() * all - part) * share);
    }
    let miss = value.to_f64() - f64::from(target.value);
    (Loss { policy, value: miss * miss }, R::from_f64(2.0 * miss * share))
}
