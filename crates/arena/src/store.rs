//! Finished games on disk, so that nothing is lost and nothing is played twice.
//!
//! One SQLite file with a write-ahead log. A pair of games is one transaction:
//! after a kill the file holds whole pairs, and beside them a journal of the games
//! in play, with which the next run resumes them.
//! One run at a time writes (a lock on a file beside the store, released with
//! its process); others may read meanwhile, with any SQLite tool. A file that is
//! not a store, or is damaged, is reported and left alone.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use games::{Outcome, Player, Reason};
use rusqlite::{Connection, OptionalExtension, Row, params};
use storage::{Fault, FileLock, LockError};

use crate::{GameResult, MatchConfig, Ply};

mod journal;
mod open;
mod queries;

use open::{FileState, inspect, inspect_header};

/// "Boyi" in ASCII: the application id of SQLite files.
const APPLICATION: i32 = 0x426f_7969;
/// The version of the tables below.
const VERSION: i32 = 2;
/// Migrates version 1, in which a match had one setup, to version 2.
const MIGRATE_1: &str = "
    ALTER TABLE games ADD COLUMN setup TEXT NOT NULL DEFAULT '';
    UPDATE games SET setup =
        (SELECT json_extract(contest, '$.setup') FROM matches WHERE id = match);
";

const SCHEMA: &str = "
    CREATE TABLE matches (
        id INTEGER PRIMARY KEY,
        contest TEXT NOT NULL UNIQUE);       -- its whole configuration as JSON
    CREATE TABLE games (
        match INTEGER NOT NULL REFERENCES matches (id),
        game INTEGER NOT NULL,               -- index; games 2k and 2k + 1 are a pair
        first INTEGER NOT NULL,              -- engine numbers in the contest
        second INTEGER NOT NULL,
        seed TEXT NOT NULL,
        opening TEXT NOT NULL,
        moves TEXT NOT NULL,                 -- all of them, the opening included
        winner INTEGER,                      -- 1 First, 2 Second, NULL a draw
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        setup TEXT NOT NULL,                 -- empty: the game's default
        PRIMARY KEY (match, game)) WITHOUT ROWID;
    CREATE TABLE plies (
        match INTEGER NOT NULL,
        game INTEGER NOT NULL,
        ply INTEGER NOT NULL,                -- 0 is the first after the opening
        move TEXT NOT NULL,
        micros INTEGER NOT NULL,
        win_rate REAL NOT NULL,              -- the mover's chance, 0 to 1
        score TEXT NOT NULL,                 -- the mover's
        depth INTEGER NOT NULL,
        nodes INTEGER NOT NULL,
        sims INTEGER NOT NULL,
        PRIMARY KEY (match, game, ply)) WITHOUT ROWID;
    CREATE TABLE studies (
        id INTEGER PRIMARY KEY,
        study TEXT NOT NULL UNIQUE);         -- its whole configuration as JSON
    CREATE TABLE trials (
        study INTEGER NOT NULL REFERENCES studies (id),
        trial INTEGER NOT NULL,
        first INTEGER NOT NULL,              -- results of the pair's two games:
        second INTEGER NOT NULL,             -- 1 won, 0 drawn, -1 lost
        PRIMARY KEY (study, trial)) WITHOUT ROWID;
";

/// Why a store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Some other file.
    #[error("{0} is not a store of matches; give another file name")]
    Foreign(PathBuf),
    /// Made by an earlier version, but opened for reading alone.
    #[error("{0} was made by an earlier version; any 'boyi match' with it migrates it")]
    Older(PathBuf),
    /// Made by a later version.
    #[error("{0} was made by a newer version of this program")]
    Newer(PathBuf),
    /// The file is a store, but its content can't be read.
    #[error("{0} is damaged ({1}); it was left as it is")]
    Damaged(PathBuf, String),
    /// Another run has locked it.
    #[error("{0} is in use by another run; wait for it or give another file name")]
    Busy(PathBuf),
    /// Its folder does not exist.
    #[error("there is no folder {0}; create it, or give another file name")]
    NoFolder(PathBuf),
    /// The file system reports an error.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// SQLite can't open it.
    #[error("{0} can't be used: {why}", why = Fault::explain(.1))]
    Unusable(PathBuf, #[source] rusqlite::Error),
    /// SQLite reports an error.
    #[error("the store of matches failed: {why}", why = Fault::explain(.0))]
    Sql(#[from] rusqlite::Error),
}

/// The number of a match in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchId(i64);

/// The number of a study (see [`crate::tune`]) in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyId(i64);

/// A file of matches.
///
/// ```
/// use arena::{Entrant, MatchConfig, Store};
/// # let entrant = Entrant { spec: "uct".into(), version: "1".into(), limits: Default::default() };
/// # let engines = vec![entrant; 2];
/// # let config = MatchConfig::new::<games::surakarta::Surakarta>(&Default::default(), engines, 1);
/// let mut store = Store::in_memory()?;
/// let id = store.match_id(&config)?;
/// assert_eq!(store.match_id(&config)?, id, "equal configurations are one match");
/// assert_eq!(store.matches()?, [(id, config)]);
/// assert!(store.games(id)?.is_empty());
/// # Ok::<(), arena::StoreError>(())
/// ```
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Held while this process may write.
    lock: Option<FileLock>,
}

impl Store {
    /// Opens a store, or creates one where there is no file or an empty one.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        Store::open_file(path.to_path_buf()).map_err(|error| match error {
            StoreError::Sql(error) => StoreError::Unusable(path.to_path_buf(), error),
            other => other,
        })
    }

    fn open_file(path: PathBuf) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent()
            && !folder.as_os_str().is_empty()
            && !folder.is_dir()
        {
            return Err(StoreError::NoFolder(folder.to_path_buf()));
        }
        let state = inspect(&path)?;
        let connection = Connection::open(&path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // With a write-ahead log this survives a kill of the process at any
        // moment; a power cut may lose the last pairs, which are played again.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let mut store = Store { connection, path, lock: None };
        match state {
            FileState::Empty => store.create_schema()?,
            FileState::Outdated => store.migrate()?,
            FileState::Current => {}
        }
        store.connection.execute_batch(journal::JOURNAL_SCHEMA)?;
        Ok(store)
    }

    /// A store without a file.
    pub fn in_memory() -> Result<Store, StoreError> {
        let connection = Connection::open_in_memory()?;
        let mut store = Store { connection, path: PathBuf::new(), lock: None };
        store.create_schema()?;
        store.connection.execute_batch(journal::JOURNAL_SCHEMA)?;
        Ok(store)
    }

    fn create_schema(&mut self) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have been faster.
        let owner: i32 =
            transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if owner != APPLICATION {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
        Ok(transaction.commit()?)
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have been faster.
        let version: i32 =
            transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version == 1 {
            transaction.execute_batch(MIGRATE_1)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        Ok(transaction.commit()?)
    }

    /// Locks out other runs until the store is dropped.
    pub fn lock(&mut self) -> Result<(), StoreError> {
        if self.lock.is_some() || self.path.as_os_str().is_empty() {
            return Ok(());
        }
        match FileLock::acquire(&self.path) {
            Ok(lock) => self.lock = Some(lock),
            Err(LockError::Held(_)) => return Err(StoreError::Busy(self.path.clone())),
            Err(LockError::Io(name, error)) => return Err(StoreError::Io(name, error)),
        }
        Ok(())
    }

    /// The match with this configuration; a new one if there is none yet.
    pub fn match_id(&mut self, config: &MatchConfig) -> Result<MatchId, StoreError> {
        self.find_or_insert("matches", "contest", &config.identity()).map(MatchId)
    }

    /// The last repetition of a match that the store has, whatever the
    /// configuration's own; none if it was never played.
    pub fn last_repetition(&self, config: &MatchConfig) -> Result<Option<u32>, StoreError> {
        let mut select = self.connection.prepare("SELECT 1 FROM matches WHERE contest = ?")?;
        let mut last = None;
        for repetition in 0.. {
            let config = MatchConfig { repetition, ..config.clone() };
            if !select.exists([config.identity()])? {
                break;
            }
            last = Some(repetition);
        }
        Ok(last)
    }

    /// The study with this configuration; a new one if there is none yet.
    pub fn study_id(&mut self, study: &str) -> Result<StudyId, StoreError> {
        self.find_or_insert("studies", "study", study).map(StudyId)
    }

    fn find_or_insert(
        &mut self,
        table: &str,
        column: &str,
        identity: &str,
    ) -> Result<i64, StoreError> {
        self.connection
            .execute(&format!("INSERT OR IGNORE INTO {table} ({column}) VALUES (?)"), [identity])?;
        let select = format!("SELECT id FROM {table} WHERE {column} = ?");
        Ok(self.connection.query_row(&select, [identity], |row| row.get(0))?)
    }

    /// All matches, oldest first.
    pub fn matches(&self) -> Result<Vec<(MatchId, MatchConfig)>, StoreError> {
        let mut select = self.connection.prepare("SELECT id, contest FROM matches ORDER BY id")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (id, text) = row?;
            let config = serde_json::from_str(&text)
                .map_err(|error| StoreError::Damaged(self.path.clone(), error.to_string()))?;
            Ok((MatchId(id), config))
        })
        .collect()
    }

    /// Adds a finished pair, whole or not at all.
    pub fn add_pair(&mut self, id: MatchId, pair: &[GameResult; 2]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for game in pair {
            journal::insert_game(&transaction, ["games", "plies"], id, game)?;
            journal::remove(&transaction, id, game.index)?;
        }
        Ok(transaction.commit()?)
    }

    /// The results of all finished games of a match, by index: for each the
    /// result of the engine with the lower number (1 won, 0 drawn, -1 lost).
    pub fn results(&self, id: MatchId) -> Result<Vec<(u64, i32)>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT game, CASE WHEN winner IS NULL THEN 0
                 WHEN (winner = 1) = (first < second) THEN 1 ELSE -1 END
             FROM games WHERE match = ? ORDER BY game",
        )?;
        let rows = select.query_map([id.0], |row| Ok((number(row, 0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Calls `visit` for each finished game of a match's first `pairs` pairs, in
    /// the order of their index.
    pub fn for_each_game<E: From<StoreError>>(
        &self,
        id: MatchId,
        pairs: u64,
        mut visit: impl FnMut(GameResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = |error: rusqlite::Error| E::from(StoreError::Sql(error));
        let mut games = self
            .connection
            .prepare("SELECT * FROM games WHERE match = ? AND game / 2 < ? ORDER BY game")
            .map_err(sql)?;
        let mut plies = self
            .connection
            .prepare("SELECT * FROM plies WHERE match = ? AND game = ? ORDER BY ply")
            .map_err(sql)?;
        let mut rows = games.query([id.0, whole(pairs)]).map_err(sql)?;
        while let Some(row) = rows.next().map_err(sql)? {
            let mut game = self.read_game(row).map_err(E::from)?;
            let found = plies.query_map([id.0, whole(game.index)], ply).map_err(sql)?;
            game.plies = found.collect::<Result<_, _>>().map_err(sql)?;
            visit(game)?;
        }
        Ok(())
    }

    /// Calls `visit` for each finished game of a match, the newest first, without
    /// its plies, until it breaks.
    pub fn for_each_result(
        &self,
        id: MatchId,
        mut visit: impl FnMut(GameResult) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut games =
            self.connection.prepare("SELECT * FROM games WHERE match = ? ORDER BY game DESC")?;
        let mut rows = games.query([id.0])?;
        while let Some(row) = rows.next()? {
            if visit(self.read_game(row)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// All finished games of a match, in the order of their index.
    pub fn games(&self, id: MatchId) -> Result<Vec<GameResult>, StoreError> {
        let mut all = Vec::new();
        self.for_each_game::<StoreError>(id, u64::MAX, |game| {
            all.push(game);
            Ok(())
        })?;
        Ok(all)
    }

    fn read_game(&self, row: &Row) -> Result<GameResult, StoreError> {
        let damaged = |what: String| StoreError::Damaged(self.path.clone(), what);
        let seed: String = row.get("seed")?;
        let reason: String = row.get("reason")?;
        let reason = Reason::ALL.into_iter().find(|known| known.to_string() == reason);
        let winner: Option<i64> = row.get("winner")?;
        Ok(GameResult {
            index: number(row, "game")?,
            engines: [number(row, "first")? as usize, number(row, "second")? as usize],
            seed: seed.parse().map_err(|_| damaged(format!("seed '{seed}'")))?,
            setup: row.get("setup")?,
            opening: row.get("opening")?,
            moves: row.get("moves")?,
            plies: Vec::new(),
            outcome: Outcome {
                winner: winner.map(|w| if w == 1 { Player::First } else { Player::Second }),
                reason: reason.ok_or_else(|| damaged("a reason that does not exist".into()))?,
            },
            note: row.get("note")?,
        })
    }

    /// Adds the results of a trial's pair of games (1 won, 0 drawn, -1 lost).
    pub fn add_trial(
        &mut self,
        id: StudyId,
        trial: u64,
        results: [i32; 2],
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO trials VALUES (?, ?, ?, ?)",
            params![id.0, whole(trial), results[0], results[1]],
        )?;
        Ok(())
    }

    /// The results of a trial, if it was played.
    pub fn trial(&self, id: StudyId, trial: u64) -> Result<Option<[i32; 2]>, StoreError> {
        let mut select = self
            .connection
            .prepare_cached("SELECT first, second FROM trials WHERE study = ? AND trial = ?")?;
        let row = |row: &Row| Ok([row.get(0)?, row.get(1)?]);
        Ok(select.query_row([id.0, whole(trial)], row).optional()?)
    }
}

fn ply(row: &Row) -> rusqlite::Result<Ply> {
    Ok(Ply {
        mv: row.get("move")?,
        micros: number(row, "micros")?,
        win_rate: row.get("win_rate")?,
        score: row.get("score")?,
        depth: row.get("depth")?,
        nodes: number(row, "nodes")?,
        sims: number(row, "sims")?,
    })
}

/// SQLite counts to 2^63; no count here comes near.
fn whole(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn number(row: &Row, column: impl rusqlite::RowIndex) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|n| n.max(0) as u64)
}
