//! Which child to look at next: UCB1 and PUCT over eight children at a time.
//!
//! Sums belong to First and are turned here, once, by who moves at the parent;
//! nowhere else does the tree ask whose turn it is. Values are on the scale from
//! -1 to 1 inside; a scale from 0 to 1 halves their differences, which is all
//! that an argmax sees of it.

use std::array::from_fn;
use std::sync::atomic::Ordering::Relaxed;

use games::{MAX_MOVES, Player};

use super::pool::{Eight, LANES, ONE};
use super::settings::{FirstPlay, Reward, Selection};

/// The formula with its constants made ready.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    selection: Selection,
    /// Value differences are multiplied by this.
    scale: f32,
    /// The score of an unvisited child, or its assumed value for the mover.
    first: FirstPlay,
}

/// Adding and subtracting this number turns an integer below 2^51 in the low
/// bits of a double into its value, four at a time, where the instruction set
/// has no such conversion.
const MAGIC: f64 = 6_755_399_441_055_744.0;

#[inline]
fn to_float(sum: i64) -> f32 {
    (f64::from_bits((sum + MAGIC.to_bits() as i64) as u64) - MAGIC) as f32
}

impl Rule {
    pub fn new(selection: Selection, reward: Reward, first: FirstPlay) -> Rule {
        let scale = match reward {
            Reward::ZeroOne => 0.5,
            Reward::PlusMinus => 1.0,
        };
        Rule { selection, scale, first }
    }

    /// The index (group times eight plus lane) of the child with the highest
    /// score for `mover`, the first among equals; `None` if all are excluded.
    #[inline]
    pub fn select(&self, children: &[Eight], mover: Player) -> Option<usize> {
        match self.selection {
            Selection::Ucb1 { c } => self.ucb1(children, mover, c),
            Selection::Puct { c } => self.puct(children, mover, c),
        }
    }

    #[inline]
    fn ucb1(&self, children: &[Eight], mover: Player, c: f32) -> Option<usize> {
        let turn = mover.sign() as f32 * self.scale / ONE as f32;
        // The bonus of all children has one common factor, which needs the sum
        // of their visits first: so two passes, means and roots, then scores.
        let mut means = [[0.0f32; LANES]; MAX_MOVES / LANES];
        let mut roots = [[0.0f32; LANES]; MAX_MOVES / LANES];
        let mut totals = [0u32; LANES];
        let (first_mean, first_root) = match self.first {
            // Finite, so that an exclusion (minus infinity) outweighs it.
            FirstPlay::Always => (f32::MAX, 0.0),
            FirstPlay::Value(value) => (value * self.scale, 1.0),
        };
        for ((group, mean), root) in children.iter().zip(&mut means).zip(&mut roots) {
            let visits: [u32; LANES] = from_fn(|i| group.visits[i].load(Relaxed));
            let sums: [i64; LANES] = from_fn(|i| group.sum[i].load(Relaxed));
            let priors: [f32; LANES] = from_fn(|i| f32::from_bits(group.prior[i].load(Relaxed)));
            for i in 0..LANES {
                totals[i] = totals[i].wrapping_add(visits[i]);
                let share = 1.0 / (visits[i] as i32 as f32);
                let new = visits[i] == 0;
                // Under UCB1 a prior is 0, or minus infinity for the excluded.
                mean[i] =
                    priors[i] + if new { first_mean } else { to_float(sums[i]) * turn * share };
                root[i] = if new { first_root } else { share.sqrt() };
            }
        }
        let total = totals.iter().fold(0u32, |a, &b| a.wrapping_add(b));
        let factor = c * (2.0 * (total.max(1) as f32).ln()).sqrt();
        let n = children.len();
        best_of(n, |group| from_fn(|i| means[group][i] + factor * roots[group][i]))
    }

    #[inline]
    fn puct(&self, children: &[Eight], mover: Player, c: f32) -> Option<usize> {
        let turn = mover.sign() as f32 * self.scale / ONE as f32;
        let mut totals = [0u32; LANES];
        for group in children {
            for (total, visits) in totals.iter_mut().zip(&group.visits) {
                *total = total.wrapping_add(visits.load(Relaxed));
            }
        }
        let total = totals.iter().fold(0u32, |a, &b| a.wrapping_add(b));
        let factor = c * (total.max(1) as f32).sqrt();
        let first_mean = match self.first {
            FirstPlay::Always => f32::MAX,
            FirstPlay::Value(value) => value * self.scale,
        };
        best_of(children.len(), |group| {
            let group = &children[group];
            let visits: [u32; LANES] = from_fn(|i| group.visits[i].load(Relaxed));
            let sums: [i64; LANES] = from_fn(|i| group.sum[i].load(Relaxed));
            let priors: [f32; LANES] = from_fn(|i| f32::from_bits(group.prior[i].load(Relaxed)));
            from_fn(|i| {
                let count = visits[i] as i32 as f32;
                let new = visits[i] == 0;
                let mean = if new { first_mean } else { to_float(sums[i]) * turn / count };
                mean + factor * priors[i] / (1.0 + count)
            })
        })
    }
}

/// The index of the highest of `8 * groups` scores.
#[inline(always)]
fn best_of(groups: usize, scores: impl Fn(usize) -> [f32; LANES]) -> Option<usize> {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut place = [0u32; LANES];
    for group in 0..groups {
        let scores = scores(group);
        for i in 0..LANES {
            let better = scores[i] > best[i];
            best[i] = if better { scores[i] } else { best[i] };
            place[i] = if better { group as u32 } else { place[i] };
        }
    }
    let index = |i: usize| place[i] as usize * LANES + i;
    let mut top = 0;
    for i in 1..LANES {
        if best[i] > best[top] || (best[i] == best[top] && index(i) < index(top)) {
            top = i;
        }
    }
    (best[top] > f32::NEG_INFINITY).then(|| index(top))
}
