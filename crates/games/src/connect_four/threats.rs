//! What stands on the board and what would complete a four: what searches and
//! evaluations need beyond the rules.

use super::{Column, ConnectFour, NO_HOLE, State, Word};
use crate::{Game, Player};

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing yet.
    Empty,
    /// A stone of this player.
    Stone(Player),
    /// The forbidden cell.
    Hole,
}

/// A set of columns, as an iterator from the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns(u16);

impl Columns {
    /// Whether the column is one of them.
    #[inline]
    pub fn contains(self, column: Column) -> bool {
        self.0 >> column.0 & 1 == 1
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Columns {
    type Item = Column;

    #[inline]
    fn next(&mut self) -> Option<Column> {
        if self.0 == 0 {
            return None;
        }
        let column = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Column(column))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Columns {}

impl<W: Word> ConnectFour<W> {
    /// How many columns the board has.
    #[inline]
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// How many rows the board has.
    #[inline]
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// How many stones have been played.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies.into()
    }

    /// How many stones a full board holds: its cells without the hole.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.capacity().into()
    }

    /// The bit of a cell, both counted from 0 at the bottom left.
    #[inline]
    pub fn bit(&self, column: u8, row: u8) -> W {
        W::bit(u32::from(column) * self.stride() + u32::from(row))
    }

    /// The column and the row of each cell of a set.
    pub fn places(&self, cells: W) -> impl Iterator<Item = (u8, u8)> + use<W> {
        let stride = self.stride();
        cells.indices().map(move |index| ((index / stride) as u8, (index % stride) as u8))
    }

    /// The cells with a stone of this player.
    #[inline]
    pub fn stones(&self, player: Player) -> W {
        self.stones[player as usize]
    }

    /// What a cell holds, both counted from 0 at the bottom left.
    pub fn cell(&self, column: u8, row: u8) -> Cell {
        let bit = self.bit(column, row);
        match Player::BOTH.into_iter().find(|&player| !(self.stones(player) & bit).is_empty()) {
            Some(player) => Cell::Stone(player),
            None if (self.hole_bit() & bit).is_empty() => Cell::Empty,
            None => Cell::Hole,
        }
    }

    /// The row where the next stone in this column lands, counted from 0; the
    /// number of rows if the column is full.
    #[inline]
    pub fn height(&self, column: Column) -> u8 {
        let base = u32::from(column.0) * self.stride();
        (self.filled() >> base).low().trailing_ones() as u8
    }

    /// The cells that take stones: all but the hole.
    #[inline]
    pub fn board(&self) -> W {
        let bottom = self.bottom();
        // Each column's lowest bit, taken from the bit above it, leaves its rows.
        let rows = (bottom << self.rows.into()).plus(!bottom).plus(W::bit(0));
        rows ^ self.hole_bit()
    }

    /// The cells where the next stone of each open column lands; none when the
    /// game is over.
    #[inline]
    pub fn landing(&self) -> W {
        match self.state {
            State::Open => {
                let filled = self.filled();
                filled.plus(self.bottom()) & !filled & self.board()
            }
            _ => W::default(),
        }
    }

    /// The empty cells, within reach or not, where a stone would complete a four
    /// for this player.
    #[inline]
    pub fn threats(&self, player: Player) -> W {
        let fourth = self.stones(player).fourths(self.stride());
        fourth & self.board() & !self.filled()
    }

    /// The columns where this player would complete a four if it were to move;
    /// none when the game is over.
    #[inline]
    pub fn wins(&self, player: Player) -> Columns {
        self.columns_of(self.threats(player) & self.landing())
    }

    /// The same stones with their owners exchanged: the board as it would be for the
    /// opponent to move.
    #[must_use]
    pub fn with_stones_exchanged(&self) -> ConnectFour<W> {
        let [first, second] = self.stones;
        let state = match self.state {
            State::Won(player) => State::Won(!player),
            state => state,
        };
        ConnectFour { stones: [second, first], state, ..*self }
    }

    /// The columns of these cells.
    #[inline]
    pub fn columns_of(&self, cells: W) -> Columns {
        Columns(self.places(cells).fold(0, |set, (column, _)| set | 1 << column))
    }

    /// The cells within reach after which the other side can't win at once: it is
    /// blocked where it could, and gets no cell that it needs. None when the game
    /// is over.
    #[inline]
    pub fn harmless(&self) -> W {
        let landing = self.landing();
        let theirs = self.threats(!self.to_move());
        let forced = theirs & landing;
        let cells = match forced.count() {
            0 => landing,
            1 => forced,
            _ => return W::default(),
        };
        // A stone below the hole is below the cell above the hole.
        let over_hole = match self.hole {
            NO_HOLE => W::default(),
            hole => theirs & W::bit(u32::from(hole) + 1),
        };
        cells & !(theirs >> 1 | over_hole >> 2)
    }

    /// The columns where the side to move wins at once.
    #[inline]
    pub fn winning_moves(&self) -> Columns {
        self.wins(self.to_move())
    }

    /// The columns where the other side would win at once, were it its turn:
    /// what has to be blocked.
    #[inline]
    pub fn opponent_threats(&self) -> Columns {
        self.wins(!self.to_move())
    }
}
