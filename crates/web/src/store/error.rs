//! Why the games can't be opened, read or saved, each with a sentence of its
//! own.

use std::path::PathBuf;

use storage::Fault;

/// Why the games can't be used. Those with a path are for the operator when
/// the server starts, the others to the person at the page.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Some other file.
    #[error("{0} is no store of games and was left as it is; give another file with --data")]
    Foreign(PathBuf),
    /// A store of matches.
    #[error(
        "{0} is a store of matches and was left as it is; give another file with --data, \
         and show its matches with --matches DIR"
    )]
    Matches(PathBuf),
    /// Made by a later version.
    #[error("{0} was made by a newer version of this program; use that one")]
    Newer(PathBuf),
    /// The file can't be read as what it should be.
    #[error(
        "{0} is damaged ({1}) and was left as it is; 'boyi store recover' copies the games that \
         are whole into a new file"
    )]
    Damaged(PathBuf, String),
    /// Another process has it.
    #[error(
        "the games in {0} are open in another 'boyi serve' ({1}); use that board, or give this \
         one its own file with --data"
    )]
    InUse(PathBuf, String),
    /// There is no folder for it.
    #[error("there is no folder {0}; make it, or give another file with --data")]
    NoFolder(PathBuf),
    /// Nothing can be written there.
    #[error(
        "{0} can't be written: the disk, the folder or the file is read-only; make it writable, or give another file with --data"
    )]
    ReadOnly(PathBuf),
    /// No space is left.
    #[error("{0} can't be opened: the disk is full; make room, or give another file with --data")]
    Full(PathBuf),
    /// The disk fails.
    #[error("{0} can't be read or written: the disk fails ({1}); copy the file to another disk")]
    Disk(PathBuf, String),
    /// Anything else about the file.
    #[error("{0}: {1}")]
    File(PathBuf, String),
    /// One game is damaged; the others are not concerned.
    #[error(
        "this game is damaged in the store ({0}) and was left as it is; 'boyi store recover' \
         copies the games that are whole"
    )]
    DamagedGame(String),
    /// The game is not in the store.
    #[error("this game is not in the store any more")]
    Gone,
    /// A backup was restored after the game was read.
    #[error("the games were restored from a backup; this game is read anew")]
    Restored,
    /// SQLite refuses while the server runs.
    #[error("the game could not be saved: {}", Fault::explain(.0))]
    Sql(#[from] rusqlite::Error),
}

impl StoreError {
    /// An error of SQLite at the opening of a file.
    pub(super) fn opening(path: PathBuf, error: &rusqlite::Error) -> StoreError {
        match Fault::of(error) {
            Fault::Full => StoreError::Full(path),
            Fault::ReadOnly => StoreError::ReadOnly(path),
            Fault::Disk => StoreError::Disk(path, error.to_string()),
            Fault::Damaged => StoreError::Damaged(path, error.to_string()),
            Fault::Busy | Fault::Stopped | Fault::Other => {
                StoreError::File(path, error.to_string())
            }
        }
    }

    /// An error of the file system at the opening of a file.
    pub(super) fn file(path: PathBuf, error: &std::io::Error) -> StoreError {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly(path)
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(path),
            _ => StoreError::Disk(path, error.to_string()),
        }
    }
}
