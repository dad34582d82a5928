//! What the machine has, asked before much of it is taken: an allocation that fails
//! ends the process, and one that the system grants without having the memory ends
//! it later.
//!
//! Three things may end memory before the machine's own does: a container's limit
//! (control groups, versions 1 and 2), the shell's (`ulimit -v`), and the allocator
//! itself, which is asked for the whole sum and gives it back.

use std::fs::read_to_string;
use std::path::Path;

use games::TextError;

/// Where the system mounts its control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// Megabytes of memory that can be had without swapping; `None` where the system
/// does not tell.
pub fn free_megabytes() -> Option<u64> {
    let machine = machine_bytes(&read_to_string("/proc/meminfo").ok()?);
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let bounds = [machine, group_bytes(Path::new(GROUPS), &groups), address_bytes()];
    Some(bounds.into_iter().flatten().min()? >> 20)
}

/// What the machine has left.
fn machine_bytes(meminfo: &str) -> Option<u64> {
    let kilobytes = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(number(kilobytes)? << 10)
}

/// What the control groups of this process have left: the least of its own and of
/// those above it. What is only cached of files can be had.
fn group_bytes(root: &Path, groups: &str) -> Option<u64> {
    let mut least = None;
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(kind), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (base, [limit, usage, cached]) = match kind {
            "" => (root.to_path_buf(), ["memory.max", "memory.current", "inactive_file"]),
            "memory" => (
                root.join("memory"),
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"],
            ),
            _ => continue,
        };
        let own = base.join(path.trim_start_matches('/'));
        // In a container the path may be that of the machine outside: then only the
        // root is there.
        for group in own.ancestors().take_while(|group| group.starts_with(&base)) {
            let read = |name: &str| read_to_string(group.join(name)).ok();
            let Some(limit) = read(limit).as_deref().and_then(number) else { continue };
            let usage = read(usage).as_deref().and_then(number).unwrap_or(0);
            let stat = read("memory.stat").unwrap_or_default();
            let cached = stat.lines().find_map(|line| number(line.strip_prefix(cached)?));
            let free = limit.saturating_sub(usage.saturating_sub(cached.unwrap_or(0)));
            least = Some(least.map_or(free, |least: u64| least.min(free)));
        }
    }
    least
}

/// What `ulimit -v` has left.
fn address_bytes() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let limit = number(limits.lines().find_map(|line| line.strip_prefix("Max address space"))?)?;
    let status = read_to_string("/proc/self/status").ok()?;
    let used = number(status.lines().find_map(|line| line.strip_prefix("VmSize:"))?)?;
    Some(limit.saturating_sub(used << 10))
}

/// The number that a text begins with; `None` for "max" and "unlimited".
fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Refuses a sum of megabytes that the machine does not have. `what` wants it, as in
/// "the search".
pub fn require_memory(what: &str, megabytes: u64) -> Result<(), TextError> {
    let refuse = |has: String| {
        Err(TextError::new(format!(
            "{what} would take {megabytes} MB of memory, and this machine {has}: give it less"
        )))
    };
    match free_megabytes() {
        Some(free) if megabytes > free => refuse(format!("has {free} MB free")),
        _ if !is_granted(megabytes) => refuse("has no room for it".to_owned()),
        _ => Ok(()),
    }
}

/// Whether the allocator would give so much now. Memory that is not touched costs
/// nothing, so the question takes microseconds.
fn is_granted(megabytes: u64) -> bool {
    let bytes = usize::try_from(megabytes).ok().and_then(|n| n.checked_mul(1 << 20));
    bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_than_there_is_is_refused_in_a_sentence() {
        assert!(require_memory("the search", 1).is_ok());
        let error = require_memory("the search", 1 << 40).unwrap_err().to_string();
        assert!(error.starts_with("the search would take 1099511627776 MB"), "{error}");
        assert!(is_granted(1) && !is_granted(1 << 40) && !is_granted(u64::MAX));
    }

    #[test]
    fn a_container_has_what_its_groups_leave() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let free = |groups: &str| group_bytes(folder.path(), groups);
        assert_eq!(free("0::/a/b\n4:memory:/x\n"), None);
        put("a/b/memory.max", "1000\n");
        put("a/b/memory.current", "700\n");
        assert_eq!(free("1:cpu:/\n0::/a/b\n"), Some(300));
        put("a/b/memory.stat", "anon 5\ninactive_file 100\n");
        assert_eq!(free("0::/a/b\n"), Some(400), "what is cached can be had");
        put("a/memory.max", "350\n");
        assert_eq!(free("0::/a/b\n"), Some(350), "the group above has less");
        put("a/memory.max", "max\n");
        assert_eq!(free("0::/a/b\n"), Some(400));
        put("memory.max", "90\n");
        assert_eq!(free("0::/elsewhere/outside\n"), Some(90), "the container's own root");
        put("memory/x/memory.limit_in_bytes", "60\n");
        put("memory/x/memory.usage_in_bytes", "70\n");
        assert_eq!(free("4:memory:/x\n"), Some(0));
    }

    #[test]
    fn the_kernels_figures_are_read() {
        assert_eq!(machine_bytes("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(
            (number(" 12 kB"), number("unlimited  bytes"), number("")),
            (Some(12), None, None)
        );
        if cfg!(target_os = "linux") {
            assert!(free_megabytes().is_some());
        }
    }
}
