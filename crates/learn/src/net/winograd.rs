//! The transforms of Winograd's F(6 x 6, 3 x 3), at the points 0, 1, -1, 2, -2,
//! 1/2, -1/2 and infinity.
//!
//! With A, B and G the transforms of result, data and kernel, a tile of 6 x 6
//! results is Aᵀ[(G g Gᵀ) * (Bᵀ d B)]A: 64 multiplications in place of 324. The
//! sums over channels go inside the brackets. Each matrix is written as the
//! sums it stands for, in one dimension, and its transpose beside it: going
//! backward through a linear map is its transpose.

use super::vector::Vector;

/// Points of a tile's side.
pub const SIDE: usize = 8;
/// Results of a tile's side.
pub const STEP: usize = 6;
/// Products of a tile.
pub const POINTS: usize = SIDE * SIDE;

/// Bᵀ.
#[inline(always)]
fn data<R, V: Vector<R>>(d: [V; 8]) -> [V; 8] {
    let (even1, odd1) = ((d[2] + d[6]).plus(d[4], -4.25), (d[1] + d[5]).plus(d[3], -4.25));
    let even2 = d[6].plus(d[2], 0.25).plus(d[4], -1.25);
    let odd2 = d[1].times(0.5).plus(d[3], -2.5).plus(d[5], 2.0);
    let even3 = d[6].plus(d[2], 4.0).plus(d[4], -5.0);
    let odd3 = d[1].times(2.0).plus(d[3], -2.5).plus(d[5], 0.5);
    [
        (d[0] - d[6]).plus(d[4] - d[2], 5.25),
        even1 + odd1,
        even1 - odd1,
        even2 + odd2,
        even2 - odd2,
        even3 + odd3,
        even3 - odd3,
        (d[7] - d[1]).plus(d[3] - d[5], 5.25),
    ]
}

/// B.
#[inline(always)]
fn data_back<R, V: Vector<R>>(v: [V; 8]) -> [V; 8] {
    let (s1, d1) = (v[1] + v[2], v[1] - v[2]);
    let (s2, d2) = (v[3] + v[4], v[3] - v[4]);
    let (s3, d3) = (v[5] + v[6], v[5] - v[6]);
    [
        v[0],
        (d1 - v[7]).plus(d2, 0.5).plus(d3, 2.0),
        s1.plus(v[0], -5.25).plus(s2, 0.25).plus(s3, 4.0),
        v[7].times(5.25).plus(d1, -4.25).plus(d2 + d3, -2.5),
        v[0].times(5.25).plus(s1, -4.25).plus(s2, -1.25).plus(s3, -5.0),
        d1.plus(d2, 2.0).plus(d3, 0.5).plus(v[7], -5.25),
        s1 + s2 + s3 - v[0],
        v[7],
    ]
}

/// Aᵀ.
#[inline(always)]
fn result<R, V: Vector<R>>(m: [V; 8]) -> [V; 6] {
    let (s1, d1) = (m[1] + m[2], m[1] - m[2]);
    let (s2, d2) = (m[3] + m[4], m[3] - m[4]);
    let (s3, d3) = (m[5] + m[6], m[5] - m[6]);
    [
        m[0] + s1 + s2 + s3,
        d1.plus(d2, 2.0).plus(d3, 0.5),
        s1.plus(s2, 4.0).plus(s3, 0.25),
        d1.plus(d2, 8.0).plus(d3, 0.125),
        s1.plus(s2, 16.0).plus(s3, 0.0625),
        (d1 + m[7]).plus(d2, 32.0).plus(d3, 0.03125),
    ]
}

/// A.
#[inline(always)]
fn result_back<R, V: Vector<R>>(y: [V; 6]) -> [V; 8] {
    let (even1, odd1) = (y[0] + y[2] + y[4], y[1] + y[3] + y[5]);
    let even2 = y[0].plus(y[2], 4.0).plus(y[4], 16.0);
    let odd2 = y[1].times(2.0).plus(y[3], 8.0).plus(y[5], 32.0);
    let even3 = y[0].plus(y[2], 0.25).plus(y[4], 0.0625);
    let odd3 = y[1].times(0.5).plus(y[3], 0.125).plus(y[5], 0.03125);
    [y[0], even1 + odd1, even1 - odd1, even2 + odd2, even2 - odd2, even3 + odd3, even3 - odd3, y[5]]
}

/// G.
#[inline(always)]
fn kernel<R, V: Vector<R>>(g: [V; 3]) -> [V; 8] {
    let (even1, odd1) = ((g[0] + g[2]).times(-2.0 / 9.0), g[1].times(-2.0 / 9.0));
    let (even2, odd2) = (g[0].times(1.0 / 90.0).plus(g[2], 2.0 / 45.0), g[1].times(1.0 / 45.0));
    let (even3, odd3) = (g[0].times(32.0 / 45.0).plus(g[2], 8.0 / 45.0), g[1].times(16.0 / 45.0));
    [g[0], even1 + odd1, even1 - odd1, even2 + odd2, even2 - odd2, even3 + odd3, even3 - odd3, g[2]]
}

/// Gᵀ.
#[inline(always)]
fn kernel_back<R, V: Vector<R>>(v: [V; 8]) -> [V; 3] {
    let (s1, d1) = (v[1] + v[2], v[1] - v[2]);
    let (s2, d2) = (v[3] + v[4], v[3] - v[4]);
    let (s3, d3) = (v[5] + v[6], v[5] - v[6]);
    [
        v[0].plus(s1, -2.0 / 9.0).plus(s2, 1.0 / 90.0).plus(s3, 32.0 / 45.0),
        d1.times(-2.0 / 9.0).plus(d2, 1.0 / 45.0).plus(d3, 16.0 / 45.0),
        v[7].plus(s1, -2.0 / 9.0).plus(s2, 2.0 / 45.0).plus(s3, 8.0 / 45.0),
    ]
}

/// A tile of data or of products.
pub type Tile<V> = [[V; SIDE]; SIDE];

macro_rules! twice {
    ($(#[$doc:meta])* $name:ident, $line:ident, [$($from:literal)*], $to:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<R, V: Vector<R>>(
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

twice! {
    /// Bᵀ d B: a tile of data, ready to be multiplied. As with the others,
    /// `half` is room for what lies half way, and each result goes to `put` with
    /// its row and column.
    from_data, data, [0 1 2 3 4 5 6 7], 8
}

twice! {
    /// The transpose of [`from_data`], for gradients.
    from_data_back, data_back, [0 1 2 3 4 5 6 7], 8
}

twice! {
    /// Aᵀ m A: products back to 6 x 6 results.
    to_result, result, [0 1 2 3 4 5 6 7], 6
}

twice! {
    /// The transpose of [`to_result`], for gradients, from 6 x 6 places.
    to_result_back, result_back, [0 1 2 3 4 5], 8
}

twice! {
    /// G g Gᵀ: a kernel of 3 x 3 taps, ready to be multiplied.
    from_taps, kernel, [0 1 2], 8
}

twice! {
    /// The transpose of [`from_taps`], for gradients.
    from_taps_back, kernel_back, [0 1 2 3 4 5 6 7], 3
}
