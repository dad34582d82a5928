//! Between a batch of boards and blocks of transformed tiles.
//!
//! A board lies point by point, the channels innermost; a block holds for each of
//! the 64 points of its tiles a matrix, tiles by channels. The board may be larger
//! than a tile and need not be a multiple of it.

use super::{
    SIDE, STEP, Tile, transform_input, transform_input_back, transform_output,
    transform_output_back,
};
use crate::net::simd::{SimdKernel, Vector};
use crate::net::{Epilogue, Grid, Real};

/// Tiles in a block. With fewer the kernels come through the cache too often; with
/// more the transforms leave it.
pub const BLOCK: usize = 48;

/// The distance from one point's matrix to the next. The odd cache line at the end
/// keeps the 64 streams of a transform out of each other's cache sets.
pub fn stride(channels: usize) -> usize {
    BLOCK * channels + 16
}

/// The number of tiles that cover a board.
pub fn tiles_of(grid: Grid) -> usize {
    grid.height.div_ceil(STEP) * grid.width.div_ceil(STEP)
}

/// The tiles of a batch that are in a block.
#[derive(Clone, Copy)]
pub struct Tiles {
    pub grid: Grid,
    pub channels: usize,
    pub first: usize,
    pub count: usize,
}

/// One vector of a tile's channels.
struct Patch {
    /// The index of its position's first number, at the first of its channels.
    base: usize,
    /// The row of its first output.
    top: usize,
    /// The column of its first output.
    left: usize,
    /// Its index in each matrix of the block.
    at: usize,
    lanes: usize,
}

impl Tiles {
    /// Calls `each` for all vectors of `width` channels of all tiles.
    #[inline(always)]
    fn for_each(self, width: usize, mut each: impl FnMut(Patch)) {
        let Tiles { grid, channels, first, count } = self;
        let across = grid.width.div_ceil(STEP);
        for t in 0..count {
            let (position, within) = ((first + t) / tiles_of(grid), (first + t) % tiles_of(grid));
            for channel in (0..channels).step_by(width) {
                let patch = |lanes| Patch {
                    base: position * grid.area() * channels + channel,
                    top: within / across * STEP,
                    left: within % across * STEP,
                    at: t * channels + channel,
                    lanes,
                };
                // Two calls, so that full vectors are known to be full.
                if width <= channels - channel {
                    each(patch(width));
                } else {
                    each(patch(channels - channel));
                }
            }
        }
    }

    /// The index of the patch's output (i, j).
    #[inline(always)]
    fn output(self, patch: &Patch, i: usize, j: usize) -> usize {
        patch.base + ((patch.top + i) * self.grid.width + patch.left + j) * self.channels
    }

    /// The index of the patch's input (i, j), which begins one row and one column
    /// before its output.
    #[inline(always)]
    fn input(self, patch: &Patch, i: usize, j: usize) -> usize {
        self.output(patch, i, j) - (self.grid.width + 1) * self.channels
    }

    /// The rows and columns of the patch's input that are on the board.
    #[inline(always)]
    fn inside(self, patch: &Patch) -> [std::ops::Range<usize>; 2] {
        let Grid { height, width } = self.grid;
        [(patch.top, height), (patch.left, width)]
            .map(|(first, size)| usize::from(first == 0)..SIDE.min(size + 1 - first))
    }
}

/// Reads a tile of a block.
#[inline(always)]
fn read_tile<R, V: Vector<R>>(
    proof: V::Proof,
    tile: &mut Tile<V>,
    block: &[R],
    stride: usize,
    patch: &Patch,
) {
    for (i, row) in tile.iter_mut().enumerate() {
        for (j, to) in row.iter_mut().enumerate() {
            let at = (i * SIDE + j) * stride + patch.at;
            *to = V::read(proof, block, at, patch.lanes);
        }
    }
}

#[inline(always)]
fn zeros<R: Real, V: Vector<R>>(proof: V::Proof) -> Tile<V> {
    [[V::splat(proof, R::ZERO); SIDE]; SIDE]
}

/// Transforms boards into a block.
pub struct TransformInput<'a, R> {
    pub tiles: Tiles,
    pub x: &'a [R],
    pub input: &'a mut [R],
}

impl<R: Real> SimdKernel<R> for TransformInput<'_, R> {
    #[inline(always)]
    fn run<V: Vector<R>>(self, proof: V::Proof) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half): (Tile<V>, Tile<V>) = (zeros(proof), zeros(proof));
        self.tiles.for_each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                if tiles_of(self.tiles.grid) > 1 {
                    // Another part of the tile may be off the board.
                    tile = zeros(proof);
                }
                let [rows, columns] = self.tiles.inside(&patch);
                for i in rows {
                    for j in columns.clone() {
                        let at = self.tiles.input(&patch, i, j);
                        tile[i][j] = V::read(proof, self.x, at, patch.lanes);
                    }
                }
                transform_input(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, vector: V| {
                        vector.write(self.input, (i * SIDE + j) * stride + patch.at, patch.lanes);
                    },
                );
            },
        );
    }
}

/// Transforms a block of products into boards.
pub struct TransformOutput<'a, R> {
    pub tiles: Tiles,
    pub sums: &'a [R],
    pub y: &'a mut [R],
    pub epilogue: Epilogue<'a, R>,
}

impl<R: Real> SimdKernel<R> for TransformOutput<'_, R> {
    #[inline(always)]
    fn run<V: Vector<R>>(self, proof: V::Proof) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half): (Tile<V>, Tile<V>) = (zeros(proof), zeros(proof));
        self.tiles.for_each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                let lanes = patch.lanes;
                read_tile(proof, &mut tile, self.sums, stride, &patch);
                let bias: V = match self.epilogue.bias {
                    Some(bias) => V::read(proof, bias, patch.at % self.tiles.channels, lanes),
                    None => V::splat(proof, R::ZERO),
                };
                let rows = self.tiles.grid.height - patch.top;
                let columns = self.tiles.grid.width - patch.left;
                transform_output(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, sum: V| {
                        if i < rows && j < columns {
                            let at = self.tiles.output(&patch, i, j);
                            let mut value: V = sum + bias;
                            if let Some(residual) = self.epilogue.residual {
                                value = value + V::read(proof, residual, at, lanes);
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

/// Transforms the gradient of the output into a block: the backward pass of
/// [`TransformOutput`].
pub struct TransformOutputBack<'a, R> {
    pub tiles: Tiles,
    pub gradient: &'a [R],
    pub sums: &'a mut [R],
}

impl<R: Real> SimdKernel<R> for TransformOutputBack<'_, R> {
    #[inline(always)]
    fn run<V: Vector<R>>(self, proof: V::Proof) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half): (Tile<V>, Tile<V>) = (zeros(proof), zeros(proof));
        self.tiles.for_each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                if tiles_of(self.tiles.grid) > 1 {
                    tile = zeros(proof);
                }
                let rows = STEP.min(self.tiles.grid.height - patch.top);
                let columns = STEP.min(self.tiles.grid.width - patch.left);
                for (i, row) in tile.iter_mut().enumerate().take(rows) {
                    for (j, to) in row.iter_mut().enumerate().take(columns) {
                        let at = self.tiles.output(&patch, i, j);
                        *to = V::read(proof, self.gradient, at, patch.lanes);
                    }
                }
                transform_output_back(
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

/// Transforms a block of gradients into the gradient of the input: the backward
/// pass of [`TransformInput`]. It is added to what is there, as the inputs of
/// neighbouring tiles overlap, unless `overwrite`, for boards of one tile.
pub struct TransformInputBack<'a, R> {
    pub tiles: Tiles,
    pub input: &'a [R],
    pub back: &'a mut [R],
    pub overwrite: bool,
}

impl<R: Real> SimdKernel<R> for TransformInputBack<'_, R> {
    #[inline(always)]
    fn run<V: Vector<R>>(self, proof: V::Proof) {
        let stride = stride(self.tiles.channels);
        let (mut tile, mut half): (Tile<V>, Tile<V>) = (zeros(proof), zeros(proof));
        self.tiles.for_each(
            V::LANES,
            #[inline(always)]
            |patch: Patch| {
                read_tile(proof, &mut tile, self.input, stride, &patch);
                let [rows, columns] = self.tiles.inside(&patch);
                transform_input_back(
                    &tile,
                    &mut half,
                    #[inline(always)]
                    |i: usize, j: usize, vector: V| {
                        if rows.contains(&i) && columns.contains(&j) {
                            let at = self.tiles.input(&patch, i, j);
                            let mut vector = vector;
                            if !self.overwrite {
                                vector = vector + V::read(proof, self.back, at, patch.lanes);
                            }
                            vector.write(self.back, at, patch.lanes);
                        }
                    },
                );
            },
        );
    }
}
