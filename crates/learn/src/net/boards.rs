//! The boards of a batch. A network whose heads pool evaluates boards of several
//! sizes, and its batches hold them one after another, each at its own size.
//!
//! The alternative is to pad every board to the largest and to mask what is
//! outside. Without padding nothing has to be masked: a normalisation and a 1 x 1
//! convolution go over the points whatever board they are of, and only 3 x 3
//! convolutions and pooling ask here.

use std::ops::Range;

use super::Grid;

/// The sizes of a batch's boards, in order.
///
/// ```
/// use learn::net::{Boards, Grid};
///
/// let [small, large] = [Grid { height: 6, width: 7 }, Grid { height: 12, width: 12 }];
/// let mut boards = Boards::of(small, 2);
/// boards.push(large);
/// assert_eq!((boards.positions(), boards.area()), (3, 2 * 42 + 144));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boards {
    /// Sizes with how many boards in a row have them.
    runs: Vec<(Grid, usize)>,
}

impl Boards {
    /// Boards of one size.
    pub fn of(grid: Grid, positions: usize) -> Self {
        Boards { runs: vec![(grid, positions)] }
    }

    /// Adds a board.
    pub fn push(&mut self, grid: Grid) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == grid => *count += 1,
            _ => self.runs.push((grid, 1)),
        }
    }

    /// Removes all boards.
    pub fn clear(&mut self) {
        self.runs.clear();
    }

    /// How many boards there are.
    pub fn positions(&self) -> usize {
        self.runs.iter().map(|&(_, count)| count).sum()
    }

    /// The points of all boards.
    pub fn area(&self) -> usize {
        self.runs.iter().map(|&(grid, count)| grid.area() * count).sum()
    }

    /// The columns of all boards.
    pub fn columns(&self) -> usize {
        self.runs.iter().map(|&(grid, count)| grid.width * count).sum()
    }

    /// Each board.
    pub fn iter(&self) -> impl Iterator<Item = Grid> {
        self.runs.iter().flat_map(|&(grid, count)| std::iter::repeat_n(grid, count))
    }

    /// Each run of boards of one size, with its points among those of the batch.
    pub fn runs(&self) -> impl Iterator<Item = (Grid, Range<usize>)> {
        let mut start = 0;
        self.runs.iter().map(move |&(grid, count)| {
            let points = start..start + grid.area() * count;
            start = points.end;
            (grid, points)
        })
    }
}
