//! Limits for a process that runs other people's code, and its CPU time.
//!
//! What is Unix's own sits here and has its twin for other systems, where memory
//! is not limited and wall time stands for CPU time.

use std::time::Duration;

/// Limits the address space of this process from now on.
pub fn limit_memory(bytes: u64) {
    system::limit_memory(bytes);
}

/// The CPU time of this process so far, over all threads.
pub fn cpu_time() -> Duration {
    system::cpu_time()
}

#[cfg(unix)]
mod system {
    use std::time::Duration;

    pub fn limit_memory(bytes: u64) {
        let limit = libc::rlimit { rlim_cur: bytes as _, rlim_max: bytes as _ };
        // SAFETY: the pointer is to a whole rlimit. A system that refuses leaves
        // the process unlimited, which the judge's own limits then catch.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) };
    }

    pub fn cpu_time() -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is to a whole timespec.
        let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
        match failed {
            0 => Duration::new(time.tv_sec as u64, time.tv_nsec as u32),
            _ => Duration::ZERO,
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    pub fn limit_memory(_bytes: u64) {}

    pub fn cpu_time() -> Duration {
        static BEGUN: OnceLock<Instant> = OnceLock::new();
        BEGUN.get_or_init(Instant::now).elapsed()
    }
}
