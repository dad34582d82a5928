//! Surakarta as in the 2020 paper: nine planes and 36 x 36 moves.

use games::surakarta::geometry::{CIRCUIT_POINTS, SIDE, points};
use games::surakarta::{Move, Surakarta};
use games::{Game, Player};

use super::{Canvas, Encode, Shape};
use crate::net::Grid;

/// The first of the planes of my pieces and theirs: on all points, on the inner
/// circuit, on the outer circuit.
const PIECES: [usize; 3] = [0, 2, 4];
/// The planes of the last move's origin and target.
const LAST: [usize; 2] = [6, 7];
/// The plane of ones if the mover is First.
const FIRST: usize = 8;

impl Encode for Surakarta {
    const VERSION: u32 = 1;
    const SEES_LAST: bool = true;

    fn kind(&self) -> String {
        "surakarta".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape {
            grid: Grid { height: SIDE, width: SIDE },
            planes: 9,
            moves: Move::CODES,
            largest: None,
        }
    }

    fn encode(&self, last: Option<Move>, planes: &mut [f32]) {
        let mut canvas = Canvas::new(&self.shape(), planes);
        let mover = self.to_move();
        // The inner circuit is the one of the first lines from the edge.
        let masks = [u64::MAX, CIRCUIT_POINTS[0], CIRCUIT_POINTS[1]];
        for (plane, mask) in PIECES.into_iter().zip(masks) {
            for (side, player) in [mover, !mover].into_iter().enumerate() {
                for point in points(self.board(player) & mask) {
                    canvas.set(plane + side, point.row(), point.column(), 1.0);
                }
            }
        }
        if let Some(Move { from, to }) = last {
            canvas.set(LAST[0], from.row(), from.column(), 1.0);
            canvas.set(LAST[1], to.row(), to.column(), 1.0);
        }
        if mover == Player::First {
            canvas.fill(FIRST, 1.0);
        }
    }

    fn code(&self, mv: Move) -> usize {
        usize::from(u16::from(mv))
    }
}
