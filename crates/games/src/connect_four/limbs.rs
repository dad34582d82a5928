//! Numbers in pieces of 64 bits, the lowest first.

use std::array::from_fn;

/// A number in pieces of 64 bits times 2^by, for `by` below 64.
///
/// What crosses a border takes the place of what it pushes out, and the piece is rotated:
/// a shift over two registers takes twice as long on many processors, and that is what
/// compilers make of the two shifts that this comes down to.
#[inline(always)]
pub(super) fn raise<const N: usize>(limbs: [u64; N], by: u32) -> [u64; N] {
    let crossing = !(u64::MAX >> by);
    from_fn(|i| match i {
        0 => limbs[0] << by,
        _ => (limbs[i] & !crossing | limbs[i - 1] & crossing).rotate_left(by),
    })
}

/// Likewise divided by 2^by.
#[inline(always)]
pub(super) fn lower<const N: usize>(limbs: [u64; N], by: u32) -> [u64; N] {
    let crossing = !(u64::MAX << by);
    from_fn(|i| match i + 1 < N {
        false => limbs[i] >> by,
        true => (limbs[i] & !crossing | limbs[i + 1] & crossing).rotate_right(by),
    })
}

#[inline(always)]
pub(super) fn split(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

#[inline(always)]
pub(super) fn join([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}
