//! Limits for a process that runs other people's code.
//!
//! What is Unix's own sits here and has its twin for other systems, where memory
//! is not limited.

/// Limits the address space of this process from now on.
pub fn limit_memory(bytes: u64) {
    system::limit_memory(bytes);
}

#[cfg(unix)]
mod system {
    pub fn limit_memory(bytes: u64) {
        let limit = libc::rlimit { rlim_cur: bytes as _, rlim_max: bytes as _ };
        // SAFETY: the pointer is to a whole rlimit. A system that refuses leaves
        // the process unlimited, which the judge's own limits then catch.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) };
    }
}

#[cfg(not(unix))]
mod system {
    pub fn limit_memory(_bytes: u64) {}
}
