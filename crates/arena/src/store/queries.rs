//! Read-only queries, while another process may be writing to the store.
//!
//! A reader writes nothing, not even beside the store: while there is a
//! write-ahead log the file is opened normally, and without one as immutable. A
//! full check of a large file takes seconds, so only header and schema are
//! checked; a damaged page shows as an error when it is read. The file may come
//! from anywhere: nothing in it runs, and its queries have a time limit.

use std::path::Path;
use std::time::Duration;

use games::Reason;
use rusqlite::params;
use storage::FileLock;

use super::{APPLICATION, FileState, MatchId, Store, StoreError, inspect_header, ply, whole};
use crate::standing::Counter;
use crate::statistics::{Encounter, Tally};
use crate::{GameResult, MatchConfig, Schedule};

/// The tables that are read here.
const READ: &[&str] = &["matches", "games", "plies"];
/// The time of all queries of a reader: a large store takes a part of a second,
/// and a file made to take for ever ends here.
const MOST_TIME: Duration = Duration::from_secs(2);

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
        let logged = storage::sidecar(&path, "-wal").exists();
        match inspect_header(&path)? {
            // The schema of a new store is only in its log for a while.
            FileState::Empty if !logged => return Err(StoreError::Foreign(path)),
            FileState::Outdated => return Err(StoreError::Older(path)),
            _ => {}
        }
        let mut connection = storage::open_read_only(&path)?;
        storage::limit_time(&mut connection, MOST_TIME)?;
        let application: i32 =
            connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION || !storage::has_plain_tables(&connection, READ)? {
            return Err(StoreError::Foreign(path));
        }
        Ok(Store { connection, path, lock: None })
    }

    /// Whether a run has locked the store at a path.
    pub fn is_locked(path: impl AsRef<Path>) -> bool {
        FileLock::is_held(path.as_ref())
    }

    /// Every pairing of a match with the pairs of games that are finished.
    pub fn encounters(
        &self,
        id: MatchId,
        config: &MatchConfig,
    ) -> Result<Vec<Encounter>, StoreError> {
        let results = self.results(id)?;
        let schedule = Schedule::new(config, 1);
        let fresh = |&engines: &[usize; 2]| Encounter { engines, tally: Tally::default() };
        let mut encounters: Vec<Encounter> = schedule.pairings().iter().map(fresh).collect();
        let mut engines = self.connection.prepare(
            "SELECT min(first, second), max(first, second) FROM games WHERE match = ? AND game = ?",
        )?;
        for pair in results.chunk_by(|a, b| a.0 / 2 == b.0 / 2) {
            let &[(game, one), (_, other)] = pair else { continue };
            let met: [u32; 2] =
                engines.query_row([id.0, whole(game)], |row| Ok([row.get(0)?, row.get(1)?]))?;
            let met = met.map(|number| number as usize);
            if let Some(encounter) = encounters.iter_mut().find(|e| e.engines == met) {
                encounter.tally.add([one, other]);
            }
        }
        Ok(encounters)
    }

    /// The schedule of a match, which in a Swiss one follows from the results so far.
    pub fn schedule(
        &self,
        id: MatchId,
        config: &MatchConfig,
        rounds: u64,
    ) -> Result<Schedule, StoreError> {
        let mut counter = Counter::new(&Schedule::new(config, rounds), None);
        for pair in self.results(id)?.chunk_by(|a, b| a.0 / 2 == b.0 / 2) {
            if let &[(game, one), (_, other)] = pair
                && game / 2 < counter.schedule().pairs()
            {
                counter.add(game / 2, [one, other]);
            }
        }
        Ok(counter.schedule().clone())
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

    /// The games of a match's first `pairs` pairs in which an engine reported a proven
    /// win, by index, with their plies.
    pub fn with_proven_wins(&self, id: MatchId, pairs: u64) -> Result<Vec<GameResult>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT DISTINCT game FROM plies WHERE match = ? AND game / 2 < ?
             AND (score = 'win' OR score LIKE 'win %') ORDER BY game",
        )?;
        let indices = select.query_map([id.0, whole(pairs)], |row| row.get::<_, i64>(0))?;
        let indices: Vec<i64> = indices.collect::<Result<_, _>>()?;
        let games = indices.into_iter().map(|index| self.game(id, index as u64));
        Ok(games.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
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
