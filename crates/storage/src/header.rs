//! The header of a database file, read as bytes.
//!
//! Opening a database that has a write-ahead log leaves files beside it even if
//! nothing is written, so a file is identified without SQLite. The offsets are
//! those of SQLite's file format.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// What the first bytes of a database say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `PRAGMA application_id`: which program's file it is; 0 if none said so.
    pub application: i32,
    /// `PRAGMA user_version`: the version of its tables.
    pub version: i32,
    /// Whether the file has a table. The tables of a new database are in its
    /// write-ahead log alone for a while.
    pub has_tables: bool,
}

/// Why a file has no header.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// Some other kind of file, or a folder.
    #[error("it is no SQLite database")]
    Foreign,
    /// The file ends in the middle of its header.
    #[error("it ends in its header")]
    Truncated,
    /// The file system refuses.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Header {
    /// Reads the header; none if there is no file or an empty one.
    pub fn read(path: &Path) -> Result<Option<Header>, HeaderError> {
        match std::fs::metadata(path) {
            // Opening a pipe would not return.
            Ok(data) if !data.is_file() => return Err(HeaderError::Foreign),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        file.by_ref().take(108).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if !bytes.starts_with(b"SQLite format 3\0") {
            return Err(HeaderError::Foreign);
        }
        let bytes = bytes.first_chunk::<108>().ok_or(HeaderError::Truncated)?;
        let word = |at: usize| {
            i32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        // A leaf page without a cell.
        let has_tables = !(bytes[100] == 13 && bytes[103..105] == [0, 0]);
        Ok(Some(Header { application: word(68), version: word(60), has_tables }))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_header_is_what_sqlite_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        assert!(matches!(Header::read(folder.path()), Err(HeaderError::Foreign)));
        std::fs::write(&path, "").unwrap();
        assert_eq!(Header::read(&path).unwrap(), None);
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", 3).unwrap();
        let header = Header { application: 0, version: 3, has_tables: false };
        assert_eq!(Header::read(&path).unwrap(), Some(header));
        connection.pragma_update(None, "application_id", 77).unwrap();
        connection.execute_batch("CREATE TABLE a (b)").unwrap();
        let header = Header { application: 77, version: 3, has_tables: true };
        assert_eq!(Header::read(&path).unwrap(), Some(header));
        std::fs::write(&path, "SQLite format 3\0...").unwrap();
        assert!(matches!(Header::read(&path), Err(HeaderError::Truncated)));
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(Header::read(&path), Err(HeaderError::Foreign)));
    }
}
