//! Between the 3 x 3 taps of a convolution and the 64 matrices that its tiles are
//! multiplied by: each pair of channels is one lane of a vector.

use super::{POINTS, SIDE, Tile, transform_kernel, transform_kernel_back};
use crate::net::Real;
use crate::net::simd::{SimdKernel, SimdLevel, Vector};

/// From `[3 x 3][pairs]` to `[8 x 8][pairs]`.
pub fn transform_taps<R: Real>(simd: SimdLevel, taps: &[R], points: &mut [R]) {
    assert_eq!(taps.len() / 9, points.len() / POINTS, "as many pairs of channels");
    simd.run(TransformTaps { taps, points });
}

/// The transpose of [`transform_taps`], added to the gradient of the taps.
pub fn transform_taps_back<R: Real>(simd: SimdLevel, points: &[R], taps: &mut [R]) {
    assert_eq!(taps.len() / 9, points.len() / POINTS, "as many pairs of channels");
    simd.run(TransformTapsBack { points, taps });
}

struct TransformTaps<'a, R> {
    taps: &'a [R],
    points: &'a mut [R],
}

impl<R: Real> SimdKernel<R> for TransformTaps<'_, R> {
    #[inline(always)]
    fn run<V: Vector<R>>(self, proof: V::Proof) {
        let pairs = self.taps.len() / 9;
        let mut tile: Tile<V> = [[V::splat(proof, R::ZERO); SIDE]; SIDE];
        let mut half = tile;
        for pair in (0..pairs).step_by(V::LANES) {
            let lanes = V::LANES.min(pairs - pair);
            for tap in 0..9 {
                tile[tap / 3][tap % 3] = V::read(proof, self.taps, tap * pairs + pair, lanes);
            }
            transform_kernel(
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

struct TransformTapsBack<'a, R> {
    points: &'a [R],
    taps: &'a mut [R],
}

impl<R: Real> SimdKernel<R> for TransformTapsBack<'_, R> {
    #[inline(always)]
    fn run<V: Vector<R>>(self, proof: V::Proof) {
        let pairs = self.taps.len() / 9;
        let mut tile: Tile<V> = [[V::splat(proof, R::ZERO); SIDE]; SIDE];
        let mut half = tile;
        for pair in (0..pairs).step_by(V::LANES) {
            let lanes = V::LANES.min(pairs - pair);
            for point in 0..POINTS {
                tile[point / SIDE][point % SIDE] =
                    V::read(proof, self.points, point * pairs + pair, lanes);
            }
            transform_kernel_back(
                &tile,
                &mut half,
                #[inline(always)]
                |i: usize, j: usize, vector: V| {
                    let at = (i * 3 + j) * pairs + pair;
                    let before = V::read(proof, self.taps, at, lanes);
                    (before + vector).write(self.taps, at, lanes);
                },
            );
        }
    }
}
