//! The matrix product, in which nearly all the time goes.
//!
//! The right factor and the result are stored row by row; the left factor may
//! have any strides, so that its transpose costs nothing (the backward pass
//! needs it). Where the machine has vectors, blocks of results stay in registers
//! ([`super::blocks`]); elsewhere a plain loop, left to the compiler, does the
//! same sums in the same order of terms.

use super::gemm_blocks::Product;
use super::{Real, SimdLevel};

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) terms: usize,
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
    if terms > 0 {
        let last = (rows - 1) * left.row + (terms - 1) * left.column;
        assert!(left.data.len() > last, "the left factor is too short");
    }
    let sizes = Sizes { rows, columns, terms };
    if R::in_vectors(simd) {
        simd.run(Product { sizes, left, right, out, add });
    } else {
        plain(sizes, left, right, out, add);
    }
}

fn plain<R: Real>(s: Sizes, left: Left<'_, R>, right: &[R], out: &mut [R], add: bool) {
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
