//! The two kinds of number: `f32` works, `f64` checks.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::multiply::{Path, Sizes};
use super::{Left, multiply};

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
    /// Nought.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The nearest number of this kind.
    fn of(value: f64) -> Self;
    /// The same number in double precision.
    fn wide(self) -> f64;
    /// The square root.
    fn sqrt(self) -> Self;

    /// The matrix product behind [`multiply()`], whose checks it may trust.
    #[doc(hidden)]
    fn product(
        _path: Path,
        sizes: Sizes,
        left: Left<'_, Self>,
        right: &[Self],
        out: &mut [Self],
        add: bool,
    ) {
        multiply::plain(sizes, left, right, out, add);
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    fn of(value: f64) -> f64 {
        value
    }
    fn wide(self) -> f64 {
        self
    }
    fn sqrt(self) -> f64 {
        self.sqrt()
    }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f32 {
        self.sqrt()
    }

    fn product(
        path: Path,
        sizes: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        out: &mut [f32],
        add: bool,
    ) {
        multiply::single(path, sizes, left, right, out, add);
    }
}
