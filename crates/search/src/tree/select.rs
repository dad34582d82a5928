//! Selection: UCB1 and PUCT over eight children at a time.
//!
//! Sums are First's and change sides here, once, by who moves at the parent;
//! nowhere else does the tree depend on whose turn it is. Values are on the scale
//! from -1 to 1 inside; a scale from 0 to 1 halves their differences, which is all
//! that an argmax depends on.

use std::array::from_fn;
use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;
use games::{MAX_MOVES, Player};

use super::pool::{ChildBlock, EXCLUDED, LANES, ONE};
use super::settings::{Fpu, Reward, Selection};

/// The formula with its constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selector {
    selection: Selection,
    /// Value differences are multiplied by this.
    scale: f32,
    /// The value of an unvisited child.
    fpu: Fpu,
}

/// Adding and subtracting this number turns an integer below 2^51 in the low
/// bits of a double into its value, four at a time, where the instruction set
/// has no such conversion.
const MAGIC: f64 = 6_755_399_441_055_744.0;

#[inline]
fn to_float(sum: i64) -> f32 {
    (f64::from_bits((sum + MAGIC.to_bits() as i64) as u64) - MAGIC) as f32
}

impl Selector {
    pub fn new(selection: Selection, reward: Reward, fpu: Fpu) -> Selector {
        let scale = match reward {
            Reward::ZeroOne => 0.5,
            Reward::PlusMinus => 1.0,
        };
        Selector { selection, scale, fpu }
    }

    /// The index (block times eight plus lane) of the child with the highest
    /// score for `mover`, the first among equals; `None` if all are excluded.
    #[inline]
    pub fn select(&self, children: &[ChildBlock], mover: Player) -> Option<usize> {
        // First visits go by index, so the last block shows whether any is left.
        if self.fpu == Fpu::Infinite && unvisited(children.last()?).is_some() {
            let lane = |(index, block)| Some(index * LANES + unvisited(block)?);
            // Another thread may have visited the last of them meanwhile.
            if let Some(new) = children.iter().enumerate().find_map(lane) {
                return Some(new);
            }
        }
        let turn = mover.sign() as f32 * self.scale / ONE as f32;
        let mut stats = ArrayVec::<BlockStats, { MAX_MOVES / LANES }>::new();
        let mut visits = 0u32;
        for block in children {
            stats.push(BlockStats::load(block, &mut visits));
        }
        let visits = visits.max(1) as f32;
        let first = match self.fpu {
            // Finite, so that an exclusion (minus infinity) outweighs it.
            Fpu::Infinite => f32::MAX,
            Fpu::Absolute(value) => value * self.scale,
            Fpu::Reduction(less) => {
                let sum: i64 = stats.iter().flat_map(|block| block.sum).sum();
                to_float(sum) * turn / visits - less * self.scale
            }
        };
        match self.selection {
            Selection::Ucb1 { c } => best_ucb1(&stats, turn, first, c * (2.0 * visits.ln()).sqrt()),
            Selection::Puct { c } => best_puct(&stats, turn, first, c * visits.sqrt()),
        }
    }
}

/// The first unvisited child.
#[inline]
fn unvisited(block: &ChildBlock) -> Option<usize> {
    let new =
        |&i: &usize| block.visits[i].load(Relaxed) == 0 && block.prior[i].load(Relaxed) != EXCLUDED;
    (0..LANES).find(new)
}

/// The statistics of eight siblings at one moment. The atomics are copied out one
/// by one, because compilers vectorise plain arrays only; that is also why the
/// functions that calculate are not inlined.
struct BlockStats {
    visits: [i32; LANES],
    sum: [i64; LANES],
    prior: [f32; LANES],
}

impl BlockStats {
    #[inline(always)]
    fn load(block: &ChildBlock, total: &mut u32) -> BlockStats {
        let visits: [u32; LANES] = from_fn(|i| block.visits[i].load(Relaxed));
        *total = visits.iter().fold(*total, |a, &b| a.wrapping_add(b));
        BlockStats {
            visits: visits.map(|visits| visits as i32),
            sum: from_fn(|i| block.sum[i].load(Relaxed)),
            prior: from_fn(|i| f32::from_bits(block.prior[i].load(Relaxed))),
        }
    }
}

/// Under UCB1 a prior is 0, or minus infinity for the excluded; an unvisited
/// child counts as one with one visit and the value `first`.
#[inline(never)]
fn best_ucb1(stats: &[BlockStats], turn: f32, first: f32, factor: f32) -> Option<usize> {
    best(stats, |block, i| {
        let share = 1.0 / (block.visits[i].max(1) as f32);
        let new = if block.visits[i] == 0 { first } else { 0.0 };
        to_float(block.sum[i]) * turn * share + block.prior[i] + new + factor * share.sqrt()
    })
}

/// Under PUCT a prior of minus infinity excludes, whatever the factor.
#[inline(never)]
fn best_puct(stats: &[BlockStats], turn: f32, first: f32, factor: f32) -> Option<usize> {
    let factor = factor.max(f32::MIN_POSITIVE);
    best(stats, |block, i| {
        let count = block.visits[i] as f32;
        let new = if block.visits[i] == 0 { first } else { 0.0 };
        to_float(block.sum[i]) * turn / count.max(1.0)
            + new
            + factor * block.prior[i] / (1.0 + count)
    })
}

/// The index of the highest score, the first among equals: the maximum of whole
/// numbers that are ordered as the scores are and carry the index below.
#[inline(always)]
fn best(stats: &[BlockStats], score: impl Fn(&BlockStats, usize) -> f32) -> Option<usize> {
    let mut top = [i64::MIN; LANES];
    for (number, block) in stats.iter().enumerate() {
        let mut scores = [0.0; LANES];
        for (i, place) in scores.iter_mut().enumerate() {
            *place = score(block, i);
        }
        for i in 0..LANES {
            let index = u32::MAX - (number * LANES + i) as u32;
            top[i] = top[i].max(i64::from(in_order(scores[i])) << 32 | i64::from(index));
        }
    }
    let top = top.into_iter().fold(i64::MIN, i64::max);
    let excluded = in_order(f32::NEG_INFINITY);
    ((top >> 32) as i32 > excluded).then(|| (u32::MAX - top as u32) as usize)
}

/// A whole number for each float, in the same order.
#[inline(always)]
fn in_order(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_order() {
        let floats = [f32::NEG_INFINITY, -3.5, -0.25, 0.0, 1e-9, 0.5, 2.0, f32::MAX, f32::INFINITY];
        assert!(floats.windows(2).all(|pair| in_order(pair[0]) < in_order(pair[1])));
    }

    #[test]
    fn the_formulas_are_the_printed_ones() {
        let cases: [(u32, f64, f32); 12] =
            std::array::from_fn(|i| (i as u32 * 7 % 5 + 1, (i as f64 - 6.0) / 7.0, 1.0 / 12.0));
        let total: u32 = cases.iter().map(|case| case.0).sum();
        let blocks: [ChildBlock; 2] = from_fn(|_| ChildBlock::default());
        for (i, &(visits, mean, prior)) in cases.iter().enumerate() {
            let (block, lane) = (&blocks[i / LANES], i % LANES);
            block.occupy(lane, i as u16, prior);
            block.visits[lane].store(visits, Relaxed);
            block.sum[lane].store((mean * f64::from(visits) * ONE as f64) as i64, Relaxed);
        }
        (4..LANES).for_each(|lane| blocks[1].vacate(lane));
        let slow = |player: Player, bonus: &dyn Fn(f64, f64) -> f64, scale: f64| {
            let score = |&(visits, mean, prior): &(u32, f64, f32)| {
                scale * mean * f64::from(player.sign()) + bonus(f64::from(visits), prior.into())
            };
            let scores: Vec<f64> = cases.iter().map(score).collect();
            let top = scores.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
            scores.iter().position(|&score| score == top)
        };
        let n = f64::from(total);
        for player in Player::BOTH {
            for (reward, scale) in [(Reward::ZeroOne, 0.5), (Reward::PlusMinus, 1.0)] {
                for c in [0.01f32, 0.23, 0.7, 1.2, 5.0] {
                    let selector = |selection| Selector::new(selection, reward, Fpu::Infinite);
                    let c64 = f64::from(c);
                    let ucb1 = slow(player, &|v, _| c64 * (2.0 * n.ln() / v).sqrt(), scale);
                    let puct = slow(player, &|v, p| c64 * p * n.sqrt() / (1.0 + v), scale);
                    // UCB1 needs priors of zero.
                    let priors = selector(Selection::Puct { c }).select(&blocks, player);
                    assert_eq!(priors, puct);
                    for block in &blocks {
                        block.prior.iter().for_each(|p| {
                            let excluded = f32::from_bits(p.load(Relaxed)) < 0.0;
                            p.store(if excluded { EXCLUDED } else { 0 }, Relaxed);
                        });
                    }
                    assert_eq!(selector(Selection::Ucb1 { c }).select(&blocks, player), ucb1);
                    (0..cases.len()).for_each(|i| {
                        blocks[i / LANES].prior[i % LANES].store((1.0f32 / 12.0).to_bits(), Relaxed)
                    });
                }
            }
        }
    }

    #[test]
    fn fpu_reduction_starts_from_the_siblings_mean() {
        // One child with a mean of 0.6 for First over 4 visits, one unvisited.
        let block = [ChildBlock::default()];
        (2..LANES).for_each(|lane| block[0].vacate(lane));
        (0..2).for_each(|lane| block[0].occupy(lane, lane as u16, 0.5));
        block[0].visits[0].store(4, Relaxed);
        block[0].sum[0].store((0.6 * 4.0 * ONE as f64) as i64, Relaxed);
        for player in Player::BOTH {
            // Bonuses are c times 0.2 and 1: the new one needs c times 0.8 > less.
            for (c, less, chosen) in [(0.3, 0.25, 0), (0.3, 0.23, 1), (0.0, 0.01, 0)] {
                let fpu = Fpu::Reduction(less);
                let selector = Selector::new(Selection::Puct { c }, Reward::PlusMinus, fpu);
                assert_eq!(selector.select(&block, player), Some(chosen), "{player:?} {c} {less}");
            }
        }
    }

    #[test]
    fn the_unvisited_come_first_and_the_excluded_never() {
        for selection in [Selection::Ucb1 { c: 1.0 }, Selection::Puct { c: 1.0 }] {
            let selector = Selector::new(selection, Reward::ZeroOne, Fpu::Infinite);
            let block = [ChildBlock::default()];
            (0..LANES).for_each(|lane| block[0].vacate(lane));
            assert_eq!(selector.select(&block, Player::First), None);
            (2..5).for_each(|lane| block[0].occupy(lane, 0, 0.0));
            block[0].visits[2].store(9, Relaxed);
            block[0].sum[2].store(9 * ONE, Relaxed);
            assert_eq!(selector.select(&block, Player::First), Some(3));
            block[0].prior[3].store(EXCLUDED, Relaxed);
            assert_eq!(selector.select(&block, Player::First), Some(4));
            block[0].prior[4].store(EXCLUDED, Relaxed);
            assert_eq!(selector.select(&block, Player::First), Some(2));
        }
    }
}
