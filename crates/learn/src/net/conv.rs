//! 3 x 3 convolutions with a border of noughts, by Winograd tiles.
//!
//! Tiles go through in blocks, so that their transforms stay in the cache; the
//! board may be larger than a tile and need not be a multiple of it.

use super::linear::transpose;
use super::multiply::{Left, multiply};
use super::tiles::{AddBack, BLOCK, Grid, ReadData, ReadGradient, Tiles, WriteResult, stride};
use super::winograd::{POINTS, from_kernel, from_kernel_back};
use super::{Path, Real, Slot, Tensors};

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
        path.run(ReadData { tiles: Tiles { grid, channels: inputs, first, count }, x, data });
        for point in 0..POINTS {
            let left = Left::rows(&data[point * stride(inputs)..], inputs);
            let right = &kernel[point * inputs * outputs..];
            let out = &mut sums[point * stride(outputs)..];
            multiply(path, (count, outputs, inputs), left, right, out, false);
        }
        let tiles = Tiles { grid, channels: outputs, first, count };
        path.run(WriteResult { tiles, sums, y, finish });
    }
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
    scratch: Scratch<R>,
}

impl<R: Real> Conv<R> {
    /// A layer whose kernel has been placed in the list.
    pub fn new(weight: Slot, grid: Grid, channels: (usize, usize)) -> Self {
        let scratch = Scratch { data: Vec::new(), sums: Vec::new() };
        Conv { weight, channels, grid, seen: Vec::new(), scratch }
    }

    /// The convolution of `x`, which is remembered.
    pub fn forward(&mut self, path: Path, tensors: &Tensors<R>, x: Vec<R>) -> Vec<R> {
        let (inputs, outputs) = self.channels;
        let kernel = &from_kernel(&tensors[self.weight].value, inputs * outputs);
        let mut y = vec![R::ZERO; x.len() / inputs * outputs];
        let scratch = &mut self.scratch;
        convolve(path, self.grid, self.channels, kernel, &x, &mut y, Finish::NOTHING, scratch);
        self.seen = x;
        y
    }

    /// Add to the kernel's gradient; answer the gradient by the inputs.
    pub fn backward(&mut self, path: Path, tensors: &mut Tensors<R>, gradient: &[R]) -> Vec<R> {
        let ((inputs, outputs), grid) = (self.channels, self.grid);
        let pairs = inputs * outputs;
        // Nine matrices are turned rather than the 64 they become.
        let weight = tensors[self.weight].value.chunks_exact(pairs);
        let turned: Vec<R> = weight.flat_map(|k| transpose(k, outputs)).collect();
        let turned = from_kernel(&turned, pairs);
        let mut kernel = vec![R::ZERO; POINTS * pairs];
        let mut back = vec![R::ZERO; self.seen.len()];
        let tiles = self.seen.len() / (grid.area() * inputs) * grid.tiles();
        let data = room(&mut self.scratch.data, POINTS * stride(inputs));
        let sums = room(&mut self.scratch.sums, POINTS * stride(outputs));
        for first in (0..tiles).step_by(BLOCK) {
            let count = BLOCK.min(tiles - first);
            // The data are transformed again: to remember them would take 64
            // numbers for every 36, for every layer.
            let before = Tiles { grid, channels: inputs, first, count };
            let after = Tiles { channels: outputs, ..before };
            path.run(ReadData { tiles: before, x: &self.seen, data });
            path.run(ReadGradient { tiles: after, gradient, sums });
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
            path.run(AddBack { tiles: before, data, back: &mut back });
        }
        from_kernel_back(&kernel, &mut tensors[self.weight].gradient, pairs);
        back
    }
}
