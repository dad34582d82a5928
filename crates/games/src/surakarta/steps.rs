//! Steps: one piece to an empty neighbour.
//!
//! All steps in one direction are one shift of the mover's board, so counting
//! them is eight shifts and eight bit counts, and the k-th step is found without
//! listing the ones before it.

use super::geometry::{FULL, Point};
use super::moves::Move;

const LEFT_COLUMN: u64 = 0x4104_1041;
const RIGHT_COLUMN: u64 = LEFT_COLUMN << 5;
const NOT_LEFT: u64 = FULL & !LEFT_COLUMN;
const NOT_RIGHT: u64 = FULL & !RIGHT_COLUMN;

/// The change of a point's index in each direction, in the order of listing.
const DELTAS: [i8; 8] = [-7, -6, -5, -1, 1, 5, 6, 7];

/// The steps of one side, as the targets reached in each direction.
pub(super) struct Steps([u64; 8]);

impl Steps {
    #[inline]
    pub fn of(own: u64, empty: u64) -> Steps {
        // A shift past the edge comes out at the other side of the board: what
        // went left can't land in the right column, and the other way round.
        let (left, right) = (empty & NOT_RIGHT, empty & NOT_LEFT);
        Steps([
            (own >> 7) & left,
            (own >> 6) & empty,
            (own >> 5) & right,
            (own >> 1) & left,
            (own << 1) & right,
            (own << 5) & left,
            (own << 6) & empty,
            (own << 7) & right,
        ])
    }

    /// Byte d holds the number of steps in directions 0 to d; the last byte is
    /// the number of all steps. No byte overflows: a side has at most 12 pieces.
    #[inline]
    pub fn totals(&self) -> u64 {
        let counts =
            self.0.iter().rev().fold(0, |bytes, to| bytes << 8 | u64::from(to.count_ones()));
        counts.wrapping_mul(EACH_BYTE)
    }

    /// Whether there is one.
    #[inline]
    pub fn any(&self) -> bool {
        self.0.iter().fold(0, |any, to| any | to) != 0
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.0.iter().map(|to| to.count_ones() as usize).sum()
    }

    /// The step with number `k`, which is below the count; `totals` are ours.
    #[inline]
    pub fn nth(&self, totals: u64, k: usize) -> Move {
        debug_assert_eq!(totals, self.totals());
        debug_assert!(k < (totals >> 56) as usize);
        // The high bit of byte d survives the subtraction exactly if the first
        // d + 1 directions hold no more than k steps.
        let passed =
            ((k as u64 | 0x80).wrapping_mul(EACH_BYTE).wrapping_sub(totals)) & (EACH_BYTE << 7);
        let direction = passed.count_ones() as usize & 7;
        let before = (totals << 8) >> (8 * direction) & 0xff;
        let to = Point::nth(self.0[direction], k as u32 - before as u32);
        Move { from: to.moved(-DELTAS[direction]), to }
    }

    #[inline]
    pub fn each(&self, mut take: impl FnMut(Move)) {
        for (&targets, delta) in self.0.iter().zip(DELTAS) {
            let mut rest = targets;
            while rest != 0 {
                let to = Point::lowest(rest);
                take(Move { from: to.moved(-delta), to });
                rest &= rest - 1;
            }
        }
    }
}

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
