//! Files that survive a crash: training runs, endgame tables and books are made of
//! them; and files that a user names.
//!
//! [`write()`] replaces a file in one step, so that a reader, or a process started
//! after a crash or on a full disk, sees the old contents or the new ones.
//! [`FileLock`] lets one process write. [`read()`] reads what a user names, with a
//! bound. Nothing here knows what is in a file.
//!
//! With the feature `faults`, which only tests enable, `faults::inject` lets a
//! chosen operation fail.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("state");
//! let lock = files::FileLock::acquire(&path)?;
//! assert!(files::FileLock::acquire(&path).is_err(), "one process at a time");
//! files::write(&path, &[b"first, "])?;
//! files::write(&path, &[b"second, ", b"in two parts"])?;
//! assert_eq!(std::fs::read(&path)?, b"second, in two parts");
//! drop(lock);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "faults")]
pub mod faults;
mod lock;
mod read;
mod replace;

pub use lock::{FileLock, LockError};
pub use read::{read, read_text};
pub use replace::{remove_partial, remove_partial_of, write};

use std::path::{Path, PathBuf};

/// The file whose name is another's with this ending: `-wal`, `.lock`.
pub fn sidecar(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_path_buf().into_os_string();
    name.push(ending);
    name.into()
}
