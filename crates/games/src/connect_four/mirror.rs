//! The left-right mirror image of a board.

use super::{Column, ConnectFour, NO_HOLE, Word};
use crate::{Game, Symmetric};

impl<W: Word> Symmetric for ConnectFour<W> {
    /// The mirror is the only one, and only if the hole stays where it is.
    fn symmetries(&self) -> usize {
        let middle = |hole: u8| 2 * (hole / (self.rows + 1)) + 1 == self.columns;
        if self.hole == NO_HOLE || middle(self.hole) { 2 } else { 1 }
    }

    #[inline]
    fn transform(&self, s: usize) -> ConnectFour<W> {
        let mut image = *self;
        if s == 1 {
            let stride = self.stride();
            let column_bits = (1u64 << stride) - 1;
            for (from, to) in self.stones.iter().zip(&mut image.stones) {
                (*to, _) = (0..self.columns).fold((W::default(), *from), |(built, rest), _| {
                    (
                        built << stride | W::from_limbs([rest.low() & column_bits, 0, 0]),
                        rest >> stride,
                    )
                });
            }
        }
        image
    }

    fn transform_move(&self, s: usize, Column(column): Column) -> Column {
        debug_assert!(usize::from(column) < self.move_codes());
        if s == 1 { Column(self.columns - 1 - column) } else { Column(column) }
    }
}
