//! What kind of file a store's path names, from its first bytes, before SQLite
//! opens it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

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
    let damaged =
        |error: rusqlite::Error| StoreError::Damaged(path.to_path_buf(), error.to_string());
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
    let foreign = || StoreError::Foreign(path.to_path_buf());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(FileState::Empty),
        Err(error) => return Err(StoreError::Io(path.to_path_buf(), error)),
    };
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(foreign());
    }
    let mut header = Vec::new();
    let read = file.by_ref().take(108).read_to_end(&mut header);
    read.map_err(|error| StoreError::Io(path.to_path_buf(), error))?;
    if header.is_empty() {
        return Ok(FileState::Empty);
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(foreign());
    }
    // Read from the bytes, because opening a database with a log would already
    // leave files beside it. The offsets are those of SQLite's file format.
    let Some(header) = header.first_chunk::<108>() else {
        return Err(StoreError::Damaged(path.to_path_buf(), "it ends in its header".into()));
    };
    let word = |at: usize| {
        i32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let (version, application) = (word(60), word(68));
    let without_tables = header[100] == 13 && header[103..105] == [0, 0];
    match (application, version) {
        // Killed before the schema reached this file.
        (0, 0) if without_tables => Ok(FileState::Empty),
        (APPLICATION, VERSION) => Ok(FileState::Current),
        (APPLICATION, 1..VERSION) => Ok(FileState::Outdated),
        (APPLICATION, _) => Err(StoreError::Newer(path.to_path_buf())),
        _ => Err(foreign()),
    }
}
