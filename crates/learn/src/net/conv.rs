//! 3 x 3 convolutions with zero padding, by Winograd tiles.
//!
//! Tiles go through in blocks, so that their transforms stay in the cache; the
//! board may be larger than a tile and need not be a multiple of it.

use super::gemm::{Left, gemm};
use super::linear::transpose;
use super::simd::SimdLevel;
use super::winograd::POINTS;
use super::winograd::kernels::{transform_taps, transform_taps_back};
use super::winograd::tiles::{
    BLOCK, Tiles, TransformInput, TransformInputBack, TransformOutput, TransformOutputBack, stride,
    tiles_of,
};
use super::{Boards, Buffer, Grid, Real, TensorId, Tensors};

/// What is done to the sums before they are written: nothing in training, where
/// other layers do it.
#[derive(Clone, Copy)]
pub struct Epilogue<'a, R> {
    /// Added, by channel.
    pub bias: Option<&'a [R]>,
    /// Added, by element: the input of the residual block.
    pub residual: Option<&'a [R]>,
    /// Whether the ReLU is applied.
    pub relu: bool,
}

impl<R> Epilogue<'_, R> {
    /// Plain sums.
    pub const NONE: Self = Epilogue { bias: None, residual: None, relu: false };
}

/// Memory for the transforms of a block and of a kernel. Layers share it, so that
/// it stays in the cache.
#[derive(Clone, Debug, Default)]
pub struct Scratch<R> {
    input: Buffer<R>,
    sums: Buffer<R>,
    kernel: Buffer<R>,
    kernel_back: Buffer<R>,
    transposed: Buffer<R>,
}

/// Writes the convolution of `x` with `kernel`, which is transformed already
/// (`[64][inputs][outputs]`), to `y`.
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
    let tiles = x.len() / (grid.area() * inputs) * tiles_of(grid);
    let input = scratch.input.resized(POINTS * stride(inputs));
    let sums = scratch.sums.resized(POINTS * stride(outputs));
    for first in (0..tiles).step_by(BLOCK) {
        let count = BLOCK.min(tiles - first);
        let tiles = Tiles { grid, channels: inputs, first, count };
        simd.run(TransformInput { tiles, x, input });
        for point in 0..POINTS {
            let left = Left::rows(&input[point * stride(inputs)..], inputs);
            let right = &kernel[point * inputs * outputs..];
            let out = &mut sums[point * stride(outputs)..];
            gemm(simd, (count, outputs, inputs), left, right, out, false);
        }
        let tiles = Tiles { grid, channels: outputs, first, count };
        simd.run(TransformOutput { tiles, sums, y, epilogue });
    }
}

/// A convolution in training. It has no bias: a batch normalisation follows.
#[derive(Clone, Debug)]
pub struct Conv {
    /// The kernel, 3 x 3 x inputs x outputs.
    pub weight: TensorId,
    /// Channels in and out.
    pub channels: (usize, usize),
}

impl Conv {
    /// A layer whose kernel is in the list of tensors.
    pub fn new(weight: TensorId, channels: (usize, usize)) -> Self {
        Conv { weight, channels }
    }

    /// Writes the convolution of `x` to `y`.
    pub fn forward<R: Real>(
        &self,
        simd: SimdLevel,
        tensors: &Tensors<R>,
        boards: &Boards,
        x: &[R],
        y: &mut Buffer<R>,
        scratch: &mut Scratch<R>,
    ) {
        let (inputs, outputs) = self.channels;
        let mut kernel = std::mem::take(&mut scratch.kernel);
        let points = kernel.resized(POINTS * inputs * outputs);
        transform_taps(simd, &tensors[self.weight].value, points);
        let y = y.resized(boards.area() * outputs);
        for (grid, at) in boards.runs() {
            let x = &x[at.start * inputs..at.end * inputs];
            let y = &mut y[at.start * outputs..at.end * outputs];
            convolve(simd, grid, self.channels, points, x, y, Epilogue::NONE, scratch);
        }
        scratch.kernel = kernel;
    }

    /// Adds to the kernel's gradient. The gradient of the input `x` goes where
    /// `back` says.
    #[allow(clippy::too_many_arguments)]
    pub fn backward<R: Real>(
        &self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        boards: &Boards,
        x: &[R],
        gradient: &[R],
        mut back: InputGradient<'_, R>,
        scratch: &mut Scratch<R>,
    ) {
        let (inputs, outputs) = self.channels;
        let pairs = inputs * outputs;
        let input = scratch.input.resized(POINTS * stride(inputs));
        let sums = scratch.sums.resized(POINTS * stride(outputs));
        let kernel_back = scratch.kernel_back.resized(POINTS * pairs);
        let kernel = scratch.kernel.resized(POINTS * pairs);
        if !matches!(back, InputGradient::Skip) {
            // Nine matrices are transposed rather than the 64 they become.
            let transposed = scratch.transposed.resized(9 * pairs);
            let taps = tensors[self.weight].value.chunks_exact(pairs);
            for (tap, transposed) in taps.zip(transposed.chunks_exact_mut(pairs)) {
                transpose(tap, outputs, transposed);
            }
            transform_taps(simd, transposed, kernel);
        }
        let mut is_first = true;
        for (grid, at) in boards.runs() {
            let x = &x[at.start * inputs..at.end * inputs];
            let gradient = &gradient[at.start * outputs..at.end * outputs];
            let tiles = at.len() / grid.area() * tiles_of(grid);
            let part = at.start * inputs..at.end * inputs;
            let (mut back, overwrite) = match &mut back {
                InputGradient::Skip => (None, false),
                InputGradient::Overwrite(back) if tiles_of(grid) == 1 => {
                    (Some(&mut back[part]), true)
                }
                InputGradient::Overwrite(back) => {
                    // Tiles overlap, so that they can only add.
                    back[part.clone()].fill(R::ZERO);
                    (Some(&mut back[part]), false)
                }
                InputGradient::Add(back) => (Some(&mut back[part]), false),
            };
            for first in (0..tiles).step_by(BLOCK) {
                let count = BLOCK.min(tiles - first);
                // The input is transformed again: to keep its transform would take 64
                // numbers for every 36, for every layer.
                let before = Tiles { grid, channels: inputs, first, count };
                let after = Tiles { channels: outputs, ..before };
                simd.run(TransformInput { tiles: before, x, input });
                simd.run(TransformOutputBack { tiles: after, gradient, sums });
                for point in 0..POINTS {
                    let input = &mut input[point * stride(inputs)..];
                    let sums = &sums[point * stride(outputs)..];
                    let to = &mut kernel_back[point * pairs..];
                    let left = Left::transposed(input, inputs);
                    gemm(simd, (inputs, outputs, count), left, sums, to, !is_first);
                    if back.is_some() {
                        let left = Left::rows(sums, outputs);
                        let right = &kernel[point * pairs..];
                        gemm(simd, (count, inputs, outputs), left, right, input, false);
                    }
                }
                is_first = false;
                if let Some(back) = back.as_deref_mut() {
                    simd.run(TransformInputBack { tiles: before, input, back, overwrite });
                }
            }
        }
        transform_taps_back(simd, kernel_back, &mut tensors[self.weight].gradient);
    }
}

/// Where the gradient of a layer's input goes.
pub enum InputGradient<'a, R> {
    /// It is not needed.
    Skip,
    /// It replaces what is there.
    Overwrite(&'a mut [R]),
    /// It is added to what is there.
    Add(&'a mut [R]),
}
