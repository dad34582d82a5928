//! Copies of a store that is in use, and putting one back.
//!
//! A copy goes through SQLite's own backup: it is the store at one moment, whatever
//! a server writes meanwhile. A restored store replaces the old one in one
//! transaction, which begins before the old one is copied: no move of a running
//! server falls between the two. The server notices by the store's generation and
//! reads its games anew; a move that it was about to write for an old one is
//! refused.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, TransactionBehavior};
use storage::{FileLock, LockError};

use super::open::{self, FileState};
use super::{Store, StoreError};

/// How long a running server may keep the store from us.
const PATIENCE: Duration = Duration::from_secs(10);

/// Copies a store to a new file, while a server may be writing to it. Gives the
/// number of games.
pub fn back_up(store: &Path, to: &Path) -> Result<usize, StoreError> {
    let file = |sentence: &str| Err(StoreError::File(to.to_path_buf(), sentence.to_owned()));
    if to.exists() {
        return file("it exists already; give another name");
    }
    let source = open::existing(store)?;
    // Under another name until it is whole, so that whatever has the name is a
    // backup.
    let part = storage::sidecar(to, ".part");
    let copied = copy_to(&source, &part, to).and_then(|games| {
        std::fs::rename(&part, to).map_err(|error| StoreError::file(to.to_path_buf(), &error))?;
        Ok(games)
    });
    if copied.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    copied
}

fn copy_to(source: &Connection, part: &Path, named: &Path) -> Result<usize, StoreError> {
    let opening = |error: rusqlite::Error| StoreError::opening(named.to_path_buf(), &error);
    let _ = std::fs::remove_file(part);
    let mut copy = Connection::open(part).map_err(opening)?;
    replace(source, &mut copy).map_err(opening)?;
    // One file, without a log beside it.
    copy.pragma_update(None, "journal_mode", "delete").map_err(opening)?;
    open::check_pages(&copy, named)?;
    let games = count(&copy).map_err(opening)?;
    copy.close().map_err(|(_, error)| opening(error))?;
    let synced = std::fs::File::open(part).and_then(|file| file.sync_all());
    synced.map_err(|error| StoreError::file(named.to_path_buf(), &error))?;
    Ok(games)
}

/// What a restored store replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Games that are there now.
    pub games: usize,
    /// The copy of what was there before, if anything was.
    pub before: Option<PathBuf>,
    /// Whether a server has the store, which reads its games anew.
    pub running: bool,
}

/// Puts a backup in the place of a store, while a server may have it open. What
/// was there is copied first.
pub fn restore(store: &Path, from: &Path) -> Result<Restored, StoreError> {
    let state = open::inspect(store)?;
    // A copy of the backup, which may be of an earlier version and is left as it is.
    let source = open::existing(from)?;
    let part = storage::sidecar(store, ".restore.part");
    let restored = copy_to(&source, &part, store).and_then(|_| put_back(store, state, &part));
    let _ = std::fs::remove_file(&part);
    restored
}

fn put_back(store: &Path, state: FileState, backup: &Path) -> Result<Restored, StoreError> {
    let opening = |error: rusqlite::Error| StoreError::opening(store.to_path_buf(), &error);
    open::make_current(&mut Connection::open(backup).map_err(opening)?).map_err(opening)?;
    let (running, _lock) = match FileLock::acquire(store) {
        Ok(lock) => (false, Some(lock)),
        Err(LockError::Held(_)) => (true, None),
        Err(LockError::Io(name, error)) => return Err(StoreError::file(name, &error)),
    };
    let before = open::copy_name(store, "before-restore");
    if matches!(state, FileState::Outdated(_)) {
        // As it was. No server has it, for that would have brought it up to date.
        back_up(store, &before)?;
    }
    let mut live = Connection::open(store).map_err(opening)?;
    live.busy_timeout(PATIENCE).map_err(opening)?;
    live.pragma_update(None, "journal_mode", "wal").map_err(opening)?;
    live.pragma_update(None, "synchronous", "full").map_err(opening)?;
    open::make_current(&mut live).map_err(opening)?;
    live.execute("ATTACH ?1 AS backup", [backup.to_string_lossy()]).map_err(opening)?;
    let transaction =
        live.transaction_with_behavior(TransactionBehavior::Immediate).map_err(opening)?;
    if state == FileState::Current {
        back_up(store, &before)?;
    }
    for table in ["game", "ply", "access", "fact"] {
        let replace = format!(
            "DELETE FROM main.{table}; INSERT INTO main.{table} SELECT * FROM backup.{table}"
        );
        transaction.execute_batch(&replace).map_err(opening)?;
    }
    open::mark_generation(&transaction).map_err(opening)?;
    transaction.commit().map_err(opening)?;
    let games = count(&live).map_err(opening)?;
    Ok(Restored { games, before: (state != FileState::Empty).then_some(before), running })
}

/// Makes one database what another is, whole or not at all.
fn replace(from: &Connection, to: &mut Connection) -> rusqlite::Result<()> {
    let backup = Backup::new(from, to)?;
    let began = std::time::Instant::now();
    loop {
        match backup.step(-1)? {
            StepResult::Done => return Ok(()),
            _ if began.elapsed() > PATIENCE => {
                let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                return Err(rusqlite::Error::SqliteFailure(code, None));
            }
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn count(connection: &Connection) -> rusqlite::Result<usize> {
    connection.query_row("SELECT count(*) FROM main.game", [], |row| super::read::whole(row, 0))
}

impl Store {
    /// Whether a backup was restored since the last time this was asked.
    pub fn was_restored(&self) -> Result<bool, StoreError> {
        let connection = self.lock();
        // Changes whenever another process has written, and is quick.
        let version = connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get::<_, i64>(0))?;
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if seen.0 == version {
            return Ok(false);
        }
        let generation = open::generation(&connection)?;
        let restored = seen.1 != generation;
        *seen = (version, generation);
        Ok(restored)
    }
}
