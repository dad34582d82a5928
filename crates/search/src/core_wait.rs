//! How long threads were ready to run and waited for a core, by the scheduler's own
//! account (`/proc/<pid>/task/<tid>/schedstat`: nanoseconds on a core, nanoseconds
//! in the queue, time slices). With it a late answer can be told from a machine that
//! was too busy. Zero on systems without such an account.

use std::path::Path;
use std::time::Duration;

/// Of the calling thread, since it began.
pub fn of_thread() -> Duration {
    read(Path::new("/proc/thread-self/schedstat"))
}

/// Of all threads of a process together, since they began.
pub fn of_process(id: u32) -> Duration {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    tasks.map(|task| read(&task.path().join("schedstat"))).sum()
}

fn read(path: &Path) -> Duration {
    let queued = std::fs::read_to_string(path)
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse().ok());
    Duration::from_nanos(queued.unwrap_or(0))
}
