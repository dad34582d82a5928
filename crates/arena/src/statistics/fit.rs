//! A curve through noisy scores, and where it is highest.
//!
//! Least squares in Chebyshev polynomials over the swept range: the 2025
//! Surakarta paper fits degree 8, for which bare powers would lose all digits.
//! The interval of the maximum comes from a bootstrap: resample the pairs at each
//! point, fit again, and see where the maximum went.

use games::{Rng, mix};
use serde::Serialize;

use super::{middle95, resample};

/// The pairs played at one value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// The parameter's value.
    pub x: f64,
    /// Pairs by points in halves, for the engine with this value.
    pub pairs: [u64; 5],
}

impl Sample {
    /// The score by game, from 0 to 1, for the engine with this value.
    pub fn score(&self) -> f64 {
        let points: f64 = (0..5).map(|i| self.pairs[i] as f64 * i as f64 / 4.0).sum();
        points / self.count().max(1) as f64
    }

    /// Pairs played.
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }
}

/// A polynomial on an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Polynomial {
    /// The interval.
    pub range: (f64, f64),
    /// Coefficients of the Chebyshev polynomials of the interval.
    pub chebyshev: Vec<f64>,
}

impl Polynomial {
    /// Its value.
    pub fn at(&self, x: f64) -> f64 {
        basis(self.range, self.chebyshev.len(), x).zip(&self.chebyshev).map(|(t, c)| t * c).sum()
    }

    /// Where in its range it is highest.
    pub fn peak(&self) -> f64 {
        const STEPS: usize = 400;
        let (low, high) = self.range;
        let step = (high - low) / STEPS as f64;
        let grid = (0..=STEPS).map(|i| low + step * i as f64);
        let top = grid.max_by(|&a, &b| self.at(a).total_cmp(&self.at(b))).expect("not empty");
        // One maximum between the neighbours: ternary search.
        let (mut a, mut b) = ((top - step).max(low), (top + step).min(high));
        for _ in 0..60 {
            let third = (b - a) / 3.0;
            if self.at(a + third) < self.at(b - third) { a += third } else { b -= third }
        }
        (a + b) / 2.0
    }
}

/// The values at `x` of the first `count` Chebyshev polynomials of an interval.
fn basis((low, high): (f64, f64), count: usize, x: f64) -> impl Iterator<Item = f64> {
    let u = if high > low { (2.0 * x - low - high) / (high - low) } else { 0.0 };
    let mut next = (1.0, u);
    std::iter::from_fn(move || {
        let value = next.0;
        next = (next.1, 2.0 * u * next.1 - next.0);
        Some(value)
    })
    .take(count)
}

/// The least-squares polynomial of a degree through weighted points
/// `(x, y, weight)`. `None` with fewer different `x` of
/// positive weight than it has coefficients.
pub fn fit(points: &[(f64, f64, f64)], degree: usize) -> Option<Polynomial> {
    let low = points.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    // Columns of the weighted system, the right side last.
    let mut columns = vec![Vec::with_capacity(points.len()); degree + 2];
    for &(x, y, weight) in points {
        let root = weight.sqrt();
        for (column, t) in columns.iter_mut().zip(basis((low, high), degree + 1, x)) {
            column.push(t * root);
        }
        columns[degree + 1].push(y * root);
    }
    // Gram-Schmidt on the columns and the right side together, which is as
    // stable as reflections; then back substitution.
    let mut upper = vec![vec![0.0; degree + 2]; degree + 1];
    for i in 0..=degree {
        let before = norm(&columns[i]);
        for j in 0..i {
            // A second time: what rounding left of the earlier directions.
            let (done, rest) = columns.split_at_mut(i);
            let again = dot(&done[j], &rest[0]);
            subtract(&mut rest[0], &done[j], again);
        }
        let length = norm(&columns[i]);
        if length.is_nan() || length <= before * 1e-9 {
            return None;
        }
        upper[i][i] = length;
        columns[i].iter_mut().for_each(|v| *v /= length);
        let (done, rest) = columns.split_at_mut(i + 1);
        for (k, column) in rest.iter_mut().enumerate() {
            let part = dot(&done[i], column);
            subtract(column, &done[i], part);
            upper[i][i + 1 + k] = part;
        }
    }
    let mut chebyshev = vec![0.0; degree + 1];
    for i in (0..=degree).rev() {
        let known: f64 = (i + 1..=degree).map(|j| upper[i][j] * chebyshev[j]).sum();
        chebyshev[i] = (upper[i][degree + 1] - known) / upper[i][i];
    }
    Some(Polynomial { range: (low, high), chebyshev })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn subtract(from: &mut [f64], direction: &[f64], part: f64) {
    for (value, d) in from.iter_mut().zip(direction) {
        *value -= part * d;
    }
}

/// The best value of a swept parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Optimum {
    /// The curve through the scores (0 to 1) of all values.
    pub curve: Polynomial,
    /// Where the curve is highest.
    pub x: f64,
    /// The 95% bootstrap interval of `x`.
    pub interval: (f64, f64),
    /// The curve's score there, from 0 to 1.
    pub score: f64,
}

/// Fits a polynomial to a sweep and finds its maximum with an interval from
/// `resamples` samples. `None` with too few different values for the degree.
pub fn optimum(samples: &[Sample], degree: usize, resamples: u32, seed: u64) -> Option<Optimum> {
    let curve = |samples: &[Sample]| {
        let points: Vec<_> = samples.iter().map(|s| (s.x, s.score(), s.count() as f64)).collect();
        fit(&points, degree)
    };
    let played: Vec<Sample> = samples.iter().copied().filter(|s| s.count() > 0).collect();
    let best = curve(&played)?;
    let mut peaks = Vec::new();
    for round in 0..resamples {
        let mut rng = Rng::seeded(mix(seed, u64::from(round)));
        let drawn: Vec<Sample> =
            played.iter().map(|s| Sample { x: s.x, pairs: resample(&s.pairs, &mut rng) }).collect();
        peaks.push(curve(&drawn)?.peak());
    }
    let x = best.peak();
    let interval = if peaks.is_empty() { (x, x) } else { middle95(&mut peaks) };
    Some(Optimum { score: best.at(x), curve: best, x, interval })
}

/// Whether the scores of a sweep differ more than chance explains: a permutation test
/// at the 5% level. If they do not, a maximum is where the noise put it, however narrow
/// its bootstrap interval is: a single win among lost games is drawn again in two
/// samples of three.
pub fn differ(samples: &[Sample], seed: u64) -> bool {
    const DEALS: usize = 999;
    let mut pool: Vec<f64> = Vec::new();
    for sample in samples {
        for (points, &count) in sample.pairs.iter().enumerate() {
            pool.extend(std::iter::repeat_n(points as f64 / 4.0, count as usize));
        }
    }
    let mean = pool.iter().sum::<f64>() / pool.len().max(1) as f64;
    let spread = |pool: &[f64]| {
        let mut rest = pool;
        let mut sum = 0.0;
        for sample in samples.iter().filter(|sample| sample.count() > 0) {
            let (here, others) = rest.split_at(sample.count() as usize);
            sum +=
                (here.iter().sum::<f64>() - mean * here.len() as f64).powi(2) / here.len() as f64;
            rest = others;
        }
        sum
    };
    let seen = spread(&pool);
    let mut rng = Rng::seeded(seed);
    let as_large = (0..DEALS).filter(|_| {
        for i in 1..pool.len() {
            pool.swap(i, rng.below(i + 1));
        }
        // Sums in another order differ in their last digits.
        spread(&pool) >= seen - 1e-9
    });
    (as_large.count() + 1) * 20 <= DEALS + 1
}

#[cfg(test)]
mod tests {
    use games::Rng;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_polynomial_is_recovered(
            factors in prop::collection::vec(-3.0..3.0f64, 1..9),
            low in -50.0..50.0f64,
            width in 0.1..80.0f64,
        ) {
            let truth = Polynomial { range: (low, low + width), chebyshev: factors };
            let degree = truth.chebyshev.len() - 1;
            let points: Vec<_> = (0..20)
                .map(|i| low + width * f64::from(i) / 19.0)
                .map(|x| (x, truth.at(x), 1.0 + x.sin().abs()))
                .collect();
            let found = fit(&points, degree).unwrap();
            for (a, b) in found.chebyshev.iter().zip(&truth.chebyshev) {
                prop_assert!((a - b).abs() < 1e-8);
            }
            let peak = truth.at(found.peak());
            prop_assert!(points.iter().all(|p| p.1 <= peak + 1e-9));
        }
    }

    #[test]
    fn least_squares_of_a_line() {
        // By hand: y = 1 + 0.9 x through (0,1) (1,2) (2,2) (3,4) has slope 0.9.
        let line =
            fit(&[(0.0, 1.0, 1.0), (1.0, 2.0, 1.0), (2.0, 2.0, 1.0), (3.0, 4.0, 1.0)], 1).unwrap();
        assert!((line.at(1.0) - line.at(0.0) - 0.9).abs() < 1e-12);
        assert!((line.at(1.5) - 2.25).abs() < 1e-12);
        assert_eq!(line.peak().round(), 3.0);
    }

    #[test]
    fn too_few_values_have_no_curve() {
        assert!(fit(&[], 0).is_none());
        assert!(fit(&[(1.0, 1.0, 1.0), (1.0, 2.0, 1.0)], 1).is_none());
        assert!(fit(&[(0.0, 1.0, 1.0), (1.0, 2.0, 0.0)], 1).is_none());
        assert!(fit(&[(1.0, 1.0, 1.0), (1.0, 2.0, 1.0)], 0).is_some());
    }

    #[test]
    fn one_win_among_lost_games_tells_no_values_apart() {
        let lost = |x: f64| Sample { x, pairs: [50, 0, 0, 0, 0] };
        let mut samples: Vec<Sample> = (0..10).map(|i| lost(f64::from(i))).collect();
        assert!(!differ(&samples, 1));
        samples[8].pairs = [49, 0, 1, 0, 0];
        assert!(!differ(&samples, 1));
        samples[8].pairs = [40, 0, 10, 0, 0];
        assert!(differ(&samples, 1));
        assert!(!differ(&[], 1));
    }

    #[test]
    fn equal_values_are_told_apart_once_in_twenty() {
        let mut rng = Rng::seeded(5);
        let mut sweep = || -> Vec<Sample> {
            (0..6)
                .map(|i| {
                    let mut pairs = [0; 5];
                    for _ in 0..20 {
                        pairs[rng.below(5)] += 1;
                    }
                    Sample { x: f64::from(i), pairs }
                })
                .collect()
        };
        let wrong = (0..200).filter(|&seed| differ(&sweep(), seed)).count();
        assert!((2..=20).contains(&wrong), "{wrong} of 200");
    }

    #[test]
    fn the_interval_holds_the_true_optimum_and_narrows() {
        let truth = |x: f64| 0.7 - (x - 0.4).powi(2);
        let sweep = |pairs: u64| -> Vec<Sample> {
            (0..=10)
                .map(|i| f64::from(i) / 10.0)
                .map(|x| {
                    let mut rng = Rng::stream(11, (x * 10.0) as u64 + pairs);
                    let mut counts = [0; 5];
                    for _ in 0..pairs {
                        let wins = (0..2).filter(|_| rng.unit() < truth(x)).count();
                        counts[2 * wins] += 1;
                    }
                    Sample { x, pairs: counts }
                })
                .collect()
        };
        let (few, many) =
            (optimum(&sweep(60), 2, 200, 3).unwrap(), optimum(&sweep(4000), 2, 200, 3).unwrap());
        for found in [&few, &many] {
            assert!(found.interval.0 <= 0.4 && 0.4 <= found.interval.1, "{found:?}");
            assert!(found.interval.0 <= found.x && found.x <= found.interval.1);
        }
        assert!(many.interval.1 - many.interval.0 < (few.interval.1 - few.interval.0) / 2.0);
        assert!((many.score - 0.7).abs() < 0.02);
    }
}
