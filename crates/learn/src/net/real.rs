//! The two kinds of number: `f32` works, `f64` checks.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::SimdLevel;
use super::vector::{Array, Kernel};
#[cfg(target_arch = "x86_64")]
use super::x86;

/// A floating-point number that layers are generic over.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The nearest number of this kind.
    fn from_f64(value: f64) -> Self;
    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// The square root.
    fn sqrt(self) -> Self;

    /// Do a kernel's work with the vectors of a simd.
    #[doc(hidden)]
    fn run(simd: SimdLevel, kernel: impl Kernel<Self>);

    /// Whether the vectors of a simd are registers.
    #[doc(hidden)]
    fn in_vectors(simd: SimdLevel) -> bool;
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    fn from_f64(value: f64) -> f64 {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
    fn sqrt(self) -> f64 {
        self.sqrt()
    }

    fn run(_: SimdLevel, kernel: impl Kernel<f64>) {
        // SAFETY: an array needs no instructions that a machine could lack.
        unsafe { kernel.run::<Array<f64>>() }
    }

    fn in_vectors(_: SimdLevel) -> bool {
        false
    }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    #[inline(always)]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f32 {
        self.sqrt()
    }

    fn run(simd: SimdLevel, kernel: impl Kernel<f32>) {
        // SAFETY: the instructions are at hand; an array needs none.
        unsafe {
            match simd.at_hand() {
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx512 => x86::avx512(kernel),
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx2 => x86::avx2(kernel),
                _ => kernel.run::<Array<f32>>(),
            }
        }
    }

    fn in_vectors(simd: SimdLevel) -> bool {
        simd.at_hand() > SimdLevel::Portable
    }
}
