//! 3 x 3 convolutions with a border of zeros, by Winograd tiles.
//!
//! Tiles go through in blocks, so that their transforms stay in the cache; the
//! board may be larger than a tile and need not be a multiple of it.

use super::gemm::{Left, gemm};
use super::kernels::{from_kernel, from_kernel_back};
use super::linear::transpose;
use super::tiles::{BLOCK, Grid, ReadData, ReadGradient, Tiles, WriteBack, WriteResult, stride};
use super::winograd::POINTS;
use super::{Buffer, Real, SimdLevel, Slot, Tensors};

/// What is done to the sums before they are written: nothing while learning,
/// where other layers do it.
#[derive(Clone, Copy)]
pub struct Epilogue<'a, R> {
    /// Added, by channel.
    pub bias: Option<&'a [R]>,
    /// Added, by element: the way residual a residual block.
    pub residual: Option<&'a [R]>,
    /// Whether what is below zero becomes zero.
    pub relu: bool,
}

impl<R> Epilogue<'_, R> {
    /// Plain sums.
    pub const NOTHING: Self = Epilogue { bias: None, residual: None, relu: false };
}

/// Buffer for the transforms of a block, and of a kernel. Layers share it, so that
/// it stays in the cache.
#[derive(Clone, Debug, Default)]
pub struct Scratch<R> {
    data: Buffer<R>,
    sums: Buffer<R>,
    kernel: Buffer<R>,
    kernel_back: Buffer<R>,
    turned: Buffer<R>,
}

/// The convolution of `x` with `kernel`, which is transformed already
/// (`[64][inputs][outputs]`), into `y`.
#[allow(clippy::too_many_arguments)]
pub fn convolve<R: Real>(
    simd: SimdLevel,
    grid: Grid,
    (inputs, outputs): (usize, usize),
    kernel: &[R],
    x: &[R],
    y: &mut [R],
    epilogue: Epilogue<'_, R>,
    scratch: &mut Scratch<R>,
) {
    let tiles = x.len() / (grid.area() * inputs) * grid.tiles();
    let data = scratch.data.resized(POINTS * stride(inputs));
    let sums = scratch.sums.resized(POINTS * stride(outputs));
    for first in (0..tiles).step_by(BLOCK) {
        let count = BLOCK.min(tiles - first);
        simd.run(ReadData { tiles: Tiles { grid, channels: inputs, first, count }, x, data });
        for point in 0..POINTS {
            let left = Left::rows(&data[point * stride(inputs)..], inputs);
            let right = &kernel[point * inputs * outputs..];
            let out = &mut sums[point * stride(outputs)..];
            gemm(simd, (count, outputs, inputs), left, right, out, false);
        }
        let tiles = Tiles { grid, channels: outputs, first, count };
        simd.run(WriteResult { tiles, sums, y, epilogue });
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
        simd: SimdLevel,
        tensors: &Tensors<R>,
        x: &[R],
        y: &mut Buffer<R>,
        scratch: &mut Scratch<R>,
    ) {
        let (inputs, outputs) = self.channels;
        let mut kernel = std::mem::take(&mut scratch.kernel);
        let points = kernel.resized(POINTS * inputs * outputs);
        from_kernel(simd, &tensors[self.weight].value, points);
        let y = y.resized(x.len() / inputs * outputs);
        convolve(simd, self.grid, self.channels, points, x, y, Epilogue::NOTHING, scratch);
        scratch.kernel = kernel;
    }

    /// Add to the kernel's gradient. The gradient by the inputs `x` goes into
    /// `back`, if anybody wants it.
    pub fn backward<R: Real>(
        &self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        x: &[R],
        gradient: &[R],
        mut back: Back<'_, R>,
        scratch: &mut Scratch<R>,
    ) {
        let ((inputs, outputs), grid) = (self.channels, self.grid);
        let pairs = inputs * outputs;
        let tiles = x.len() / (grid.area() * inputs) * grid.tiles();
        let data = scratch.data.resized(POINTS * stride(inputs));
        let sums = scratch.sums.resized(POINTS * stride(outputs));
        let kernel_back = scratch.kernel_back.resized(POINTS * pairs);
        let kernel = scratch.kernel.resized(POINTS * pairs);
        if !matches!(back, Back::Nowhere) {
            // Nine matrices are turned rather than the 64 they become.
            let turned = scratch.turned.resized(9 * pairs);
            let taps = tensors[self.weight].value.chunks_exact(pairs);
            for (tap, turned) in taps.zip(turned.chunks_exact_mut(pairs)) {
                transpose(tap, outputs, turned);
            }
            from_kernel(simd, turned, kernel);
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
            simd.run(ReadData { tiles: before, x, data });
            simd.run(ReadGradient { tiles: after, gradient, sums });
            for point in 0..POINTS {
                let data = &mut data[point * stride(inputs)..];
                let sums = &sums[point * stride(outputs)..];
                let to = &mut kernel_back[point * pairs..];
                let left = Left::transposed(data, inputs);
                gemm(simd, (inputs, outputs, count), left, sums, to, first > 0);
                if !matches!(back, Back::Nowhere) {
                    let left = Left::rows(sums, outputs);
                    let right = &kernel[point * pairs..];
                    gemm(simd, (count, inputs, outputs), left, right, data, false);
                }
            }
            let (back, fresh) = match &mut back {
                Back::Nowhere => continue,
                Back::Into(back) => (&mut **back, grid.tiles() == 1),
                Back::Onto(back) => (&mut **back, false),
            };
            simd.run(WriteBack { tiles: before, data, back, fresh });
        }
        from_kernel_back(simd, kernel_back, &mut tensors[self.weight].gradient);
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
