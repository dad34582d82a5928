//! How a network sees a position: planes, move codes, symmetries.
//!
//! Everything is told from the mover's side: "mine" and "theirs", never First
//! and Second, so that one network plays both. What it answers is the mover's
//! too; whoever hands it to a search turns it there.
//!
//! A move's code is its place in the policy. The board's symmetries need no
//! table here: a position is turned by its game ([`Symmetric::transform`]) and
//! encoded again.
//!
//! Deliberately absent: search, networks, files. A file per game; changing what
//! a plane means is changing [`Encode::VERSION`], for weights know nothing else
//! of their input.

mod connect_four;
mod dots_and_boxes;
mod surakarta;

use games::{Symmetric, Text};

use crate::net::{Architecture, Grid};

/// The sizes of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The board as the network sees it.
    pub grid: Grid,
    /// Numbers for each of its cells.
    pub planes: usize,
    /// Move codes.
    pub moves: usize,
}

impl Shape {
    /// Numbers that describe one position.
    pub fn inputs(&self) -> usize {
        self.grid.area() * self.planes
    }

    /// Our default network for this shape.
    pub fn architecture(&self) -> Architecture {
        Architecture::new(self.grid, self.planes, self.moves)
    }

    /// Whether a network reads and answers in this shape.
    pub fn fits(&self, architecture: &Architecture) -> bool {
        let Architecture { planes, moves, .. } = *architecture;
        self.grid == architecture.grid() && (self.planes, self.moves) == (planes, moves)
    }
}

/// A game that a network can be shown.
pub trait Encode: Symmetric + Text {
    /// Changes whenever a plane or a code changes its meaning.
    const VERSION: u32;

    /// Whether the planes show the move that led to a position.
    const SEES_LAST: bool = false;

    /// Which positions a network is trained for, in words: those with the same
    /// answer share one. Sizes matter here, end rules do not.
    fn kind(&self) -> String;

    /// The sizes for this position's board.
    fn shape(&self) -> Shape;

    /// Fills `planes`, which holds [`Shape::inputs`] zeros in the order row,
    /// column, plane. `last` is the move that led here, if any.
    fn encode(&self, last: Option<Self::Move>, planes: &mut [f32]);

    /// The place of a legal move in the policy.
    fn code(&self, mv: Self::Move) -> usize;
}

/// Writes planes cell by cell.
struct Canvas<'a> {
    planes: &'a mut [f32],
    width: usize,
    depth: usize,
}

impl<'a> Canvas<'a> {
    fn new(shape: &Shape, planes: &'a mut [f32]) -> Self {
        assert_eq!(planes.len(), shape.inputs(), "planes of another shape");
        Canvas { planes, width: shape.grid.width, depth: shape.planes }
    }

    fn set(&mut self, plane: usize, row: usize, column: usize, value: f32) {
        self.planes[(row * self.width + column) * self.depth + plane] = value;
    }

    fn fill(&mut self, plane: usize, value: f32) {
        self.planes.iter_mut().skip(plane).step_by(self.depth).for_each(|x| *x = value);
    }
}
