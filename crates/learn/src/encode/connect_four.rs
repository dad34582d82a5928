//! Connect Four: stones, the cells of the board, where the next stones land, and
//! the parities on which zugzwang rests.
//!
//! Boards of every size share one network, each encoded at its own size. Who gets
//! a cell when both sides only fill up columns depends on parities, which
//! convolutions can't count, so planes show them: the cells that are filled at odd
//! turns of their column, whether the mover is First, and whether he places the
//! last stone.

use games::connect_four::{Cell, Column, ConnectFour, Setup, Word, bits_needed};
use games::{Game, Player, Rng, Text, mix};

use super::{Canvas, Encode, Shape};
use crate::net::Grid;

/// The planes. Stones of both sides, cells that can hold one, where stones land
/// next, the hole.
const MINE: usize = 0;
const THEIRS: usize = 1;
const ON_BOARD: usize = 2;
const LANDING: usize = 3;
const HOLE: usize = 4;
/// The first, third, fifth and so on of a column's cells, the hole not counted.
const ODD: usize = 5;
/// Ones if the mover is First.
const FIRST: usize = 6;
/// Ones if an odd number of cells is empty.
const LAST: usize = 7;

impl<W: Word> Encode for ConnectFour<W> {
    const VERSION: u32 = 2;

    fn kind(&self) -> String {
        Self::NAME.to_owned()
    }

    fn shape(&self) -> Shape {
        let [height, width] = [self.rows(), self.columns()].map(usize::from);
        let [rows, columns] = [Setup::LARGEST.rows, Setup::LARGEST.columns].map(usize::from);
        let largest = Some(Grid { height: rows, width: columns });
        Shape { grid: Grid { height, width }, planes: 8, moves: width, largest }
    }

    fn encode(&self, _last: Option<Column>, planes: &mut [f32]) {
        let mut canvas = Canvas::new(&self.shape(), planes);
        let mover = self.to_move();
        let mut empty = 0;
        for column in 0..self.columns() {
            let landing = self.height(Column(column));
            let mut is_odd = true;
            for row in 0..self.rows() {
                let (r, c) = (usize::from(row), usize::from(column));
                match self.cell(column, row) {
                    Cell::Hole => {
                        canvas.set(HOLE, r, c, 1.0);
                        continue;
                    }
                    Cell::Stone(player) if player == mover => canvas.set(MINE, r, c, 1.0),
                    Cell::Stone(_) => canvas.set(THEIRS, r, c, 1.0),
                    Cell::Empty => empty += 1,
                }
                canvas.set(ON_BOARD, r, c, 1.0);
                if is_odd {
                    canvas.set(ODD, r, c, 1.0);
                }
                is_odd = !is_odd;
                if row == landing {
                    canvas.set(LANDING, r, c, 1.0);
                }
            }
        }
        if mover == Player::First {
            canvas.fill(FIRST, 1.0);
        }
        if empty % 2 == 1 {
            canvas.fill(LAST, 1.0);
        }
    }

    fn cache_key(&self) -> u64 {
        let Setup { columns, rows, hole } = self.setup();
        let (column, row) = hole.unwrap_or((u8::MAX, u8::MAX));
        mix(self.key(), u32::from_le_bytes([columns, rows, column, row]).into())
    }

    /// Every fourth board is the standard one and every fourth has any size, with or
    /// without a hole; the others are the course's.
    fn training_setup(rng: &mut Rng) -> Option<Setup> {
        if bits_needed(&Setup::LARGEST) > W::BITS {
            return None;
        }
        Some(match rng.below(4) {
            0 => Setup::default(),
            1 => Setup::random(rng),
            _ => Setup::course(rng),
        })
    }

    fn code(&self, Column(column): Column) -> usize {
        column.into()
    }

    #[inline]
    fn legal_bits(&self) -> Option<u128> {
        Some(self.open_columns().into())
    }
}
