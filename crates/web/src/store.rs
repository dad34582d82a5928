//! Games on disk. Every change is committed, and the disk has it, before anyone
//! is shown the change; so a page never shows a move that a crash could undo.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::clock::{Clocks, now};
use crate::settings::Settings;

/// Games kept; beyond that the one untouched for longest goes, contest games
/// excepted.
const MOST_GAMES: i64 = 20_000;

/// How a game was ended from outside its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// 0 for First, 1 for Second, nobody for a draw.
    pub winner: Option<usize>,
    /// A reason in the words of the rules: `resigned`, `time`.
    pub reason: String,
}

/// One move as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedPly {
    /// Its text.
    pub mv: String,
    /// First's chance to win after it, if an engine had an opinion.
    pub eval: Option<f64>,
    /// What both clocks had left after it.
    pub left: Option<[u64; 2]>,
}

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// Its name, which can't be guessed.
    pub id: String,
    /// The game and its setup.
    pub spec: String,
    /// Where it began, if not at the setup's start.
    pub start: Option<String>,
    /// What was agreed.
    pub settings: Settings,
    /// The clocks, if it is played with any.
    pub clocks: Option<Clocks>,
    /// How many of `plies` are played; the others can be redone.
    pub played: usize,
    /// How it was ended from outside.
    pub ended: Option<Ended>,
    /// What a review found, as the page gets it.
    pub review: Option<String>,
    /// The moves.
    pub plies: Vec<SavedPly>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// The game and its setup.
    pub game: String,
    /// Moves played.
    pub plies: usize,
    /// When it last changed, in milliseconds since 1970.
    pub updated: u64,
}

/// The database.
pub struct Store {
    connection: Mutex<Connection>,
}

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS game (
        id TEXT PRIMARY KEY, spec TEXT NOT NULL, start TEXT, settings TEXT NOT NULL,
        clocks TEXT, played INTEGER NOT NULL, ended TEXT, review TEXT, updated INTEGER NOT NULL,
        contest INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS by_time ON game (updated);
    CREATE TABLE IF NOT EXISTS ply (
        game TEXT NOT NULL, n INTEGER NOT NULL, move TEXT NOT NULL, eval REAL,
        first INTEGER, second INTEGER, PRIMARY KEY (game, n)) WITHOUT ROWID;";

impl Store {
    /// Opens or makes the database; `None` keeps it in memory, for tests.
    pub fn open(path: Option<&Path>) -> rusqlite::Result<Store> {
        let connection = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.execute_batch(SCHEMA)?;
        Ok(Store { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a game. Plies before `from` are known to be on disk already.
    pub fn save(&self, game: &Saved, from: usize) -> rusqlite::Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        transaction
            .prepare_cached("INSERT OR REPLACE INTO game VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)")?
            .execute(params![
                game.id,
                game.spec,
                game.start,
                serde_json::to_string(&game.settings).expect("plain data"),
                game.clocks.map(|clocks| serde_json::to_string(&clocks).expect("plain data")),
                game.played as i64,
                game.ended.as_ref().map(|ended| serde_json::to_string(ended).expect("plain data")),
                game.review,
                now() as i64,
                game.settings.contest.is_some(),
            ])?;
        transaction
            .prepare_cached("DELETE FROM ply WHERE game = ?1 AND n >= ?2")?
            .execute(params![game.id, from as i64])?;
        for (n, ply) in game.plies.iter().enumerate().skip(from) {
            transaction
                .prepare_cached("INSERT INTO ply VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![
                    game.id,
                    n as i64,
                    ply.mv,
                    ply.eval,
                    ply.left.map(|left| left[0] as i64),
                    ply.left.map(|left| left[1] as i64),
                ])?;
        }
        transaction.commit()
    }

    /// Reads a game.
    pub fn load(&self, id: &str) -> rusqlite::Result<Option<Saved>> {
        let connection = self.lock();
        let parsed = |text: Option<String>| text.unwrap_or_else(|| "null".to_owned());
        let found = connection
            .prepare_cached(
                "SELECT spec, start, settings, clocks, played, ended, review FROM game WHERE id = ?1",
            )?
            .query_row([id], |row| {
                Ok(Saved {
                    id: id.to_owned(),
                    spec: row.get(0)?,
                    start: row.get(1)?,
                    settings: serde_json::from_str(&row.get::<_, String>(2)?).unwrap_or_default(),
                    clocks: serde_json::from_str(&parsed(row.get(3)?)).unwrap_or_default(),
                    played: row.get::<_, i64>(4)? as usize,
                    ended: serde_json::from_str(&parsed(row.get(5)?)).unwrap_or_default(),
                    review: row.get(6)?,
                    plies: Vec::new(),
                })
            })
            .optional()?;
        let Some(mut game) = found else { return Ok(None) };
        let mut query = connection.prepare_cached(
            "SELECT move, eval, first, second FROM ply WHERE game = ?1 ORDER BY n",
        )?;
        let rows = query.query_map([id], |row| {
            let left: (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
            Ok(SavedPly {
                mv: row.get(0)?,
                eval: row.get(1)?,
                left: left.0.zip(left.1).map(|(first, second)| [first as u64, second as u64]),
            })
        })?;
        game.plies = rows.collect::<rusqlite::Result<_>>()?;
        game.played = game.played.min(game.plies.len());
        Ok(Some(game))
    }

    /// The games that changed last.
    pub fn recent(&self, most: usize) -> rusqlite::Result<Vec<Listed>> {
        let connection = self.lock();
        let mut query = connection.prepare_cached(
            "SELECT id, spec, played, updated FROM game ORDER BY updated DESC LIMIT ?1",
        )?;
        let rows = query.query_map([most as i64], |row| {
            Ok(Listed {
                id: row.get(0)?,
                game: row.get(1)?,
                plies: row.get::<_, i64>(2)? as usize,
                updated: row.get::<_, i64>(3)? as u64,
            })
        })?;
        rows.collect()
    }

    /// Forgets the games untouched for longest beyond the limit.
    pub fn prune(&self) -> rusqlite::Result<()> {
        let mut connection = self.lock();
        let count: i64 = connection.query_row("SELECT count(*) FROM game", [], |row| row.get(0))?;
        let Some(extra) = Some(count - MOST_GAMES).filter(|&extra| extra > 0) else {
            return Ok(());
        };
        let transaction = connection.transaction()?;
        transaction.execute(
            "DELETE FROM game WHERE id IN
             (SELECT id FROM game WHERE contest = 0 ORDER BY updated LIMIT ?1)",
            [extra],
        )?;
        transaction.execute("DELETE FROM ply WHERE game NOT IN (SELECT id FROM game)", [])?;
        transaction.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_comes_back_as_it_was() {
        let store = Store::open(None).unwrap();
        let ply = |mv: &str| SavedPly { mv: mv.to_owned(), eval: Some(0.25), left: Some([5, 7]) };
        let mut game = Saved {
            id: "x".to_owned(),
            spec: "connect-four".to_owned(),
            start: None,
            settings: Settings::default(),
            clocks: Some(Clocks::new(1000, 0)),
            played: 2,
            ended: Some(Ended { winner: None, reason: "time".to_owned() }),
            review: Some("[]".to_owned()),
            plies: vec![ply("4"), ply("5"), ply("6")],
        };
        store.save(&game, 0).unwrap();
        assert_eq!(store.load("x").unwrap().as_ref(), Some(&game));
        game.plies.truncate(1);
        game.plies.push(ply("7"));
        store.save(&game, 1).unwrap();
        assert_eq!(store.load("x").unwrap(), Some(game));
        assert_eq!(store.load("y").unwrap(), None);
        assert_eq!(store.recent(5).unwrap().len(), 1);
        store.prune().unwrap();
    }
}
