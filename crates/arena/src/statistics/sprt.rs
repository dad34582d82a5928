//! The sequential test: play until the results decide between two hypotheses.
//!
//! The generalized likelihood ratio of fishtest and fastchess. Each hypothesis fixes
//! one figure of the distribution of results (its mean for logistic Elo, its
//! mean over spread for normalized Elo); the likeliest distribution under the
//! one is compared with the likeliest under the other. The hypothesis's
//! distribution is an exponential tilt of the observed one, after
//! M. Van den Bergh, "The generalized maximum likelihood ratio for the
//! expectation value of a distribution".

use serde::{Deserialize, Serialize};

use super::NELO;
use super::elo::{moments, score_of};

/// The Elo scale of the two hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Model {
    /// Normalized Elo, the default of fastchess.
    #[default]
    Normalized,
    /// Ordinary Elo.
    Logistic,
}

/// A sequential test of "the first engine is `elo1` better" against "`elo0`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative hypothesis; larger than `elo0`.
    pub elo1: f64,
    /// The chance to accept `elo1` though `elo0` holds.
    pub alpha: f64,
    /// The chance to accept `elo0` though `elo1` holds.
    pub beta: f64,
    /// The Elo scale.
    pub model: Model,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// Play on.
    Open,
    /// `elo0` is accepted.
    Null,
    /// `elo1` is accepted.
    Better,
}

impl Sprt {
    /// A test with the customary error chances of 5%.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Normalized }
    }

    /// An error sentence if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        let chance = |x: f64| x > 0.0 && x < 0.5;
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err(format!("elo0 ({}) has to be below elo1 ({})", self.elo0, self.elo1));
        }
        if !chance(self.alpha) || !chance(self.beta) {
            return Err("alpha and beta have to be above 0 and below 0.5".to_string());
        }
        Ok(())
    }

    /// The ratio below which `elo0` is accepted and above which `elo1` is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`, from the
    /// counts of equally spaced results, worst first: five classes for pairs,
    /// three for games. 0 without results.
    pub fn llr<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        if counts.iter().all(|&n| n == 0) {
            return 0.0;
        }
        // A class never seen is not impossible: a trace of it keeps every hypothesis
        // within reach and the logarithms finite.
        let seen = counts.map(|n| (n as f64).max(1e-3));
        let total: f64 = seen.iter().sum();
        let shares = seen.map(|n| n / total);
        let under = |elo: f64| match self.model {
            Model::Logistic => tilt(&shares, &spaced(|value| value - score_of(elo))),
            Model::Normalized => normalized(&shares, elo / NELO * ((N / 2) as f64).sqrt()),
        };
        let (null, better) = (under(self.elo0), under(self.elo1));
        total * (0..N).map(|i| shares[i] * (better[i] / null[i]).ln()).sum::<f64>()
    }

    /// The decision from these counts.
    pub fn decide<const N: usize>(&self, counts: &[u64; N]) -> Decision {
        let (low, high) = self.bounds();
        match self.llr(counts) {
            llr if llr <= low => Decision::Null,
            llr if llr >= high => Decision::Better,
            _ => Decision::Open,
        }
    }
}

/// A function of the result, for each class.
fn spaced<const N: usize>(f: impl Fn(f64) -> f64) -> [f64; N] {
    std::array::from_fn(|i| f(i as f64 / (N - 1) as f64))
}

/// The likeliest distribution whose mean of `phi` is 0: `shares / (1 + x phi)`
/// for the `x` that makes it so. `phi` has to take both signs.
fn tilt<const N: usize>(shares: &[f64; N], phi: &[f64; N]) -> [f64; N] {
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let most = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    debug_assert!(least < 0.0 && most > 0.0);
    // The mean falls as x grows, and runs to both infinities at these ends.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let x = (low + high) / 2.0;
        let mean: f64 = (0..N).map(|i| shares[i] * phi[i] / (1.0 + x * phi[i])).sum();
        if mean > 0.0 { low = x } else { high = x }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + x * phi[i]))
}

/// The likeliest distribution whose mean lies `t` standard deviations above one
/// half. The condition is not linear in the distribution, so it is linearised
/// about the last answer until that stands still.
fn normalized<const N: usize>(shares: &[f64; N], t: f64) -> [f64; N] {
    let mut answer = [1.0 / N as f64; N];
    for _ in 0..50 {
        let (mean, variance) = moments(&answer);
        let deviation = variance.sqrt();
        let phi = spaced(|value| {
            let off = (mean - value) / deviation;
            value - 0.5 - t * deviation * (1.0 + off * off) / 2.0
        });
        if phi.iter().all(|&f| f <= 0.0) || phi.iter().all(|&f| f >= 0.0) {
            break; // beyond what any distribution of these classes reaches
        }
        let next = tilt(shares, &phi);
        let moved = (0..N).map(|i| (next[i] - answer[i]).abs()).fold(0.0, f64::max);
        answer = next;
        if moved < 1e-12 {
            break;
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: [u64; 5] = [379, 10170, 21828, 10640, 343];

    #[test]
    fn published_ratio() {
        let sprt = Sprt::new(0.0, 2.0);
        // Published as 2.946, by the closed form for small differences; the
        // likeliest distributions themselves give 2.9455.
        let (mean, variance) = moments(&PUBLISHED.map(|n| n as f64 / 43360.0));
        let off = |elo: f64| (mean - 0.5) / variance.sqrt() - elo / NELO * 2f64.sqrt();
        let closed = 21680.0 * ((1.0 + off(0.0).powi(2)) / (1.0 + off(2.0).powi(2))).ln();
        let llr = sprt.llr(&PUBLISHED);
        assert!((closed - 2.946).abs() < 0.0005, "{closed}");
        assert!((llr - 2.946).abs() < 0.001, "{llr}");
        assert_eq!(sprt.decide(&PUBLISHED), Decision::Better);
        let (low, high) = sprt.bounds();
        assert!((high - 2.944).abs() < 0.001 && (low + high).abs() < 1e-12);
    }

    #[test]
    fn ratios_that_fastchess_prints() {
        let check = |llr: f64, printed: f64| {
            assert!((llr - printed).abs() < 0.006, "{llr} is not {printed}");
        };
        let normalized = |elo0, elo1| Sprt::new(elo0, elo1);
        let logistic = |elo0, elo1| Sprt { model: Model::Logistic, ..Sprt::new(elo0, elo1) };
        check(normalized(0.0, 2.0).llr(&[36027, 68692, 36433]), 0.92);
        check(normalized(-1.75, 0.25).llr(&[10650, 20431, 10871]), 2.30);
        check(normalized(0.0, 2.0).llr(&[365, 16618, 36229, 16974, 390]), 2.25);
        check(normalized(-1.75, 0.25).llr(&[127, 4883, 10712, 5150, 104]), 3.01);
        check(logistic(0.5, 2.5).llr(&[21184, 40708, 21404]), -1.57);
        check(logistic(0.0, 2.0).llr(&[57030, 106593, 57433]), -2.59);
        check(logistic(0.5, 2.5).llr(&[223, 9863, 21279, 10037, 246]), -3.07);
        check(logistic(0.0, 2.0).llr(&[871, 26175, 55983, 26678, 821]), -4.98);
    }

    #[test]
    fn distributions_under_a_hypothesis_satisfy_it() {
        let total = PUBLISHED.iter().sum::<u64>() as f64;
        let shares = PUBLISHED.map(|n| n as f64 / total);
        for hypothesis in [-0.3, -0.01, 0.0, 0.02, 0.4] {
            let (mean, variance) = moments(&normalized(&shares, hypothesis));
            assert!(((mean - 0.5) / variance.sqrt() - hypothesis).abs() < 1e-8);
            let tilted = tilt(&shares, &spaced(|value| value - 0.5 - hypothesis));
            assert!((tilted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((moments(&tilted).0 - 0.5 - hypothesis).abs() < 1e-9);
        }
    }

    #[test]
    fn both_models_agree_on_small_differences() {
        // Near an even score the two scales differ by the spread of a game only.
        let (_, variance) = moments(&PUBLISHED.map(|n| n as f64 / 43360.0));
        let scale = (2.0 * variance).sqrt() * 2.0;
        let normalized = Sprt::new(0.0, 2.0).llr(&PUBLISHED);
        let logistic =
            Sprt { model: Model::Logistic, ..Sprt::new(0.0, 2.0 * scale) }.llr(&PUBLISHED);
        assert!((normalized - logistic).abs() < 0.01, "{normalized} {logistic}");
    }

    #[test]
    fn mirrored_results_and_hypotheses_mirror_the_ratio() {
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = Sprt { model, ..Sprt::new(-5.0, 5.0) };
            let counts = [3, 10, 40, 22, 9];
            let mut turned = counts;
            turned.reverse();
            assert!((sprt.llr(&counts) + sprt.llr(&turned)).abs() < 1e-6);
            assert_eq!(sprt.llr(&[0; 5]), 0.0);
            assert!(sprt.llr(&[0, 0, 0, 0, 300]) > 0.0);
            assert_eq!(sprt.decide(&[0, 0, 300, 0, 0]), Decision::Open);
            assert!(sprt.llr(&[20, 10, 40]) > 0.0);
        }
        assert!(Sprt::new(2.0, 0.0).check().is_err());
        assert!(Sprt { alpha: 0.0, ..Sprt::new(0.0, 2.0) }.check().is_err());
        assert!(Sprt::new(0.0, 2.0).check().is_ok());
    }
}
