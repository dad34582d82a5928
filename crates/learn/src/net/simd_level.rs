//! Which instructions the kernels use, chosen when the program runs.

/// A way through the kernels.
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
    /// The fastest simd of this machine. One that it lacks, asked for by hand,
    /// falls back to this.
    #[cfg(target_arch = "x86_64")]
    pub fn best() -> SimdLevel {
        if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
            SimdLevel::Portable
        } else if is_x86_feature_detected!("avx512f") {
            SimdLevel::Avx512
        } else {
            SimdLevel::Avx2
        }
    }

    /// The fastest simd of this machine.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn best() -> SimdLevel {
        SimdLevel::Portable
    }

    /// Every simd of this machine.
    pub fn all() -> Vec<SimdLevel> {
        let all = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];
        all.into_iter().filter(|&simd| simd <= SimdLevel::best()).collect()
    }

    /// This simd, or the best that the machine has instead.
    pub(super) fn at_hand(self) -> SimdLevel {
        self.min(SimdLevel::best())
    }
}
