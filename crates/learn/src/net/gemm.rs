//! The matrix product, in which nearly all the time goes.
//!
//! The right factor and the result are stored row by row; the left factor may
//! also be a transpose, which the backward pass needs.
//!
//! With registers, a block of results stays in them while the terms go by: 6 x 16
//! results with AVX2, 6 x 64 with AVX-512, whose registers are twice as many and
//! twice as wide. A term costs one load for each vector of the right factor's row
//! and one broadcast for each row of the left factor, fewer than it has
//! multiplications, so that these are the bottleneck. Without registers a plain
//! loop, left to the compiler, does the same sums in the same order of terms.

use super::Real;
use super::simd::{SimdKernel, SimdLevel, Vector};

/// A left factor: element (i, p) is `data[i * row + p * column]`, where one of
/// the strides is 1.
#[derive(Clone, Copy)]
pub struct Left<'a, R> {
    data: &'a [R],
    row: usize,
    column: usize,
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

/// `out = left x right`, or `out += left x right` if `add`, where `out` has
/// `rows` x `columns` elements and `right` `terms` x `columns`.
///
/// # Panics
/// If a slice is shorter than its matrix.
#[allow(clippy::too_many_arguments)]
pub fn gemm<R: Real>(
    simd: SimdLevel,
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
    let last = (rows - 1) * left.row + terms.saturating_sub(1) * left.column;
    assert!(terms == 0 || left.data.len() > last, "the left factor is too short");
    let (right, out) = (&right[..terms * columns], &mut out[..rows * columns]);
    match R::has_registers(simd) {
        true => simd.run(Product { rows, columns, terms, left, right, out, add }),
        false => plain_product(columns, left, right, out, add),
    }
}

fn plain_product<R: Real>(
    columns: usize,
    left: Left<'_, R>,
    right: &[R],
    out: &mut [R],
    add: bool,
) {
    for (i, out) in out.chunks_exact_mut(columns).enumerate() {
        if !add {
            out.fill(R::ZERO);
        }
        for (p, right) in right.chunks_exact(columns).enumerate() {
            let factor = left.data[i * left.row + p * left.column];
            for (out, &right) in out.iter_mut().zip(right) {
                *out += factor * right;
            }
        }
    }
}

/// The product in registers. The slices have exactly the size of their matrices.
struct Product<'a, R> {
    rows: usize,
    columns: usize,
    terms: usize,
    left: Left<'a, R>,
    right: &'a [R],
    out: &'a mut [R],
    add: bool,
}

impl<R: Real> SimdKernel<R> for Product<'_, R> {
    /// Strips of several vectors of columns, then of one, then the rest.
    #[inline(always)]
    fn run<V: Vector<R>>(mut self, proof: V::Proof) {
        let mut column = 0;
        while column < self.columns {
            let rest = self.columns - column;
            if V::LANES == 16 && rest >= 64 {
                self.strip::<V, 4>(proof, column, 16);
                column += 64;
            } else if rest >= 2 * V::LANES {
                self.strip::<V, 2>(proof, column, V::LANES);
                column += 2 * V::LANES;
            } else {
                let lanes = rest.min(V::LANES);
                self.strip::<V, 1>(proof, column, lanes);
                column += lanes;
            }
        }
    }
}

impl<R: Real> Product<'_, R> {
    /// All rows of `WIDE` vectors of columns from `column`.
    #[inline(always)]
    fn strip<V: Vector<R>, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        column: usize,
        lanes: usize,
    ) {
        let mut row = 0;
        while row < self.rows {
            let height = block_height(self.rows - row);
            match height {
                6 => self.block::<V, 6, WIDE>(proof, row, column, lanes),
                5 => self.block::<V, 5, WIDE>(proof, row, column, lanes),
                4 => self.block::<V, 4, WIDE>(proof, row, column, lanes),
                3 => self.block::<V, 3, WIDE>(proof, row, column, lanes),
                2 => self.block::<V, 2, WIDE>(proof, row, column, lanes),
                _ => self.block::<V, 1, WIDE>(proof, row, column, lanes),
            }
            row += height;
        }
    }

    /// `N` rows of `WIDE` vectors of `lanes` numbers.
    #[inline(always)]
    fn block<V: Vector<R>, const N: usize, const WIDE: usize>(
        &mut self,
        proof: V::Proof,
        row: usize,
        column: usize,
        lanes: usize,
    ) {
        // Only a single vector may be cut short.
        let lanes = if WIDE > 1 { V::LANES } else { lanes };
        let Left { data, row: row_stride, column: column_stride } = self.left;
        let mut sums = [[V::splat(proof, R::ZERO); WIDE]; N];
        let mut left = data.as_ptr().wrapping_add(row * row_stride);
        let mut right = self.right.as_ptr().wrapping_add(column);
        for _ in 0..self.terms {
            let mut vectors = [V::splat(proof, R::ZERO); WIDE];
            for (v, vector) in vectors.iter_mut().enumerate() {
                // SAFETY: `gemm` checked that the slices hold their matrices, and rows and
                // columns of a block are within these. Slices with their bounds checks
                // take 1.3 to 1.5 times as long: the loop has hardly more than its
                // multiplications.
                let numbers = unsafe { std::slice::from_raw_parts(right.add(v * V::LANES), lanes) };
                *vector = V::load(proof, numbers);
            }
            for (i, sums) in sums.iter_mut().enumerate() {
                // SAFETY: as above.
                let factor = V::splat(proof, unsafe { *left.add(i * row_stride) });
                for (sum, vector) in sums.iter_mut().zip(vectors) {
                    *sum = sum.add_product(factor, vector);
                }
            }
            left = left.wrapping_add(column_stride);
            right = right.wrapping_add(self.columns);
        }
        for (i, sums) in sums.into_iter().enumerate() {
            for (v, sum) in sums.into_iter().enumerate() {
                let at = (row + i) * self.columns + column + v * V::LANES;
                let out = &mut self.out[at..at + lanes];
                let sum = if self.add { V::load(proof, out) + sum } else { sum };
                sum.store(out);
            }
        }
    }
}

/// Rows of the next block when `left` remain. Few rows have too few sums under
/// way to hide the latency of a multiplication, so the last two blocks share
/// what would leave a small one.
#[inline(always)]
fn block_height(left: usize) -> usize {
    match left {
        7 | 8 => 4,
        9 => 5,
        _ => left.min(6),
    }
}
