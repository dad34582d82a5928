//! The two types of number: `f32` for work, `f64` for the tests' derivatives.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::simd::{Array, SimdKernel, SimdLevel};

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
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// The square root.
    fn sqrt(self) -> Self;

    /// Runs a kernel with the vectors of a level.
    #[doc(hidden)]
    fn run(simd: SimdLevel, kernel: impl SimdKernel<Self>);

    /// Whether the vectors of a level are registers.
    #[doc(hidden)]
    fn has_registers(simd: SimdLevel) -> bool;
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

    fn run(_: SimdLevel, kernel: impl SimdKernel<f64>) {
        kernel.run::<Array<f64>>(());
    }

    fn has_registers(_: SimdLevel) -> bool {
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

    fn run(simd: SimdLevel, kernel: impl SimdKernel<f32>) {
        simd.run_f32(kernel);
    }

    fn has_registers(simd: SimdLevel) -> bool {
        simd.min(SimdLevel::detect()) > SimdLevel::Portable
    }
}
