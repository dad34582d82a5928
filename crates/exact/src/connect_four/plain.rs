//! The reference for tests: plain minimax over every move with a hash map, and
//! random positions.

use std::collections::HashMap;

use games::Rng;
use games::connect_four::Word;

use super::position::{Position, completions, has_four};
use super::shape::{Free, Shape};
use super::table::TableWord;

/// Scores by definition.
pub struct Plain<S: Shape> {
    shape: S,
    known: HashMap<Position<S::Word>, i32>,
}

impl<S: Shape> Plain<S> {
    pub fn new(shape: S) -> Plain<S> {
        Plain { shape, known: HashMap::new() }
    }

    /// The published score for the player to move.
    pub fn score(&mut self, position: &Position<S::Word>) -> i32 {
        if let Some(&score) = self.known.get(position) {
            return score;
        }
        let best = self.columns(position).into_iter().flatten().max().unwrap_or(0);
        self.known.insert(*position, best);
        best
    }

    /// The score of each column for the player to move now.
    pub fn columns(&mut self, position: &Position<S::Word>) -> Vec<Option<i32>> {
        let shape = self.shape;
        (0..shape.columns())
            .map(|column| {
                let cell = position.playable(&shape) & shape.column(column);
                if cell.is_empty() {
                    None
                } else if has_four(&shape, position.own | cell) {
                    Some((shape.cells() + 1 - position.stones(&shape)) / 2)
                } else {
                    Some(-self.score(&position.play(&shape, cell)))
                }
            })
            .collect()
    }
}

/// A position after `stones` random stones, none of which makes a four; `None`
/// if the random numbers lead to where each would.
pub fn random<S: Shape>(shape: &S, stones: i32, rng: &mut Rng) -> Option<Position<S::Word>> {
    let mut position = Position::start(shape);
    while position.stones(shape) < stones {
        let mut cells = position.playable(shape) & !completions(shape, position.own);
        for _ in 0..rng.below((cells.count() as usize).max(1)) {
            cells = cells.without_lowest();
        }
        let cell = cells.lowest_bit();
        if cell.is_empty() {
            return None;
        }
        position = position.play(shape, cell);
    }
    Some(position)
}

/// Small boards of even and odd size, some with a hole: low, high, in the
/// middle of a board that then has a mirror image, and aside.
pub fn small_boards<W: TableWord>() -> Vec<Free<W>> {
    let boards = [
        (4, 4, None),
        (5, 4, None),
        (4, 5, None),
        (5, 4, Some((2, 0))),
        (5, 4, Some((2, 1))),
        (4, 5, Some((1, 2))),
        (5, 4, Some((3, 3))),
        (6, 4, None),
    ];
    boards.into_iter().map(|(c, r, h)| Free::new(c, r, h).expect("fits")).collect()
}
