//! Connect Four: stones, the cells of the board, and where the next stones land.
//!
//! The boards of the course (9 to 12 columns and rows, one hole) share a network
//! on 12 x 12 cells; a plane tells the cells of the board from the padding. Other
//! boards have networks of their own size.

use std::ops::RangeInclusive;

use games::connect_four::{Cell, Column, ConnectFour, Word};
use games::{Game, Text};

use super::{Canvas, Encode, Shape};
use crate::net::Grid;

/// The planes: my stones, theirs, the cells of the board, where stones land next.
const MINE: usize = 0;
const THEIRS: usize = 1;
const ON_BOARD: usize = 2;
const LANDING: usize = 3;

/// The sizes of the course's boards, padded to the largest.
const COURSE: RangeInclusive<u8> = 9..=12;

impl<W: Word> Encode for ConnectFour<W> {
    const VERSION: u32 = 1;

    fn kind(&self) -> String {
        match is_course(self) {
            true => format!("{} of 9 to 12 columns and rows", Self::NAME),
            false => format!("{} {}x{}", Self::NAME, self.columns(), self.rows()),
        }
    }

    fn shape(&self) -> Shape {
        let [height, width] = match is_course(self) {
            true => [usize::from(*COURSE.end()); 2],
            false => [self.rows(), self.columns()].map(usize::from),
        };
        Shape { grid: Grid { height, width }, planes: 4, moves: width }
    }

    fn encode(&self, _last: Option<Column>, planes: &mut [f32]) {
        let mut canvas = Canvas::new(&self.shape(), planes);
        let mover = self.to_move();
        for column in 0..self.columns() {
            let landing = self.height(Column(column));
            for row in 0..self.rows() {
                let (r, c) = (usize::from(row), usize::from(column));
                match self.cell(column, row) {
                    Cell::Hole => continue,
                    Cell::Stone(player) if player == mover => canvas.set(MINE, r, c, 1.0),
                    Cell::Stone(_) => canvas.set(THEIRS, r, c, 1.0),
                    Cell::Empty => {}
                }
                canvas.set(ON_BOARD, r, c, 1.0);
                if row == landing {
                    canvas.set(LANDING, r, c, 1.0);
                }
            }
        }
    }

    fn code(&self, Column(column): Column) -> usize {
        column.into()
    }

    #[inline]
    fn legal_bits(&self) -> Option<u128> {
        Some(self.open_columns().into())
    }
}

fn is_course<W: Word>(game: &ConnectFour<W>) -> bool {
    COURSE.contains(&game.columns()) && COURSE.contains(&game.rows())
}
