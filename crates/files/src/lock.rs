//! One process at a time writes to a store, a training folder or a book.
//!
//! A file beside the store is locked while a process has it; the lock vanishes
//! with its process, however that ends. The file says which process holds it, for
//! the error message of the next one.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::sidecar;

/// A lock on a store, given back when dropped.
#[derive(Debug)]
pub struct FileLock {
    file: File,
}

/// Why a store could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it, and said this of itself.
    #[error("another process has it ({0})")]
    Held(String),
    /// The file system refuses.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
}

impl FileLock {
    /// Locks the store at a path, a link in its last part followed.
    pub fn acquire(store: &Path) -> Result<FileLock, LockError> {
        let name = lock_file(store);
        let io = |error| LockError::Io(name.clone(), error);
        let file = File::options().create(true).truncate(false).read(true).write(true).open(&name);
        let file = file.map_err(io)?;
        // A process that only asks whether the store is locked holds the lock as
        // well, for a moment.
        for _ in 0..20 {
            match file.try_lock() {
                Ok(()) => {
                    let mut lock = FileLock { file };
                    lock.describe("").map_err(io)?;
                    return Ok(lock);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
                Err(TryLockError::Error(error)) => return Err(io(error)),
            }
        }
        let mut holder = String::new();
        let _ = file.take(300).read_to_string(&mut holder);
        let line = holder.lines().next().unwrap_or_default();
        Err(LockError::Held(line.chars().filter(|c| !c.is_control()).collect()))
    }

    /// Writes down what a second process reports: one line.
    pub fn describe(&mut self, holder: &str) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "process {}{holder}", std::process::id())
    }

    /// Whether another process holds the lock of a store.
    pub fn is_held(store: &Path) -> bool {
        let lock = File::open(lock_file(store));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Two names of one store have one lock.
fn lock_file(store: &Path) -> PathBuf {
    let real = std::fs::canonicalize(store);
    sidecar(real.as_deref().unwrap_or(store), ".lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_has_one_holder_by_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        std::fs::write(&path, "x").unwrap();
        let other = folder.path().join("link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&path, &other).unwrap();
        #[cfg(not(unix))]
        std::fs::copy(&path, &other).unwrap();
        let mut lock = FileLock::acquire(&path).unwrap();
        lock.describe(", at http://127.0.0.1:8611/").unwrap();
        assert!(FileLock::is_held(&path));
        let Err(LockError::Held(holder)) = FileLock::acquire(&path) else { panic!("held twice") };
        if cfg!(unix) {
            assert!(holder.ends_with(", at http://127.0.0.1:8611/"), "{holder}");
            assert!(FileLock::acquire(&other).is_err(), "a link is the same store");
        }
        drop(lock);
        assert!(!FileLock::is_held(&path));
        FileLock::acquire(&other).unwrap();
    }
}
