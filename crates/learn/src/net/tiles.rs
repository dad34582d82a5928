//! Between a batch of boards and blocks of transformed tiles.
//!
//! A board lies point by point, the channels innermost; a block holds for each
//! of the 64 points of its tiles a matrix, tiles by channels. The board may be
//! larger than a tile and need not be a multiple of it.
//!
//! Every load and store goes through a slice of its own length, so that only
//! [`Vector`]'s own rule is left to trust.

use super::vector::{Kernel, Vector};
use super::winograd::{SIDE, STEP, Tile, from_data, from_data_back, to_result, to_result_back};
use super::{Epilogue, Real};

/// Tiles in a block. Few, and the kernels come through the cache too often;
/// many, and the transforms leave it.
pub const BLOCK: usize = 48;

/// From one point's matrix to the next. The odd line at the end keeps the 64
/// streams of a transform out of each other's cache sets.
pub fn stride(channels: usize) -> usize {
    BLOCK * channels + 16
}

/// A board's height and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
}

impl Grid {
    /// Points of the board.
    pub fn area(self) -> usize {
        self.height * self.width
    }

    /// Tiles that cover it.
    pub(super) fn tiles(self) -> usize {
        self.height.div_ceil(STEP) * self.width.div_ceil(STEP)
    }
}

/// Which tiles of a batch are in a block.
#[derive(Clone, Copy)]
pub struct Tiles {
    pub grid: Grid,
    pub channels: usize,
    pub first: usize,
    pub count: usize,
}

/// A tile's place, and the channels of it that make one vector.
struct Patch {
    /// The first number of its position, at the first of its channels.
    base: usize,
    /// Its first result.
    top: usize,
    left: usize,
    /// Where it lies in each matrix of its block.
    at: usize,
    lanes: usize,
}

impl Tiles {
    /// Every tile and every `width` of its channels.
    #[inline(always)]
    fn each(self, width: usize, mut each: impl FnMut(Patch)) {
        let Tiles { grid, channels, first, count } = self;
        let across = grid.width.div_ceil(STEP);
        for t in 0..count {
            let (position, within) = ((first + t) / grid.tiles(), (first + t) % grid.tiles());
            for channel in (0..channels).step_by(width) {
                let patch = |lanes| Patch {
                    base: position * grid.area() * channels + channel,
                    top: within / across * STEP,
                    left: within % across * STEP,
                    at: t * channels + channel,
                    lanes,
                };
                // Twice, so that whole vectors are known to be whole.
                if width <= channels - channel {
                    each(patch(width));
                } else {
                    each(patch(channels - channel));
                }
            }
        }
    }

    /// Where the point lies that is (i, j) of the patch's results.
    #[inline(always)]
    fn point(self, patch: &Patch, i: usize, j: usize) -> usize {
        patch.base + ((patch.top + i) * self.grid.width + patch.left + j) * self.channels
    }

    /// The rows and columns of the patch's data that are on the board, counted
    /// from one before its results.
    #[inline(always)]
    fn inside(self, patch: &Patch) -> [std::ops::Range<usize>; 2] {
        let Grid { height, width } = self.grid;
        [(patch.top, height), (patch.left, width)]
            .map(|(first, size)| usize::from(first == 0)..SIDE.min(size + 1 - first))
    }
}

/// Read a tile that [`ReadData`] or a product wrote.
#[inline(always)]
unsafe fn take<R, V: Vector<R>>(tile: &mut Tile<V>, block: &[R], stride: usize, patch: &Patch) {
    for (i, row) in tile.iter_mut().enumerate() {
        for (j, to) in row.iter_mut().enumerate() {
            let at = (i * SIDE + j) * stride + patch.at;
            // SAFETY: the instructions are the caller's promise.
            *to = unsafe { V::read(block, at, patch.lanes) };
        }
    }
}

#[inline(always)]
unsafe fn zeros<R: Real, V: Vector<R>>() -> Tile<V> {
    // SAFETY: the instructions are the caller's promise.
    [[unsafe { V::all(R::ZERO) }; SIDE]; SIDE]
}

/// Transform boards into a block.
pub struct ReadData<'a, R> {
    pub tiles: Tiles,
    pub x: &'a [R],
    pub data: &'a mut [R],
}

impl<R: Real> Kernel<R> for ReadData<'_, R> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(self) {
        let stride = stride(self.tiles.channels);
        // SAFETY, here and below: the instructions are the caller's promise.
        let (mut tile, mut half) = unsafe { (zeros(), zeros()) };
        self.tiles.each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                if self.tiles.grid.tiles() > 1 {
                    // Another part of it may be off the board.
                    tile = unsafe { zeros() };
                }
                let [rows, columns] = self.tiles.inside(&patch);
                for i in rows {
                    for j in columns.clone() {
                        let at = self.tiles.point(&patch, i, j);
                        let at = at - (self.tiles.grid.width + 1) * self.tiles.channels;
                        tile[i][j] = unsafe { V::read(self.x, at, patch.lanes) };
                    }
                }
                from_data(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, vector: V| {
                        vector.write(self.data, (i * SIDE + j) * stride + patch.at, patch.lanes);
                    },
                );
            },
        );
    }
}

/// Transform a block of products into boards.
pub struct WriteResult<'a, R> {
    pub tiles: Tiles,
    pub sums: &'a [R],
    pub y: &'a mut [R],
    pub epilogue: Epilogue<'a, R>,
}

impl<R: Real> Kernel<R> for WriteResult<'_, R> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(self) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half) = unsafe { (zeros(), zeros()) };
        self.tiles.each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                let lanes = patch.lanes;
                unsafe { take(&mut tile, self.sums, stride, &patch) };
                let bias: V = match self.epilogue.bias {
                    Some(bias) => unsafe { V::read(bias, patch.at % self.tiles.channels, lanes) },
                    None => unsafe { V::all(R::ZERO) },
                };
                let rows = self.tiles.grid.height - patch.top;
                let columns = self.tiles.grid.width - patch.left;
                to_result(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, sum: V| {
                        if i < rows && j < columns {
                            let at = self.tiles.point(&patch, i, j);
                            let mut value: V = sum + bias;
                            if let Some(residual) = self.epilogue.residual {
                                value = value + unsafe { V::read(residual, at, lanes) };
                            }
                            if self.epilogue.relu {
                                value = value.relu();
                            }
                            value.write(self.y, at, lanes);
                        }
                    },
                );
            },
        );
    }
}

/// Transform the gradient by the results into a block: backward through
/// [`WriteResult`].
pub struct ReadGradient<'a, R> {
    pub tiles: Tiles,
    pub gradient: &'a [R],
    pub sums: &'a mut [R],
}

impl<R: Real> Kernel<R> for ReadGradient<'_, R> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(self) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half) = unsafe { (zeros(), zeros()) };
        self.tiles.each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                if self.tiles.grid.tiles() > 1 {
                    tile = unsafe { zeros() };
                }
                let rows = STEP.min(self.tiles.grid.height - patch.top);
                let columns = STEP.min(self.tiles.grid.width - patch.left);
                for (i, row) in tile.iter_mut().enumerate().take(rows) {
                    for (j, to) in row.iter_mut().enumerate().take(columns) {
                        let at = self.tiles.point(&patch, i, j);
                        *to = unsafe { V::read(self.gradient, at, patch.lanes) };
                    }
                }
                to_result_back(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, vector: V| {
                        vector.write(self.sums, (i * SIDE + j) * stride + patch.at, patch.lanes);
                    },
                );
            },
        );
    }
}

/// Transform a block of gradients into that by the boards: backward through
/// [`ReadData`]. It is added to what is there, as data of neighbouring tiles
/// overlap, unless `fresh` says that nothing is and each board is one tile.
pub struct WriteBack<'a, R> {
    pub tiles: Tiles,
    pub data: &'a [R],
    pub back: &'a mut [R],
    pub fresh: bool,
}

impl<R: Real> Kernel<R> for WriteBack<'_, R> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(self) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half) = unsafe { (zeros(), zeros()) };
        self.tiles.each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                unsafe { take(&mut tile, self.data, stride, &patch) };
                let [rows, columns] = self.tiles.inside(&patch);
                from_data_back(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, vector: V| {
                        if rows.contains(&i) && columns.contains(&j) {
                            let at = self.tiles.point(&patch, i, j);
                            let at = at - (self.tiles.grid.width + 1) * self.tiles.channels;
                            let mut vector = vector;
                            if !self.fresh {
                                vector = vector + unsafe { V::read(self.back, at, patch.lanes) };
                            }
                            vector.write(self.back, at, patch.lanes);
                        }
                    },
                );
            },
        );
    }
}
