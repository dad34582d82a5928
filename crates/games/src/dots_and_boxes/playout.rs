//! Random play without positions.
//!
//! A uniformly random game draws the open edges in a uniformly random order,
//! whoever moves. So a playout shuffles them and only counts: the open sides of
//! each box, whose turn it is, and the lead.

use super::geometry::OUTSIDE;
use super::{DotsAndBoxes, Edge, edges_of};
use crate::{Dice, Game, MAX_MOVES};

impl DotsAndBoxes {
    /// First's lead at the end of a uniformly random game from here.
    pub fn playout_lead(&self, dice: &mut Dice) -> i32 {
        let geometry = self.geometry;
        let undrawn = self.undrawn();
        let mut open = [0u8; 64];
        for (open, sides) in open.iter_mut().zip(&geometry.sides[..geometry.boxes]) {
            *open = (sides & undrawn).count_ones() as u8;
        }
        // Larger than the number of edges: the outside is never closed.
        open[usize::from(OUTSIDE)] = u8::MAX;
        let mut order = [0u8; MAX_MOVES];
        let mut left = 0;
        for edge in edges_of(undrawn) {
            order[left] = edge.0;
            left += 1;
        }
        let mut lead = self.lead();
        // +1 while First moves, -1 while Second does.
        let mut sign = self.to_move.sign();
        while left > 0 {
            let pick = dice.below(left);
            left -= 1;
            let edge = order[pick];
            order[pick] = order[left];
            let mut taken = 0;
            // The masks change nothing; they spare the checks of the bounds.
            for number in geometry.boxes_of[usize::from(edge) % MAX_MOVES] {
                let open = &mut open[usize::from(number) % 64];
                *open -= 1;
                taken += i32::from(*open == 0);
            }
            lead += sign * taken;
            sign = if taken == 0 { -sign } else { sign };
        }
        lead
    }
}

impl DotsAndBoxes {
    /// Takes every box that can be taken and then draws safe edges, each with
    /// the same chance, until none is left: how cautious players reach the
    /// endgame. Nobody is handed a box on the way.
    pub fn play_safely(&mut self, dice: &mut Dice) {
        while let Some(edge) = edges_of(self.closing()).next() {
            self.play(edge);
        }
        let geometry = self.geometry;
        let undrawn = self.undrawn();
        let mut open = [0u8; 64];
        for (open, sides) in open.iter_mut().zip(&geometry.sides[..geometry.boxes]) {
            *open = (sides & undrawn).count_ones() as u8;
        }
        open[usize::from(OUTSIDE)] = u8::MAX;
        let mut order = [0u8; MAX_MOVES];
        let mut left = 0;
        for edge in edges_of(undrawn) {
            order[left] = edge.0;
            left += 1;
        }
        // An edge that is no longer safe never becomes so again: one pass through
        // a random order draws each safe edge with the same chance.
        while left > 0 {
            let pick = dice.below(left);
            left -= 1;
            let edge = order[pick];
            order[pick] = order[left];
            let [a, b] = geometry.boxes_of[usize::from(edge) % MAX_MOVES].map(usize::from);
            if open[a % 64] > 2 && open[b % 64] > 2 {
                open[a % 64] -= 1;
                open[b % 64] -= 1;
                self.drawn |= 1 << edge;
                self.to_move = !self.to_move;
            }
        }
    }
}

/// The `k`-th edge of a set, counted from 0; there must be so many.
#[inline]
pub(super) fn select(set: u128, k: u32) -> Edge {
    let low = (set as u64).count_ones();
    Edge(if k < low { select64(set as u64, k) } else { 64 + select64((set >> 64) as u64, k - low) }
        as u8)
}

/// The place of the `k`-th one of a word: six halvings, each by a count.
#[inline]
fn select64(word: u64, mut k: u32) -> u32 {
    let mut place = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let ones = (word >> place & ((1 << width) - 1)).count_ones();
        if k >= ones {
            k -= ones;
            place += width;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_play_hands_over_nothing_and_ends_where_no_safe_edge_is_left() {
        for seed in 0..500 {
            let mut dice = Dice::seeded(seed);
            let mut game = DotsAndBoxes::start(&Default::default()).unwrap();
            for _ in 0..dice.below(60) {
                game.play(game.random_move(&mut dice).unwrap());
            }
            let before = game;
            game.play_safely(&mut dice);
            assert_eq!(game.drawn() & before.drawn(), before.drawn());
            assert_eq!((game.safe(), game.closing()), (0, 0), "{before:?}");
            // The same edges one by one, in an order that takes boxes first, is a
            // legal game with the same end.
            let mut slow = before;
            while let Some(edge) = edges_of(slow.closing()).next() {
                slow.play(edge);
            }
            for edge in edges_of(game.drawn() & !slow.drawn()) {
                assert_ne!(slow.safe() & edge.bit(), 0);
                slow.play(edge);
            }
            assert_eq!(slow, game);
        }
    }

    #[test]
    fn select_finds_each_edge_of_a_set() {
        let mut dice = Dice::seeded(3);
        for _ in 0..10_000 {
            let mut word = || dice.bits() & dice.bits();
            let set = u128::from(word()) << 64 | u128::from(word());
            for (k, edge) in edges_of(set).enumerate() {
                assert_eq!(select(set, k as u32), edge);
            }
        }
    }
}
