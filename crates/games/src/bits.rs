//! Bit-board operations that the standard library lacks: parallel extract and
//! deposit, the n-th set bit, and bits as bytes.
//!
//! An instruction or a few where the build has BMI2 and AVX2 (every x86-64-v3 build), a loop
//! elsewhere. Move generation and endgame indexing call these for every move of
//! billions of positions; without the instructions a random Surakarta game is a
//! fifth slower, because the branches of the loops cannot be predicted.

/// The bits of `word` under `mask`, moved together at the low end (`pext`).
///
/// ```
/// assert_eq!(games::bits::extract(0b1010_0110, 0b1111_0000), 0b1010);
/// ```
#[inline(always)]
pub fn extract(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: compiled only where the build enables BMI2, so every processor that
    // may run it has the instruction.
    return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    return extract_by_loop(word, mask);
}

/// The low bits of `word`, moved apart to the places of `mask` (`pdep`): the
/// inverse of [`extract`].
///
/// ```
/// assert_eq!(games::bits::deposit(0b1010, 0b1111_0000), 0b1010_0000);
/// ```
#[inline(always)]
pub fn deposit(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: compiled only where the build enables BMI2, so every processor that
    // may run it has the instruction.
    return unsafe { std::arch::x86_64::_pdep_u64(word, mask) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    return deposit_by_loop(word, mask);
}

/// The index of the `n`-th set bit of `word`, counted from 0; it must have more
/// than `n`.
///
/// ```
/// assert_eq!(games::bits::nth_set(0b1010_0110, 2), 5);
/// ```
#[inline(always)]
pub fn nth_set(word: u64, n: u32) -> u32 {
    debug_assert!(n < word.count_ones());
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return deposit(1 << n, word).trailing_zeros();
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    return nth_set_by_halving(word, n);
}

/// The bits of `word` as bytes 0 and 1, the lowest first.
///
/// Masks of legal moves are written for every step of thousands of games: a
/// shuffle and a comparison; eight bits at a time made a step of Dots and Boxes a
/// fifth longer.
///
/// ```
/// assert_eq!(games::bits::spread(0b1101)[..5], [1, 0, 1, 1, 0]);
/// ```
#[inline(always)]
pub fn spread(word: u32) -> [u8; 32] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    // SAFETY: compiled only where the build enables AVX2, so every processor that
    // may run it has the instructions; a vector and 32 bytes are the same bits.
    return unsafe {
        use std::arch::x86_64::*;
        const EIGHT: i64 = 0x0101_0101_0101_0101;
        let byte = _mm256_setr_epi64x(0, EIGHT, 2 * EIGHT, 3 * EIGHT);
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word as i32), byte);
        let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
        std::mem::transmute::<__m256i, [u8; 32]>(_mm256_and_si256(set, _mm256_set1_epi8(1)))
    };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    return spread_by_loop(word);
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn spread_by_loop(word: u32) -> [u8; 32] {
    std::array::from_fn(|i| (word >> i & 1) as u8)
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn extract_by_loop(word: u64, mut mask: u64) -> u64 {
    let (mut extracted, mut place) = (0, 0);
    while mask != 0 {
        // A run of ones moves as a whole; most masks are rows of a board.
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        extracted |= (word >> low & ones) << place;
        place += run;
        mask &= !(ones << low);
    }
    extracted
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn deposit_by_loop(word: u64, mut mask: u64) -> u64 {
    let (mut deposited, mut place) = (0, 0);
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        deposited |= (word >> place & ones) << low;
        place += run;
        mask &= !(ones << low);
    }
    deposited
}

/// Six halvings, each by a population count: no branch depends on the word.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn nth_set_by_halving(word: u64, mut n: u32) -> u32 {
    let mut place = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let ones = (word >> place & ((1 << width) - 1)).count_ones();
        if n >= ones {
            n -= ones;
            place += width;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn the_loops_do_what_the_instructions_do() {
        let mut rng = Rng::seeded(5);
        for _ in 0..10_000 {
            let (word, mask) = (rng.bits(), rng.bits() & rng.bits());
            assert_eq!(extract(word, mask), extract_by_loop(word, mask));
            assert_eq!(deposit(word, mask), deposit_by_loop(word, mask));
            assert_eq!(deposit(extract(word, mask), mask), word & mask);
            assert_eq!(spread(word as u32), spread_by_loop(word as u32));
            let set = (0..64).filter(|i| mask >> i & 1 == 1);
            for (n, index) in (0..).zip(set) {
                assert_eq!(nth_set(mask, n), index);
                assert_eq!(nth_set_by_halving(mask, n), index);
            }
        }
        assert_eq!(extract_by_loop(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(deposit_by_loop(u64::MAX, u64::MAX), u64::MAX);
    }
}
