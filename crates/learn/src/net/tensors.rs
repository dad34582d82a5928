//! All numbers of a network in one list: what is learnt, what is saved, what a
//! test disturbs. Layers hold [`Slot`]s into it.

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
    /// The loss's derivative by each number; empty if it is not learnt by
    /// gradient (running means and variances).
    pub gradient: Vec<R>,
}

/// A place in [`Tensors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(usize);

/// The tensors of a network, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Tensors<R>(Vec<Tensor<R>>);

impl<R: Real> Tensors<R> {
    /// An empty list.
    pub fn new() -> Self {
        Tensors(Vec::new())
    }

    /// Add a tensor that gradients change.
    pub fn learnt(&mut self, name: String, shape: &[usize], value: Vec<R>) -> Slot {
        let slot = self.kept(name, shape, value);
        self[slot].gradient = vec![R::ZERO; self[slot].value.len()];
        slot
    }

    /// Add a tensor that gradients leave alone.
    pub fn kept(&mut self, name: String, shape: &[usize], value: Vec<R>) -> Slot {
        assert_eq!(shape.iter().product::<usize>(), value.len(), "{name} has another size");
        self.0.push(Tensor { name, shape: shape.to_vec(), value, gradient: Vec::new() });
        Slot(self.0.len() - 1)
    }

    /// All tensors in order.
    pub fn iter(&self) -> impl Iterator<Item = &Tensor<R>> {
        self.0.iter()
    }

    /// All tensors in order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tensor<R>> {
        self.0.iter_mut()
    }

    /// Forget all gradients.
    pub fn clear_gradients(&mut self) {
        for tensor in &mut self.0 {
            tensor.gradient.fill(R::ZERO);
        }
    }
}

impl<R> Index<Slot> for Tensors<R> {
    type Output = Tensor<R>;
    fn index(&self, slot: Slot) -> &Tensor<R> {
        &self.0[slot.0]
    }
}

impl<R> IndexMut<Slot> for Tensors<R> {
    fn index_mut(&mut self, slot: Slot) -> &mut Tensor<R> {
        &mut self.0[slot.0]
    }
}
