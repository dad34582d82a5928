//! Score, Elo, normalized Elo and their errors.
//!
//! Elo is the logistic scale of a score. Normalized Elo divides by the spread
//! of a game instead, so that it measures how many games a difference needs to
//! show (M. Van den Bergh, "Comments on Normalized Elo"). Errors are half the
//! width of the 95% interval of the score, converted.

use serde::{Deserialize, Serialize};

use super::{Encounter, NELO, Z95};

/// The Elo difference at which a score (0 to 1, draws half) is expected.
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score (0 to 1) expected at an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The 95% Wilson interval of a `score` (0 to 1) over `games` games.
/// It stays sensible at 0% and 100%, which have no Elo. With draws counted half
/// it is conservative, since draws only narrow the spread.
pub fn wilson(score: f64, games: u64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let n = games as f64;
    let z2 = Z95 * Z95;
    let middle = (score + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (score * (1.0 - score) / n + z2 / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// A figure and half the width of its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Half the width of its 95% interval; infinite where one end is.
    pub error: f64,
}

/// The results of one engine against another, from the first one's viewpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Pairs by their points in halves: 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// Pairs whose two games were won by the same side of the board, First and Second:
    /// those that the opening, not the engines, has decided.
    #[serde(default)]
    pub same_side: [u64; 2],
}

impl Tally {
    /// All results of one engine, against every opponent together.
    pub fn of_engine(engine: usize, encounters: &[Encounter]) -> Tally {
        let mut sum = Tally::default();
        for Encounter { engines, tally } in encounters {
            match engines {
                [one, _] if *one == engine => sum.merge(tally),
                [_, other] if *other == engine => sum.merge(&tally.swapped()),
                _ => {}
            }
        }
        sum
    }

    /// Counts a finished pair, given each game's result: 1 won, 0 drawn, -1 lost. The
    /// first engine plays First in the first of them, and Second in the other.
    pub fn add(&mut self, results: [i32; 2]) {
        for result in results {
            match result {
                1 => self.wins += 1,
                0 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        self.pairs[(2 + results[0] + results[1]) as usize] += 1;
        match results {
            [1, -1] => self.same_side[0] += 1,
            [-1, 1] => self.same_side[1] += 1,
            _ => {}
        }
    }

    /// The same results from the opponent's viewpoint.
    pub fn swapped(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        // A side of the board is the same for both.
        Tally { wins: self.losses, losses: self.wins, pairs, ..*self }
    }

    /// Adds another tally to this one.
    pub fn merge(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        for (mine, theirs) in self.pairs.iter_mut().zip(other.pairs) {
            *mine += theirs;
        }
        for (mine, theirs) in self.same_side.iter_mut().zip(other.same_side) {
            *mine += theirs;
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points won: a win is 1, a draw 1/2.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, from 0 to 1; one half without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The share of drawn games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// The share of pairs with one point each, which fastchess calls DrawRatio.
    pub fn pair_draw_ratio(&self) -> f64 {
        self.pairs[2] as f64 / self.pairs.iter().sum::<u64>().max(1) as f64
    }

    /// The share of pairs whose two games were won by the same side of the board.
    pub fn same_side_ratio(&self) -> f64 {
        let pairs = self.pairs.iter().sum::<u64>();
        self.same_side.iter().sum::<u64>() as f64 / pairs.max(1) as f64
    }

    /// The 95% Wilson interval of the score.
    pub fn wilson(&self) -> (f64, f64) {
        wilson(self.score(), self.games())
    }

    /// Elo differences by pairs; by games alone where no pairs were counted.
    pub fn elo(&self) -> Option<Elo> {
        if self.pairs.iter().any(|&n| n > 0) {
            Elo::of(&self.pairs)
        } else {
            Elo::of(&[self.losses, self.draws, self.wins])
        }
    }
}

/// A score as a difference in strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// Difference on the logistic scale. Infinite at 0% and 100%.
    pub elo: Estimate,
    /// Difference in units of a game's spread. Infinite if all results are
    /// equal and not even.
    pub nelo: Estimate,
    /// Likelihood of superiority: the chance, from 0 to 1, that the first one is
    /// the stronger.
    pub los: f64,
}

impl Elo {
    /// From counts of equally spaced results, worst first: three classes are
    /// games, five are pairs. `None` without results.
    pub fn of<const N: usize>(counts: &[u64; N]) -> Option<Elo> {
        let total = counts.iter().sum::<u64>() as f64;
        if total == 0.0 {
            return None;
        }
        let (mean, variance) = moments(&counts.map(|n| n as f64 / total));
        let spread = (variance / total).sqrt();
        let (low, high) = (mean - Z95 * spread, mean + Z95 * spread);
        let elo_error = match low > 0.0 && high < 1.0 {
            true => (elo_of(high) - elo_of(low)) / 2.0,
            false => f64::INFINITY,
        };
        // A class count of 2k + 1 means k games in a result, whose variances add.
        let game_deviation = (variance * (N / 2) as f64).sqrt();
        let nelo = match mean == 0.5 {
            true => 0.0,
            false => (mean - 0.5) / game_deviation * NELO,
        };
        let nelo_error = Z95 / (total * (N / 2) as f64).sqrt() * NELO;
        let los = if mean == 0.5 { 0.5 } else { normal((mean - 0.5) / spread) };
        Some(Elo {
            elo: Estimate { value: elo_of(mean), error: elo_error },
            nelo: Estimate { value: nelo, error: nelo_error },
            los,
        })
    }
}

/// Mean and variance of results spaced equally from 0 to 1.
pub(super) fn moments<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
    let value = |i: usize| i as f64 / (N - 1) as f64;
    let mean: f64 = (0..N).map(|i| shares[i] * value(i)).sum();
    let variance = (0..N).map(|i| shares[i] * (value(i) - mean).powi(2)).sum();
    (mean, variance)
}

/// The normal distribution's chance of a value below `z`: its power series near
/// the middle, the continued fraction of the tail beyond.
fn normal(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z.abs() < 4.0 {
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term.abs() > 1e-17 {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        0.5 + density * sum
    } else {
        let tail = density / (1..60).rev().fold(z.abs(), |rest, k| z.abs() + f64::from(k) / rest);
        if z > 0.0 { 1.0 - tail } else { tail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b} +- {by}");
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Tally {
        Tally { wins, losses, draws, ..Tally::default() }
    }

    #[test]
    fn published_elo() {
        near(games(7, 3, 0).elo().unwrap().elo.value, 147.2, 0.05);
        near(games(55, 26, 19).elo().unwrap().elo.value, 103.7, 0.05);
    }

    #[test]
    fn published_normalized_elo() {
        let elo = Elo::of(&[379, 10170, 21828, 10640, 343]).unwrap();
        near(elo.nelo.value, 3.05, 0.005);
        near(elo.nelo.error, 2.31, 0.005);
        assert!(elo.los > 0.99);
    }

    #[test]
    fn figures_that_fastchess_prints() {
        let check = |elo: Option<Elo>, printed: [f64; 5]| {
            let Elo { elo, nelo, los } = elo.unwrap();
            let figures = [elo.value, elo.error, nelo.value, nelo.error, 100.0 * los];
            figures.iter().zip(printed).for_each(|(&figure, print)| near(figure, print, 0.006));
        };
        check(games(136, 96, 111).elo(), [40.70, 30.43, 49.77, 36.77, 99.60]);
        check(Elo::of(&[34, 54, 63, 64, 75]), [55.58, 27.65, 57.94, 28.28, 100.00]);
        check(Elo::of(&[332, 433, 498, 333, 334]), [-8.64, 10.33, -9.17, 10.96, 5.05]);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let mut tally = Tally::default();
        for results in [[1, 1], [1, -1], [0, 1], [0, 0], [-1, 0], [1, 0], [1, -1]] {
            tally.add(results);
        }
        let (mine, theirs) = (tally.elo().unwrap(), tally.swapped().elo().unwrap());
        near(mine.elo.value, -theirs.elo.value, 1e-9);
        near(mine.nelo.value, -theirs.nelo.value, 1e-9);
        near(mine.elo.error, theirs.elo.error, 1e-9);
        near(mine.los, 1.0 - theirs.los, 1e-12);
        near(tally.score() + tally.swapped().score(), 1.0, 1e-12);
        assert_eq!(tally.swapped().swapped(), tally);
        assert_eq!(tally.swapped().same_side, tally.same_side);
        assert_eq!(tally.games(), 2 * tally.pairs.iter().sum::<u64>());
    }

    #[test]
    fn a_pair_is_decided_by_its_opening_if_one_side_of_the_board_wins_it_whole() {
        let mut tally = Tally::default();
        let all = [-1, 0, 1].map(|one| [-1, 0, 1].map(|other| [one, other]));
        all.into_iter().flatten().for_each(|results| tally.add(results));
        assert_eq!((tally.pairs, tally.same_side), ([1, 2, 3, 2, 1], [1, 1]));
        near(tally.same_side_ratio(), 2.0 / 9.0, 1e-12);
        let once = tally;
        tally.merge(&once);
        assert_eq!(tally.same_side, [2, 2]);
        near(tally.same_side_ratio(), once.same_side_ratio(), 1e-12);
        assert_eq!(Tally::default().same_side_ratio(), 0.0);
    }

    #[test]
    fn games_and_independent_pairs_agree() {
        // Pairs made of independent games: the classes of (p + q x)^2.
        let (loss, draw, win) = (3, 4, 5);
        let pairs =
            [loss * loss, 2 * loss * draw, 2 * loss * win + draw * draw, 2 * draw * win, win * win];
        let by_pairs = Elo::of(&pairs).unwrap();
        let by_games = Elo::of(&[loss * 24, draw * 24, win * 24]).unwrap();
        near(by_pairs.elo.value, by_games.elo.value, 1e-9);
        near(by_pairs.elo.error, by_games.elo.error, 1e-9);
        near(by_pairs.nelo.value, by_games.nelo.value, 1e-9);
        near(by_pairs.nelo.error, by_games.nelo.error, 1e-9);
        near(by_pairs.los, by_games.los, 1e-9);
    }

    #[test]
    fn a_whitewash_has_a_wilson_interval_and_no_elo() {
        let tally = games(10, 0, 0);
        let elo = tally.elo().unwrap();
        assert_eq!(elo.elo.value, f64::INFINITY);
        assert_eq!(elo.los, 1.0);
        let (low, high) = tally.wilson();
        near(low, 0.7225, 1e-4); // 10 of 10: n / (n + z^2)
        near(high, 1.0, 1e-12);
        assert!(Tally::default().elo().is_none());
        assert_eq!(Tally::default().wilson(), (0.0, 1.0));
        let (low, high) = wilson(0.5, 100);
        near(low, 0.4038, 1e-4);
        near(high, 0.5962, 1e-4);
    }

    #[test]
    fn the_normal_distribution() {
        for (z, share) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (Z95, 0.975), (-Z95, 0.025)] {
            near(normal(z), share, 1e-14);
        }
        near(normal(-4.0) / 3.167_124_183_311_992e-5, 1.0, 1e-9);
        near(normal(-3.999_999_999) / normal(-4.0), 1.0, 1e-7);
        near(score_of(elo_of(0.37)), 0.37, 1e-12);
    }
}
