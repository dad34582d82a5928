//! Pooling: the mean and the maximum of each channel over a column or over the
//! whole board, which makes of any board a fixed number of features. Both are
//! needed: the mean counts, the maximum finds the one place that matters (Wu,
//! Accelerating Self-Play Learning in Go, 2019).

use super::{Boards, Buffer, Grid, Real};

/// What is pooled together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// The points of each column: features for each column.
    Columns,
    /// All points: features for each position.
    Board,
}

impl Pool {
    /// How many regions all boards have.
    fn regions(self, boards: &Boards) -> usize {
        match self {
            Pool::Columns => boards.columns(),
            Pool::Board => boards.positions(),
        }
    }

    /// The points of each region of a board, and how far apart they lie.
    fn of(self, grid: Grid) -> impl Iterator<Item = (usize, usize, usize)> {
        let (regions, step) = match self {
            Pool::Columns => (grid.width, grid.width),
            Pool::Board => (1, 1),
        };
        (0..regions).map(move |region| (region, grid.area() / regions, step))
    }

    /// Calls `each` for all regions with the index of their first point, the number
    /// of their points and the distance between them.
    fn for_each(self, boards: &Boards, mut each: impl FnMut(usize, usize, usize, usize)) {
        let (mut index, mut start) = (0, 0);
        for grid in boards.iter() {
            for (first, count, step) in self.of(grid) {
                each(index, start + first, count, step);
                index += 1;
            }
            start += grid.area();
        }
    }

    /// Writes the means of a region's channels, then their maxima, for each region.
    pub fn forward<R: Real>(self, boards: &Boards, channels: usize, x: &[R], y: &mut Buffer<R>) {
        assert_eq!(x.len(), boards.area() * channels, "as many points as the boards have");
        let y = y.resized(2 * channels * self.regions(boards));
        self.for_each(boards, |region, first, count, step| {
            let y = &mut y[2 * channels * region..][..2 * channels];
            let (means, maxima) = y.split_at_mut(channels);
            let row = |i: usize| &x[(first + i * step) * channels..][..channels];
            means.copy_from_slice(row(0));
            maxima.copy_from_slice(row(0));
            for i in 1..count {
                for ((mean, maximum), &x) in means.iter_mut().zip(maxima.iter_mut()).zip(row(i)) {
                    *mean += x;
                    *maximum = if x > *maximum { x } else { *maximum };
                }
            }
            let share = R::from_f64(1.0 / count as f64);
            means.iter_mut().for_each(|mean| *mean *= share);
        });
    }

    /// Writes the gradient of the input `x` to `back`, from that of the output `y`.
    /// The gradient of a maximum goes to the first point that has it.
    pub fn backward<R: Real>(
        self,
        boards: &Boards,
        channels: usize,
        (x, y): (&[R], &[R]),
        gradient: &[R],
        back: &mut [R],
    ) {
        self.for_each(boards, |region, first, count, step| {
            let y = &y[2 * channels * region..][..2 * channels];
            let gradient = &gradient[2 * channels * region..][..2 * channels];
            let share = R::from_f64(1.0 / count as f64);
            for channel in 0..channels {
                let (by_mean, maximum) = (gradient[channel] * share, y[channels + channel]);
                let mut by_maximum = gradient[channels + channel];
                for i in 0..count {
                    let at = (first + i * step) * channels + channel;
                    back[at] = by_mean;
                    if x[at] == maximum {
                        back[at] += std::mem::replace(&mut by_maximum, R::ZERO);
                    }
                }
            }
        });
    }
}
