//! What the machine has, asked before much of it is taken: an allocation that fails
//! ends the process, and one that the system grants without having the memory ends
//! it later.

use games::TextError;

/// Megabytes of memory that can be had without swapping; `None` where the system
/// does not tell.
pub fn free_megabytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// Refuses a sum of megabytes that the machine does not have. `what` wants it, as in
/// "the search".
pub fn require_memory(what: &str, megabytes: u64) -> Result<(), TextError> {
    match free_megabytes() {
        Some(free) if megabytes > free => Err(TextError::new(format!(
            "{what} would take {megabytes} MB of memory, and this machine has {free} MB free: \
             give it less"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_than_there_is_is_refused_in_a_sentence() {
        assert!(require_memory("the search", 1).is_ok());
        if free_megabytes().is_some() {
            let error = require_memory("the search", 1 << 40).unwrap_err().to_string();
            assert!(error.starts_with("the search would take 1099511627776 MB"), "{error}");
        }
    }
}
