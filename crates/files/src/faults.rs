//! Failing file operations, for tests: the k-th operation of a thread fails, for
//! every k of a small run.

use std::cell::Cell;
use std::io;

/// What happens at the chosen operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails, a write after half of its bytes; later operations succeed.
    DiskFull,
    /// It fails likewise, and so does everything after it, as if the process had
    /// been killed.
    Crash,
}

#[derive(Clone, Copy)]
struct Plan {
    /// Operations until the fault.
    left: u64,
    fault: Fault,
    reached: bool,
}

thread_local! {
    static PLAN: Cell<Option<Plan>> = const { Cell::new(None) };
}

/// A fault of this thread that is waiting or has happened; it is gone when dropped.
#[must_use = "the fault is gone when this is dropped"]
#[derive(Debug)]
pub struct Injected(());

impl Injected {
    /// Ends it; gives whether the operation was reached.
    pub fn end(self) -> bool {
        PLAN.get().is_some_and(|plan| plan.reached)
    }
}

impl Drop for Injected {
    fn drop(&mut self) {
        PLAN.set(None);
    }
}

/// Lets the operation of this thread after `k` others fail.
pub fn inject(k: u64, fault: Fault) -> Injected {
    PLAN.set(Some(Plan { left: k, fault, reached: false }));
    Injected(())
}

/// Counts an operation.
pub(crate) fn next() -> io::Result<()> {
    let Some(plan) = PLAN.get() else { return Ok(()) };
    let fails = match plan.left {
        0 => !plan.reached || plan.fault == Fault::Crash,
        _ => false,
    };
    let reached = plan.reached || fails;
    PLAN.set(Some(Plan { left: plan.left.saturating_sub(1), reached, ..plan }));
    match fails {
        true => {
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device (injected)"))
        }
        false => Ok(()),
    }
}
