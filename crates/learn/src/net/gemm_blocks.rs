//! The product in registers.
//!
//! A block of results stays in registers while the terms go by: 6 x 16 results
//! with AVX2, 6 x 64 with AVX-512, whose registers are twice as many and twice
//! as wide. A term costs one load for each vector of the right factor's row and
//! one broadcast for each row of the left factor, fewer than it has
//! multiplications, so that these alone are waited for.
//!
//! It is `unsafe` for its vectors ([`super::vector`]) and for loads that are not
//! checked one by one: `gemm` has checked the matrices as a whole.

use super::Real;
use super::gemm::{Left, Sizes};
use super::vector::{Kernel, Vector};

/// `out = left x right`, or `out += left x right` if `add`.
pub struct Product<'a, R> {
    pub sizes: Sizes,
    pub left: Left<'a, R>,
    pub right: &'a [R],
    pub out: &'a mut [R],
    pub add: bool,
}

impl<R: Real> Kernel<R> for Product<'_, R> {
    /// Strips of several vectors of columns, then of one, then what is left.
    ///
    /// # Safety
    /// Also, every slice must hold its matrix.
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(mut self) {
        let mut column = 0;
        while column < self.sizes.columns {
            let rest = self.sizes.columns - column;
            // SAFETY: a strip ends within the columns; the rest is the caller's promise.
            unsafe {
                if V::LANES == 16 && rest >= 64 {
                    self.strip::<V, 4>(column, 16);
                    column += 64;
                } else if rest >= 2 * V::LANES {
                    self.strip::<V, 2>(column, V::LANES);
                    column += 2 * V::LANES;
                } else {
                    let lanes = rest.min(V::LANES);
                    self.strip::<V, 1>(column, lanes);
                    column += lanes;
                }
            }
        }
    }
}

impl<R: Real> Product<'_, R> {
    /// All rows of `WIDE` vectors of columns from `column`.
    #[inline(always)]
    unsafe fn strip<V: Vector<R>, const WIDE: usize>(&mut self, column: usize, lanes: usize) {
        let mut row = 0;
        while row < self.sizes.rows {
            let height = height(self.sizes.rows - row);
            // SAFETY: row + height <= rows, and the caller's promise.
            unsafe {
                match height {
                    6 => self.block::<V, 6, WIDE>(row, column, lanes),
                    5 => self.block::<V, 5, WIDE>(row, column, lanes),
                    4 => self.block::<V, 4, WIDE>(row, column, lanes),
                    3 => self.block::<V, 3, WIDE>(row, column, lanes),
                    2 => self.block::<V, 2, WIDE>(row, column, lanes),
                    _ => self.block::<V, 1, WIDE>(row, column, lanes),
                }
            }
            row += height;
        }
    }

    /// `N` rows of `WIDE` vectors of `lanes` numbers.
    #[inline(always)]
    unsafe fn block<V: Vector<R>, const N: usize, const WIDE: usize>(
        &mut self,
        row: usize,
        column: usize,
        lanes: usize,
    ) {
        let (width, left) = (self.sizes.columns, self.left);
        // Only a single vector may be cut short.
        let lanes = if WIDE > 1 { V::LANES } else { lanes };
        // SAFETY: the caller gives rows and columns within matrices that the
        // slices hold.
        unsafe {
            let mut a = left.data.as_ptr().add(row * left.row);
            let mut b = self.right.as_ptr().add(column);
            let c = self.out.as_mut_ptr().add(row * width + column);
            let mut sums = [[V::all(R::ZERO); WIDE]; N];
            for _ in 0..self.sizes.terms {
                let mut line = [V::all(R::ZERO); WIDE];
                for (v, to) in line.iter_mut().enumerate() {
                    *to = V::load(b.add(v * V::LANES), lanes);
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let factor = V::all(*a.add(i * left.row));
                    for (sum, line) in sums.iter_mut().zip(line) {
                        *sum = sum.plus_product(factor, line);
                    }
                }
                a = a.wrapping_add(left.column);
                b = b.wrapping_add(width);
            }
            for (i, sums) in sums.into_iter().enumerate() {
                for (v, sum) in sums.into_iter().enumerate() {
                    let c = c.add(i * width + v * V::LANES);
                    let sum = if self.add { V::load(c, lanes) + sum } else { sum };
                    sum.store(c, lanes);
                }
            }
        }
    }
}

/// Rows of the next block when `left` remain. Few rows have too few sums under
/// way to hide the latency of a multiplication, so the last two blocks share
/// what would leave a small one.
#[inline(always)]
fn height(left: usize) -> usize {
    match left {
        7 | 8 => 4,
        9 => 5,
        _ => left.min(6),
    }
}
