//! Short chains that cancel out.
//!
//! Two separate chains of one box each have the value 0 together: when a player
//! opens one, the other takes it and opens its twin, and everything is as before.
//! The same holds for two separate chains of two boxes, opened by their middle
//! edges. So pairs of them are removed from a position. Longer chains do not
//! cancel, because the player who is offered one may keep control.
//!
//! Corners make such chains all the time: a corner box with its two border edges
//! left is one.

use super::board::{Board, Position};

impl Board {
    /// A quiet position of the same value without pairs of separate chains of
    /// one box, or of two.
    #[inline]
    pub(super) fn cancelled(&self, position: Position, two: u64) -> Position {
        let up = position.h & self.below;
        let down = position.h >> self.stride & self.above;
        let left = position.v & self.right_of;
        let right = position.v >> 1 & self.left_of;
        let ones = two & !(up | down | left | right);
        // Boxes with a border edge and an edge to a neighbour.
        let ends = two & (up ^ down ^ left ^ right);
        let along = ends & right & ends >> 1;
        let across = ends & down & ends >> self.stride;
        if ones & ones.wrapping_sub(1) == 0 && along.count_ones() + across.count_ones() < 2 {
            return position;
        }
        let keep_one = ones.count_ones() % 2 == 1;
        let ones = if keep_one { ones & ones.wrapping_sub(1) } else { ones };
        let mut struck = ones;
        let mut twos = (along | along << 1, across | across << self.stride);
        if (along.count_ones() + across.count_ones()) % 2 == 1 {
            // One chain of two stays, the first along or else the first across.
            if along != 0 {
                let rest = along & along.wrapping_sub(1);
                twos.0 = rest | rest << 1;
            } else {
                let rest = across & across.wrapping_sub(1);
                twos.1 = rest | rest << self.stride;
            }
        }
        struck |= twos.0 | twos.1;
        Position {
            h: position.h & !(struck | struck << self.stride),
            v: position.v & !(struck | struck << 1),
        }
    }
}
