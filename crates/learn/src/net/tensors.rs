//! All numbers of a network in one list, which is trained, saved and compared as a
//! whole. Layers hold [`TensorId`]s into it.

use std::ops::{Index, IndexMut};

use super::Real;

/// A named array with its gradient.
#[derive(Clone, Debug)]
pub struct Tensor<R> {
    /// The name in the weights file.
    pub name: String,
    /// Its sizes, outermost first.
    pub shape: Vec<usize>,
    /// The numbers.
    pub value: Vec<R>,
    /// The derivative of the loss by each number; empty if it is not trained by
    /// gradient (running means and variances).
    pub gradient: Vec<R>,
}

/// The index of a tensor in [`Tensors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorId(usize);

/// The tensors of a network, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Tensors<R>(Vec<Tensor<R>>);

impl<R: Real> Tensors<R> {
    /// An empty list.
    pub fn new() -> Self {
        Tensors(Vec::new())
    }

    /// Adds a tensor that gradients change.
    pub fn add_trained(&mut self, name: String, shape: &[usize], value: Vec<R>) -> TensorId {
        let id = self.add_fixed(name, shape, value);
        self[id].gradient = vec![R::ZERO; self[id].value.len()];
        id
    }

    /// Adds a tensor without a gradient.
    pub fn add_fixed(&mut self, name: String, shape: &[usize], value: Vec<R>) -> TensorId {
        assert_eq!(shape.iter().product::<usize>(), value.len(), "{name} has another size");
        self.0.push(Tensor { name, shape: shape.to_vec(), value, gradient: Vec::new() });
        TensorId(self.0.len() - 1)
    }

    /// All tensors in order.
    pub fn iter(&self) -> impl Iterator<Item = &Tensor<R>> {
        self.0.iter()
    }

    /// All tensors in order, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tensor<R>> {
        self.0.iter_mut()
    }

    /// Sets all gradients to 0.
    pub fn clear_gradients(&mut self) {
        for tensor in &mut self.0 {
            tensor.gradient.fill(R::ZERO);
        }
    }
}

impl<R> Index<TensorId> for Tensors<R> {
    type Output = Tensor<R>;
    fn index(&self, id: TensorId) -> &Tensor<R> {
        &self.0[id.0]
    }
}

impl<R> IndexMut<TensorId> for Tensors<R> {
    fn index_mut(&mut self, id: TensorId) -> &mut Tensor<R> {
        &mut self.0[id.0]
    }
}
