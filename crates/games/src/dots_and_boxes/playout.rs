//! Random play without positions.
//!
//! A uniformly random game draws the open edges in a uniformly random order,
//! whichever side moves. So a playout shuffles them and only counts: the open
//! sides of each box, whose turn it is, and the lead.

use super::geometry::OUTSIDE;
use super::sides::Sides;
use super::{DotsAndBoxes, Edge, edges_of};
use crate::bits::nth_set;
use crate::{Game, MAX_MOVES, Rng};

/// The open edges in a random order, and the open sides of each box.
struct Shuffle {
    open: [u8; 64],
    order: [u8; MAX_MOVES],
    left: usize,
}

impl Shuffle {
    #[inline]
    fn of(game: &DotsAndBoxes) -> Shuffle {
        let geometry = game.geometry;
        let undrawn = game.undrawn();
        let mut shuffle = Shuffle { open: [0; 64], order: [0; MAX_MOVES], left: 0 };
        for (open, sides) in shuffle.open.iter_mut().zip(&geometry.sides[..geometry.boxes]) {
            *open = (sides & undrawn).count_ones() as u8;
        }
        // Larger than the number of edges: the outside is never closed.
        shuffle.open[usize::from(OUTSIDE)] = u8::MAX;
        for edge in edges_of(undrawn) {
            shuffle.order[shuffle.left] = edge.0;
            shuffle.left += 1;
        }
        shuffle
    }

    /// Drops the edges that give a box away.
    #[inline]
    fn keep_safe(&mut self, game: &DotsAndBoxes) {
        let mut kept = 0;
        for at in 0..self.left {
            let edge = self.order[at];
            let boxes = game.geometry.boxes_of[usize::from(edge) % MAX_MOVES];
            self.order[kept] = edge;
            kept += usize::from(boxes.iter().all(|&b| self.open[usize::from(b) % 64] > 2));
        }
        self.left = kept;
    }

    /// Another edge, while there are any.
    #[inline]
    fn draw(&mut self, rng: &mut Rng) -> Option<u8> {
        if self.left == 0 {
            return None;
        }
        let pick = rng.below(self.left);
        self.left -= 1;
        let edge = self.order[pick];
        self.order[pick] = self.order[self.left];
        Some(edge)
    }
}

impl DotsAndBoxes {
    /// First's lead at the end of a uniformly random game from here.
    pub fn playout_lead(&self, rng: &mut Rng) -> i32 {
        let mut shuffle = Shuffle::of(self);
        let mut lead = self.lead();
        // +1 while First moves, -1 while Second does.
        let mut sign = self.to_move.sign();
        while let Some(edge) = shuffle.draw(rng) {
            let mut taken = 0;
            // The masks change nothing; they spare the checks of the bounds.
            for number in self.geometry.boxes_of[usize::from(edge) % MAX_MOVES] {
                let open = &mut shuffle.open[usize::from(number) % 64];
                *open -= 1;
                taken += i32::from(*open == 0);
            }
            lead += sign * taken;
            sign = if taken == 0 { -sign } else { sign };
        }
        lead
    }

    /// Takes every box that can be taken and then draws safe edges, each with
    /// the same chance, until none is left: how cautious players reach the
    /// endgame. No box is given away.
    pub fn play_safely(&mut self, rng: &mut Rng) {
        let mut sides = self.sides();
        self.take(&mut sides);
        // An edge that is no longer safe never becomes so again: one pass through
        // a random order draws each safe edge with the same chance.
        let mut shuffle = Shuffle::of(self);
        shuffle.keep_safe(self);
        while let Some(edge) = shuffle.draw(rng) {
            let boxes = self.geometry.boxes_of[usize::from(edge) % MAX_MOVES].map(usize::from);
            if boxes.iter().all(|&number| shuffle.open[number % 64] > 2) {
                boxes.iter().for_each(|&number| shuffle.open[number % 64] -= 1);
                self.drawn |= 1 << edge;
                self.to_move = !self.to_move;
            }
        }
    }

    /// Plays on where no harmless edge is left, until a sum of unopened chains and
    /// loops remains: as long as strings of boxes are connected by joints, the
    /// shortest is opened and taken whole.
    ///
    /// This models players who avoid giving boxes away but do not count. It does
    /// not matter which edge opens a string, since all of it is taken.
    pub fn open_joints(&mut self) {
        let mut sides = self.sides();
        loop {
            self.take(&mut sides);
            let by_open = sides.by_open();
            if by_open.roomy == 0 {
                return;
            }
            let mut left = by_open.strung;
            let mut shortest = u64::MAX;
            while left != 0 {
                let string = sides.string(left & left.wrapping_neg(), left);
                if string.count_ones() < shortest.count_ones() {
                    shortest = string;
                }
                left &= !string;
            }
            if shortest == u64::MAX {
                return; // there are harmless edges still
            }
            self.to_move = !self.to_move;
            self.take_all(sides.close(shortest));
        }
    }

    /// Takes every box that can be taken, those that this makes takeable too.
    fn take(&mut self, sides: &mut Sides) {
        loop {
            let takeable = sides.by_open().takeable;
            if takeable == 0 {
                return;
            }
            self.take_all(sides.close(takeable));
        }
    }
}

/// The `k`-th edge of a set, counted from 0; there must be so many.
#[inline]
pub(super) fn select(set: u128, k: u32) -> Edge {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let below = low.count_ones();
    Edge(if k < below { nth_set(low, k) } else { 64 + nth_set(high, k - below) } as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_play_hands_over_nothing_and_ends_where_no_safe_edge_is_left() {
        for seed in 0..500 {
            let mut rng = Rng::seeded(seed);
            let mut game = DotsAndBoxes::start(&Default::default()).unwrap();
            for _ in 0..rng.below(60) {
                game.play(game.random_move(&mut rng).unwrap());
            }
            let before = game;
            game.play_safely(&mut rng);
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
    fn opened_joints_leave_chains_and_loops_alone() {
        let mut opened = 0;
        for seed in 0..500 {
            let mut rng = Rng::seeded(seed);
            let mut game = DotsAndBoxes::start(&Default::default()).unwrap();
            for _ in 0..rng.below(40) {
                game.play(game.random_move(&mut rng).unwrap());
            }
            game.play_safely(&mut rng);
            let before = game;
            game.open_joints();
            opened += usize::from(game != before);
            assert_eq!(game.drawn() & before.drawn(), before.drawn());
            assert_eq!(game.score().iter().sum::<u32>(), game.closed().count_ones());
            assert!(game.chains().iter().all(|c| c.open_ends() == 0 && c.is_independent()));
            let open = (0..25).filter(|&b| game.open_sides(b) > 0).count() as u32;
            assert_eq!(game.chains().iter().map(|c| c.size()).sum::<u32>(), open);
            // One by one: the shortest is opened and whatever can be taken is.
            let mut slow = before;
            while slow.chains().iter().any(|chain| !chain.is_independent()) {
                let shortest = slow.chains().iter().map(|chain| chain.size()).min();
                let with = |chain: &&crate::dots_and_boxes::Chain| Some(chain.size()) == shortest;
                let chains = slow.chains();
                let chain = chains.iter().find(with).unwrap();
                slow.play(edges_of(chain.edges).next().unwrap());
                while let Some(edge) = edges_of(slow.closing()).next() {
                    slow.play(edge);
                }
            }
            assert_eq!(slow, game, "{before:?}");
        }
        assert!(opened > 100, "{opened}");
    }

    #[test]
    fn select_finds_each_edge_of_a_set() {
        let mut rng = Rng::seeded(3);
        for _ in 0..10_000 {
            let mut word = || rng.bits() & rng.bits();
            let set = u128::from(word()) << 64 | u128::from(word());
            for (k, edge) in edges_of(set).enumerate() {
                assert_eq!(select(set, k as u32), edge);
            }
        }
    }
}
