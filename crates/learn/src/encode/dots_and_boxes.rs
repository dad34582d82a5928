//! Dots and Boxes on a grid of dots: each dot carries the edge to its right and
//! the edge below it, and the box between them.
//!
//! So a 5 x 5 board is 6 x 6 cells, one Winograd tile, where a plane with a cell
//! for each dot, edge and box would have 11 x 11. The owners of the boxes are left
//! out: only the lead matters for the rest of the game.

use games::dots_and_boxes::{DotsAndBoxes, Edge, Place, edges_of};
use games::{Game, Text};

use super::{Canvas, Encode, Shape};
use crate::net::Grid;

/// The planes of drawn edges: horizontal and vertical.
const DRAWN: [usize; 2] = [0, 1];
/// The planes of the board's edges: horizontal and vertical.
const ON_BOARD: [usize; 2] = [2, 3];
/// The planes of boxes with one open side, with two, and closed.
const BOXES: [usize; 3] = [4, 5, 6];
/// The plane of the mover's lead as a share of the boxes.
const LEAD: usize = 7;

impl Encode for DotsAndBoxes {
    const VERSION: u32 = 1;

    fn kind(&self) -> String {
        let setup = self.setup();
        format!("{} {}x{}", Self::NAME, setup.rows, setup.columns)
    }

    fn shape(&self) -> Shape {
        let setup = self.setup();
        let [height, width] = [setup.rows, setup.columns].map(|n| usize::from(n) + 1);
        Shape { grid: Grid { height, width }, planes: 8, moves: setup.edges(), largest: None }
    }

    fn encode(&self, _last: Option<Edge>, planes: &mut [f32]) {
        let setup = self.setup();
        let mut canvas = Canvas::new(&self.shape(), planes);
        for (set, kinds) in [(self.drawn(), DRAWN), (self.drawn() | self.undrawn(), ON_BOARD)] {
            for edge in edges_of(set) {
                match setup.place(edge).expect("the edge is on the board") {
                    Place::Horizontal(r, c) => canvas.set(kinds[0], r, c, 1.0),
                    Place::Vertical(r, c) => canvas.set(kinds[1], r, c, 1.0),
                }
            }
        }
        let columns = usize::from(setup.columns);
        for number in 0..setup.boxes() {
            let plane = match self.open_sides(number) {
                1 => BOXES[0],
                2 => BOXES[1],
                0 => BOXES[2],
                _ => continue,
            };
            canvas.set(plane, number / columns, number % columns, 1.0);
        }
        let lead = self.lead() * self.to_move().sign();
        canvas.fill(LEAD, lead as f32 / setup.boxes() as f32);
    }

    fn code(&self, edge: Edge) -> usize {
        edge.index()
    }

    #[inline]
    fn legal_bits(&self) -> Option<u128> {
        Some(self.undrawn())
    }
}
