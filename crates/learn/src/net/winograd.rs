//! The transforms of Winograd's F(6 x 6, 3 x 3), at the points 0, 1, -1, 2, -2,
//! 1/2, -1/2 and infinity.
//!
//! With A, B and G the transforms of result, data and kernel, a tile of 6 x 6
//! results is Aᵀ[(G g Gᵀ) * (Bᵀ d B)]A: 64 multiplications in place of 324. The
//! sums over channels go inside the brackets. Each matrix is written as the
//! sums it stands for, in one dimension, and its transpose beside it: going
//! backward through a linear map is its transpose.

use super::Real;
use super::lanes::Lanes;

/// Points of a tile's side.
pub const SIDE: usize = 8;
/// Results of a tile's side.
pub const STEP: usize = 6;
/// Products of a tile.
pub const POINTS: usize = SIDE * SIDE;

/// Bᵀ.
#[inline(always)]
fn data<R: Real>(d: [Lanes<R>; 8]) -> [Lanes<R>; 8] {
    let (even1, odd1) = (d[2] + d[6] - d[4] * 4.25, d[1] + d[5] - d[3] * 4.25);
    let (even2, odd2) = (d[6] + d[2] * 0.25 - d[4] * 1.25, d[1] * 0.5 - d[3] * 2.5 + d[5] * 2.0);
    let (even3, odd3) = (d[6] + (d[2] - d[4] * 1.25) * 4.0, d[1] * 2.0 - d[3] * 2.5 + d[5] * 0.5);
    [
        d[0] - d[6] + (d[4] - d[2]) * 5.25,
        even1 + odd1,
        even1 - odd1,
        even2 + odd2,
        even2 - odd2,
        even3 + odd3,
        even3 - odd3,
        d[7] - d[1] + (d[3] - d[5]) * 5.25,
    ]
}

/// B.
#[inline(always)]
fn data_back<R: Real>(v: [Lanes<R>; 8]) -> [Lanes<R>; 8] {
    let (s1, d1) = (v[1] + v[2], v[1] - v[2]);
    let (s2, d2) = (v[3] + v[4], v[3] - v[4]);
    let (s3, d3) = (v[5] + v[6], v[5] - v[6]);
    [
        v[0],
        d1 + d2 * 0.5 + d3 * 2.0 - v[7],
        s1 - v[0] * 5.25 + s2 * 0.25 + s3 * 4.0,
        v[7] * 5.25 - d1 * 4.25 - (d2 + d3) * 2.5,
        v[0] * 5.25 - s1 * 4.25 - s2 * 1.25 - s3 * 5.0,
        d1 + d2 * 2.0 + d3 * 0.5 - v[7] * 5.25,
        s1 + s2 + s3 - v[0],
        v[7],
    ]
}

/// Aᵀ.
#[inline(always)]
fn result<R: Real>(m: [Lanes<R>; 8]) -> [Lanes<R>; 6] {
    let (s1, d1) = (m[1] + m[2], m[1] - m[2]);
    let (s2, d2) = (m[3] + m[4], m[3] - m[4]);
    let (s3, d3) = (m[5] + m[6], m[5] - m[6]);
    [
        m[0] + s1 + s2 + s3,
        d1 + d2 * 2.0 + d3 * 0.5,
        s1 + s2 * 4.0 + s3 * 0.25,
        d1 + d2 * 8.0 + d3 * 0.125,
        s1 + s2 * 16.0 + s3 * 0.0625,
        d1 + d2 * 32.0 + d3 * 0.03125 + m[7],
    ]
}

/// A.
#[inline(always)]
fn result_back<R: Real>(y: [Lanes<R>; 6]) -> [Lanes<R>; 8] {
    let (even1, odd1) = (y[0] + y[2] + y[4], y[1] + y[3] + y[5]);
    let (even2, odd2) = (y[0] + y[2] * 4.0 + y[4] * 16.0, y[1] * 2.0 + y[3] * 8.0 + y[5] * 32.0);
    let (even3, odd3) =
        (y[0] + y[2] * 0.25 + y[4] * 0.0625, y[1] * 0.5 + y[3] * 0.125 + y[5] * 0.03125);
    [y[0], even1 + odd1, even1 - odd1, even2 + odd2, even2 - odd2, even3 + odd3, even3 - odd3, y[5]]
}

/// One-dimensional `f` along the columns, then along the rows.
#[inline(always)]
fn twice<R: Real, const N: usize, const M: usize>(
    tile: &[[Lanes<R>; N]; N],
    f: impl Fn([Lanes<R>; N]) -> [Lanes<R>; M],
) -> [[Lanes<R>; M]; M] {
    let mut half = [[Lanes::ZERO; N]; M];
    for x in 0..N {
        let column = f(std::array::from_fn(|y| tile[y][x]));
        for y in 0..M {
            half[y][x] = column[y];
        }
    }
    half.map(f)
}

/// Bᵀ d B: a tile of data, ready to be multiplied.
#[inline(always)]
pub fn from_data<R: Real>(tile: &[[Lanes<R>; 8]; 8]) -> [[Lanes<R>; 8]; 8] {
    twice(tile, data)
}

/// The transpose of [`from_data`], for gradients.
#[inline(always)]
pub fn from_data_back<R: Real>(tile: &[[Lanes<R>; 8]; 8]) -> [[Lanes<R>; 8]; 8] {
    twice(tile, data_back)
}

/// Aᵀ m A: products back to a tile of results.
#[inline(always)]
pub fn to_result<R: Real>(tile: &[[Lanes<R>; 8]; 8]) -> [[Lanes<R>; 6]; 6] {
    twice(tile, result)
}

/// The transpose of [`to_result`], for gradients.
#[inline(always)]
pub fn to_result_back<R: Real>(tile: &[[Lanes<R>; 6]; 6]) -> [[Lanes<R>; 8]; 8] {
    twice(tile, result_back)
}

/// G, the transform of the kernel.
const KERNEL: [[f64; 3]; 8] = [
    [1.0, 0.0, 0.0],
    [-2.0 / 9.0, -2.0 / 9.0, -2.0 / 9.0],
    [-2.0 / 9.0, 2.0 / 9.0, -2.0 / 9.0],
    [1.0 / 90.0, 1.0 / 45.0, 2.0 / 45.0],
    [1.0 / 90.0, -1.0 / 45.0, 2.0 / 45.0],
    [32.0 / 45.0, 16.0 / 45.0, 8.0 / 45.0],
    [32.0 / 45.0, -16.0 / 45.0, 8.0 / 45.0],
    [0.0, 0.0, 1.0],
];

/// G g Gᵀ for every pair of channels: from `[3 x 3][pairs]` to `[8 x 8][pairs]`.
pub fn from_kernel<R: Real>(kernel: &[R], pairs: usize) -> Vec<R> {
    let mut out = vec![R::ZERO; POINTS * pairs];
    between_kernels(|point, tap, factor| {
        let from = &kernel[tap * pairs..][..pairs];
        for (to, &from) in out[point * pairs..][..pairs].iter_mut().zip(from) {
            *to += R::of(factor) * from;
        }
    });
    out
}

/// The transpose of [`from_kernel`], added to the gradient of the kernel.
pub fn from_kernel_back<R: Real>(gradient: &[R], kernel: &mut [R], pairs: usize) {
    between_kernels(|point, tap, factor| {
        let from = &gradient[point * pairs..][..pairs];
        for (to, &from) in kernel[tap * pairs..][..pairs].iter_mut().zip(from) {
            *to += R::of(factor) * from;
        }
    });
}

/// Every (point of the tile, tap of the kernel, factor) that is not nought.
fn between_kernels(mut each: impl FnMut(usize, usize, f64)) {
    for point in 0..POINTS {
        for tap in 0..9 {
            let factor = KERNEL[point / SIDE][tap / 3] * KERNEL[point % SIDE][tap % 3];
            if factor != 0.0 {
                each(point, tap, factor);
            }
        }
    }
}
