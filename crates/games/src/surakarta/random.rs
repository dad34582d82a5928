//! Uniformly random moves and games, without listing moves.
//!
//! A random game is most of what a rollout search does, so it has a form of its
//! own: both boards and both unrolled circuits, carried from ply to ply and
//! swapped instead of branching on whose turn it is. One move of a position is chosen
//! by the same code, so a position's `playout` is the game that `random_move`
//! and `play` give with the same generator.

use std::mem;

use super::geometry::FULL;
use super::moves::Move;
use super::rings::{self, CaptureList, Rings, SLOTS};
use super::steps::Steps;

/// The board as the side to move sees it.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub own: u64,
    pub other: u64,
    own_slots: u64,
    other_slots: u64,
}

impl View {
    #[inline]
    pub fn new(own: u64, other: u64) -> View {
        View { own, other, own_slots: rings::slots(own), other_slots: rings::slots(other) }
    }

    #[inline]
    pub fn steps(&self) -> Steps {
        Steps::of(self.own, FULL & !(self.own | self.other))
    }

    #[inline]
    pub fn rings(&self) -> Rings {
        Rings::of(self.own_slots, self.other_slots)
    }

    /// A legal move by the board alone, each with the same probability; `below` gives
    /// random numbers below one.
    ///
    /// Rejection sampling: steps and capture candidates have a number each. Some
    /// candidates are no capture or repeat another one; that is checked only when
    /// one is drawn, and then another number is drawn.
    #[inline]
    pub fn pick(&self, mut below: impl FnMut(usize) -> usize) -> Option<Move> {
        let (steps, rings) = (self.steps(), self.rings());
        let totals = steps.totals();
        let quiet = (totals >> 56) as usize;
        if quiet == 0 {
            return self.pick_capture(below);
        }
        loop {
            let number = below(quiet + rings.candidates());
            if number < quiet {
                return Some(steps.nth(totals, number));
            }
            if let Some(mv) = rings.accept(number - quiet) {
                return Some(mv);
            }
        }
    }

    #[cold]
    fn pick_capture(&self, mut below: impl FnMut(usize) -> usize) -> Option<Move> {
        let list = self.captures();
        if list.is_empty() { None } else { Some(list[below(list.len())]) }
    }

    /// The captures, each once.
    #[inline]
    pub fn captures(&self) -> CaptureList {
        let mut list = CaptureList::new();
        self.rings().captures(&mut list);
        list
    }

    /// Makes a move and turns the board to the other side. True for a capture.
    #[inline]
    pub fn make(&mut self, mv: Move) -> bool {
        let (from, to) = (mv.from.index(), mv.to.index());
        let taken = self.other & mv.to.bit();
        self.own ^= mv.from.bit() | mv.to.bit();
        self.other ^= taken;
        self.own_slots = self.own_slots & !SLOTS[from] | SLOTS[to];
        self.other_slots &= !SLOTS[to];
        mem::swap(&mut self.own, &mut self.other);
        mem::swap(&mut self.own_slots, &mut self.other_slots);
        taken != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// With this and an even generator, every move is equally likely.
    #[test]
    fn every_move_is_accepted_for_one_number() {
        let (mut rng, mut rejected) = (Rng::seeded(5), 0);
        for _ in 0..50_000 {
            // About as full as a third, a sixth or a twelfth of the board.
            let thin = (0..rng.below(3)).fold(FULL, |board, _| board & rng.bits());
            let own = rng.bits() & rng.bits() & thin;
            let view = View::new(own, rng.bits() & rng.bits() & thin & !own);
            let (steps, rings) = (view.steps(), view.rings());
            let totals = steps.totals();
            if steps.count() >= 128 {
                continue; // more pieces than a side can have
            }
            let mut listed = Vec::new();
            steps.each(|mv| listed.push(mv));
            let drawn: Vec<Move> = (0..steps.count()).map(|k| steps.nth(totals, k)).collect();
            assert_eq!(drawn, listed);
            let drawn: Vec<Move> =
                (0..rings.candidates()).filter_map(|k| rings.accept(k)).collect();
            assert_eq!(drawn, view.captures().to_vec());
            rejected += rings.candidates() - drawn.len();
        }
        assert!(rejected > 1000, "{rejected}");
    }
}
