//! Dense layers; a 1 x 1 convolution is one, applied to every point.

use super::multiply::{Left, multiply};
use super::{Path, Real, Slot, Tensors};

/// `y = x W + b`, row by row.
#[derive(Clone, Debug)]
pub struct Linear<R> {
    /// W, inputs x outputs.
    pub weight: Slot,
    /// b, unless a normalisation follows, which would undo it.
    pub bias: Option<Slot>,
    inputs: usize,
    outputs: usize,
    seen: Vec<R>,
}

impl<R: Real> Linear<R> {
    /// A layer whose weights have been placed in the list.
    pub fn new(weight: Slot, bias: Option<Slot>, inputs: usize, outputs: usize) -> Self {
        Linear { weight, bias, inputs, outputs, seen: Vec::new() }
    }

    /// The results for rows of inputs, which are remembered.
    pub fn forward(&mut self, path: Path, tensors: &Tensors<R>, x: Vec<R>) -> Vec<R> {
        let rows = x.len() / self.inputs;
        let mut y = vec![R::ZERO; rows * self.outputs];
        if let Some(bias) = self.bias {
            for y in y.chunks_exact_mut(self.outputs) {
                y.copy_from_slice(&tensors[bias].value);
            }
        }
        let sizes = (rows, self.outputs, self.inputs);
        let weight = &tensors[self.weight].value;
        multiply(path, sizes, Left::rows(&x, self.inputs), weight, &mut y, true);
        self.seen = x;
        y
    }

    /// Add to the weights' gradients; answer the gradient by the inputs.
    pub fn backward(&mut self, path: Path, tensors: &mut Tensors<R>, gradient: &[R]) -> Vec<R> {
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
        let seen = Left::transposed(&self.seen, inputs);
        multiply(path, (inputs, outputs, rows), seen, gradient, &mut weight.gradient, true);
        let turned = transpose(&weight.value, outputs);
        let mut back = vec![R::ZERO; rows * inputs];
        let gradient = Left::rows(gradient, outputs);
        multiply(path, (rows, inputs, outputs), gradient, &turned, &mut back, false);
        back
    }
}

/// The transpose of a matrix `columns` wide.
pub(super) fn transpose<R: Real>(matrix: &[R], columns: usize) -> Vec<R> {
    let rows = matrix.len() / columns;
    let mut out = Vec::with_capacity(matrix.len());
    for column in 0..columns {
        out.extend((0..rows).map(|row| matrix[row * columns + column]));
    }
    out
}
