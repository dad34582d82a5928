//! Vectors of neighbouring numbers: registers where the machine has them, short
//! arrays elsewhere.
//!
//! A kernel is written once, as a [`SimdKernel`] over any [`Vector`];
//! [`SimdLevel::run`] compiles it for each level and runs the one asked for. To
//! make a vector of registers takes a proof that the machine has the
//! instructions, which only their detection gives; so kernels are safe code, and
//! all `unsafe` of this crate is in [`x86`], around the intrinsics.
//!
//! Intrinsics have a measured reason: with the same loops over plain arrays, left
//! to the compiler to vectorise, the default network evaluates 1,900 positions a
//! second on a machine where it evaluates 10,400 with AVX-512 and 6,400 with AVX2
//! (batches of 64, one core, other work going on).

mod array;
mod level;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::{Add, Mul, Sub};

use super::Real;
pub use array::Array;
pub use level::SimdLevel;

/// Neighbouring numbers.
pub trait Vector<R>: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Proves that the machine has the instructions of this vector.
    type Proof: Copy;

    /// The number of lanes.
    const LANES: usize;

    /// The proof that made this vector.
    fn proof(self) -> Self::Proof;

    /// The same number in all lanes.
    fn splat(proof: Self::Proof, number: R) -> Self;

    /// The first numbers of a slice, and zeros in the lanes behind its end.
    fn load(proof: Self::Proof, from: &[R]) -> Self;

    /// Writes the first lanes to a slice, as many as it holds.
    fn store(self, to: &mut [R]);

    /// `self + a * b`.
    fn add_product(self, a: Self, b: Self) -> Self;

    /// The larger of each lane and 0.
    fn relu(self) -> Self;

    /// `self` where `other` is above 0, and 0 elsewhere.
    fn relu_mask(self, other: Self) -> Self;

    /// `self + other * factor`.
    #[inline(always)]
    fn add_scaled(self, other: Self, factor: f64) -> Self
    where
        R: Real,
    {
        self.add_product(other, Self::splat(self.proof(), R::from_f64(factor)))
    }

    /// `self * factor`.
    #[inline(always)]
    fn scale(self, factor: f64) -> Self
    where
        R: Real,
    {
        self * Self::splat(self.proof(), R::from_f64(factor))
    }

    /// `lanes` numbers of a slice from `at`.
    #[inline(always)]
    fn read(proof: Self::Proof, from: &[R], at: usize, lanes: usize) -> Self {
        Self::load(proof, &from[at..at + lanes])
    }

    /// Writes `lanes` numbers to a slice from `at`.
    #[inline(always)]
    fn write(self, to: &mut [R], at: usize, lanes: usize) {
        self.store(&mut to[at..at + lanes]);
    }
}

/// Work that is compiled for each kind of vector. Its `run`, and whatever that
/// calls with vectors, must be `#[inline(always)]`: only what is inlined into the
/// entry function of a level is compiled with its instructions.
pub trait SimdKernel<R> {
    /// Does the work.
    fn run<V: Vector<R>>(self, proof: V::Proof);
}

impl SimdLevel {
    /// Runs a kernel with this level's vectors, or with the best ones that the
    /// machine has instead.
    pub(super) fn run<R: Real>(self, kernel: impl SimdKernel<R>) {
        R::run(self, kernel);
    }

    /// Runs a kernel of `f32`.
    #[inline(always)]
    pub(super) fn run_f32(self, kernel: impl SimdKernel<f32>) {
        #[cfg(target_arch = "x86_64")]
        {
            if self >= SimdLevel::Avx512
                && let Some(proof) = x86::Avx512::detect()
            {
                return proof.run(kernel);
            }
            if self >= SimdLevel::Avx2
                && let Some(proof) = x86::Avx2::detect()
            {
                return proof.run(kernel);
            }
        }
        kernel.run::<Array<f32>>(());
    }
}
