//! The one source of random numbers: small, fast and the same on every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::mix;

/// Random numbers by seed. Every random choice in the workspace is drawn from
/// one of these, so that a seed repeats a game.
///
/// ```
/// use games::Rng;
///
/// let mut rng = Rng::seeded(7);
/// let die = 1 + rng.below(6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(die, 1 + Rng::seeded(7).below(6), "a seed repeats");
/// ```
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

/// 64 random bits that are drawn before they are used: where many games are played at
/// once, drawing for all of them first leaves the generator out of the loop that plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draw(pub u64);

impl Draw {
    /// A number below `n`, as [`Rng::below`] makes it of its bits.
    #[inline]
    pub fn below(self, n: usize) -> usize {
        debug_assert!(n > 0 && n < 1 << 32);
        (((self.0 >> 32) * n as u64) >> 32) as usize
    }

    /// Another draw that follows from this one, for a choice that has to be repeated.
    #[inline]
    pub fn another(self) -> Draw {
        Draw(mix(self.0, 0))
    }
}

impl Rng {
    /// A generator that gives the same numbers for the same seed.
    pub fn seeded(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator for the `index`-th of many independent things under one seed: the
    /// games of a match, the threads of a search.
    pub fn stream(seed: u64, index: u64) -> Rng {
        Rng::seeded(mix(seed, index))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, which must be positive and below 2^32. Multiplies
    /// instead of dividing; for the sizes here the bias is under one in 2^25.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        self.draw().below(n)
    }

    /// 64 random bits for one choice to be made later.
    #[inline]
    pub fn draw(&mut self) -> Draw {
        Draw(self.bits())
    }

    /// A number from 0 (included) to 1 (excluded).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// An index drawn in proportion to the weights, which must not be negative;
    /// none if all of them are 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let mut rest = self.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        // Rounding may leave a tiny rest behind the last weight.
        drawn.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_indices_differ() {
        let draw = |mut rng: Rng| (0..8).map(|_| rng.bits()).collect::<Vec<_>>();
        assert_eq!(draw(Rng::seeded(7)), draw(Rng::seeded(7)));
        assert_ne!(draw(Rng::stream(7, 0)), draw(Rng::stream(7, 1)));
    }

    #[test]
    fn weighted_indices_follow_their_weights() {
        let mut rng = Rng::seeded(2);
        let mut seen = [0; 4];
        for _ in 0..40_000 {
            seen[rng.weighted(&[1.0, 0.0, 2.0, 1.0]).expect("positive weights")] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((9_500..10_500).contains(&seen[0]), "{seen:?}");
        assert!((19_300..20_700).contains(&seen[2]), "{seen:?}");
        assert_eq!(rng.weighted(&[0.0, 0.0]), None);
    }

    #[test]
    fn below_is_even() {
        let mut rng = Rng::seeded(1);
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[rng.below(7)] += 1;
        }
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
        assert!((0..1000).map(|_| rng.unit()).all(|x| (0.0..1.0).contains(&x)));
    }
}
