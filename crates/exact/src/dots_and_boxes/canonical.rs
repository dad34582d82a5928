//! One key for all positions that are the same game.
//!
//! A key has at most 60 bits and is exact, so a table that compares whole keys has
//! no collisions. On boards of up to 60 edges it is the set of undrawn
//! edges. On larger boards it is the set within the undrawn edges of the
//! position being solved, of which all later positions are subsets (the
//! universe).
//!
//! Two things make different sets the same game. The two border edges of a
//! corner box end in the same coin and in the ground: if one is left, it does
//! not matter which, and positions in the search have the horizontal one
//! ([`Keys::single_corners`]). And the board has four symmetries, eight if it is
//! square. They are made to send the preferred edge of a corner to the preferred
//! edge of another, so that one preference serves all images.
//!
//! The images of a position are the sums of its edges' images, eight words side
//! by side, so those of a move's successor are its own without those of the
//! edges drawn: two instructions an edge.

use games::bits::{deposit, extract};

use super::board::{Board, BoardError, Position};

/// The largest number of edges in a key.
pub const MOST_EDGES: u32 = 60;

/// The keys of a position's images under all symmetries; fewer than eight are
/// repeated.
#[derive(Clone, Copy)]
pub(super) struct Images([i64; 8]);

impl Images {
    const NONE: Images = Images([0; 8]);

    /// Those of all edges here and there.
    #[inline]
    fn with(self, other: &Images) -> Images {
        Images(std::array::from_fn(|kind| self.0[kind] | other.0[kind]))
    }

    /// Without those of other edges.
    #[inline]
    fn without(self, other: &Images) -> Images {
        Images(std::array::from_fn(|kind| self.0[kind] & !other.0[kind]))
    }

    /// The smallest, which stands for all. (Signed, because vector instructions
    /// compare signed numbers.)
    #[inline]
    pub fn key(self) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        let half = [a.min(e), b.min(f), c.min(g), d.min(h)];
        (half[0].min(half[2])).min(half[1].min(half[3])) as u64
    }
}

/// Makes keys of positions.
pub(super) struct Keys {
    universe: Position,
    /// The corner edges, horizontal and vertical, in the same order.
    corners: Position,
    /// The images of each edge by its bit in a position, horizontal ones first.
    edges: Box<[Images; 128]>,
}

impl Keys {
    /// Keys for a position and all that follow from it.
    pub fn new(board: &Board, root: Position) -> Result<Keys, BoardError> {
        let whole = board.edges() <= MOST_EDGES;
        let universe = if whole { board.start() } else { root };
        let edges = universe.edges();
        if edges > MOST_EDGES {
            return Err(BoardError::TooOpen { edges, most: MOST_EDGES });
        }
        let corners = corners(board, universe);
        let mut keys = Keys { universe, corners, edges: Box::new([Images::NONE; 128]) };
        let kinds = match (whole, board.rows() == board.cols()) {
            (true, true) => [0, 1, 2, 3, 4, 5, 6, 7],
            (true, false) => [0, 1, 2, 3, 0, 1, 2, 3],
            (false, _) => [0; 8],
        };
        for edge in board.list(universe) {
            let images = kinds.map(|kind| keys.sent(board, kind, edge) as i64);
            keys.edges[place(board.edge(edge))] = Images(images);
        }
        Ok(keys)
    }

    /// Whether these keys serve a position.
    pub fn serve(&self, position: Position) -> bool {
        self.universe.contains(position)
    }

    /// The images of a position.
    #[inline]
    pub fn images(&self, position: Position) -> Images {
        let edges = position.single_edges().map(place);
        edges.fold(Images::NONE, |images, edge| images.with(&self.edges[edge]))
    }

    /// The position that stands for all images of one, on boards whose whole edges
    /// are the universe: the one whose packed edges are the key.
    pub fn position(&self, board: &Board, position: Position) -> Position {
        let key = self.images(position).key();
        let vertical = self.universe.h.count_ones();
        debug_assert!(self.universe == board.start());
        let h = deposit(key, self.universe.h);
        Position { h, v: deposit(key >> vertical, self.universe.v) }
    }

    /// The images of a position without some of its edges, given its own.
    #[inline]
    pub fn without(&self, images: Images, drawn: Position) -> Images {
        let edges = drawn.single_edges().map(place);
        edges.fold(images, |images, edge| images.without(&self.edges[edge]))
    }

    /// Corner edges that need not be tried, because their twin does the same.
    #[inline]
    pub fn idle_corners(&self, position: Position) -> u64 {
        let both = extract(position.h, self.corners.h) & extract(position.v, self.corners.v);
        deposit(both, self.corners.h)
    }

    /// Where one edge of a corner is left, makes it the horizontal one.
    #[inline]
    pub fn single_corners(&self, position: Position) -> Position {
        let h = extract(position.h, self.corners.h);
        let v = extract(position.v, self.corners.v);
        let turned = v & !h;
        Position {
            h: position.h | deposit(turned, self.corners.h),
            v: position.v & !deposit(turned, self.corners.v),
        }
    }

    fn pack(&self, position: Position) -> u64 {
        let vertical = self.universe.h.count_ones();
        extract(position.h, self.universe.h) | extract(position.v, self.universe.v) << vertical
    }

    /// The key of the edge to which a symmetry sends an edge. Bit 0 of `kind`
    /// mirrors the columns, bit 1 the rows, bit 2 the diagonal.
    fn sent(&self, board: &Board, kind: u32, edge: u32) -> u64 {
        let (rows, cols) = (board.rows() as u32, board.cols() as u32);
        let stride = cols + 1;
        let place = board.edge(edge);
        let mut horizontal = place.h != 0;
        let bit = (place.h | place.v).trailing_zeros();
        let (mut r, mut c) = (bit / stride, bit % stride);
        if kind & 1 != 0 {
            c = cols - u32::from(horizontal) - c;
        }
        if kind & 2 != 0 {
            r = rows - u32::from(!horizontal) - r;
        }
        if kind & 4 != 0 {
            (r, c) = (c, r);
            horizontal = !horizontal;
        }
        // A corner's preferred edge stays the preferred one: its twin's image
        // changes place with its own.
        let word = |horizontal, bit: u32| {
            if horizontal { Position { h: 1 << bit, v: 0 } } else { Position { h: 0, v: 1 << bit } }
        };
        let mut sent = word(horizontal, r * stride + c);
        let corner = place.h & self.corners.h | place.v & self.corners.v;
        if corner != 0 && kind & 4 != 0 {
            sent = if sent.h != 0 {
                let which = extract(sent.h, self.corners.h);
                Position { h: 0, v: deposit(which, self.corners.v) }
            } else {
                let which = extract(sent.v, self.corners.v);
                Position { h: deposit(which, self.corners.h), v: 0 }
            };
        }
        self.pack(sent)
    }
}

/// Where a single edge stands among all bits of a position.
#[inline]
fn place(edge: Position) -> usize {
    (if edge.h != 0 { edge.h.trailing_zeros() } else { 64 + edge.v.trailing_zeros() }) as usize
}

/// The border edges of the corner boxes, where both lie in the universe. A board
/// with one row or column has other twins; it is small enough without them.
fn corners(board: &Board, universe: Position) -> Position {
    let (rows, cols, stride) = (board.rows() as u32, board.cols() as u32, board.stride);
    if rows == 1 || cols == 1 {
        return Position { h: 0, v: 0 };
    }
    let mut corners = Position { h: 0, v: 0 };
    for (r, c) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let h = 1u64 << (r * rows * stride + c * (cols - 1));
        let v = 1u64 << (r * (rows - 1) * stride + c * cols);
        if universe.h & h != 0 && universe.v & v != 0 {
            corners.h |= h;
            corners.v |= v;
        }
    }
    corners
}
