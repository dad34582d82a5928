//! Lines of four in a word of several pieces: the innermost loop of every search.
//!
//! The distances between neighbours are the same for a whole board: up, down and
//! right, right, up and right. With AVX2 the four directions are the four lanes of
//! a vector, which takes a third of the time on the wider words; without it they are
//! searched one after the other, and the tests compare the two.

/// The distances between neighbours in a line: up, down and right, right, up
/// and right.
#[inline]
pub(super) fn directions(stride: u32) -> [u32; 4] {
    [1, stride - 1, stride, stride + 1]
}

/// See [`Word::has_four`](super::Word::has_four).
#[inline(always)]
pub(super) fn has_four<const N: usize>(cells: [u64; N], stride: u32) -> bool {
    // Shifts of a single piece are too cheap to be worth the way into a vector.
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if N > 1 {
        // SAFETY: compiled only where the build enables AVX2.
        return unsafe { lanes::has_four(cells, stride) };
    }
    has_four_in_turn(cells, stride)
}

/// See [`Word::fourths`](super::Word::fourths).
#[inline(always)]
pub(super) fn fourths<const N: usize>(own: [u64; N], stride: u32) -> [u64; N] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if N > 1 {
        // SAFETY: compiled only where the build enables AVX2.
        return unsafe { lanes::fourths(own, stride) };
    }
    fourths_in_turn(own, stride)
}

/// Pieces moved down by less than 64 and more than 0.
#[inline(always)]
fn down<const N: usize>(own: [u64; N], by: u32) -> [u64; N] {
    std::array::from_fn(|i| own[i] >> by | if i + 1 < N { own[i + 1] << (64 - by) } else { 0 })
}

/// Pieces moved up, likewise.
#[inline(always)]
fn up<const N: usize>(own: [u64; N], by: u32) -> [u64; N] {
    std::array::from_fn(|i| own[i] << by | if i > 0 { own[i - 1] >> (64 - by) } else { 0 })
}

#[inline(always)]
fn has_four_in_turn<const N: usize>(cells: [u64; N], stride: u32) -> bool {
    let mut fours = 0;
    for d in directions(stride) {
        let next = down(cells, d);
        let pairs: [u64; N] = std::array::from_fn(|i| cells[i] & next[i]);
        let far = down(pairs, 2 * d);
        for i in 0..N {
            fours |= pairs[i] & far[i];
        }
    }
    fours != 0
}

#[inline(always)]
fn fourths_in_turn<const N: usize>(own: [u64; N], stride: u32) -> [u64; N] {
    let column = [up(own, 1), up(own, 2), up(own, 3)];
    let mut fourth: [u64; N] = std::array::from_fn(|i| column[0][i] & column[1][i] & column[2][i]);
    for d in [stride - 1, stride, stride + 1] {
        let right = [down(own, d), down(own, 2 * d), down(own, 3 * d)];
        let left = [up(own, d), up(own, 2 * d), up(own, 3 * d)];
        for i in 0..N {
            // Two neighbours on one side, and a third beyond them or across.
            fourth[i] |= right[0][i] & right[1][i] & (right[2][i] | left[0][i]);
            fourth[i] |= left[0][i] & left[1][i] & (left[2][i] | right[0][i]);
        }
    }
    fourth
}

/// A lane for each direction.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod lanes {
    use std::arch::x86_64::*;
    use std::array::from_fn;

    #[target_feature(enable = "avx2")]
    #[inline]
    fn directions(stride: u32) -> __m256i {
        let stride = i64::from(stride);
        _mm256_set_epi64x(stride + 1, stride, stride - 1, 1)
    }

    /// Each lane moved down by its own distance, below 64.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn down<const N: usize>(own: [__m256i; N], by: __m256i) -> [__m256i; N] {
        let rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
        from_fn(|i| {
            let low = _mm256_srlv_epi64(own[i], by);
            if i + 1 == N {
                return low;
            }
            _mm256_or_si256(low, _mm256_sllv_epi64(own[i + 1], rest))
        })
    }

    /// Each lane moved up, likewise.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn up<const N: usize>(own: [__m256i; N], by: __m256i) -> [__m256i; N] {
        let rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
        from_fn(|i| {
            let high = _mm256_sllv_epi64(own[i], by);
            if i == 0 {
                return high;
            }
            _mm256_or_si256(high, _mm256_srlv_epi64(own[i - 1], rest))
        })
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn has_four<const N: usize>(cells: [u64; N], stride: u32) -> bool {
        let by = directions(stride);
        let cells: [__m256i; N] = cells.map(|piece| _mm256_set1_epi64x(piece as i64));
        let next = down(cells, by);
        let pairs: [__m256i; N] = from_fn(|i| _mm256_and_si256(cells[i], next[i]));
        let far = down(pairs, _mm256_add_epi64(by, by));
        let mut fours = _mm256_setzero_si256();
        for i in 0..N {
            fours = _mm256_or_si256(fours, _mm256_and_si256(pairs[i], far[i]));
        }
        _mm256_testz_si256(fours, fours) == 0
    }

    /// All lanes in one.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn joined(lanes: __m256i) -> u64 {
        let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
        (_mm_cvtsi128_si64(half) | _mm_extract_epi64(half, 1)) as u64
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn fourths<const N: usize>(own: [u64; N], stride: u32) -> [u64; N] {
        let by = directions(stride);
        let (twice, thrice) =
            (_mm256_add_epi64(by, by), _mm256_add_epi64(_mm256_add_epi64(by, by), by));
        let own: [__m256i; N] = own.map(|piece| _mm256_set1_epi64x(piece as i64));
        let (right, right_two, right_three) = (down(own, by), down(own, twice), down(own, thrice));
        let (left, left_two, left_three) = (up(own, by), up(own, twice), up(own, thrice));
        // Nothing counts from above in a column.
        let sideways = _mm256_set_epi64x(-1, -1, -1, 0);
        from_fn(|i| {
            let (right, left) = (_mm256_and_si256(right[i], sideways), left[i]);
            let rising = _mm256_and_si256(
                _mm256_and_si256(right, right_two[i]),
                _mm256_or_si256(right_three[i], left),
            );
            let falling = _mm256_and_si256(
                _mm256_and_si256(left, left_two[i]),
                _mm256_or_si256(left_three[i], right),
            );
            joined(_mm256_or_si256(rising, falling))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn agree<const N: usize>(rng: &mut Rng) {
        for round in 0..3_000 {
            // From sparse to dense.
            let cells: [u64; N] = std::array::from_fn(|_| match round % 3 {
                0 => rng.bits() & rng.bits(),
                1 => rng.bits(),
                _ => rng.bits() | rng.bits() & rng.bits(),
            });
            for stride in 5..=13 {
                assert_eq!(has_four(cells, stride), has_four_in_turn(cells, stride));
                assert_eq!(fourths(cells, stride), fourths_in_turn(cells, stride));
            }
        }
    }

    #[test]
    fn all_directions_at_once_are_each_in_turn() {
        let mut rng = Rng::seeded(6);
        agree::<1>(&mut rng);
        agree::<2>(&mut rng);
        agree::<3>(&mut rng);
    }
}
