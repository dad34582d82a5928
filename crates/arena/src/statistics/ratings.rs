//! One scale for more than two engines.
//!
//! Bradley-Terry: the chance of `i` against `j` is `s_i / (s_i + s_j)`, a draw
//! is half a win for each. The maximum-likelihood strengths are found by the
//! minorization steps of D. Hunter (2004), the intervals by a Bayesian bootstrap
//! (D. Rubin, 1981) over the pairs of each encounter, because the two games of a
//! pair are not independent. Resampling what was seen would give a whitewash, in
//! which nothing else was seen, an interval of no width; so each of the five
//! results of a pair has a tenth of an observation beforehand.

use games::{Rng, mix};
use serde::Serialize;

use super::{Tally, middle95};

/// All results between two engines, from the viewpoint of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Encounter {
    /// The two engines by number.
    pub engines: [usize; 2],
    /// The first one's results.
    pub tally: Tally,
}

/// An engine's rating on the common scale, whose mean over all engines is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo above the mean of all engines.
    pub elo: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end of its 95% interval.
    pub high: f64,
}

/// What each result of a pair weighs before any was seen: together half a pair.
const PRIOR: f64 = 0.1;

/// Bradley-Terry ratings from the pairs of all encounters, with 95% intervals
/// from `resamples` samples. Half a pair is added to each encounter, so that a
/// whitewash stays finite; engines without any common opponent are not
/// comparable and stay where the mean puts them.
pub fn ratings(engines: usize, encounters: &[Encounter], resamples: u32, seed: u64) -> Vec<Rating> {
    let counts: Vec<[f64; 5]> =
        encounters.iter().map(|e| e.tally.pairs.map(|count| count as f64 + PRIOR)).collect();
    let estimate = strengths(engines, encounters, &counts, &vec![0.0; engines]);
    let mut drawn = vec![Vec::new(); engines];
    for round in 0..resamples {
        let mut rng = Rng::seeded(mix(seed, u64::from(round)));
        let counts: Vec<_> =
            encounters.iter().map(|e| reweighted(&e.tally.pairs, &mut rng)).collect();
        for (values, elo) in
            drawn.iter_mut().zip(strengths(engines, encounters, &counts, &estimate))
        {
            values.push(elo);
        }
    }
    estimate
        .iter()
        .zip(&mut drawn)
        .map(|(&elo, values)| match values.is_empty() {
            true => Rating { elo, low: elo, high: elo },
            false => {
                let (low, high) = middle95(values);
                Rating { elo, low, high }
            }
        })
        .collect()
}

/// The maximum-likelihood Elo of each engine, starting from `from`.
fn strengths(
    engines: usize,
    encounters: &[Encounter],
    counts: &[[f64; 5]],
    from: &[f64],
) -> Vec<f64> {
    const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
    // For each engine its points, and the number of games against each opponent.
    let mut points = vec![0.0; engines];
    let mut met: Vec<Vec<(usize, f64)>> = vec![Vec::new(); engines];
    for (encounter, pairs) in encounters.iter().zip(counts) {
        let games = 2.0 * pairs.iter().sum::<f64>();
        let won = (0..5).map(|i| pairs[i] * i as f64 / 2.0).sum::<f64>();
        let [a, b] = encounter.engines;
        points[a] += won;
        points[b] += games - won;
        met[a].push((b, games));
        met[b].push((a, games));
    }
    let mut strength: Vec<f64> = from.iter().map(|elo| (elo / SCALE).exp()).collect();
    for _ in 0..10_000 {
        let mut moved: f64 = 0.0;
        for i in (0..engines).filter(|&i| !met[i].is_empty()) {
            let shares: f64 = met[i].iter().map(|&(j, n)| n / (strength[i] + strength[j])).sum();
            let next = points[i] / shares;
            moved = moved.max((next / strength[i]).ln().abs());
            strength[i] = next;
        }
        if moved < 1e-9 {
            break;
        }
    }
    let elo: Vec<f64> = strength.iter().map(|s| s.ln() * SCALE).collect();
    let mean = elo.iter().sum::<f64>() / engines.max(1) as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

/// One sample of the Bayesian bootstrap: the counts and the prior as shares of a
/// Dirichlet distribution, times as many pairs as there are.
fn reweighted(counts: &[u64; 5], rng: &mut Rng) -> [f64; 5] {
    let weights = counts.map(|count| gamma(count, rng) + gamma_of_prior(rng));
    let total = counts.iter().sum::<u64>() as f64 + 5.0 * PRIOR;
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight * total / sum)
}

/// A gamma variate of a whole shape: a sum of exponential ones.
fn gamma(shape: u64, rng: &mut Rng) -> f64 {
    (0..shape).map(|_| -(1.0 - rng.unit()).ln()).sum()
}

/// A gamma variate of shape [`PRIOR`], by rejection (J. Ahrens and U. Dieter, 1974).
fn gamma_of_prior(rng: &mut Rng) -> f64 {
    let split = 1.0 + PRIOR / std::f64::consts::E;
    loop {
        let p = split * rng.unit();
        let accepted = 1.0 - rng.unit();
        if p <= 1.0 {
            let x = p.powf(1.0 / PRIOR);
            if accepted <= (-x).exp() {
                return x;
            }
        } else {
            let x = -((split - p) / PRIOR).ln();
            if accepted <= x.powf(PRIOR - 1.0) {
                return x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{elo_of, score_of};

    fn encounter(a: usize, b: usize, pairs: [u64; 5]) -> Encounter {
        Encounter { engines: [a, b], tally: Tally { pairs, ..Tally::default() } }
    }

    #[test]
    fn two_engines_differ_by_their_elo() {
        let rated = ratings(2, &[encounter(0, 1, [500, 1000, 2000, 3000, 1500])], 200, 1);
        let score = (0.5 * 1000.0 + 2000.0 + 1.5 * 3000.0 + 2.0 * 1500.0 + 0.5) / 16001.0;
        assert!((rated[0].elo - rated[1].elo - elo_of(score)).abs() < 1e-4);
        assert!((rated[0].elo + rated[1].elo).abs() < 1e-9);
        // The bootstrap finds the error that the pairs' spread predicts.
        let error = Tally { pairs: [500, 1000, 2000, 3000, 1500], ..Tally::default() };
        let error = error.elo().unwrap().elo.error / 2.0;
        let half = (rated[0].high - rated[0].low) / 2.0;
        assert!((half / error - 1.0).abs() < 0.25, "{half} {error}");
    }

    #[test]
    fn known_strengths_are_recovered_from_their_scores() {
        let truth = [120.0, 30.0, -40.0, -110.0];
        let mut all = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                let wins = (score_of(truth[a] - truth[b]) * 1e6).round() as u64;
                all.push(encounter(a, b, [1_000_000 - wins, 0, 0, 0, wins]));
            }
        }
        for (rating, elo) in ratings(4, &all, 0, 1).iter().zip(truth) {
            assert!((rating.elo - elo).abs() < 0.01, "{rating:?} {elo}");
        }
    }

    #[test]
    fn a_whitewash_has_a_wide_interval() {
        // 0 of 16 against each of two: by Wilson's interval at most 11 % of 32.
        let all = [encounter(0, 1, [8, 0, 0, 0, 0]), encounter(0, 2, [8, 0, 0, 0, 0])];
        let rated = ratings(3, &all, 2000, 4);
        let gap = |of: fn(&Rating) -> f64| of(&rated[0]) * 1.5; // the mean is 0
        assert!(gap(|r| r.high) > elo_of(0.05) && gap(|r| r.high) < elo_of(0.25), "{rated:?}");
        assert!(gap(|r| r.low) < elo_of(0.005), "{rated:?}");
        assert!(rated[0].low < rated[0].elo && rated[0].elo < rated[0].high);
    }

    #[test]
    fn gamma_variates_have_their_mean_and_variance() {
        let mut rng = Rng::seeded(3);
        for (shape, whole) in [(PRIOR, 0), (3.0 + PRIOR, 3)] {
            let values: Vec<f64> =
                (0..200_000).map(|_| gamma(whole, &mut rng) + gamma_of_prior(&mut rng)).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let square = values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64;
            assert!((mean / shape - 1.0).abs() < 0.03, "{mean}");
            assert!(((square - mean * mean) / shape - 1.0).abs() < 0.05, "{square}");
        }
    }

    #[test]
    fn whitewashes_absentees_and_seeds() {
        let all = [encounter(0, 1, [0, 0, 0, 0, 20]), encounter(1, 2, [0, 0, 0, 0, 20])];
        let rated = ratings(4, &all, 50, 9);
        assert!(
            rated
                .iter()
                .all(|r| r.elo.is_finite() && r.low <= r.elo + 1e-6 && r.elo <= r.high + 1e-6)
        );
        assert!(rated[0].elo > rated[1].elo && rated[1].elo > rated[2].elo);
        assert_eq!(rated, ratings(4, &all, 50, 9));
    }
}
