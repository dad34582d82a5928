//! Opening the games: whose file it is, that no other process has it, that it is
//! whole, and bringing an older one up to date.
//!
//! Until all of that is known nothing is written, neither to the file nor
//! beside it, so that a wrong name or a damaged disk costs nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use storage::{FileLock, Header, HeaderError, LockError, Object};

use super::StoreError;

/// "BoyG" in ASCII: how SQLite files say whose they are.
const APPLICATION: i32 = 0x426f_7947;
/// The version of the tables below.
const VERSION: i32 = 2;
/// How a store of matches says whose it is.
const MATCHES: i32 = 0x426f_7969;

/// The tables. `touched` counts changes and orders the games, whatever the wall
/// clock does; `updated` is for people.
const TABLES: &str = "
    CREATE TABLE game (
        id TEXT PRIMARY KEY, spec TEXT NOT NULL, start TEXT, settings TEXT NOT NULL,
        clocks TEXT, played INTEGER NOT NULL, ended TEXT, review TEXT, updated INTEGER NOT NULL,
        contest INTEGER NOT NULL, touched INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE ply (
        game TEXT NOT NULL, n INTEGER NOT NULL, move TEXT NOT NULL, eval REAL,
        first INTEGER, second INTEGER, PRIMARY KEY (game, n)) WITHOUT ROWID;";

/// What version 1 has beside the two tables: who may do what in a game, and
/// facts about the store itself.
const ADDED_IN_1: &str = "
    CREATE INDEX by_touched ON game (touched);
    CREATE TABLE access (
        game TEXT NOT NULL, role TEXT NOT NULL, key TEXT, link TEXT,
        PRIMARY KEY (game, role)) WITHOUT ROWID;
    CREATE INDEX by_key ON access (key);
    CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;";

/// What version 2 added: side lines with comments, the result for lists, and
/// whether the game is kept whatever its age.
const ADDED_IN_2: &str = "
    ALTER TABLE game ADD COLUMN tree TEXT;
    ALTER TABLE game ADD COLUMN result TEXT;
    ALTER TABLE game ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;";

/// The tables of version 0, which did not say whose they were.
const TABLES_0: &str = "
    CREATE TABLE game (
        id TEXT PRIMARY KEY, spec TEXT NOT NULL, start TEXT, settings TEXT NOT NULL,
        clocks TEXT, played INTEGER NOT NULL, ended TEXT, review TEXT, updated INTEGER NOT NULL,
        contest INTEGER NOT NULL);
    CREATE INDEX by_time ON game (updated);
    CREATE TABLE ply (
        game TEXT NOT NULL, n INTEGER NOT NULL, move TEXT NOT NULL, eval REAL,
        first INTEGER, second INTEGER, PRIMARY KEY (game, n)) WITHOUT ROWID;";

/// What makes the tables of version 1 of those of version 0.
const FROM_0: &str = "
    DROP INDEX by_time;
    ALTER TABLE game ADD COLUMN touched INTEGER NOT NULL DEFAULT 0;
    UPDATE game SET touched = updated;";

/// The state of the file that a store is to be opened from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileState {
    /// No file, an empty one, or one whose tables were never made.
    Empty,
    /// A store of an earlier version.
    Outdated(i32),
    /// A store of this version.
    Current,
}

/// Opens the file and takes its lock.
pub(super) fn open(path: &Path) -> Result<(Connection, FileLock), StoreError> {
    let named = || path.to_path_buf();
    if let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        return Err(StoreError::NoFolder(folder.to_path_buf()));
    }
    // Before the lock, which would be a file beside a foreign one.
    inspect(path)?;
    let lock = FileLock::acquire(path).map_err(|error| match error {
        LockError::Held(holder) => StoreError::InUse(named(), holder),
        LockError::Io(name, error) => StoreError::file(name, &error),
    })?;
    // Another process may have changed it until now.
    let state = inspect(path)?;
    let mut connection = connect(path, state).map_err(|error| at(path, error))?;
    make_current(&mut connection).map_err(|error| StoreError::opening(named(), &error))?;
    Ok((connection, lock))
}

/// A store in memory, for tests.
pub(super) fn in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    make_current(&mut connection)?;
    Ok(connection)
}

fn at(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Sql(error) => StoreError::opening(path.to_path_buf(), &error),
        other => other,
    }
}

/// Says what lies at a path by its header and its schema. Writes nothing.
pub(super) fn inspect(path: &Path) -> Result<FileState, StoreError> {
    let named = || path.to_path_buf();
    let header = match Header::read(path) {
        Ok(header) => header,
        Err(HeaderError::Foreign) => return Err(StoreError::Foreign(named())),
        Err(HeaderError::Truncated) => {
            return Err(StoreError::Damaged(named(), HeaderError::Truncated.to_string()));
        }
        Err(HeaderError::Io(error)) => return Err(StoreError::file(named(), &error)),
    };
    let logged = storage::sidecar(path, "-wal").exists();
    match header {
        None => return Ok(FileState::Empty),
        Some(Header { application: APPLICATION, version: 1..=VERSION, .. }) => {}
        Some(Header { application: APPLICATION, .. }) => return Err(StoreError::Newer(named())),
        Some(Header { application: MATCHES, .. }) => return Err(StoreError::Matches(named())),
        Some(Header { application: 0, version: 0, has_tables }) => {
            // Killed before the tables reached this file.
            if !has_tables && !logged {
                return Ok(FileState::Empty);
            }
        }
        Some(_) => return Err(StoreError::Foreign(named())),
    }
    let connection =
        storage::open_read_only(path).map_err(|error| StoreError::opening(named(), &error))?;
    match schema_state(&connection).map_err(|error| StoreError::opening(named(), &error))? {
        Some(state) => Ok(state),
        None => Err(StoreError::Foreign(named())),
    }
}

/// Refuses a file that can't have been a store of games, however damaged.
pub(super) fn check_owner(path: &Path) -> Result<(), StoreError> {
    let named = || path.to_path_buf();
    match Header::read(path) {
        Ok(None) if !path.exists() => {
            Err(StoreError::File(named(), "there is no such file".to_owned()))
        }
        Ok(None) => Err(StoreError::File(named(), "there are no games in it".to_owned())),
        Ok(Some(Header { application: MATCHES, .. })) => Err(StoreError::Matches(named())),
        Ok(Some(Header { application: 0 | APPLICATION, .. })) => Ok(()),
        Ok(Some(_)) | Err(HeaderError::Foreign) => Err(StoreError::Foreign(named())),
        Err(HeaderError::Truncated) => {
            Err(StoreError::File(named(), "too little of it is left".to_owned()))
        }
        Err(HeaderError::Io(error)) => Err(StoreError::file(named(), &error)),
    }
}

/// Which version's schema a connection has; none if some other.
fn schema_state(connection: &Connection) -> rusqlite::Result<Option<FileState>> {
    let found = storage::objects(connection)?;
    let is = |tables: &[&str]| Ok::<_, rusqlite::Error>(found == schema_of(tables)?);
    // A store that was brought up to date has the same tables as a new one, in
    // other words.
    let version = |more: &[&str]| {
        Ok::<_, rusqlite::Error>(
            is(&[&[TABLES], more].concat())? || is(&[&[TABLES_0, FROM_0], more].concat())?,
        )
    };
    Ok(if found.is_empty() {
        Some(FileState::Empty)
    } else if version(&[ADDED_IN_1, ADDED_IN_2])? {
        Some(FileState::Current)
    } else if version(&[ADDED_IN_1])? {
        Some(FileState::Outdated(1))
    } else if is(&[TABLES_0])? {
        Some(FileState::Outdated(0))
    } else {
        None
    })
}

/// The schema that some statements make.
fn schema_of(statements: &[&str]) -> rusqlite::Result<Vec<Object>> {
    let connection = Connection::open_in_memory()?;
    for batch in statements {
        connection.execute_batch(batch)?;
    }
    storage::objects(&connection)
}

/// Opens the file to be written to, after all its pages were checked.
fn connect(path: &Path, state: FileState) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    storage::harden(&connection)?;
    if state != FileState::Empty {
        // Closing a damaged file must not write to it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        check_pages(&connection, path)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    }
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    Ok(connection)
}

/// A store that is there and whole, for reading.
pub(super) fn existing(path: &Path) -> Result<Connection, StoreError> {
    if inspect(path)? == FileState::Empty {
        return Err(StoreError::File(path.to_path_buf(), "there are no games in it".to_owned()));
    }
    let connection = storage::open_read_only(path)
        .map_err(|error| StoreError::opening(path.to_path_buf(), &error))?;
    check_pages(&connection, path)?;
    Ok(connection)
}

/// Reads every page and says what is wrong with the first that is.
pub(super) fn check_pages(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| StoreError::opening(path.to_path_buf(), &error))?;
    match found.as_str() {
        "ok" => Ok(()),
        // The first line says what it is about, the second what is wrong.
        other => {
            let sentence = other.lines().last().unwrap_or(other).to_owned();
            Err(StoreError::Damaged(path.to_path_buf(), sentence))
        }
    }
}

/// Makes the tables, or brings those of an earlier version up to date, whole or
/// not at all.
pub(super) fn make_current(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let steps: &[&str] = match schema_state(&transaction)? {
        Some(FileState::Empty) => &[TABLES, ADDED_IN_1, ADDED_IN_2],
        Some(FileState::Outdated(0)) => &[FROM_0, ADDED_IN_1, ADDED_IN_2],
        Some(FileState::Outdated(_)) => &[ADDED_IN_2],
        Some(FileState::Current) | None => return Ok(()),
    };
    for step in steps {
        transaction.execute_batch(step)?;
    }
    mark_generation(&transaction)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.commit()
}

/// Gives the store a new generation: what was read before is out of date.
pub(super) fn mark_generation(transaction: &Transaction) -> rusqlite::Result<()> {
    let generation = crate::id::fresh();
    transaction
        .execute("INSERT OR REPLACE INTO fact VALUES ('generation', ?1)", [generation])
        .map(drop)
}

/// The generation of the store.
pub(super) fn generation(connection: &Connection) -> rusqlite::Result<String> {
    connection
        .prepare_cached("SELECT value FROM fact WHERE name = 'generation'")?
        .query_row([], |row| row.get(0))
}

/// The name of a copy beside a store: `games.sqlite` becomes `games.WORD.sqlite`,
/// with a number if there is one already.
pub(super) fn copy_name(path: &Path, word: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending =
        path.extension().map_or(String::new(), |end| format!(".{}", end.to_string_lossy()));
    (1..)
        .map(|n| match n {
            1 => path.with_file_name(format!("{stem}.{word}{ending}")),
            n => path.with_file_name(format!("{stem}.{word}-{n}{ending}")),
        })
        .find(|name| !name.exists())
        .expect("a folder has an end")
}
