//! Whose file it is, told from its first bytes before anything opens it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{APPLICATION, StoreError, VERSION};

/// What lies where a store is to be.
pub(super) enum Found {
    /// No file, an empty one, or one whose tables were never laid.
    Nothing,
    /// A store of an earlier version.
    Older,
    /// A store.
    Store,
}

/// Says what lies here, its pages checked; an error if it is something else.
/// Nothing is written, whatever it is.
pub(super) fn find(path: &Path) -> Result<Found, StoreError> {
    let found = glance(path)?;
    if matches!(found, Found::Nothing) {
        return Ok(found);
    }
    let damaged =
        |error: rusqlite::Error| StoreError::Damaged(path.to_path_buf(), error.to_string());
    let look = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    look.busy_timeout(Duration::from_secs(10))?;
    let check: String =
        look.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(damaged)?;
    if check != "ok" {
        return Err(StoreError::Damaged(path.to_path_buf(), check));
    }
    Ok(found)
}

/// The same by the head of the file alone.
pub(super) fn glance(path: &Path) -> Result<Found, StoreError> {
    let foreign = || StoreError::Foreign(path.to_path_buf());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(StoreError::Io(path.to_path_buf(), error)),
    };
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(foreign());
    }
    let mut head = Vec::new();
    let read = file.by_ref().take(108).read_to_end(&mut head);
    read.map_err(|error| StoreError::Io(path.to_path_buf(), error))?;
    if head.is_empty() {
        return Ok(Found::Nothing);
    }
    if !head.starts_with(b"SQLite format 3\0") {
        return Err(foreign());
    }
    // Read from the bytes, because opening a database with a log would already
    // leave files beside it. The places are those of SQLite's file format.
    let Some(head) = head.first_chunk::<108>() else {
        return Err(StoreError::Damaged(path.to_path_buf(), "it ends in its header".into()));
    };
    let word = |at: usize| i32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (version, owner) = (word(60), word(68));
    let without_tables = head[100] == 13 && head[103..105] == [0, 0];
    match (owner, version) {
        // Killed before the tables reached this file: nobody's yet.
        (0, 0) if without_tables => Ok(Found::Nothing),
        (APPLICATION, VERSION) => Ok(Found::Store),
        (APPLICATION, 1..VERSION) => Ok(Found::Older),
        (APPLICATION, _) => Err(StoreError::Newer(path.to_path_buf())),
        _ => Err(foreign()),
    }
}
