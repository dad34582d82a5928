//! Which boxes an edge bounds and which edges a box has, as tables.
//!
//! One geometry per board size, built on first use and never freed, so that a
//! position carries one pointer and a move needs no division. It also holds how
//! the board's symmetries move edges and boxes.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use super::setup::{Edge, Place, Setup};
use crate::{MAX_MOVES, SetupError};

/// The second box of an edge at the rim: a box that is never closed, so that no
/// code has to branch on whether there is one.
pub(super) const OUTSIDE: u8 = 63;

/// No board within the limit of edges has more boxes in a row than this.
const LONGEST: usize = 42;

/// The tables of one board size. Two are equal when the sizes are.
#[derive(Debug)]
pub(super) struct Geometry {
    pub(super) setup: Setup,
    /// Every edge of the board.
    pub(super) all: u128,
    /// Number of edges and of boxes.
    pub(super) edges: usize,
    pub(super) boxes: usize,
    /// The boxes on both sides of an edge, the real one first and [`OUTSIDE`]
    /// where there is none.
    pub(super) boxes_of: [[u8; 2]; MAX_MOVES],
    /// The four edges of a box. For [`OUTSIDE`] it is bit 127, which belongs to
    /// no edge and so is never drawn.
    pub(super) sides: [u128; 64],
    /// The image of each edge and box under each symmetry. Only 0..4 for oblong
    /// boards.
    pub(super) edge_images: [[u8; MAX_MOVES]; 8],
    pub(super) box_images: [[u8; 64]; 8],
}

impl Geometry {
    /// The geometry of a board, the same one every time.
    pub(super) fn of(setup: &Setup) -> Result<&'static Geometry, SetupError> {
        static KNOWN: [[OnceLock<Box<Geometry>>; LONGEST + 1]; LONGEST + 1] =
            [const { [const { OnceLock::new() }; LONGEST + 1] }; LONGEST + 1];
        setup.check()?;
        let known = &KNOWN[usize::from(setup.rows)][usize::from(setup.columns)];
        Ok(known.get_or_init(|| Box::new(Geometry::build(*setup))))
    }

    /// How many symmetries the board has: mirroring both ways, and turning by
    /// the diagonal if it is square.
    pub(super) fn symmetries(&self) -> usize {
        if self.setup.rows == self.setup.columns { 8 } else { 4 }
    }

    fn build(setup: Setup) -> Geometry {
        let (edges, boxes) = (setup.edges(), setup.boxes());
        let mut geometry = Geometry {
            setup,
            all: (1 << edges) - 1,
            edges,
            boxes,
            boxes_of: [[OUTSIDE; 2]; MAX_MOVES],
            sides: [0; 64],
            edge_images: [[0; MAX_MOVES]; 8],
            box_images: [[0; 64]; 8],
        };
        geometry.sides[usize::from(OUTSIDE)] = 1 << 127;
        let (rows, columns) = (usize::from(setup.rows), usize::from(setup.columns));
        for number in 0..boxes {
            for edge in sides(&setup, number / columns, number % columns) {
                geometry.sides[number] |= edge.bit();
                let both = &mut geometry.boxes_of[edge.index()];
                both[usize::from(both[0] != OUTSIDE)] = number as u8;
            }
        }
        for s in 0..geometry.symmetries() {
            // Bit 2 of a symmetry's number turns by the main diagonal, then bit
            // 0 mirrors left and right and bit 1 top and bottom.
            let cell = |r: usize, c: usize, height: usize, width: usize| {
                let (r, c) = if s & 4 != 0 { (c, r) } else { (r, c) };
                (
                    if s & 2 != 0 { height - 1 - r } else { r },
                    if s & 1 != 0 { width - 1 - c } else { c },
                )
            };
            for number in 0..boxes {
                let (r, c) = cell(number / columns, number % columns, rows, columns);
                geometry.box_images[s][number] = (r * columns + c) as u8;
            }
            for number in 0..edges {
                let place = setup.place(Edge(number as u8)).expect("the edge is on the board");
                let (horizontal, r, c) = match place {
                    Place::Horizontal(r, c) => (true, r, c),
                    Place::Vertical(r, c) => (false, r, c),
                };
                let image = if horizontal == (s & 4 == 0) {
                    let (r, c) = cell(r, c, rows + 1, columns);
                    Place::Horizontal(r, c)
                } else {
                    let (r, c) = cell(r, c, rows, columns + 1);
                    Place::Vertical(r, c)
                };
                let image = setup.edge(image).expect("a symmetry keeps the board");
                geometry.edge_images[s][number] = image.0;
            }
        }
        geometry
    }
}

/// The edges of box (r, c): top, bottom, left, right.
pub(super) fn sides(setup: &Setup, r: usize, c: usize) -> [Edge; 4] {
    [
        Place::Horizontal(r, c),
        Place::Horizontal(r + 1, c),
        Place::Vertical(r, c),
        Place::Vertical(r, c + 1),
    ]
    .map(|place| setup.edge(place).expect("the box is on the board"))
}

impl PartialEq for Geometry {
    #[inline]
    fn eq(&self, other: &Geometry) -> bool {
        self.setup == other.setup
    }
}

impl Eq for Geometry {}

impl PartialOrd for Geometry {
    fn partial_cmp(&self, other: &Geometry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Geometry {
    fn cmp(&self, other: &Geometry) -> std::cmp::Ordering {
        self.setup.cmp(&other.setup)
    }
}

impl Hash for Geometry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.setup.hash(state);
    }
}
