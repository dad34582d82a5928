//! One scale for more than two engines.
//!
//! Bradley-Terry: the chance of `i` against `j` is `s_i / (s_i + s_j)`, a draw
//! is half a win for each. The maximum-likelihood strengths are found by the
//! minorization steps of D. Hunter (2004), the intervals by a bootstrap over the
//! pairs of each encounter, because the two games of a pair are not independent.

use games::{Rng, mix};
use serde::Serialize;

use super::{Tally, middle95, resample};

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

/// Bradley-Terry ratings from the pairs of all encounters, with bootstrap
/// intervals from `resamples` samples. One drawn game is added to each
/// encounter, so that a whitewash stays finite; engines without any common
/// opponent are not comparable and stay where the mean puts them.
pub fn ratings(engines: usize, encounters: &[Encounter], resamples: u32, seed: u64) -> Vec<Rating> {
    let counts: Vec<[u64; 5]> = encounters.iter().map(|e| e.tally.pairs).collect();
    let estimate = strengths(engines, encounters, &counts, &vec![0.0; engines]);
    let mut drawn = vec![Vec::new(); engines];
    for round in 0..resamples {
        let mut rng = Rng::seeded(mix(seed, u64::from(round)));
        let counts: Vec<_> = counts.iter().map(|c| resample(c, &mut rng)).collect();
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
    counts: &[[u64; 5]],
    from: &[f64],
) -> Vec<f64> {
    const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
    // For each engine its points, and the number of games against each opponent.
    let mut points = vec![0.0; engines];
    let mut met: Vec<Vec<(usize, f64)>> = vec![Vec::new(); engines];
    for (encounter, pairs) in encounters.iter().zip(counts) {
        let games = 2.0 * pairs.iter().sum::<u64>() as f64 + 1.0;
        let won = 0.5 + (0..5).map(|i| pairs[i] as f64 * i as f64 / 2.0).sum::<f64>();
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
