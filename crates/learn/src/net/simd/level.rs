//! Which instructions the kernels use, chosen at run time.

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimdLevel {
    /// What every machine has.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512.
    Avx512,
}

impl SimdLevel {
    /// The best level of this machine.
    #[cfg(target_arch = "x86_64")]
    pub fn detect() -> SimdLevel {
        use super::x86::{Avx2, Avx512};
        if Avx512::detect().is_some() {
            SimdLevel::Avx512
        } else if Avx2::detect().is_some() {
            SimdLevel::Avx2
        } else {
            SimdLevel::Portable
        }
    }

    /// The best level of this machine.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detect() -> SimdLevel {
        SimdLevel::Portable
    }

    /// Every level of this machine.
    pub fn available() -> Vec<SimdLevel> {
        let all = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];
        all.into_iter().filter(|&level| level <= SimdLevel::detect()).collect()
    }
}
