//! What results mean: from counts of games to statements with an error.
//!
//! Everything here is a pure function of counts. It knows nothing of games,
//! engines, clocks or files, so each figure can be compared with published ones.
//! The terms are those of fastchess: a game scores 1, 1/2 or 0 points, two games
//! from one opening with colours swapped make a pair, and the five possible
//! results of a pair (0, 1/2, 1, 3/2, 2 points) are the pentanomial counts.
//! Pairs, not games, are the independent observations.
//!
//! ```
//! use arena::statistics::{Decision, Sprt, Tally};
//!
//! let mut tally = Tally::default();
//! for _ in 0..40 {
//!     tally.add([1, 0]); // won one game of the pair, drew the other
//!     tally.add([1, -1]);
//! }
//! assert_eq!((tally.games(), tally.score()), (160, 0.625));
//! assert_eq!(tally.pairs, [0, 0, 40, 40, 0]);
//! let elo = tally.elo().expect("there are games");
//! assert!(elo.elo.value > 0.0 && elo.los > 0.99);
//! assert_eq!(Sprt::new(0.0, 30.0).decide(&tally.pairs), Decision::Better);
//! ```

mod display;
mod elo;
mod fit;
mod ratings;
mod sprt;

pub use elo::{Elo, Estimate, Tally, elo_of, score_of, wilson};
pub use fit::{Optimum, Polynomial, Sample, differ, fit, optimum};
pub use ratings::{Encounter, Rating, ratings};
pub use sprt::{Decision, Model, Sprt};

use games::Rng;

/// The two-sided 95% point of the normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// What a normalized score of 1 is in normalized Elo; also the slope of Elo at
/// an even score, half of it.
pub(crate) const NELO: f64 = 347.435_585_522_601;

/// Draws as many observations as `counts` holds, with replacement, in the
/// proportions that `counts` has: one bootstrap sample.
pub(crate) fn resample(counts: &[u64; 5], rng: &mut Rng) -> [u64; 5] {
    let total: u64 = counts.iter().sum();
    let mut drawn = [0; 5];
    for _ in 0..total {
        let mut at = rng.below(total as usize) as u64;
        let class = counts
            .iter()
            .position(|&count| {
                let here = at < count;
                at = at.wrapping_sub(count);
                here
            })
            .expect("the number is below the sum of the counts");
        drawn[class] += 1;
    }
    drawn
}

/// The middle 95% of bootstrap values, which it sorts.
pub(crate) fn middle95(values: &mut [f64]) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (at(0.025), at(0.975))
}
