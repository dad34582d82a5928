//! Opening files that another program may have made.
//!
//! A database is also a program: views, triggers and generated columns run when
//! a table is read, and a query over them need not end. So the schema is
//! distrusted, what it holds can be compared with what it should hold
//! ([`objects`]), and a query can be given a time ([`limit_time`]).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result};

use crate::sidecar;

/// How many instructions of SQLite's machine pass between looks at the clock.
const INSTRUCTIONS: i32 = 10_000;

/// Distrusts what the file itself says: no functions with side effects in its
/// schema, and no statement may damage it on purpose.
pub fn harden(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

/// Opens a file for reading alone and writes nothing, not even beside it: while
/// there is a write-ahead log it is opened as any reader opens it, and without
/// one as a file that does not change. Its views and triggers don't run.
pub fn open_read_only(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let logged = sidecar(path, "-wal").exists();
    let connection = match immutable_uri(path).filter(|_| !logged) {
        Some(uri) => Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?,
        None => Connection::open_with_flags(path, flags)?,
    };
    connection.busy_timeout(Duration::from_millis(500))?;
    harden(&connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    Ok(connection)
}

/// The address by which SQLite reads a file as one that does not change; none if
/// its name can't be written so.
fn immutable_uri(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~:".contains(&byte);
    let mut uri = "file://".to_owned();
    let text = absolute.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match plain(byte) {
            true => uri.push(byte.into()),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Some((uri + "?immutable=1").into())
}

/// A table, index, view or trigger of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// `table`, `index`, `view` or `trigger`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The statement that made it, with single spaces; empty for the indices
    /// that SQLite makes by itself.
    pub sql: String,
}

/// Everything in a schema, by name. Reading it runs nothing of it.
pub fn objects(connection: &Connection) -> Result<Vec<Object>> {
    let mut query = connection
        .prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY name")?;
    let rows = query.query_map([], |row| {
        let sql: String = row.get(2)?;
        let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Object { kind: row.get(0)?, name: row.get(1)?, sql })
    })?;
    rows.collect()
}

/// Gives all queries of a connection together so much time from now on; one that
/// is still running then ends with an error ([`crate::Fault::Stopped`]).
pub fn limit_time(connection: &mut Connection, time: Duration) -> Result<()> {
    let end = Instant::now() + time;
    connection.progress_handler(INSTRUCTIONS, Some(move || Instant::now() >= end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fault;

    #[test]
    fn an_endless_query_ends() {
        let mut connection = Connection::open_in_memory().unwrap();
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                       SELECT count(*) FROM n";
        limit_time(&mut connection, Duration::from_millis(50)).unwrap();
        let began = Instant::now();
        let error = connection.query_row(endless, [], |row| row.get::<_, i64>(0)).unwrap_err();
        assert_eq!(Fault::of(&error), Fault::Stopped);
        assert!(began.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_file_opened_for_reading_runs_neither_views_nor_triggers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b%.sqlite");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("CREATE TABLE a (b); CREATE VIEW  c AS\n SELECT * FROM a;")
            .unwrap();
        drop(connection);
        let connection = open_read_only(&path).unwrap();
        let found = objects(&connection).unwrap();
        assert_eq!(found[1].sql, "CREATE VIEW c AS SELECT * FROM a");
        assert_eq!((found[0].kind.as_str(), found[1].name.as_str()), ("table", "c"));
        assert!(connection.prepare("SELECT * FROM c").is_err());
        assert!(connection.execute("INSERT INTO a VALUES (1)", []).is_err());
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "a reader leaves no file beside it");
    }
}
