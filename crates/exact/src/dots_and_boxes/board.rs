//! A board as two words, one for each direction of its edges.
//!
//! Box (r, c) is bit `r * stride + c` with `stride = cols + 1`. Its upper and
//! left edges have that same bit in the horizontal and in the vertical word, its
//! lower edge lies one row on and its right edge one column on. So the four
//! edges of all boxes are four shifted words, and the boxes with one, two, three
//! or four open edges fall out of one bit-sliced addition ([`Board::degrees`]).
//! The spare column is never a box, so shifting a box off the board gives no
//! box: the ground of "strings and coins", where every border edge ends.
//!
//! 64 bits a word hold all boards up to 7 x 7. Edge numbers, as everywhere else
//! in the workspace, run over the horizontal edges and then the vertical ones,
//! row by row; a set of them is a `u128`.

use std::fmt;

/// The undrawn edges of a position; all that its future depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Horizontal edges, by the board's bit numbers.
    pub(super) h: u64,
    /// Vertical edges, by the board's bit numbers.
    pub(super) v: u64,
}

impl Position {
    /// How many edges are undrawn.
    #[inline]
    pub fn edges(self) -> u32 {
        self.h.count_ones() + self.v.count_ones()
    }

    /// Without the edges of `other`.
    #[inline]
    pub(super) fn without(self, other: Position) -> Position {
        Position { h: self.h & !other.h, v: self.v & !other.v }
    }

    /// Each edge alone, as a position that has no other; horizontal ones first.
    #[inline]
    pub(super) fn single_edges(self) -> impl Iterator<Item = Position> {
        let Position { mut h, mut v } = self;
        std::iter::from_fn(move || {
            let (lowest_h, lowest_v) = (h & h.wrapping_neg(), v & v.wrapping_neg());
            if h != 0 {
                h ^= lowest_h;
                Some(Position { h: lowest_h, v: 0 })
            } else {
                v ^= lowest_v;
                (lowest_v != 0).then_some(Position { h: 0, v: lowest_v })
            }
        })
    }

    /// Whether every edge of `other` is here too.
    pub(super) fn contains(self, other: Position) -> bool {
        other.h & !self.h == 0 && other.v & !self.v == 0
    }
}

/// Boxes by their number of open edges; closed boxes are in none of the words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Degrees {
    pub one: u64,
    pub two: u64,
    pub three: u64,
    pub four: u64,
}

impl Degrees {
    /// Boxes where three or four edges meet.
    #[inline]
    pub fn joints(&self) -> u64 {
        self.three | self.four
    }

    /// After some boxes have lost an edge each; none of them has one or two.
    #[inline]
    pub fn with_edges_removed(&self, cells: u64) -> Degrees {
        Degrees {
            one: self.one,
            two: self.two | self.three & cells,
            three: self.three & !cells | self.four & cells,
            four: self.four & !cells,
        }
    }

    /// How many boxes are not closed.
    #[inline]
    pub fn open(&self) -> i32 {
        (self.one | self.two | self.three | self.four).count_ones() as i32
    }
}

/// Why a size or a position is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The board is empty or does not fit the two words.
    Size {
        /// Rows of boxes asked for.
        rows: usize,
        /// Columns of boxes asked for.
        cols: usize,
    },
    /// An edge number beyond the board's last edge.
    Edge {
        /// The offending number.
        edge: u32,
        /// How many edges the board has.
        edges: u32,
    },
    /// More undrawn edges than the solver's keys hold.
    TooOpen {
        /// Undrawn edges of the position.
        edges: u32,
        /// The most that can be solved.
        most: u32,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            BoardError::Size { rows, cols } => write!(
                f,
                "a board of {rows}x{cols} boxes cannot be solved; (rows + 1) x (columns + 1) \
                 must be at most 64 and neither side 0"
            ),
            BoardError::Edge { edge, edges } => {
                write!(f, "there is no edge {edge}; the board has edges 0 to {}", edges - 1)
            }
            BoardError::TooOpen { edges, most } => {
                write!(f, "{edges} edges are undrawn; at most {most} can be solved")
            }
        }
    }
}

impl std::error::Error for BoardError {}

/// The geometry of one size.
#[derive(Clone, Debug)]
pub struct Board {
    rows: u32,
    cols: u32,
    pub(super) stride: u32,
    pub(super) boxes: u64,
    /// The boxes that have a box above, below, left and right of them, in this
    /// order.
    pub(super) below: u64,
    pub(super) above: u64,
    pub(super) right_of: u64,
    pub(super) left_of: u64,
    /// The boxes that have all four.
    pub(super) inner: u64,
    full: Position,
}

impl Board {
    /// The board of `rows` x `cols` boxes.
    pub fn new(rows: usize, cols: usize) -> Result<Board, BoardError> {
        if rows == 0 || cols == 0 || rows > 63 || cols > 63 || (rows + 1) * (cols + 1) > 64 {
            return Err(BoardError::Size { rows, cols });
        }
        let (rows, cols) = (rows as u32, cols as u32);
        let stride = cols + 1;
        let rectangle = |height: u32, width: u32| {
            (0..height).map(|r| ((1u64 << width) - 1) << (r * stride)).fold(0, |all, row| all | row)
        };
        let full = Position { h: rectangle(rows + 1, cols), v: rectangle(rows, cols + 1) };
        let boxes = rectangle(rows, cols);
        let (below, above) = (boxes & boxes << stride, boxes & boxes >> stride);
        let (right_of, left_of) = (boxes & boxes << 1, boxes & boxes >> 1);
        let inner = below & above & right_of & left_of;
        Ok(Board { rows, cols, stride, boxes, below, above, right_of, left_of, inner, full })
    }

    /// Rows of boxes.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Columns of boxes.
    pub fn cols(&self) -> usize {
        self.cols as usize
    }

    /// How many edges the board has.
    pub fn edges(&self) -> u32 {
        self.full.edges()
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.full
    }

    /// The position in which exactly the edges of `drawn` are drawn.
    pub fn position(&self, drawn: u128) -> Result<Position, BoardError> {
        let edges = self.edges();
        if edges < 128 && drawn >> edges != 0 {
            return Err(BoardError::Edge { edge: 127 - drawn.leading_zeros(), edges });
        }
        let drawn_edges = (0..edges).filter(|&edge| drawn >> edge & 1 == 1);
        Ok(drawn_edges.fold(self.full, |position, edge| position.without(self.edge(edge))))
    }

    /// The drawn edges of a position as a set of edge numbers.
    pub fn drawn(&self, position: Position) -> u128 {
        let all = u128::MAX >> (128 - self.edges());
        self.list(position).fold(all, |drawn, edge| drawn & !(1 << edge))
    }

    /// One edge by its number, as a position that has no other.
    pub(super) fn edge(&self, number: u32) -> Position {
        let horizontal = (self.rows + 1) * self.cols;
        if number < horizontal {
            let bit = number / self.cols * self.stride + number % self.cols;
            Position { h: 1 << bit, v: 0 }
        } else {
            Position { h: 0, v: 1 << (number - horizontal) }
        }
    }

    /// The number of the lowest edge in `set`, which must have one.
    #[cfg(test)]
    pub(super) fn number(&self, set: Position) -> u32 {
        if set.h != 0 {
            let bit = set.h.trailing_zeros();
            bit / self.stride * self.cols + bit % self.stride
        } else {
            (self.rows + 1) * self.cols + set.v.trailing_zeros()
        }
    }

    /// The numbers of the undrawn edges, in order.
    pub fn list(&self, position: Position) -> impl Iterator<Item = u32> + use<'_> {
        (0..self.edges()).filter(move |&edge| position.contains(self.edge(edge)))
    }

    /// The boxes by their number of open edges.
    #[inline]
    pub(super) fn degrees(&self, position: Position) -> Degrees {
        let (up, down) = (position.h & self.boxes, position.h >> self.stride & self.boxes);
        let (left, right) = (position.v & self.boxes, position.v >> 1 & self.boxes);
        let (across, both_across) = (up ^ down, up & down);
        let (along, both_along) = (left ^ right, left & right);
        let odd = across ^ along;
        let pair = both_across ^ both_along | across & along;
        Degrees {
            one: odd & !pair,
            two: pair & !odd,
            three: odd & pair,
            four: both_across & both_along,
        }
    }

    /// How many boxes have two open edges.
    pub fn boxes_with_two(&self, position: Position) -> u32 {
        self.degrees(position).two.count_ones()
    }

    /// The edges of a set that belong to some of these boxes.
    #[inline]
    pub(super) fn touching(&self, set: Position, cells: u64) -> Position {
        Position { h: set.h & (cells | cells << self.stride), v: set.v & (cells | cells << 1) }
    }

    /// The boxes on either side of some edges.
    #[inline]
    pub(super) fn beside(&self, edges: Position) -> u64 {
        let Position { h, v } = edges;
        (h | h >> self.stride | v | v >> 1) & self.boxes
    }

    /// The edges of a set between a box of the one kind and one of the other.
    #[inline]
    pub(super) fn between(&self, set: Position, one: u64, other: u64) -> Position {
        let across = one & other << self.stride | other & one << self.stride;
        let along = one & other << 1 | other & one << 1;
        Position { h: set.h & across, v: set.v & along }
    }

    /// How many open edges one box (a single bit) has.
    #[inline]
    pub(super) fn degree(&self, position: Position, cell: u64) -> u32 {
        u32::from(position.h & cell != 0)
            + u32::from(position.h & cell << self.stride != 0)
            + u32::from(position.v & cell != 0)
            + u32::from(position.v & cell << 1 != 0)
    }

    /// An open edge of a box and the box behind it (0 for the ground). The box
    /// must have an open edge.
    #[inline]
    pub(super) fn way_out(&self, position: Position, cell: u64) -> (Position, u64) {
        if position.h & cell != 0 {
            (Position { h: cell, v: 0 }, cell >> self.stride)
        } else if position.v & cell != 0 {
            (Position { h: 0, v: cell }, cell >> 1 & self.boxes)
        } else if position.v & cell << 1 != 0 {
            (Position { h: 0, v: cell << 1 }, cell << 1 & self.boxes)
        } else {
            (Position { h: cell << self.stride, v: 0 }, cell << self.stride & self.boxes)
        }
    }

    /// How many boxes drawing one open edge closes: 0, 1 or 2.
    pub(super) fn closes(&self, position: Position, edge: Position) -> i32 {
        let before = self.degrees(position).open();
        before - self.degrees(position.without(edge)).open()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edge_numbers_go_round() {
        for (rows, cols) in [(1, 1), (1, 9), (2, 3), (5, 5), (7, 7), (9, 1)] {
            let board = Board::new(rows, cols).unwrap();
            assert_eq!(board.edges() as usize, 2 * rows * cols + rows + cols);
            for edge in 0..board.edges() {
                assert_eq!(board.number(board.edge(edge)), edge);
                assert_eq!(board.drawn(board.position(1 << edge).unwrap()), 1 << edge);
            }
        }
    }

    #[test]
    fn a_box_has_the_edges_of_the_rules() {
        let board = Board::new(5, 5).unwrap();
        // Box (2, 3): h(2, 3), h(3, 3), v(2, 3), v(2, 4).
        let around = [13, 18, 45, 46].map(|edge| board.edge(edge));
        let position = around.iter().fold(board.start(), |p, &edge| p.without(edge));
        assert_eq!(board.degrees(position).open(), 24);
        assert_eq!(board.degrees(position).three.count_ones(), 4);
        for edge in around {
            let before = Position { h: position.h | edge.h, v: position.v | edge.v };
            assert_eq!(board.closes(before, edge), 1);
        }
    }

    #[test]
    fn degrees_agree_with_counting() {
        let board = Board::new(4, 6).unwrap();
        let mut rng = games::Rng::seeded(3);
        for _ in 0..1000 {
            let position = Position { h: board.full.h & rng.bits(), v: board.full.v & rng.bits() };
            let degrees = board.degrees(position);
            for bit in (0..64).filter(|bit| board.boxes >> bit & 1 == 1) {
                let cell = 1 << bit;
                let sets = [degrees.one, degrees.two, degrees.three, degrees.four];
                let listed: Vec<u32> =
                    (1..5).filter(|&n| sets[n as usize - 1] & cell != 0).collect();
                let degree = board.degree(position, cell);
                assert_eq!(listed, if degree == 0 { vec![] } else { vec![degree] });
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (rows, cols) in [(0, 3), (3, 0), (8, 8), (usize::MAX, 1), (1, 64)] {
            assert!(matches!(Board::new(rows, cols), Err(BoardError::Size { .. })));
        }
        let board = Board::new(2, 2).unwrap();
        assert_eq!(board.position(1 << 12), Err(BoardError::Edge { edge: 12, edges: 12 }));
    }
}
