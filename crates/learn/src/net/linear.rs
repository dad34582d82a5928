//! Dense layers; a 1 x 1 convolution is one, applied to every point.

use super::gemm::{Left, gemm};
use super::simd::SimdLevel;
use super::{Buffer, Real, TensorId, Tensors};

/// `y = x W + b`, row by row.
#[derive(Clone, Debug)]
pub struct Linear<R> {
    /// W, inputs x outputs.
    pub weight: TensorId,
    /// b, unless a batch normalisation follows, which would cancel it.
    pub bias: Option<TensorId>,
    inputs: usize,
    outputs: usize,
    transposed: Buffer<R>,
}

impl<R: Real> Linear<R> {
    /// A layer whose weights are in the list of tensors.
    pub fn new(weight: TensorId, bias: Option<TensorId>, inputs: usize, outputs: usize) -> Self {
        Linear { weight, bias, inputs, outputs, transposed: Buffer::default() }
    }

    /// Writes the outputs for rows of inputs to `y`.
    pub fn forward(&self, simd: SimdLevel, tensors: &Tensors<R>, x: &[R], y: &mut Buffer<R>) {
        let rows = x.len() / self.inputs;
        let y = y.resized(rows * self.outputs);
        if let Some(bias) = self.bias {
            for y in y.chunks_exact_mut(self.outputs) {
                y.copy_from_slice(&tensors[bias].value);
            }
        }
        let sizes = (rows, self.outputs, self.inputs);
        let weight = &tensors[self.weight].value;
        gemm(simd, sizes, Left::rows(x, self.inputs), weight, y, self.bias.is_some());
    }

    /// Adds to the weights' gradients. The gradient of the input `x` replaces
    /// `back`, or is added to it if `add`.
    pub fn backward(
        &mut self,
        simd: SimdLevel,
        tensors: &mut Tensors<R>,
        x: &[R],
        gradient: &[R],
        back: &mut [R],
        add: bool,
    ) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let rows = gradient.len() / outputs;
        if let Some(bias) = self.bias {
            for row in gradient.chunks_exact(outputs) {
                for (sum, &g) in tensors[bias].gradient.iter_mut().zip(row) {
                    *sum += g;
                }
            }
        }
        let weight = &mut tensors[self.weight];
        let input = Left::transposed(x, inputs);
        gemm(simd, (inputs, outputs, rows), input, gradient, &mut weight.gradient, true);
        let transposed = self.transposed.resized(inputs * outputs);
        transpose(&weight.value, outputs, transposed);
        let gradient = Left::rows(gradient, outputs);
        gemm(simd, (rows, inputs, outputs), gradient, transposed, back, add);
    }
}

/// Writes the transpose of a matrix `columns` wide, by squares that fit the cache.
pub(super) fn transpose<R: Real>(matrix: &[R], columns: usize, out: &mut [R]) {
    const SQUARE: usize = 16;
    let rows = matrix.len() / columns;
    for top in (0..rows).step_by(SQUARE) {
        for left in (0..columns).step_by(SQUARE) {
            let end = (top + SQUARE).min(rows);
            for column in left..(left + SQUARE).min(columns) {
                let out = &mut out[column * rows + top..column * rows + end];
                let from = matrix[top * columns + column..].iter().step_by(columns);
                for (out, &number) in out.iter_mut().zip(from) {
                    *out = number;
                }
            }
        }
    }
}
