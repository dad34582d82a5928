//! The shape of a board as a few masks.
//!
//! A board lies in one 64-bit word, column after column from the left, each
//! from the bottom up with one spare bit on top, so that no line runs from one
//! column into the next (the layout of Tromp's Fhourstones). [`Standard`] is the
//! 7 x 6 board with every mask a constant; [`Free`] is any other board that fits,
//! with an optional hole, its masks in memory. The solver is generic over
//! [`Shape`] and instantiated for both.

use std::fmt::Debug;

/// What the solver needs of a board's shape.
pub trait Shape: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The number of columns.
    fn columns(&self) -> u32;
    /// The number of rows.
    fn rows(&self) -> u32;
    /// The lowest cell of every column, a hole included.
    fn bottom(&self) -> u64;
    /// Every cell that can hold a stone.
    fn board(&self) -> u64;
    /// The forbidden cell, or nothing.
    fn hole(&self) -> u64;
    /// Every cell with an even number of cells above it that can hold a stone.
    /// A player who answers each stone with the stone above it gets these.
    fn even(&self) -> u64;

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
        self.board().count_ones() as i32
    }

    /// All bits of a column, the hole and the spare bit included.
    #[inline(always)]
    fn column(&self, column: u32) -> u64 {
        ((1 << self.stride()) - 1) << (column * self.stride())
    }

    /// The column that a single cell lies in.
    #[inline(always)]
    fn column_of(&self, cell: u64) -> u32 {
        cell.trailing_zeros() / self.stride()
    }

    /// The next cells above these that can hold a stone, as far as there are any.
    #[inline(always)]
    fn above(&self, cells: u64) -> u64 {
        let up = cells << 1;
        (up | ((up & self.hole()) << 1)) & self.board()
    }

    /// The next cells below these that can hold a stone, as far as there are any.
    #[inline(always)]
    fn below(&self, cells: u64) -> u64 {
        let down = cells >> 1;
        (down | ((down & self.hole()) >> 1)) & self.board()
    }

    /// Whether the board looks the same in a mirror.
    #[inline(always)]
    fn mirrors(&self) -> bool {
        self.hole() == 0 || self.column_of(self.hole()) * 2 + 1 == self.columns()
    }

    /// The word with the columns in the opposite order.
    #[inline(always)]
    fn mirror(&self, word: u64) -> u64 {
        let last = self.columns() - 1;
        let mut turned = if last.is_multiple_of(2) { word & self.column(last / 2) } else { 0 };
        for left in 0..self.columns() / 2 {
            let shift = (last - 2 * left) * self.stride();
            turned |= (word & self.column(left)) << shift;
            turned |= (word >> shift) & self.column(left);
        }
        turned
    }
}

/// The 7 x 6 board without a hole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

const STANDARD: Free = Free::masks(7, 6, None);

impl Shape for Standard {
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
        const { STANDARD.bottom }
    }
    #[inline(always)]
    fn board(&self) -> u64 {
        const { STANDARD.board }
    }
    #[inline(always)]
    fn hole(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn even(&self) -> u64 {
        const { STANDARD.even }
    }
}

/// Any board of up to 64 bits, with at most one hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    columns: u32,
    rows: u32,
    bottom: u64,
    board: u64,
    hole: u64,
    even: u64,
}

impl Free {
    /// A board of 4 to 12 columns and rows whose columns, each a row taller,
    /// fit 64 bits. `hole` is a column and a row, from 0 at the bottom left.
    pub fn new(columns: u32, rows: u32, hole: Option<(u32, u32)>) -> Option<Free> {
        let fits = (4..=12).contains(&columns)
            && (4..=12).contains(&rows)
            && columns * (rows + 1) <= 64
            && hole.is_none_or(|(column, row)| column < columns && row < rows);
        fits.then(|| Free::masks(columns, rows, hole))
    }

    const fn masks(columns: u32, rows: u32, hole: Option<(u32, u32)>) -> Free {
        let mut free = Free { columns, rows, bottom: 0, board: 0, hole: 0, even: 0 };
        if let Some((column, row)) = hole {
            free.hole = 1 << (column * (rows + 1) + row);
        }
        let mut column = 0;
        while column < columns {
            free.bottom |= 1 << (column * (rows + 1));
            let (mut row, mut even) = (rows, true);
            while row > 0 {
                row -= 1;
                let cell = 1 << (column * (rows + 1) + row);
                if cell != free.hole {
                    free.board |= cell;
                    free.even |= if even { cell } else { 0 };
                    even = !even;
                }
            }
            column += 1;
        }
        free
    }
}

impl Shape for Free {
    fn columns(&self) -> u32 {
        self.columns
    }
    fn rows(&self) -> u32 {
        self.rows
    }
    fn bottom(&self) -> u64 {
        self.bottom
    }
    fn board(&self) -> u64 {
        self.board
    }
    fn hole(&self) -> u64 {
        self.hole
    }
    fn even(&self) -> u64 {
        self.even
    }
}
