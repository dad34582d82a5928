//! Which instructions the kernels use, chosen when the program runs.

/// A way through the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Path {
    /// What every machine has.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512.
    Avx512,
}

impl Path {
    /// The fastest path of this machine. One that it lacks, asked for by hand,
    /// falls back to this.
    #[cfg(target_arch = "x86_64")]
    pub fn best() -> Path {
        if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
            Path::Portable
        } else if is_x86_feature_detected!("avx512f") {
            Path::Avx512
        } else {
            Path::Avx2
        }
    }

    /// The fastest path of this machine.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn best() -> Path {
        Path::Portable
    }

    /// Every path of this machine.
    pub fn all() -> Vec<Path> {
        let all = [Path::Portable, Path::Avx2, Path::Avx512];
        all.into_iter().filter(|&path| path <= Path::best()).collect()
    }

    /// This path, or the best that the machine has instead.
    pub(super) fn at_hand(self) -> Path {
        self.min(Path::best())
    }
}
