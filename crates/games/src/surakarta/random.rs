//! Uniformly random moves and games, without listing moves.
//!
//! A random game is most of what a rollout search does, so it has a form of its
//! own: both boards and both unrolled circuits, carried from ply to ply and
//! swapped instead of asking whose turn it is. One move of a position is chosen
//! by the same code, so a position's `playout` is the game that `random_move`
//! and `play` give with the same dice.

use std::mem;

use super::geometry::FULL;
use super::moves::Move;
use super::rings::{self, CaptureList, Rings, SLOTS};
use super::steps::Steps;
use crate::Dice;

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

    /// A legal move by the board alone, each with the same probability: the one
    /// that the same dice pick from the list of captures and steps.
    #[inline]
    pub fn pick(&self, dice: &mut Dice) -> Option<Move> {
        let steps = self.steps();
        let totals = steps.totals();
        let mut captures = CaptureList::new();
        self.rings().captures(&mut captures);
        let all = (totals >> 56) as usize + captures.len();
        if all == 0 {
            return None;
        }
        let k = dice.below(all);
        Some(if k < captures.len() { captures[k] } else { steps.nth(totals, k - captures.len()) })
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
