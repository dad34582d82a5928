//! The vector of every machine: a short array.

use std::array::from_fn;
use std::ops::{Add, Mul, Sub};

use super::Vector;
use crate::net::Real;

const LANES: usize = 8;

/// A short array.
#[derive(Clone, Copy)]
pub struct Array<R>([R; LANES]);

impl<R: Real> Vector<R> for Array<R> {
    type Proof = ();

    const LANES: usize = LANES;

    #[inline(always)]
    fn proof(self) {}

    #[inline(always)]
    fn splat(_: (), number: R) -> Self {
        Array([number; LANES])
    }

    #[inline(always)]
    fn load(_: (), from: &[R]) -> Self {
        let lanes = from.len().min(LANES);
        let mut to = [R::ZERO; LANES];
        to[..lanes].copy_from_slice(&from[..lanes]);
        Array(to)
    }

    #[inline(always)]
    fn store(self, to: &mut [R]) {
        let lanes = to.len().min(LANES);
        to[..lanes].copy_from_slice(&self.0[..lanes]);
    }

    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Array(from_fn(|i| self.0[i] + a.0[i] * b.0[i]))
    }

    #[inline(always)]
    fn relu(self) -> Self {
        self.relu_mask(self)
    }

    #[inline(always)]
    fn relu_mask(self, other: Self) -> Self {
        Array(from_fn(|i| if other.0[i] > R::ZERO { self.0[i] } else { R::ZERO }))
    }
}

macro_rules! lanewise {
    ($($operator:ident $method:ident),*) => {$(
        impl<R: Real> $operator for Array<R> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Array(from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }
    )*};
}

lanewise!(Add add, Sub sub, Mul mul);
