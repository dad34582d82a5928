//! What kind of file a store's path names, from its first bytes, before SQLite
//! opens it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use storage::{Fault, Header, HeaderError};

use super::{APPLICATION, StoreError, VERSION};

/// The state of the file that a store is to be opened from.
pub(super) enum FileState {
    /// No file, an empty one, or one whose schema was never created.
    Empty,
    /// A store of an earlier version.
    Outdated,
    /// A store of this version.
    Current,
}

/// The state of a file, its pages checked; an error if it is not a store. Writes
/// nothing.
pub(super) fn inspect(path: &Path) -> Result<FileState, StoreError> {
    let state = inspect_header(path)?;
    if matches!(state, FileState::Empty) {
        return Ok(state);
    }
    // A read-only folder is no damage.
    let damaged = |error: rusqlite::Error| match Fault::of(&error) {
        Fault::Damaged => StoreError::Damaged(path.to_path_buf(), error.to_string()),
        _ => StoreError::Sql(error),
    };
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    let check: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(damaged)?;
    if check != "ok" {
        return Err(StoreError::Damaged(path.to_path_buf(), check));
    }
    Ok(state)
}

/// The same by the header of the file alone.
pub(super) fn inspect_header(path: &Path) -> Result<FileState, StoreError> {
    let named = || path.to_path_buf();
    let header = Header::read(path).map_err(|error| match error {
        HeaderError::Foreign => StoreError::Foreign(named()),
        HeaderError::Truncated => StoreError::Damaged(named(), error.to_string()),
        HeaderError::Io(error) => StoreError::Io(named(), error),
    })?;
    let Some(Header { application, version, has_tables }) = header else {
        return Ok(FileState::Empty);
    };
    match (application, version) {
        // Killed before the schema reached this file.
        (0, 0) if !has_tables => Ok(FileState::Empty),
        (APPLICATION, VERSION) => Ok(FileState::Current),
        (APPLICATION, 1..VERSION) => Ok(FileState::Outdated),
        (APPLICATION, _) => Err(StoreError::Newer(named())),
        _ => Err(StoreError::Foreign(named())),
    }
}
