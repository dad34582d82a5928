//! Lines of four in a word of several pieces: the innermost loop of every search.
//!
//! The distances between neighbours are the same for a whole board: up, down and
//! right, right, up and right. With AVX2 the four directions are the four lanes of
//! a vector, which takes a third of the time on the wider words; without it they are
//! searched one after the other, and the tests compare the two.

use super::limbs::{lower as down, raise as up};

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

/// See [`Word::has_unpaired_four`](super::Word::has_unpaired_four).
#[inline(always)]
pub(super) fn has_unpaired_four<const N: usize>(
    cells: [u64; N],
    paired: [u64; N],
    stride: u32,
) -> bool {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if N > 1 {
        // SAFETY: compiled only where the build enables AVX2.
        return unsafe { lanes::has_unpaired_four(cells, paired, stride) };
    }
    has_unpaired_four_in_turn(cells, paired, stride)
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
fn has_unpaired_four_in_turn<const N: usize>(
    cells: [u64; N],
    paired: [u64; N],
    stride: u32,
) -> bool {
    let mut fours = 0;
    for d in directions(stride) {
        let next = down(cells, d);
        let pairs: [u64; N] = std::array::from_fn(|i| cells[i] & next[i]);
        let far = down(pairs, 2 * d);
        // Where both of two neighbours are paired, and where one of them is.
        let next = down(paired, d);
        let both: [u64; N] = std::array::from_fn(|i| paired[i] & next[i]);
        let one: [u64; N] = std::array::from_fn(|i| paired[i] | next[i]);
        let (far_both, far_one) = (down(both, 2 * d), down(one, 2 * d));
        for i in 0..N {
            fours |= pairs[i] & far[i] & !(both[i] | far_both[i] | one[i] & far_one[i]);
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

    /// A distance for each direction, and 64 less each of them.
    #[derive(Clone, Copy)]
    #[repr(align(32))]
    struct Distances([i64; 4], [i64; 4]);

    /// Strides of boards are below this.
    const STRIDES: usize = 16;

    /// By stride: the distances between neighbours, and two and three times as far. In
    /// memory, because making them of the stride takes longer than a line of four.
    static DISTANCES: [[Distances; 3]; STRIDES] = {
        let mut all = [[Distances([0; 4], [64; 4]); 3]; STRIDES];
        let mut stride = 2;
        while stride < STRIDES {
            let mut times = 1;
            while times <= 3 {
                let (s, t) = (stride as i64, times as i64);
                let by = [t, t * (s - 1), t * s, t * (s + 1)];
                let rest = [64 - by[0], 64 - by[1], 64 - by[2], 64 - by[3]];
                all[stride][times - 1] = Distances(by, rest);
                times += 1;
            }
            stride += 1;
        }
        all
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(numbers: &[i64; 4]) -> __m256i {
        // SAFETY: 32 bytes are read, as many as there are.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn spread<const N: usize>(pieces: [u64; N]) -> [__m256i; N] {
        pieces.map(|piece| _mm256_set1_epi64x(piece as i64))
    }

    /// Each lane moved down by its own distance.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn down<const N: usize>(own: [__m256i; N], by: &Distances) -> [__m256i; N] {
        let (by, rest) = (load(&by.0), load(&by.1));
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
    fn up<const N: usize>(own: [__m256i; N], by: &Distances) -> [__m256i; N] {
        let (by, rest) = (load(&by.0), load(&by.1));
        from_fn(|i| {
            let high = _mm256_sllv_epi64(own[i], by);
            if i == 0 {
                return high;
            }
            _mm256_or_si256(high, _mm256_srlv_epi64(own[i - 1], rest))
        })
    }

    /// Two neighbours, and two more beyond them.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn fours<const N: usize>(
        cells: [__m256i; N],
        [once, twice, _]: &[Distances; 3],
    ) -> [__m256i; N] {
        let next = down(cells, once);
        let pairs: [__m256i; N] = from_fn(|i| _mm256_and_si256(cells[i], next[i]));
        let far = down(pairs, twice);
        from_fn(|i| _mm256_and_si256(pairs[i], far[i]))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn any<const N: usize>(sets: [__m256i; N]) -> bool {
        let all = sets.into_iter().fold(_mm256_setzero_si256(), |a, b| _mm256_or_si256(a, b));
        _mm256_testz_si256(all, all) == 0
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn has_four<const N: usize>(cells: [u64; N], stride: u32) -> bool {
        any(fours(spread(cells), &DISTANCES[stride as usize % STRIDES]))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn has_unpaired_four<const N: usize>(
        cells: [u64; N],
        paired: [u64; N],
        stride: u32,
    ) -> bool {
        let distances @ [once, twice, _] = &DISTANCES[stride as usize % STRIDES];
        let fours = fours(spread(cells), distances);
        let paired = spread(paired);
        let next = down(paired, once);
        let both: [__m256i; N] = from_fn(|i| _mm256_and_si256(paired[i], next[i]));
        let one: [__m256i; N] = from_fn(|i| _mm256_or_si256(paired[i], next[i]));
        let (far_both, far_one) = (down(both, twice), down(one, twice));
        any(from_fn::<_, N, _>(|i| {
            let beside = _mm256_or_si256(both[i], far_both[i]);
            let apart = _mm256_and_si256(one[i], far_one[i]);
            _mm256_andnot_si256(_mm256_or_si256(beside, apart), fours[i])
        }))
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
        let [once, twice, thrice] = &DISTANCES[stride as usize % STRIDES];
        let own = spread(own);
        let (right, right_two, right_three) =
            (down(own, once), down(own, twice), down(own, thrice));
        let (left, left_two, left_three) = (up(own, once), up(own, twice), up(own, thrice));
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
                let paired = cells.map(|piece| piece & rng.bits());
                assert_eq!(
                    has_unpaired_four(cells, paired, stride),
                    has_unpaired_four_in_turn(cells, paired, stride)
                );
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
