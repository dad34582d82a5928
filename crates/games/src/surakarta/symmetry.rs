//! The eight symmetries of the square.
//!
//! Symmetry `s` first mirrors in the falling diagonal if bit 2 is set, then left
//! to right if bit 0 is set, then top to bottom if bit 1 is set.

use super::geometry::{Point, SIDE};
use super::{Move, Surakarta};
use crate::Symmetric;

/// Top to bottom: row r to row 5 - r.
fn flip(board: u64) -> u64 {
    const ROW: u64 = 0x3f;
    (board & ROW) << 30
        | (board & ROW << 6) << 18
        | (board & ROW << 12) << 6
        | board >> 6 & ROW << 12
        | board >> 18 & ROW << 6
        | board >> 30 & ROW
}

/// Left to right: column c to column 5 - c.
fn mirror(board: u64) -> u64 {
    const COLUMN: u64 = 0x4104_1041;
    (board & COLUMN) << 5
        | (board & COLUMN << 1) << 3
        | (board & COLUMN << 2) << 1
        | board >> 1 & COLUMN << 2
        | board >> 3 & COLUMN << 1
        | board >> 5 & COLUMN
}

/// In the falling diagonal: (row, column) to (column, row).
fn transpose(board: u64) -> u64 {
    /// The bits of a row, down a column.
    const DOWN: [u64; 64] = {
        let mut table = [0; 64];
        let mut i = 0;
        while i < 64 * SIDE {
            table[i / SIDE] |= (((i / SIDE) >> (i % SIDE) & 1) as u64) << (i % SIDE * SIDE);
            i += 1;
        }
        table
    };
    (0..SIDE).fold(0, |turned, row| turned | DOWN[(board >> (SIDE * row)) as usize & 63] << row)
}

/// A board (bit `row * 6 + column`) under symmetry `s`, below 8.
pub fn turn(s: usize, mut board: u64) -> u64 {
    if s & 4 != 0 {
        board = transpose(board);
    }
    if s & 1 != 0 {
        board = mirror(board);
    }
    if s & 2 != 0 {
        board = flip(board);
    }
    board
}

impl Point {
    /// This point under symmetry `s`, below 8.
    pub fn turned(self, s: usize) -> Point {
        Point::lowest(turn(s, self.bit()))
    }
}

impl Symmetric for Surakarta {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, s: usize) -> Surakarta {
        Surakarta { boards: self.boards.map(|board| turn(s, board)), ..*self }
    }

    fn transform_move(&self, s: usize, mv: Move) -> Move {
        Move { from: mv.from.turned(s), to: mv.to.turned(s) }
    }
}
