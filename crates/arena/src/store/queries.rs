//! Read-only queries, while another process may be writing to the store.
//!
//! A reader writes nothing, not even beside the store: while there is a
//! write-ahead log the file is opened normally, and without one as immutable. A
//! full check of a large file takes seconds, so only the header is checked; a
//! damaged page shows as an error when it is read.

use std::path::{Path, PathBuf};

use games::Reason;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::{Connection, OpenFlags, params};

use super::{
    APPLICATION, FileState, MatchId, Store, StoreError, inspect_header, ply, sidecar, whole,
};
use crate::statistics::{Encounter, Tally};
use crate::{GameResult, MatchConfig, Schedule};

impl MatchId {
    /// Its number in the store.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl Store {
    /// Opens a store for reading alone.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref().to_path_buf();
        let logged = sidecar(&path, "-wal").exists();
        match inspect_header(&path)? {
            // The schema of a new store is only in its log for a while.
            FileState::Empty if !logged => return Err(StoreError::Foreign(path)),
            FileState::Outdated => return Err(StoreError::Older(path)),
            _ => {}
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match immutable_uri(&path).filter(|_| !logged) {
            Some(uri) => Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?,
            None => Connection::open_with_flags(&path, flags)?,
        };
        connection.busy_timeout(std::time::Duration::from_millis(500))?;
        let application: i32 =
            connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        match application {
            APPLICATION => Ok(Store { connection, path, lock: None }),
            _ => Err(StoreError::Foreign(path)),
        }
    }

    /// Whether a run has locked the store at a path.
    pub fn is_locked(path: impl AsRef<Path>) -> bool {
        let lock = std::fs::File::open(sidecar(path.as_ref(), ".lock"));
        lock.is_ok_and(|lock| {
            matches!(lock.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock))
        })
    }

    /// Every pairing of a match with the pairs of games that are finished.
    pub fn encounters(
        &self,
        id: MatchId,
        config: &MatchConfig,
    ) -> Result<Vec<Encounter>, StoreError> {
        let results = self.results(id)?;
        let schedule = Schedule::new(config, 1);
        let pairings = schedule.pairings();
        let fresh = |&engines: &[usize; 2]| Encounter { engines, tally: Tally::default() };
        let mut encounters: Vec<Encounter> = pairings.iter().map(fresh).collect();
        for pair in results.chunk_by(|a, b| a.0 / 2 == b.0 / 2) {
            if let &[(game, one), (_, other)] = pair
                && !pairings.is_empty()
            {
                encounters[schedule.pairing_of(game / 2)].tally.add([one, other]);
            }
        }
        Ok(encounters)
    }

    /// The last games of a match by their number, the last one first, without
    /// their plies.
    pub fn latest(&self, id: MatchId, count: u64) -> Result<Vec<GameResult>, StoreError> {
        let mut select = self
            .connection
            .prepare("SELECT * FROM games WHERE match = ? ORDER BY game DESC LIMIT ?")?;
        let mut rows = select.query([id.0, whole(count)])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(self.read_game(row)?);
        }
        Ok(found)
    }

    /// The games of a match's first `pairs` pairs that an engine's fault ended, by
    /// index, without their plies.
    pub fn forfeited(&self, id: MatchId, pairs: u64) -> Result<Vec<GameResult>, StoreError> {
        let [crashed, illegal, time] =
            [Reason::Crashed, Reason::IllegalMove, Reason::Time].map(|reason| reason.to_string());
        let mut select = self.connection.prepare(
            "SELECT * FROM games WHERE match = ? AND game / 2 < ? AND reason IN (?, ?, ?)
             ORDER BY game",
        )?;
        let mut rows = select.query(params![id.0, whole(pairs), crashed, illegal, time])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(self.read_game(row)?);
        }
        Ok(found)
    }

    /// One finished game of a match with all its plies.
    pub fn game(&self, id: MatchId, index: u64) -> Result<Option<GameResult>, StoreError> {
        let mut select =
            self.connection.prepare("SELECT * FROM games WHERE match = ? AND game = ?")?;
        let mut rows = select.query([id.0, whole(index)])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let mut game = self.read_game(row)?;
        let mut plies = self
            .connection
            .prepare("SELECT * FROM plies WHERE match = ? AND game = ? ORDER BY ply")?;
        let found = plies.query_map([id.0, whole(index)], ply)?;
        game.plies = found.collect::<Result<_, _>>()?;
        Ok(Some(game))
    }
}

/// The URI by which SQLite reads a file that does not change; none if its name
/// is not UTF-8.
fn immutable_uri(path: &Path) -> Option<PathBuf> {
    const RESERVED: AsciiSet =
        NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'_').remove(b'-').remove(b':');
    let absolute = std::path::absolute(path).ok()?;
    let text = absolute.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let root = if text.starts_with('/') { "" } else { "/" };
    let escaped = utf8_percent_encode(&text, &RESERVED);
    Some(format!("file://{root}{escaped}?immutable=1").into())
}
