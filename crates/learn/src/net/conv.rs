//! 3 x 3 convolutions with a border of noughts, by Winograd tiles.
//!
//! Tiles go through in blocks, so that their transforms stay in the cache; the
//! board may be larger than a tile and need not be a multiple of it.

use super::lanes::{Lanes, WIDTH};
use super::linear::transpose;
use super::multiply::{Left, Path, multiply};
use super::winograd::{
    POINTS, SIDE, STEP, from_data, from_data_back, from_kernel, from_kernel_back, to_result,
    to_result_back,
};
use super::{Real, Slot, Tensors};

/// Tiles in a block.
const BLOCK: usize = 48;

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

    fn tiles(self) -> usize {
        self.height.div_ceil(STEP) * self.width.div_ceil(STEP)
    }

    /// The position that tile `index` of a batch belongs to, and its first point.
    #[inline(always)]
    fn tile(self, index: usize) -> (usize, usize, usize) {
        let across = self.width.div_ceil(STEP);
        let within = index % self.tiles();
        (index / self.tiles(), within / across * STEP, within % across * STEP)
    }
}

/// What is done to the sums before they are written: nothing while learning,
/// where other layers do it.
#[derive(Clone, Copy)]
pub struct Finish<'a, R> {
    /// Added, by channel.
    pub bias: Option<&'a [R]>,
    /// Added, by element: the way around a residual block.
    pub around: Option<&'a [R]>,
    /// Whether what is below nought becomes nought.
    pub relu: bool,
}

impl<R> Finish<'_, R> {
    /// Plain sums.
    pub const NOTHING: Self = Finish { bias: None, around: None, relu: false };
}

/// Room for the transforms of a block.
#[derive(Clone, Debug, Default)]
pub struct Scratch<R> {
    data: Vec<R>,
    sums: Vec<R>,
}

/// From one point of the tiles to the next. The odd vector at the end keeps the
/// 64 streams of a transform out of each other's cache sets.
fn stride(channels: usize) -> usize {
    BLOCK * channels + 2 * WIDTH
}

/// Room of `length`, with anything in it.
fn room<R: Real>(scratch: &mut Vec<R>, length: usize) -> &mut [R] {
    if scratch.len() < length {
        scratch.resize(length, R::ZERO);
    }
    &mut scratch[..length]
}

/// The convolution of `x` with `kernel`, which is transformed already
/// (`[64][inputs][outputs]`), into `y`.
#[allow(clippy::too_many_arguments)]
pub fn convolve<R: Real>(
    path: Path,
    grid: Grid,
    (inputs, outputs): (usize, usize),
    kernel: &[R],
    x: &[R],
    y: &mut [R],
    finish: Finish<'_, R>,
    scratch: &mut Scratch<R>,
) {
    let tiles = x.len() / (grid.area() * inputs) * grid.tiles();
    let data = room(&mut scratch.data, POINTS * stride(inputs));
    let sums = room(&mut scratch.sums, POINTS * stride(outputs));
    for first in (0..tiles).step_by(BLOCK) {
        let count = BLOCK.min(tiles - first);
        path.run(
            #[inline(always)]
            || read_data(grid, inputs, first, count, x, data),
        );
        for point in 0..POINTS {
            let left = Left::rows(&data[point * stride(inputs)..], inputs);
            let right = &kernel[point * inputs * outputs..];
            let out = &mut sums[point * stride(outputs)..];
            multiply(path, (count, outputs, inputs), left, right, out, false);
        }
        path.run(
            #[inline(always)]
            || write_result(grid, outputs, first, count, sums, y, finish),
        );
    }
}

#[inline(always)]
fn read_data<R: Real>(
    grid: Grid,
    channels: usize,
    first: usize,
    count: usize,
    x: &[R],
    data: &mut [R],
) {
    for t in 0..count {
        let (position, top, left) = grid.tile(first + t);
        for c in (0..channels).step_by(WIDTH) {
            let end = channels.min(c + WIDTH);
            let mut tile = [[Lanes::ZERO; SIDE]; SIDE];
            each_point(grid, top, left, |i, j, point| {
                let at = (position * grid.area() + point) * channels;
                tile[i][j] = Lanes::load(&x[at + c..at + end]);
            });
            put(&from_data(&tile), data, channels, t, c, end);
        }
    }
}

#[inline(always)]
fn write_result<R: Real>(
    grid: Grid,
    channels: usize,
    first: usize,
    count: usize,
    sums: &[R],
    y: &mut [R],
    finish: Finish<'_, R>,
) {
    for t in 0..count {
        let (position, top, left) = grid.tile(first + t);
        for c in (0..channels).step_by(WIDTH) {
            let end = channels.min(c + WIDTH);
            let tile = to_result(&take(sums, channels, t, c, end));
            let bias = finish.bias.map_or(Lanes::ZERO, |bias| Lanes::load(&bias[c..end]));
            for (i, row) in tile.iter().enumerate().take(grid.height - top) {
                for (j, &sum) in row.iter().enumerate().take(grid.width - left) {
                    let point = (top + i) * grid.width + left + j;
                    let at = (position * grid.area() + point) * channels;
                    let mut value = sum + bias;
                    if let Some(around) = finish.around {
                        value = value + Lanes::load(&around[at + c..at + end]);
                    }
                    if finish.relu {
                        value = value.relu();
                    }
                    value.store(&mut y[at + c..at + end]);
                }
            }
        }
    }
}

/// Every place (i, j) of the tile with its data at (`top` - 1, `left` - 1) that
/// is on the board, and the point there.
#[inline(always)]
fn each_point(grid: Grid, top: usize, left: usize, mut each: impl FnMut(usize, usize, usize)) {
    for i in usize::from(top == 0)..SIDE.min(grid.height + 1 - top) {
        for j in usize::from(left == 0)..SIDE.min(grid.width + 1 - left) {
            each(i, j, (top + i - 1) * grid.width + left + j - 1);
        }
    }
}

/// Write a transformed tile, channels `c` to `end`, as the `t`-th of its block.
#[inline(always)]
fn put<R: Real>(
    tile: &[[Lanes<R>; SIDE]; SIDE],
    block: &mut [R],
    channels: usize,
    t: usize,
    c: usize,
    end: usize,
) {
    for (point, &lanes) in tile.as_flattened().iter().enumerate() {
        let at = point * stride(channels) + t * channels;
        lanes.store(&mut block[at + c..at + end]);
    }
}

/// Read what [`put`] wrote.
#[inline(always)]
fn take<R: Real>(
    block: &[R],
    channels: usize,
    t: usize,
    c: usize,
    end: usize,
) -> [[Lanes<R>; SIDE]; SIDE] {
    let mut tile = [[Lanes::ZERO; SIDE]; SIDE];
    for (point, lanes) in tile.as_flattened_mut().iter_mut().enumerate() {
        let at = point * stride(channels) + t * channels;
        *lanes = Lanes::load(&block[at + c..at + end]);
    }
    tile
}

/// A convolution that learns. It has no bias: a normalisation follows.
#[derive(Clone, Debug)]
pub struct Conv<R> {
    /// The kernel, 3 x 3 x inputs x outputs.
    pub weight: Slot,
    /// Channels in and out.
    pub channels: (usize, usize),
    grid: Grid,
    seen: Vec<R>,
    kernel: Vec<R>,
    scratch: Scratch<R>,
}

impl<R: Real> Conv<R> {
    /// A layer whose kernel has been placed in the list.
    pub fn new(weight: Slot, grid: Grid, channels: (usize, usize)) -> Self {
        let scratch = Scratch { data: Vec::new(), sums: Vec::new() };
        Conv { weight, channels, grid, seen: Vec::new(), kernel: Vec::new(), scratch }
    }

    /// The convolution of `x`, which is remembered.
    pub fn forward(&mut self, path: Path, tensors: &Tensors<R>, x: Vec<R>) -> Vec<R> {
        let (inputs, outputs) = self.channels;
        self.kernel = from_kernel(&tensors[self.weight].value, inputs * outputs);
        let mut y = vec![R::ZERO; x.len() / inputs * outputs];
        let (kernel, scratch) = (&self.kernel, &mut self.scratch);
        convolve(path, self.grid, self.channels, kernel, &x, &mut y, Finish::NOTHING, scratch);
        self.seen = x;
        y
    }

    /// Add to the kernel's gradient; answer the gradient by the inputs.
    pub fn backward(&mut self, path: Path, tensors: &mut Tensors<R>, gradient: &[R]) -> Vec<R> {
        let ((inputs, outputs), grid) = (self.channels, self.grid);
        let pairs = inputs * outputs;
        let turned: Vec<R> =
            self.kernel.chunks_exact(pairs).flat_map(|k| transpose(k, outputs)).collect();
        let mut kernel = vec![R::ZERO; POINTS * pairs];
        let mut back = vec![R::ZERO; self.seen.len()];
        let tiles = self.seen.len() / (grid.area() * inputs) * grid.tiles();
        let data = room(&mut self.scratch.data, POINTS * stride(inputs));
        let sums = room(&mut self.scratch.sums, POINTS * stride(outputs));
        for first in (0..tiles).step_by(BLOCK) {
            let count = BLOCK.min(tiles - first);
            // The data are transformed again: remembering them for every layer
            // would cost twice the memory and save a twentieth of the time.
            path.run(
                #[inline(always)]
                || read_data(grid, inputs, first, count, &self.seen, data),
            );
            path.run(
                #[inline(always)]
                || read_gradient(grid, outputs, first, count, gradient, sums),
            );
            for point in 0..POINTS {
                let data = &mut data[point * stride(inputs)..];
                let sums = &sums[point * stride(outputs)..];
                let to = &mut kernel[point * pairs..];
                let left = Left::transposed(data, inputs);
                multiply(path, (inputs, outputs, count), left, sums, to, true);
                let left = Left::rows(sums, outputs);
                let right = &turned[point * pairs..];
                multiply(path, (count, inputs, outputs), left, right, data, false);
            }
            path.run(
                #[inline(always)]
                || add_back(grid, inputs, first, count, data, &mut back),
            );
        }
        from_kernel_back(&kernel, &mut tensors[self.weight].gradient, pairs);
        back
    }
}

#[inline(always)]
fn read_gradient<R: Real>(
    grid: Grid,
    channels: usize,
    first: usize,
    count: usize,
    gradient: &[R],
    sums: &mut [R],
) {
    for t in 0..count {
        let (position, top, left) = grid.tile(first + t);
        for c in (0..channels).step_by(WIDTH) {
            let end = channels.min(c + WIDTH);
            let mut tile = [[Lanes::ZERO; STEP]; STEP];
            for (i, row) in tile.iter_mut().enumerate().take(grid.height - top) {
                for (j, lanes) in row.iter_mut().enumerate().take(grid.width - left) {
                    let point = (top + i) * grid.width + left + j;
                    let at = (position * grid.area() + point) * channels;
                    *lanes = Lanes::load(&gradient[at + c..at + end]);
                }
            }
            put(&to_result_back(&tile), sums, channels, t, c, end);
        }
    }
}

#[inline(always)]
fn add_back<R: Real>(
    grid: Grid,
    channels: usize,
    first: usize,
    count: usize,
    data: &[R],
    back: &mut [R],
) {
    for t in 0..count {
        let (position, top, left) = grid.tile(first + t);
        for c in (0..channels).step_by(WIDTH) {
            let end = channels.min(c + WIDTH);
            let tile = from_data_back(&take(data, channels, t, c, end));
            each_point(grid, top, left, |i, j, point| {
                let at = (position * grid.area() + point) * channels;
                let to = &mut back[at + c..at + end];
                (Lanes::load(to) + tile[i][j]).store(to);
            });
        }
    }
}
