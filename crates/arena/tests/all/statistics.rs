//! Elo, normalized Elo and the likelihood ratio against computations of another kind:
//! plain sample statistics of every single pair, and a search over all distributions
//! that knows nothing of tilts.

use arena::statistics::{Model, Sprt, Tally};

/// Counts of pairs with 0, 1/2, 1, 3/2 and 2 points.
const RESULTS: [[u64; 5]; 5] = [
    [34, 54, 63, 64, 75],
    [2, 10, 41, 12, 3],
    [379, 10170, 21828, 10640, 343],
    [20, 5, 30, 5, 60],
    [7, 1, 1, 1, 2],
];

fn tally(pairs: [u64; 5]) -> Tally {
    let [ll, ld, d, wd, ww] = pairs;
    // Half of the even pairs are two draws: the figures by pairs don't see it.
    let draws = ld + wd + d / 2 * 2;
    let decided = d - d / 2;
    let (wins, losses) = (2 * ww + wd + decided, 2 * ll + ld + decided);
    Tally { wins, losses, draws, pairs, ..Tally::default() }
}

#[test]
fn elo_and_normalized_elo_are_sample_statistics_of_the_pairs() {
    for pairs in RESULTS {
        let samples: Vec<f64> = (0..5usize)
            .flat_map(|class| std::iter::repeat_n(class as f64 / 4.0, pairs[class] as usize))
            .collect();
        let n = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / n;
        let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let elo = tally(pairs).elo().unwrap();
        let of = |score: f64| 400.0 * (score / (1.0 - score)).log10();
        assert!((elo.elo.value - of(mean)).abs() < 1e-6, "{pairs:?}: {elo:?}");
        let half = 1.959_963_985 * (variance / n).sqrt();
        let error = (of(mean + half) - of(mean - half)) / 2.0;
        assert!((elo.elo.error - error).abs() < 1e-3 * error, "{pairs:?}: {elo:?}, {error}");
        // A game's spread is that of a pair times the square root of 2.
        let normalized = (mean - 0.5) / (variance * 2.0).sqrt() * 800.0 / 10f64.ln();
        assert!((elo.nelo.value - normalized).abs() < 1e-6, "{pairs:?}: {elo:?}, {normalized}");
    }
}

/// The greatest log likelihood of counts among all distributions over the five
/// classes with this property, found by trying ever smaller steps.
fn greatest_likelihood(counts: &[u64; 5], property: impl Fn(&[f64; 5]) -> f64) -> f64 {
    let total: u64 = counts.iter().sum();
    let likelihood =
        |p: &[f64; 5]| -> f64 { counts.iter().zip(p).map(|(&n, p)| n as f64 * p.ln()).sum() };
    // The middle three are free; the outer two follow: their sum is the rest, and
    // the property grows with the share of the last.
    let complete = |middle: [f64; 3]| -> Option<[f64; 5]> {
        let rest = 1.0 - middle.iter().sum::<f64>();
        if middle.iter().any(|&p| p <= 0.0) || rest <= 0.0 {
            return None;
        }
        let with = |last: f64| [rest - last, middle[0], middle[1], middle[2], last];
        let (mut low, mut high) = (0.0, rest);
        if property(&with(low)) > 0.0 || property(&with(high)) < 0.0 {
            return None;
        }
        for _ in 0..100 {
            let last = (low + high) / 2.0;
            if property(&with(last)) < 0.0 { low = last } else { high = last }
        }
        Some(with((low + high) / 2.0)).filter(|p| p.iter().all(|&p| p > 0.0))
    };
    let mut best = [1, 2, 3].map(|class| counts[class] as f64 / total as f64);
    let value = |middle| complete(middle).map_or(f64::NEG_INFINITY, |p| likelihood(&p));
    let mut reached = value(best);
    let mut step = 0.1;
    while step > 1e-9 {
        let before = reached;
        for axis in 0..26 {
            // All directions of a cube.
            let code = if axis < 13 { axis } else { axis + 1 };
            let direction = [code % 3, code / 3 % 3, code / 9].map(|d| f64::from(d) - 1.0);
            let tried: [f64; 3] = std::array::from_fn(|i| best[i] + step * direction[i]);
            if value(tried) > reached {
                (best, reached) = (tried, value(tried));
            }
        }
        if reached == before {
            step /= 2.0;
        }
    }
    reached
}

#[test]
fn the_likelihood_ratio_is_that_of_the_likeliest_distributions() {
    let values = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean = |p: &[f64; 5]| -> f64 { values.iter().zip(p).map(|(v, p)| v * p).sum() };
    let spread = |p: &[f64; 5]| {
        let mean = mean(p);
        values.iter().zip(p).map(|(v, p)| p * (v - mean).powi(2)).sum::<f64>().sqrt()
    };
    for counts in RESULTS {
        for (elo0, elo1) in [(0.0, 5.0), (-3.0, 1.0), (0.0, 40.0)] {
            for model in [Model::Logistic, Model::Normalized] {
                let ours = Sprt { model, ..Sprt::new(elo0, elo1) }.llr(&counts);
                let under = |elo: f64| match model {
                    Model::Logistic => {
                        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
                        greatest_likelihood(&counts, |p| mean(p) - score)
                    }
                    Model::Normalized => {
                        let t = elo * 10f64.ln() / 800.0 * 2f64.sqrt();
                        greatest_likelihood(&counts, |p| mean(p) - 0.5 - t * spread(p))
                    }
                };
                let theirs = under(elo1) - under(elo0);
                let allowed = 1e-3 * (1.0 + ours.abs());
                assert!(
                    (ours - theirs).abs() < allowed,
                    "{counts:?}, {elo0} to {elo1}, {model:?}: {ours} and {theirs}"
                );
            }
        }
    }
}
