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
        let (first_mean, first_root) = match self.first {
            // Finite, so that an exclusion (minus infinity) outweighs it.
            FirstPlay::Always => (f32::MAX, 0.0),
            FirstPlay::Value(value) => (value * self.scale, 1.0),
        };
        let part = |group: &Eight, out: &mut Part| {
            ucb1_part(&Numbers::load(group), turn, first_mean, first_root, out)
        };
        let factor = |visits: f32| c * (2.0 * visits.max(1.0).ln()).sqrt();
        if let [only] = children {
            let mut part_of = Part::default();
            let factor = factor(part(only, &mut part_of));
            return best_of(1, |_| from_fn(|i| part_of.mean[i] + factor * part_of.root[i]));
        }
        // The common factor needs the sum of all visits: so two passes.
        let mut parts = [Part::default(); MAX_MOVES / LANES];
        let visits = children.iter().zip(&mut parts).map(|(group, out)| part(group, out)).sum();
        let factor = factor(visits);
        best_of(children.len(), |group| {
            let part = &parts[group];
            from_fn(|i| part.mean[i] + factor * part.root[i])
        })
    }

    #[inline]
    fn puct(&self, children: &[Eight], mover: Player, c: f32) -> Option<usize> {
        let turn = mover.sign() as f32 * self.scale / ONE as f32;
        let visits: f32 = children
            .iter()
            .flat_map(|group| &group.visits)
            .map(|visits| visits.load(Relaxed) as i32 as f32)
            .sum();
        let factor = c * visits.max(1.0).sqrt();
        let first_mean = match self.first {
            FirstPlay::Always => f32::MAX,
            FirstPlay::Value(value) => value * self.scale,
        };
        best_of(children.len(), |group| {
            puct_part(&Numbers::load(&children[group]), turn, first_mean, factor)
        })
    }
}

/// What eight siblings had at one moment. The atomics are copied out one by one,
/// for compilers make vector code of plain arrays alone; that is also why the
/// two functions below are not inlined.
struct Numbers {
    visits: [i32; LANES],
    sum: [i64; LANES],
    prior: [f32; LANES],
}

impl Numbers {
    #[inline(always)]
    fn load(group: &Eight) -> Numbers {
        Numbers {
            visits: from_fn(|i| group.visits[i].load(Relaxed) as i32),
            sum: from_fn(|i| group.sum[i].load(Relaxed)),
            prior: from_fn(|i| f32::from_bits(group.prior[i].load(Relaxed))),
        }
    }
}

/// Means for the mover, and roots to be multiplied by a factor that all share.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Part {
    mean: [f32; LANES],
    root: [f32; LANES],
}

/// Fills `out` and gives the sum of the visits. Under UCB1 a prior is 0, or minus
/// infinity for the excluded.
#[inline(never)]
fn ucb1_part(eight: &Numbers, turn: f32, first_mean: f32, first_root: f32, out: &mut Part) -> f32 {
    for i in 0..LANES {
        let share = 1.0 / (eight.visits[i].max(1) as f32);
        let new = eight.visits[i] == 0;
        let mean = to_float(eight.sum[i]) * turn * share;
        out.mean[i] = eight.prior[i] + if new { first_mean } else { mean };
        let root = share.sqrt();
        out.root[i] = if new { first_root } else { root };
    }
    eight.visits.iter().fold(0, |a, &b| i32::wrapping_add(a, b)) as f32
}

/// The scores of eight siblings. A prior of minus infinity excludes.
#[inline(never)]
fn puct_part(eight: &Numbers, turn: f32, first_mean: f32, factor: f32) -> [f32; LANES] {
    let mut scores = [0.0; LANES];
    for i in 0..LANES {
        let count = eight.visits[i] as f32;
        let mean = to_float(eight.sum[i]) * turn / count.max(1.0);
        let mean = if eight.visits[i] == 0 { first_mean } else { mean };
        scores[i] = mean + factor * eight.prior[i] / (1.0 + count);
    }
    scores
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
