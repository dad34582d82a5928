//! One key for all positions that are the same game.
//!
//! A key has at most 60 bits and loses nothing, so a table that compares whole
//! keys is never wrong. On boards of up to 60 edges it is the set of undrawn
//! edges. On larger boards it is the set within the undrawn edges of the
//! position being solved, of which all later positions are subsets (the
//! universe).
//!
//! Two things make different sets the same game. The two border edges of a
//! corner box end in the same coin and in the ground: if one is left, it does
//! not matter which. And the board has four symmetries, eight if it is square.
//! Half a turn reverses both directions' bits; the others are looked up byte by
//! byte and then turned. They are made to send the preferred edge of a corner to
//! the preferred edge of another, so that one preference serves all images.

use super::bits::{gather, scatter};
use super::board::{Board, BoardError, Position};

/// The largest number of edges in a key.
pub const MOST_EDGES: u32 = 60;

/// Images of keys under one symmetry, for each byte of the key and its value.
type Image = [[u64; 256]; 8];

/// Makes keys of positions.
pub(super) struct Keys {
    universe: Position,
    /// Where the vertical edges begin in a key.
    vertical: u32,
    edges: u32,
    /// The corner edges, horizontal and vertical, in the same order.
    corners: Position,
    /// Bytes of a key.
    bytes: usize,
    /// The symmetries that half a turn doubles to all of them; none if keys are
    /// not of the whole board.
    images: Vec<Image>,
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
        let mut keys = Keys {
            universe,
            vertical: universe.h.count_ones(),
            edges,
            bytes: edges.div_ceil(8) as usize,
            corners: corners(board, universe),
            images: Vec::new(),
        };
        if whole {
            keys.images = keys.images(board);
        }
        Ok(keys)
    }

    /// Whether these keys serve a position.
    pub fn serve(&self, position: Position) -> bool {
        self.universe.contains(position)
    }

    /// The key of a position, the same for all its images.
    #[inline]
    pub fn key(&self, position: Position) -> u64 {
        let single = self.single_corners(position);
        let key = self.pack(single);
        if self.images.is_empty() {
            return key;
        }
        let mut least = key.min(self.half_turn(key));
        for image in &self.images {
            let bytes = image[..self.bytes].iter().zip(key.to_le_bytes());
            let sent = bytes.fold(0, |all, (row, byte)| all | row[usize::from(byte)]);
            least = least.min(sent).min(self.half_turn(sent));
        }
        least
    }

    /// A key of the whole board turned by half.
    #[inline]
    fn half_turn(&self, key: u64) -> u64 {
        let reversed = key.reverse_bits() >> (64 - self.edges);
        let vertical = self.edges - self.vertical;
        reversed >> vertical | (reversed & ((1 << vertical) - 1)) << self.vertical
    }

    /// Corner edges that need not be tried, because their twin does the same.
    #[inline]
    pub fn idle_corners(&self, position: Position) -> u64 {
        let both = gather(position.h, self.corners.h) & gather(position.v, self.corners.v);
        scatter(both, self.corners.h)
    }

    /// Where one edge of a corner is left, makes it the horizontal one.
    #[inline]
    fn single_corners(&self, position: Position) -> Position {
        let h = gather(position.h, self.corners.h);
        let v = gather(position.v, self.corners.v);
        let turned = v & !h;
        Position {
            h: position.h | scatter(turned, self.corners.h),
            v: position.v & !scatter(turned, self.corners.v),
        }
    }

    #[inline]
    fn pack(&self, position: Position) -> u64 {
        gather(position.h, self.universe.h) | gather(position.v, self.universe.v) << self.vertical
    }

    /// The lookup tables of one symmetry of each pair that half a turn joins,
    /// without the identity.
    fn images(&self, board: &Board) -> Vec<Image> {
        let edges = board.edges();
        let kinds: &[u32] = if board.rows() == board.cols() { &[1, 4, 5] } else { &[1] };
        kinds
            .iter()
            .map(|&kind| {
                let sent: Vec<u64> = (0..edges).map(|edge| self.sent(board, kind, edge)).collect();
                let mut image = [[0; 256]; 8];
                for (byte, row) in image.iter_mut().enumerate() {
                    for (value, entry) in row.iter_mut().enumerate() {
                        let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
                        let sent = bits.filter_map(|bit| sent.get(8 * byte + bit));
                        *entry = sent.fold(0, |all, edge| all | edge);
                    }
                }
                image
            })
            .collect()
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
                let which = gather(sent.h, self.corners.h);
                Position { h: 0, v: scatter(which, self.corners.v) }
            } else {
                let which = gather(sent.v, self.corners.v);
                Position { h: scatter(which, self.corners.h), v: 0 }
            };
        }
        self.pack(sent)
    }
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
