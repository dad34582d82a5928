//! Resource limits for a process that runs untrusted code.
//!
//! On systems other than Unix memory is not limited.

/// Limits the address space of this process from now on.
pub fn limit_memory(bytes: u64) {
    system::limit_memory(bytes);
}

#[cfg(unix)]
mod system {
    pub fn limit_memory(bytes: u64) {
        let limit = libc::rlimit { rlim_cur: bytes as _, rlim_max: bytes as _ };
        // SAFETY: the pointer is to a whole rlimit. If the system refuses,
        // the process stays unlimited; the limit of time still holds.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) };
    }
}

#[cfg(not(unix))]
mod system {
    pub fn limit_memory(_bytes: u64) {}
}
