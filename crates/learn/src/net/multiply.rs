//! The matrix product, in which nearly all the time goes.
//!
//! The right factor and the result are stored row by row; the left factor may
//! have any strides, so that its transpose costs nothing (the backward pass
//! needs it). On x86-64 with AVX2 and FMA a block of 6 x 16 results stays in
//! registers; elsewhere a plain loop, left to the compiler, does the same sums
//! in the same order of terms.

use super::Real;

/// Which instructions the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// What every machine has.
    Portable,
    /// AVX2 and FMA. Obtain it from [`Path::best`] only: asked for by hand on a
    /// machine without them, the kernels fall back to the portable path.
    Avx2,
}

impl Path {
    /// The fastest path of this machine.
    pub fn best() -> Path {
        if Path::has_avx2() { Path::Avx2 } else { Path::Portable }
    }

    #[cfg(target_arch = "x86_64")]
    fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn has_avx2() -> bool {
        false
    }

    /// Run `work`, which should be inlined, compiled for this path's instructions.
    #[inline(always)]
    pub(super) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma")]
            fn wide<T>(work: impl FnOnce() -> T) -> T {
                work()
            }
            if self == Path::Avx2 && Path::has_avx2() {
                // SAFETY: both features were just detected.
                return unsafe { wide(work) };
            }
        }
        work()
    }
}

/// A left factor: element (i, p) is `data[i * row + p * column]`.
#[derive(Clone, Copy)]
pub struct Left<'a, R> {
    /// The elements.
    pub data: &'a [R],
    /// From one row to the next.
    pub row: usize,
    /// From one column to the next.
    pub column: usize,
}

impl<'a, R> Left<'a, R> {
    /// A matrix stored row by row, `columns` wide.
    pub fn rows(data: &'a [R], columns: usize) -> Self {
        Left { data, row: columns, column: 1 }
    }

    /// The transpose of a matrix stored row by row, `columns` wide.
    pub fn transposed(data: &'a [R], columns: usize) -> Self {
        Left { data, row: 1, column: columns }
    }
}

/// Rows of the result, its columns, and the terms of each sum.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    rows: usize,
    columns: usize,
    terms: usize,
}

/// `out = left x right`, or `out += left x right` if `add`, where `out` has
/// `rows` x `columns` elements and `right` `terms` x `columns`.
///
/// # Panics
/// If a slice is shorter than its matrix.
#[allow(clippy::too_many_arguments)]
pub fn multiply<R: Real>(
    path: Path,
    (rows, columns, terms): (usize, usize, usize),
    left: Left<'_, R>,
    right: &[R],
    out: &mut [R],
    add: bool,
) {
    if rows == 0 || columns == 0 {
        return;
    }
    assert!(right.len() >= terms * columns, "the right factor is too short");
    assert!(out.len() >= rows * columns, "the result is too short");
    if terms > 0 {
        let last = (rows - 1) * left.row + (terms - 1) * left.column;
        assert!(left.data.len() > last, "the left factor is too short");
    }
    R::product(path, Sizes { rows, columns, terms }, left, right, out, add);
}

pub(super) fn plain<R: Real>(s: Sizes, left: Left<'_, R>, right: &[R], out: &mut [R], add: bool) {
    for (i, out) in out.chunks_exact_mut(s.columns).take(s.rows).enumerate() {
        if !add {
            out.fill(R::ZERO);
        }
        for (p, right) in right.chunks_exact(s.columns).take(s.terms).enumerate() {
            let factor = left.data[i * left.row + p * left.column];
            for (out, &right) in out.iter_mut().zip(right) {
                *out += factor * right;
            }
        }
    }
}

pub(super) fn single(
    path: Path,
    sizes: Sizes,
    left: Left<'_, f32>,
    right: &[f32],
    out: &mut [f32],
    add: bool,
) {
    #[cfg(target_arch = "x86_64")]
    if path == Path::Avx2 && Path::has_avx2() {
        // SAFETY: the features were just detected, and `multiply`, the only
        // caller, has checked that each slice holds its whole matrix.
        // Stepping by a known one saves the inner loop its address sums.
        unsafe {
            if left.column == 1 {
                avx2::product::<true>(sizes, left, right, out, add);
            } else {
                avx2::product::<false>(sizes, left, right, out, add);
            }
        }
        return;
    }
    let _ = path;
    plain(sizes, left, right, out, add);
}

/// The register-blocked kernel. It is `unsafe` for its raw loads: bounds checks
/// inside a loop of twelve multiplications cost more than the multiplications.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Left, Sizes};

    const ROWS: usize = 6;

    /// # Safety
    /// AVX2 and FMA must be there, every slice must hold its matrix, and `UNIT`
    /// may be set only if the left factor's columns are neighbours.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn product<const UNIT: bool>(
        s: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        out: &mut [f32],
        add: bool,
    ) {
        let mut column = 0;
        while column < s.columns {
            let wide = s.columns - column >= 16;
            let width = if wide { 16 } else { (s.columns - column).min(8) };
            let mut row = 0;
            while row < s.rows {
                let height = (s.rows - row).min(ROWS);
                // SAFETY: row + height <= rows and column + width <= columns, so
                // the block lies inside matrices that the caller vouched for.
                unsafe {
                    let a = left.data.as_ptr().add(row * left.row);
                    let b = right.as_ptr().add(column);
                    let c = out.as_mut_ptr().add(row * s.columns + column);
                    let strides = (left.row, left.column, s.columns);
                    match (height, wide) {
                        (6, true) => block::<6, UNIT>(a, b, c, strides, s.terms, add),
                        (5, true) => block::<5, UNIT>(a, b, c, strides, s.terms, add),
                        (4, true) => block::<4, UNIT>(a, b, c, strides, s.terms, add),
                        (3, true) => block::<3, UNIT>(a, b, c, strides, s.terms, add),
                        (2, true) => block::<2, UNIT>(a, b, c, strides, s.terms, add),
                        (_, true) => block::<1, UNIT>(a, b, c, strides, s.terms, add),
                        (6, false) => edge::<6>(a, b, c, strides, s.terms, add, width),
                        (5, false) => edge::<5>(a, b, c, strides, s.terms, add, width),
                        (4, false) => edge::<4>(a, b, c, strides, s.terms, add, width),
                        (3, false) => edge::<3>(a, b, c, strides, s.terms, add, width),
                        (2, false) => edge::<2>(a, b, c, strides, s.terms, add, width),
                        (_, false) => edge::<1>(a, b, c, strides, s.terms, add, width),
                    }
                }
                row += height;
            }
            column += width;
        }
    }

    /// `N` rows of 16 results.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn block<const N: usize, const UNIT: bool>(
        a: *const f32,
        b: *const f32,
        c: *mut f32,
        (a_row, a_column, width): (usize, usize, usize),
        terms: usize,
        add: bool,
    ) {
        let a_column = if UNIT { 1 } else { a_column };
        // SAFETY: the caller gives blocks that lie inside their matrices.
        unsafe {
            let mut sums = [[_mm256_setzero_ps(); 2]; N];
            for p in 0..terms {
                let b0 = _mm256_loadu_ps(b.add(p * width));
                let b1 = _mm256_loadu_ps(b.add(p * width + 8));
                for (i, sum) in sums.iter_mut().enumerate() {
                    let factor = _mm256_broadcast_ss(&*a.add(i * a_row + p * a_column));
                    sum[0] = _mm256_fmadd_ps(factor, b0, sum[0]);
                    sum[1] = _mm256_fmadd_ps(factor, b1, sum[1]);
                }
            }
            for (i, sum) in sums.iter_mut().enumerate() {
                let c = c.add(i * width);
                if add {
                    sum[0] = _mm256_add_ps(sum[0], _mm256_loadu_ps(c));
                    sum[1] = _mm256_add_ps(sum[1], _mm256_loadu_ps(c.add(8)));
                }
                _mm256_storeu_ps(c, sum[0]);
                _mm256_storeu_ps(c.add(8), sum[1]);
            }
        }
    }

    /// `N` rows of at most 8 results, the rest masked away.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn edge<const N: usize>(
        a: *const f32,
        b: *const f32,
        c: *mut f32,
        (a_row, a_column, width): (usize, usize, usize),
        terms: usize,
        add: bool,
        lanes: usize,
    ) {
        let order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), order);
        // SAFETY: the caller gives blocks that lie inside their matrices, and
        // masked lanes are neither read nor written.
        unsafe {
            let mut sums = [_mm256_setzero_ps(); N];
            for p in 0..terms {
                let b = _mm256_maskload_ps(b.add(p * width), mask);
                for (i, sum) in sums.iter_mut().enumerate() {
                    let factor = _mm256_broadcast_ss(&*a.add(i * a_row + p * a_column));
                    *sum = _mm256_fmadd_ps(factor, b, *sum);
                }
            }
            for (i, &sum) in sums.iter().enumerate() {
                let c = c.add(i * width);
                let sum = if add { _mm256_add_ps(sum, _mm256_maskload_ps(c, mask)) } else { sum };
                _mm256_maskstore_ps(c, mask, sum);
            }
        }
    }
}
