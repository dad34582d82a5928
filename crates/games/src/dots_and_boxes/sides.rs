//! The open sides of all boxes at once: a word of boxes for each direction.
//!
//! Counting the open sides of every box, finding the boxes that can be taken
//! and following a string of boxes are a few shifts of these words, where the
//! edges of one box after the other would take hundreds of steps. Rollouts need
//! this at every leaf. The values of the strings are not known here.

use super::DotsAndBoxes;

/// Which boxes of a position are open to which side. Boxes are bits as in
/// [`DotsAndBoxes::owned`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Boxes whose upper, lower, left and right edge is not drawn.
    open: [u64; 4],
    /// Boxes of the first and the last row and column, in the same order.
    rims: [u64; 4],
    columns: u32,
}

/// The boxes of a position by the number of their open sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByOpen {
    /// One: they can be taken.
    pub takeable: u64,
    /// Two: drawing one of these sides gives the box to the opponent.
    pub strung: u64,
    /// Three or four.
    pub roomy: u64,
}

impl DotsAndBoxes {
    /// The open sides of all boxes.
    pub fn sides(&self) -> Sides {
        let (rows, columns) = (self.geometry.setup.rows.into(), self.geometry.setup.columns.into());
        let undrawn = self.undrawn();
        let all = (1u64 << self.geometry.boxes) - 1;
        // Horizontals are numbered as the boxes below them. Verticals have one
        // more in each row.
        let mut verticals = undrawn >> ((rows + 1) * columns);
        let row = (1u64 << columns) - 1;
        let (mut left, mut right, mut first) = (0, 0, 0);
        for at in (0..rows).map(|row| row * columns) {
            left |= (verticals as u64 & row) << at;
            right |= ((verticals >> 1) as u64 & row) << at;
            first |= 1u64 << at;
            verticals >>= columns + 1;
        }
        Sides {
            open: [undrawn as u64 & all, (undrawn >> columns) as u64 & all, left, right],
            rims: [row, row << ((rows - 1) * columns), first, first << (columns - 1)],
            columns,
        }
    }

    /// Draws every side of these boxes that is still open and gives the boxes to
    /// the player to move: what taking them one by one comes to. They must be
    /// takeable in some order and have no owner yet.
    pub(super) fn take_all(&mut self, boxes: u64) {
        let mut left = boxes;
        while left != 0 {
            self.drawn |= self.geometry.sides[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        self.owned[self.to_move as usize] |= boxes;
    }
}

impl Sides {
    /// The boxes by the number of their open sides.
    #[inline]
    pub fn by_open(&self) -> ByOpen {
        let [top, bottom, left, right] = self.open;
        let (upright, across) = (top ^ bottom, left ^ right);
        let (both_upright, both_across) = (top & bottom, left & right);
        let odd = upright ^ across;
        let pair = both_upright | both_across;
        ByOpen {
            takeable: odd & !pair,
            strung: !odd & (upright & across | both_upright ^ both_across),
            roomy: odd & pair | both_upright & both_across,
        }
    }

    /// The boxes that these boxes open to.
    #[inline]
    fn next_to(&self, boxes: u64) -> u64 {
        let [top, bottom, left, right] = self.open;
        (boxes & top) >> self.columns
            | (boxes & bottom & !self.rims[1]) << self.columns
            | (boxes & left & !self.rims[2]) >> 1
            | (boxes & right & !self.rims[3]) << 1
    }

    /// Everything within `among` that hangs together with `start` through open
    /// sides.
    #[inline]
    pub fn string(&self, start: u64, among: u64) -> u64 {
        let (mut string, mut new) = (start, start);
        while new != 0 {
            new = self.next_to(new) & among & !string;
            string |= new;
        }
        string
    }

    /// Whether a side of these boxes leads off the board.
    #[inline]
    pub fn is_grounded(&self, boxes: u64) -> bool {
        let ground = self.open.iter().zip(self.rims).fold(0, |set, (open, rim)| set | open & rim);
        boxes & ground != 0
    }

    /// Draws all sides of these boxes, and answers which boxes are closed by it:
    /// one that lies between two of them may be, too.
    #[inline]
    pub fn close(&mut self, boxes: u64) -> u64 {
        let [top, bottom, left, right] = self.open;
        self.open = [
            top & !(boxes | boxes << self.columns),
            bottom & !(boxes | boxes >> self.columns),
            left & !(boxes | (boxes & !self.rims[3]) << 1),
            right & !(boxes | (boxes & !self.rims[2]) >> 1),
        ];
        let open = |open: [u64; 4]| open.into_iter().fold(0, |set, side| set | side);
        open([top, bottom, left, right]) & !open(self.open)
    }

    /// Whether an edge is left that bounds none but boxes with three or four open
    /// sides: one that neither takes a box nor gives one away.
    #[inline]
    pub fn has_harmless_edge(&self) -> bool {
        let roomy = self.by_open().roomy;
        let [top, bottom, left, right] = self.open;
        let beyond = [
            top & (roomy << self.columns | self.rims[0]),
            bottom & self.rims[1],
            left & ((roomy & !self.rims[3]) << 1 | self.rims[2]),
            right & self.rims[3],
        ];
        beyond.into_iter().fold(0, |set, edges| set | edges) & roomy != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::{Edge, Setup, edges_of};
    use crate::{Game, Rng};

    #[test]
    fn the_words_say_what_the_edges_say() {
        for (seed, (rows, columns)) in (0..800)
            .zip([(1, 6), (6, 1), (3, 3), (5, 5), (4, 7), (42, 1), (7, 8)].into_iter().cycle())
        {
            let mut rng = Rng::stream(4, seed);
            let mut game = DotsAndBoxes::start(&Setup { rows, columns }).unwrap();
            for _ in 0..rng.below(game.count_moves() + 1) {
                game.play(game.random_move(&mut rng).unwrap());
            }
            let sides = game.sides();
            let by_open = sides.by_open();
            let set = |open: &[u32]| {
                let has = |&b: &usize| open.contains(&game.open_sides(b));
                (0..game.setup().boxes()).filter(has).fold(0u64, |set, b| set | 1 << b)
            };
            assert_eq!(by_open.takeable, set(&[1]), "{game:?}");
            assert_eq!(by_open.strung, set(&[2]), "{game:?}");
            assert_eq!(by_open.roomy, set(&[3, 4]), "{game:?}");
            let harmless = edges_of(game.undrawn())
                .any(|edge| game.boxes_of(edge).all(|number| game.open_sides(number) > 2));
            assert_eq!(sides.has_harmless_edge(), harmless, "{game:?}");
            let mut all = sides;
            let between = all.close(by_open.takeable);
            let drawn = (0..game.setup().boxes())
                .filter(|b| by_open.takeable >> b & 1 == 1)
                .fold(game.drawn(), |set, b| set | game.box_edges(b));
            let after =
                DotsAndBoxes::from_parts(&game.setup(), drawn, game.to_move(), [0; 2]).unwrap();
            assert_eq!((between, all), (after.closed() & !game.closed(), after.sides()));
            let beads = by_open.takeable | by_open.strung;
            for chain in game.chains() {
                let start = 1 << chain.boxes.trailing_zeros();
                assert_eq!(sides.string(start, beads), chain.boxes, "{game:?}");
                let rim = |&edge: &Edge| game.boxes_of(edge).count() == 1;
                assert_eq!(sides.is_grounded(chain.boxes), edges_of(chain.edges).any(|e| rim(&e)));
                // Closing its boxes is drawing its edges.
                let mut closed = sides;
                assert_eq!(closed.close(chain.boxes), chain.boxes, "{game:?}");
                let mut drawn = game;
                drawn.take_all(chain.boxes);
                assert_eq!(closed, drawn.sides(), "{game:?}");
                assert_eq!(drawn.drawn(), game.drawn() | chain.edges);
            }
        }
    }
}
