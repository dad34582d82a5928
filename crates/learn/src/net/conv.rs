//! 3 x 3 convolutions with a border of noughts, by Winograd tiles.
//!
//! Tiles go through in blocks, so that their transforms stay in the cache; the
//! board may be larger than a tile and need not be a multiple of it.

use super::kernels::{from_kernel, from_kernel_back};
use super::linear::transpose;
use super::multiply::{Left, multiply};
use super::tiles::{BLOCK, Grid, ReadData, ReadGradient, Tiles, WriteBack, WriteResult, stride};
use super::winograd::POINTS;
use super::{Path, Real, Room, Slot, Tensors};

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

/// Room for the transforms of a block, and of a kernel. Layers share it, so that
/// it stays in the cache.
#[derive(Clone, Debug, Default)]
pub struct Scratch<R> {
    data: Room<R>,
    sums: Room<R>,
    kernel: Room<R>,
    kernel_back: Room<R>,
    turned: Room<R>,
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
    let data = scratch.data.of(POINTS * stride(inputs));
    let sums = scratch.sums.of(POINTS * stride(outputs));
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
pub struct Conv {
    /// The kernel, 3 x 3 x inputs x outputs.
    pub weight: Slot,
    /// Channels in and out.
    pub channels: (usize, usize),
    grid: Grid,
}

impl Conv {
    /// A layer whose kernel has been placed in the list.
    pub fn new(weight: Slot, grid: Grid, channels: (usize, usize)) -> Self {
        Conv { weight, channels, grid }
    }

    /// The convolution of `x`.
    pub fn forward<R: Real>(
        &self,
        path: Path,
        tensors: &Tensors<R>,
        x: &[R],
        y: &mut Room<R>,
        scratch: &mut Scratch<R>,
    ) {
        let (inputs, outputs) = self.channels;
        let mut kernel = std::mem::take(&mut scratch.kernel);
        let points = kernel.of(POINTS * inputs * outputs);
        from_kernel(path, &tensors[self.weight].value, points);
        let y = y.of(x.len() / inputs * outputs);
        convolve(path, self.grid, self.channels, points, x, y, Finish::NOTHING, scratch);
        scratch.kernel = kernel;
    }

    /// Add to the kernel's gradient. The gradient by the inputs `x` goes into
    /// `back`, if anybody wants it.
    pub fn backward<R: Real>(
        &self,
        path: Path,
        tensors: &mut Tensors<R>,
        x: &[R],
        gradient: &[R],
        mut back: Back<'_, R>,
        scratch: &mut Scratch<R>,
    ) {
        let ((inputs, outputs), grid) = (self.channels, self.grid);
        let pairs = inputs * outputs;
        let tiles = x.len() / (grid.area() * inputs) * grid.tiles();
        let data = scratch.data.of(POINTS * stride(inputs));
        let sums = scratch.sums.of(POINTS * stride(outputs));
        let kernel_back = scratch.kernel_back.of(POINTS * pairs);
        let kernel = scratch.kernel.of(POINTS * pairs);
        if !matches!(back, Back::Nowhere) {
            // Nine matrices are turned rather than the 64 they become.
            let turned = scratch.turned.of(9 * pairs);
            let taps = tensors[self.weight].value.chunks_exact(pairs);
            for (tap, turned) in taps.zip(turned.chunks_exact_mut(pairs)) {
                transpose(tap, outputs, turned);
            }
            from_kernel(path, turned, kernel);
        }
        if let Back::Into(back) = &mut back
            && grid.tiles() > 1
        {
            back.fill(R::ZERO);
        }
        for first in (0..tiles).step_by(BLOCK) {
            let count = BLOCK.min(tiles - first);
            // The data are transformed again: to remember them would take 64
            // numbers for every 36, for every layer.
            let before = Tiles { grid, channels: inputs, first, count };
            let after = Tiles { channels: outputs, ..before };
            path.run(ReadData { tiles: before, x, data });
            path.run(ReadGradient { tiles: after, gradient, sums });
            for point in 0..POINTS {
                let data = &mut data[point * stride(inputs)..];
                let sums = &sums[point * stride(outputs)..];
                let to = &mut kernel_back[point * pairs..];
                let left = Left::transposed(data, inputs);
                multiply(path, (inputs, outputs, count), left, sums, to, first > 0);
                if !matches!(back, Back::Nowhere) {
                    let left = Left::rows(sums, outputs);
                    let right = &kernel[point * pairs..];
                    multiply(path, (count, inputs, outputs), left, right, data, false);
                }
            }
            let (back, fresh) = match &mut back {
                Back::Nowhere => continue,
                Back::Into(back) => (&mut **back, grid.tiles() == 1),
                Back::Onto(back) => (&mut **back, false),
            };
            path.run(WriteBack { tiles: before, data, back, fresh });
        }
        from_kernel_back(path, kernel_back, &mut tensors[self.weight].gradient);
    }
}

/// Where the gradient by the inputs of a layer goes.
pub enum Back<'a, R> {
    /// Nobody wants it.
    Nowhere,
    /// It replaces what is there.
    Into(&'a mut [R]),
    /// It is added to what is there.
    Onto(&'a mut [R]),
}
