//! The shape of a board as a few masks.
//!
//! A board lies in one word of 64, 128 or 192 bits, column after column from the
//! left, each from the bottom up with one spare bit on top, so that no line runs
//! from one column into the next (the layout of Tromp's Fhourstones). [`Standard`]
//! is the 7 x 6 board with every mask a constant; [`Free`] is any other board, with
//! an optional hole, its masks in memory, in the word that it is asked for. The
//! solver is generic over [`Shape`] and instantiated for all four.

use std::fmt::Debug;

use games::connect_four::Word;

use super::search::{Node, Search};
use super::table::TableWord;

/// What the solver needs of a board's shape.
pub trait Shape: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The word that holds the board.
    type Word: TableWord;

    /// The number of columns.
    fn columns(&self) -> u32;
    /// The number of rows.
    fn rows(&self) -> u32;
    /// The lowest cell of every column, a hole included.
    fn bottom(&self) -> Self::Word;
    /// Every cell that can hold a stone.
    fn board(&self) -> Self::Word;
    /// The forbidden cell, or nothing.
    fn hole(&self) -> Self::Word;
    /// Every cell with an even number of cells above it that can hold a stone.
    /// A player who answers each stone with the stone above it gets these.
    fn even(&self) -> Self::Word;
    /// Every bit of the word that belongs to the board, holes and spare bits
    /// included.
    fn used(&self) -> Self::Word;
    /// All bits of a column, the hole and the spare bit included.
    fn column(&self, column: u32) -> Self::Word;
    /// The column that a single cell lies in.
    fn column_of(&self, cell: Self::Word) -> u32;

    /// Runs a search, as compiled with this crate: what is generic is compiled with
    /// its callers, most of which are not optimised.
    #[expect(private_interfaces, reason = "only the boards of this file are searched")]
    fn run(search: &mut Search<'_, Self>, node: Node<Self::Word>, alpha: i32) -> i32;

    /// Bits from one column to the next.
    #[inline(always)]
    fn stride(&self) -> u32 {
        self.rows() + 1
    }

    /// Bits of the word in use.
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.columns() * self.stride()
    }

    /// How many stones fill the board.
    #[inline(always)]
    fn cells(&self) -> i32 {
        self.board().count() as i32
    }

    /// The next cells above these that can hold a stone, as far as there are any.
    #[inline(always)]
    fn above(&self, cells: Self::Word) -> Self::Word {
        // By sums, in which the hole's bit is carried on to the cell above it: on wide
        // words a sum takes fewer steps than a shift.
        let up = cells.plus(cells);
        up.plus(up & self.hole()) & self.board()
    }

    /// The next cells below these that can hold a stone, as far as there are any.
    #[inline(always)]
    fn below(&self, cells: Self::Word) -> Self::Word {
        let down = cells.down(1);
        (down | (down & self.hole()).down(1)) & self.board()
    }

    /// Whether the board looks the same in a mirror.
    #[inline(always)]
    fn mirrors(&self) -> bool {
        self.hole().is_empty() || self.column_of(self.hole()) * 2 + 1 == self.columns()
    }

    /// The word with the columns in the opposite order.
    #[inline(always)]
    fn mirror(&self, word: Self::Word) -> Self::Word {
        let last = self.columns() - 1;
        let mut turned = match last.is_multiple_of(2) {
            true => word & self.column(last / 2),
            false => Self::Word::default(),
        };
        for left in 0..self.columns() / 2 {
            let shift = (last - 2 * left) * self.stride();
            turned =
                turned | (word & self.column(left)) << shift | (word >> shift) & self.column(left);
        }
        turned
    }
}

/// The 7 x 6 board without a hole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

const STANDARD: Masks = Masks::new(7, 6, None);

impl Shape for Standard {
    type Word = u64;

    #[inline(always)]
    fn columns(&self) -> u32 {
        7
    }
    #[inline(always)]
    fn rows(&self) -> u32 {
        6
    }
    #[inline(always)]
    fn bottom(&self) -> u64 {
        const { STANDARD.bottom[0] }
    }
    #[inline(always)]
    fn board(&self) -> u64 {
        const { STANDARD.board[0] }
    }
    #[inline(always)]
    fn hole(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn even(&self) -> u64 {
        const { STANDARD.even[0] }
    }
    #[inline(always)]
    fn used(&self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
    #[inline(always)]
    fn column(&self, column: u32) -> u64 {
        ((1 << self.stride()) - 1) << (column * self.stride())
    }
    #[inline(always)]
    fn column_of(&self, cell: u64) -> u32 {
        cell.trailing_zeros() / self.stride()
    }
    #[expect(private_interfaces, reason = "as in the trait")]
    fn run(search: &mut Search<'_, Self>, node: Node<u64>, alpha: i32) -> i32 {
        search.run(node, alpha)
    }
}

/// The masks of a board, in pieces of 64 bits from the lowest.
struct Masks {
    bottom: [u64; 3],
    board: [u64; 3],
    hole: [u64; 3],
    even: [u64; 3],
}

impl Masks {
    const fn new(columns: u32, rows: u32, hole: Option<(u32, u32)>) -> Masks {
        let mut masks = Masks { bottom: [0; 3], board: [0; 3], hole: [0; 3], even: [0; 3] };
        let no_cell = u32::MAX;
        let hole = if let Some((column, row)) = hole { column * (rows + 1) + row } else { no_cell };
        if hole != no_cell {
            masks.hole[(hole / 64) as usize] = 1 << (hole % 64);
        }
        let mut column = 0;
        while column < columns {
            let lowest = column * (rows + 1);
            masks.bottom[(lowest / 64) as usize] |= 1 << (lowest % 64);
            let (mut row, mut even) = (rows, true);
            while row > 0 {
                row -= 1;
                let cell = lowest + row;
                if cell != hole {
                    masks.board[(cell / 64) as usize] |= 1 << (cell % 64);
                    masks.even[(cell / 64) as usize] |= (even as u64) << (cell % 64);
                    even = !even;
                }
            }
            column += 1;
        }
        masks
    }
}

/// Any board that fits the word, with at most one hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free<W = u64> {
    columns: u32,
    rows: u32,
    bottom: W,
    board: W,
    hole: W,
    even: W,
    used: W,
    column: [W; MOST_COLUMNS as usize],
    cells: i32,
    mirrors: bool,
    /// One column in fractions of a cell: a division would be slow.
    per_cell: u32,
}

const MOST_COLUMNS: u32 = 12;
const FRACTIONS: u32 = 12;

impl<W: TableWord> Free<W> {
    /// A board of 4 to 12 columns and rows whose columns, each a row taller,
    /// fit the word. `hole` is a column and a row, from 0 at the bottom left.
    pub fn new(columns: u32, rows: u32, hole: Option<(u32, u32)>) -> Option<Free<W>> {
        let (stride, bits) = (rows + 1, columns * (rows + 1));
        let fits = (4..=MOST_COLUMNS).contains(&columns)
            && (4..=12).contains(&rows)
            && bits <= W::BITS
            && hole.is_none_or(|(column, row)| column < columns && row < rows);
        if !fits {
            return None;
        }
        let masks = Masks::new(columns, rows, hole);
        let board = W::from_limbs(masks.board);
        let column = |column: u32| match column < columns {
            true => W::from_limbs([(1 << stride) - 1, 0, 0]) << (column * stride),
            false => W::default(),
        };
        Some(Free {
            columns,
            rows,
            bottom: W::from_limbs(masks.bottom),
            board,
            hole: W::from_limbs(masks.hole),
            even: W::from_limbs(masks.even),
            used: !W::default() >> (W::BITS - bits),
            column: std::array::from_fn(|i| column(i as u32)),
            cells: board.count() as i32,
            mirrors: hole.is_none_or(|(column, _)| column * 2 + 1 == columns),
            per_cell: (1u32 << FRACTIONS).div_ceil(stride),
        })
    }
}

impl<W: TableWord> Shape for Free<W> {
    type Word = W;

    #[inline(always)]
    fn columns(&self) -> u32 {
        self.columns
    }
    #[inline(always)]
    fn rows(&self) -> u32 {
        self.rows
    }
    #[inline(always)]
    fn bottom(&self) -> W {
        self.bottom
    }
    #[inline(always)]
    fn board(&self) -> W {
        self.board
    }
    #[inline(always)]
    fn hole(&self) -> W {
        self.hole
    }
    #[inline(always)]
    fn even(&self) -> W {
        self.even
    }
    #[inline(always)]
    fn used(&self) -> W {
        self.used
    }
    #[inline(always)]
    fn column(&self, column: u32) -> W {
        self.column[column as usize]
    }
    #[inline(always)]
    fn cells(&self) -> i32 {
        self.cells
    }
    #[inline(always)]
    fn mirrors(&self) -> bool {
        self.mirrors
    }
    #[inline(always)]
    fn column_of(&self, cell: W) -> u32 {
        (cell.lowest() * self.per_cell) >> FRACTIONS
    }
    #[expect(private_interfaces, reason = "as in the trait")]
    fn run(search: &mut Search<'_, Self>, node: Node<W>, alpha: i32) -> i32 {
        W::run(search, node, alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_its_column() {
        for (columns, rows) in
            (4..=12).flat_map(|columns| (4..=12).map(move |rows| (columns, rows)))
        {
            let shape = Free::<games::connect_four::U192>::new(columns, rows, None).unwrap();
            for (index, cell) in (0..).zip(shape.used().singles()) {
                assert_eq!(shape.column_of(cell), index / (rows + 1));
                assert!(!(shape.column(shape.column_of(cell)) & cell).is_empty());
            }
        }
    }
}
