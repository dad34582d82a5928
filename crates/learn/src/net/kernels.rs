//! Between the 3 x 3 taps of a convolution and the 64 matrices that its tiles are
//! multiplied by: every pair of channels is one lane of a vector.

use super::vector::{Kernel, Vector};
use super::winograd::{POINTS, SIDE, from_taps, from_taps_back};
use super::{Real, SimdLevel};

/// From `[3 x 3][pairs]` to `[8 x 8][pairs]`.
pub fn from_kernel<R: Real>(simd: SimdLevel, kernel: &[R], points: &mut [R]) {
    assert_eq!(kernel.len() / 9, points.len() / POINTS, "as many pairs of channels");
    simd.run(FromTaps { kernel, points });
}

/// The transpose of [`from_kernel`], added to the gradient of the kernel.
pub fn from_kernel_back<R: Real>(simd: SimdLevel, points: &[R], kernel: &mut [R]) {
    assert_eq!(kernel.len() / 9, points.len() / POINTS, "as many pairs of channels");
    simd.run(FromTapsBack { points, kernel });
}

struct FromTaps<'a, R> {
    kernel: &'a [R],
    points: &'a mut [R],
}

impl<R: Real> Kernel<R> for FromTaps<'_, R> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(self) {
        let pairs = self.kernel.len() / 9;
        // SAFETY, here and below: the instructions are the caller's promise.
        let mut tile = unsafe { [[V::all(R::ZERO); SIDE]; SIDE] };
        let mut half = tile;
        for pair in (0..pairs).step_by(V::LANES) {
            let lanes = V::LANES.min(pairs - pair);
            for tap in 0..9 {
                tile[tap / 3][tap % 3] = unsafe { V::read(self.kernel, tap * pairs + pair, lanes) };
            }
            from_taps(
                &tile,
                &mut half,
                #[inline(always)]
                |i: usize, j: usize, vector: V| {
                    vector.write(self.points, (i * SIDE + j) * pairs + pair, lanes);
                },
            );
        }
    }
}

struct FromTapsBack<'a, R> {
    points: &'a [R],
    kernel: &'a mut [R],
}

impl<R: Real> Kernel<R> for FromTapsBack<'_, R> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(self) {
        let pairs = self.kernel.len() / 9;
        let mut tile = unsafe { [[V::all(R::ZERO); SIDE]; SIDE] };
        let mut half = tile;
        for pair in (0..pairs).step_by(V::LANES) {
            let lanes = V::LANES.min(pairs - pair);
            for point in 0..POINTS {
                tile[point / SIDE][point % SIDE] =
                    unsafe { V::read(self.points, point * pairs + pair, lanes) };
            }
            from_taps_back(
                &tile,
                &mut half,
                #[inline(always)]
                |i: usize, j: usize, vector: V| {
                    let at = (i * 3 + j) * pairs + pair;
                    let before: V = unsafe { V::read(self.kernel, at, lanes) };
                    (before + vector).write(self.kernel, at, lanes);
                },
            );
        }
    }
}
