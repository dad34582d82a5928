//! Eight neighbouring channels at a time: plain arrays that the compiler turns
//! into one vector register, so that the transforms are written once for both
//! kinds of number and every machine.

use std::ops::{Add, Mul, Sub};

use super::Real;

/// Channels in one [`Lanes`].
pub const WIDTH: usize = 8;

/// Eight channels of one point.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Lanes<R>([R; WIDTH]);

impl<R: Real> Lanes<R> {
    pub const ZERO: Self = Lanes([R::ZERO; WIDTH]);

    /// The first eight elements of `from`, noughts where it is shorter.
    #[inline(always)]
    pub fn load(from: &[R]) -> Self {
        let mut lanes = Self::ZERO;
        if let Some(whole) = from.first_chunk::<WIDTH>() {
            lanes.0 = *whole;
        } else {
            lanes.0[..from.len()].copy_from_slice(from);
        }
        lanes
    }

    /// Write as many elements as `to` holds, at most eight.
    #[inline(always)]
    pub fn store(self, to: &mut [R]) {
        if let Some(whole) = to.first_chunk_mut::<WIDTH>() {
            *whole = self.0;
        } else {
            let length = to.len();
            to.copy_from_slice(&self.0[..length]);
        }
    }

    /// Noughts for everything below nought.
    #[inline(always)]
    pub fn relu(self) -> Self {
        Lanes(self.0.map(|x| if x > R::ZERO { x } else { R::ZERO }))
    }
}

impl<R: Real> Add for Lanes<R> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a += b;
        }
        self
    }
}

impl<R: Real> Sub for Lanes<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a -= b;
        }
        self
    }
}

impl<R: Real> Mul<f64> for Lanes<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(mut self, factor: f64) -> Self {
        for a in &mut self.0 {
            *a *= R::of(factor);
        }
        self
    }
}
