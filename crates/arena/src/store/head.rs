//! Whose file it is, told from its first bytes before anything opens it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{APPLICATION, StoreError, VERSION};

/// Whether a store has to be made here; an error if something else lies here.
/// Nothing is written, whatever it is.
pub(super) fn is_fresh(path: &Path) -> Result<bool, StoreError> {
    if !is_ours(path)? {
        return Ok(true);
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
    Ok(false)
}

/// Whether the head of the file here is a store's; false where there is nothing
/// yet, an error if something else lies here.
pub(super) fn is_ours(path: &Path) -> Result<bool, StoreError> {
    let foreign = || StoreError::Foreign(path.to_path_buf());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(StoreError::Io(path.to_path_buf(), error)),
    };
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(foreign());
    }
    let mut head = Vec::new();
    let read = file.by_ref().take(108).read_to_end(&mut head);
    read.map_err(|error| StoreError::Io(path.to_path_buf(), error))?;
    if head.is_empty() {
        return Ok(false);
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
        (0, 0) if without_tables => Ok(false),
        (APPLICATION, VERSION) => Ok(true),
        (APPLICATION, _) => Err(StoreError::Newer(path.to_path_buf())),
        _ => Err(foreign()),
    }
}
