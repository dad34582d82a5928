//! The transforms of Winograd's F(6 x 6, 3 x 3), at the points 0, 1, -1, 2, -2,
//! 1/2, -1/2 and infinity (Lavin and Gray, Fast Algorithms for Convolutional
//! Neural Networks, 2016).
//!
//! With A, B and G the transforms of output, input and kernel, a tile of 6 x 6
//! outputs is Aᵀ[(G g Gᵀ) * (Bᵀ d B)]A: 64 multiplications in place of 324. The
//! sums over channels go inside the brackets. Each matrix is written as the sums
//! it stands for, in one dimension, and its transpose beside it: the backward
//! pass of a linear map is its transpose.
//!
//! [`kernels`] applies them to convolution kernels, [`tiles`] to boards.

pub mod kernels;
pub mod tiles;

use super::Real;
use super::simd::Vector;

/// The side of a tile's input, and of its transforms.
pub const SIDE: usize = 8;
/// The side of a tile's output.
pub const STEP: usize = 6;
/// The elements of a transformed tile.
pub const POINTS: usize = SIDE * SIDE;

/// Bᵀ.
#[inline(always)]
fn input_line<R: Real, V: Vector<R>>(d: [V; 8]) -> [V; 8] {
    let (even1, odd1) =
        ((d[2] + d[6]).add_scaled(d[4], -4.25), (d[1] + d[5]).add_scaled(d[3], -4.25));
    let even2 = d[6].add_scaled(d[2], 0.25).add_scaled(d[4], -1.25);
    let odd2 = d[1].scale(0.5).add_scaled(d[3], -2.5).add_scaled(d[5], 2.0);
    let even3 = d[6].add_scaled(d[2], 4.0).add_scaled(d[4], -5.0);
    let odd3 = d[1].scale(2.0).add_scaled(d[3], -2.5).add_scaled(d[5], 0.5);
    [
        (d[0] - d[6]).add_scaled(d[4] - d[2], 5.25),
        even1 + odd1,
        even1 - odd1,
        even2 + odd2,
        even2 - odd2,
        even3 + odd3,
        even3 - odd3,
        (d[7] - d[1]).add_scaled(d[3] - d[5], 5.25),
    ]
}

/// B.
#[inline(always)]
fn input_line_back<R: Real, V: Vector<R>>(v: [V; 8]) -> [V; 8] {
    let (s1, d1) = (v[1] + v[2], v[1] - v[2]);
    let (s2, d2) = (v[3] + v[4], v[3] - v[4]);
    let (s3, d3) = (v[5] + v[6], v[5] - v[6]);
    [
        v[0],
        (d1 - v[7]).add_scaled(d2, 0.5).add_scaled(d3, 2.0),
        s1.add_scaled(v[0], -5.25).add_scaled(s2, 0.25).add_scaled(s3, 4.0),
        v[7].scale(5.25).add_scaled(d1, -4.25).add_scaled(d2 + d3, -2.5),
        v[0].scale(5.25).add_scaled(s1, -4.25).add_scaled(s2, -1.25).add_scaled(s3, -5.0),
        d1.add_scaled(d2, 2.0).add_scaled(d3, 0.5).add_scaled(v[7], -5.25),
        s1 + s2 + s3 - v[0],
        v[7],
    ]
}

/// Aᵀ.
#[inline(always)]
fn output_line<R: Real, V: Vector<R>>(m: [V; 8]) -> [V; 6] {
    let (s1, d1) = (m[1] + m[2], m[1] - m[2]);
    let (s2, d2) = (m[3] + m[4], m[3] - m[4]);
    let (s3, d3) = (m[5] + m[6], m[5] - m[6]);
    [
        m[0] + s1 + s2 + s3,
        d1.add_scaled(d2, 2.0).add_scaled(d3, 0.5),
        s1.add_scaled(s2, 4.0).add_scaled(s3, 0.25),
        d1.add_scaled(d2, 8.0).add_scaled(d3, 0.125),
        s1.add_scaled(s2, 16.0).add_scaled(s3, 0.0625),
        (d1 + m[7]).add_scaled(d2, 32.0).add_scaled(d3, 0.03125),
    ]
}

/// A.
#[inline(always)]
fn output_line_back<R: Real, V: Vector<R>>(y: [V; 6]) -> [V; 8] {
    let (even1, odd1) = (y[0] + y[2] + y[4], y[1] + y[3] + y[5]);
    let even2 = y[0].add_scaled(y[2], 4.0).add_scaled(y[4], 16.0);
    let odd2 = y[1].scale(2.0).add_scaled(y[3], 8.0).add_scaled(y[5], 32.0);
    let even3 = y[0].add_scaled(y[2], 0.25).add_scaled(y[4], 0.0625);
    let odd3 = y[1].scale(0.5).add_scaled(y[3], 0.125).add_scaled(y[5], 0.03125);
    [y[0], even1 + odd1, even1 - odd1, even2 + odd2, even2 - odd2, even3 + odd3, even3 - odd3, y[5]]
}

/// G.
#[inline(always)]
fn kernel_line<R: Real, V: Vector<R>>(g: [V; 3]) -> [V; 8] {
    let (even1, odd1) = ((g[0] + g[2]).scale(-2.0 / 9.0), g[1].scale(-2.0 / 9.0));
    let (even2, odd2) =
        (g[0].scale(1.0 / 90.0).add_scaled(g[2], 2.0 / 45.0), g[1].scale(1.0 / 45.0));
    let (even3, odd3) =
        (g[0].scale(32.0 / 45.0).add_scaled(g[2], 8.0 / 45.0), g[1].scale(16.0 / 45.0));
    [g[0], even1 + odd1, even1 - odd1, even2 + odd2, even2 - odd2, even3 + odd3, even3 - odd3, g[2]]
}

/// Gᵀ.
#[inline(always)]
fn kernel_line_back<R: Real, V: Vector<R>>(v: [V; 8]) -> [V; 3] {
    let (s1, d1) = (v[1] + v[2], v[1] - v[2]);
    let (s2, d2) = (v[3] + v[4], v[3] - v[4]);
    let (s3, d3) = (v[5] + v[6], v[5] - v[6]);
    [
        v[0].add_scaled(s1, -2.0 / 9.0).add_scaled(s2, 1.0 / 90.0).add_scaled(s3, 32.0 / 45.0),
        d1.scale(-2.0 / 9.0).add_scaled(d2, 1.0 / 45.0).add_scaled(d3, 16.0 / 45.0),
        v[7].add_scaled(s1, -2.0 / 9.0).add_scaled(s2, 2.0 / 45.0).add_scaled(s3, 8.0 / 45.0),
    ]
}

/// A tile of input or of its transform.
pub type Tile<V> = [[V; SIDE]; SIDE];

/// Defines a two-dimensional transform: a one-dimensional one of all columns, then
/// of all rows.
macro_rules! two_dimensional {
    ($(#[$doc:meta])* $name:ident, $line:ident, [$($from:literal)*], $to:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<R: Real, V: Vector<R>>(
            tile: &Tile<V>,
            half: &mut Tile<V>,
            mut put: impl FnMut(usize, usize, V),
        ) {
            for x in [$($from),*] {
                let column = $line([$(tile[$from][x]),*]);
                for y in 0..$to {
                    half[y][x] = column[y];
                }
            }
            for y in 0..$to {
                let row = $line([$(half[y][$from]),*]);
                for x in 0..$to {
                    put(y, x, row[x]);
                }
            }
        }
    };
}

two_dimensional! {
    /// Bᵀ d B: the transform of a tile of input. As with the others, `half` is
    /// scratch memory, and each element goes to `put` with its row and column.
    transform_input, input_line, [0 1 2 3 4 5 6 7], 8
}

two_dimensional! {
    /// The transpose of [`transform_input`], for gradients.
    transform_input_back, input_line_back, [0 1 2 3 4 5 6 7], 8
}

two_dimensional! {
    /// Aᵀ m A: products back to 6 x 6 outputs.
    transform_output, output_line, [0 1 2 3 4 5 6 7], 6
}

two_dimensional! {
    /// The transpose of [`transform_output`], for gradients, from 6 x 6 elements.
    transform_output_back, output_line_back, [0 1 2 3 4 5], 8
}

two_dimensional! {
    /// G g Gᵀ: the transform of a kernel of 3 x 3 taps.
    transform_kernel, kernel_line, [0 1 2], 8
}

two_dimensional! {
    /// The transpose of [`transform_kernel`], for gradients.
    transform_kernel_back, kernel_line_back, [0 1 2 3 4 5 6 7], 3
}
