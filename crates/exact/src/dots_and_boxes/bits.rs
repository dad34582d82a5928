//! Gathering and scattering bits by a mask: one instruction each where the
//! processor has BMI2, a loop elsewhere.

/// The bits of `word` under `mask`, moved together at the low end.
#[inline]
pub(super) fn gather(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: this line is compiled only where the build has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    gather_by_loop(word, mask)
}

/// The low bits of `word`, moved apart to the places of `mask`.
#[inline]
pub(super) fn scatter(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: this line is compiled only where the build has BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    scatter_by_loop(word, mask)
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn gather_by_loop(word: u64, mut mask: u64) -> u64 {
    let (mut gathered, mut place) = (0, 0);
    while mask != 0 {
        // A run of ones moves as a whole; masks here are rows of a board.
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        gathered |= (word >> low & ones) << place;
        place += run;
        mask &= !(ones << low);
    }
    gathered
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn scatter_by_loop(word: u64, mut mask: u64) -> u64 {
    let (mut scattered, mut place) = (0, 0);
    while mask != 0 {
        let low = mask.trailing_zeros();
        let run = (mask >> low).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        scattered |= (word >> place & ones) << low;
        place += run;
        mask &= !(ones << low);
    }
    scattered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loops_do_what_the_instructions_do() {
        let mut rng = games::Rng::seeded(5);
        for _ in 0..1000 {
            let (word, mask) = (rng.bits(), rng.bits() & rng.bits());
            assert_eq!(gather(word, mask), gather_by_loop(word, mask));
            assert_eq!(scatter(word, mask), scatter_by_loop(word, mask));
            assert_eq!(scatter(gather(word, mask), mask), word & mask);
        }
        assert_eq!(gather_by_loop(u64::MAX, u64::MAX), u64::MAX);
    }
}
