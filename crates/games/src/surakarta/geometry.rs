//! The board: 36 points, eight directions and two closed circuits.
//!
//! Everything here is a constant that follows from one drawing. A circuit runs
//! over four lines of six points, and between one line and the next it goes
//! round a corner of the board over an arc. Its 24 slots lie on 20 points,
//! because it crosses itself four times. Lines 0 and 5 carry no arcs, so the
//! corners are on no circuit.

use std::fmt;

use crate::{TextError, bits};

/// Points along one side of the board.
pub const SIDE: usize = 6;
/// Points on the board.
pub const POINTS: usize = SIDE * SIDE;
/// A board with every point set.
pub const FULL: u64 = (1 << POINTS) - 1;

/// A point of the board: row 0 is the top, column 0 the left, and its index is
/// `row * 6 + column`. Its name is a file a-f from the left and a rank 1-6 from
/// the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The point in this row and column, both below 6.
    #[inline]
    pub const fn at(row: usize, column: usize) -> Point {
        assert!(row < SIDE && column < SIDE);
        Point((row * SIDE + column) as u8)
    }

    /// The point with this index; an index from 36 on wraps around.
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        Point((index % POINTS) as u8)
    }

    /// The point of a lowest set bit. The board must not be empty.
    #[inline]
    pub(super) const fn lowest(board: u64) -> Point {
        debug_assert!(board & FULL != 0);
        Point(board.trailing_zeros() as u8)
    }

    /// The point of the `n`-th set bit (from 0) of a board that has more than `n`.
    #[inline]
    pub(super) fn nth(board: u64, n: u32) -> Point {
        Point(bits::nth_set(board, n) as u8)
    }

    /// The point whose index differs by `delta`; there must be one.
    #[inline]
    pub(super) const fn moved(self, delta: i8) -> Point {
        let point = Point(self.0.wrapping_add_signed(delta));
        debug_assert!(point.index() < POINTS);
        point
    }

    /// The 36 points in the order of their index.
    pub fn all() -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator {
        (0..POINTS as u8).map(Point)
    }

    /// 0 to 35.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 (top) to 5.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE
    }

    /// 0 (left) to 5.
    #[inline]
    pub const fn column(self) -> usize {
        self.0 as usize % SIDE
    }

    /// The board on which only this point is set.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads a name such as `b2`, in either case.
    pub fn parse(name: &str) -> Result<Point, TextError> {
        let wrong = || TextError::new(format!("'{name}' is not a point; points are a1 to f6"));
        let [file, rank] = name.as_bytes() else { return Err(wrong()) };
        match (file.to_ascii_lowercase(), rank) {
            (file @ b'a'..=b'f', rank @ b'1'..=b'6') => {
                Ok(Point::at((b'6' - rank).into(), (file - b'a').into()))
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column() as u8) as char, SIDE - self.row())
    }
}

/// The points of a board, in the order of their index.
pub fn points(mut board: u64) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        let point = (board & FULL != 0).then(|| Point::lowest(board))?;
        board &= board - 1;
        Some(point)
    })
}

/// The two circuits, small (lines 1 and 4) and large (lines 2 and 3), each as
/// its 24 slots in order. Slots 6k to 6k + 5 are one line; an arc leads from
/// each line to the next, and from the last to the first.
pub const CIRCUITS: [[Point; 24]; 2] = [circuit(1), circuit(2)];

const fn circuit(near: usize) -> [Point; 24] {
    let far = SIDE - 1 - near;
    let mut slots = [Point(0); 24];
    let mut i = 0;
    while i < SIDE {
        slots[i] = Point::at(near, i);
        slots[6 + i] = Point::at(i, far);
        slots[12 + i] = Point::at(far, SIDE - 1 - i);
        slots[18 + i] = Point::at(SIDE - 1 - i, near);
        i += 1;
    }
    slots
}

/// An arc: where a circuit goes round a corner of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// 0 for the small circuit, 1 for the large one.
    pub circuit: usize,
    /// The points it joins, in the order of the circuit's slots.
    pub ends: [Point; 2],
}

/// The eight arcs. Arc `4 * circuit + k` leads to slot `6 * k` of its circuit.
pub const ARCS: [Arc; 8] = {
    let mut arcs = [Arc { circuit: 0, ends: [Point(0); 2] }; 8];
    let mut i = 0;
    while i < 8 {
        let (circuit, k) = (i / 4, i % 4);
        let slots = CIRCUITS[circuit];
        arcs[i] = Arc { circuit, ends: [slots[(6 * k + 23) % 24], slots[6 * k]] };
        i += 1;
    }
    arcs
};

/// For each circuit the board of its points.
pub const CIRCUIT_POINTS: [u64; 2] = {
    let mut boards = [0; 2];
    let mut i = 0;
    while i < 48 {
        boards[i / 24] |= CIRCUITS[i / 24][i % 24].bit();
        i += 1;
    }
    boards
};

/// For each point the board of its neighbours, where a step may lead.
pub const NEIGHBOURS: [u64; POINTS] = {
    let mut boards = [0; POINTS];
    let mut i = 0;
    while i < POINTS * POINTS {
        let (a, b) = (Point((i / POINTS) as u8), Point((i % POINTS) as u8));
        if a.0 != b.0 && a.row().abs_diff(b.row()) <= 1 && a.column().abs_diff(b.column()) <= 1 {
            boards[a.index()] |= b.bit();
        }
        i += 1;
    }
    boards
};
