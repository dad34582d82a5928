//! SQLite files, whatever is stored in them: the games of the board and the
//! games of matches are kept in one each.
//!
//! [`Header`] tells whose file it is before SQLite touches it, [`FileLock`]
//! lets one process write, [`open_read_only`] and [`harden`] open files from
//! outside, and [`Fault`] sorts SQLite's errors by what the
//! user can do about them. Nothing here knows a table.
//!
//! ```
//! use storage::{FileLock, Header};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.sqlite");
//! assert!(Header::read(&path)?.is_none(), "there is no file yet");
//! let lock = FileLock::acquire(&path)?;
//! assert!(FileLock::acquire(&path).is_err(), "one process at a time");
//! drop(lock);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(any(test, feature = "faults"))]
mod disk_faults;
mod fault;
mod header;
mod open;

#[cfg(any(test, feature = "faults"))]
pub use disk_faults::{DiskFault, DiskFaults};
pub use fault::Fault;
pub use files::{FileLock, LockError, sidecar};
pub use header::{Header, HeaderError};
pub use open::{Object, harden, has_plain_tables, limit_time, objects, open_read_only};
