//! Reading games: what is not as it was written is refused, never guessed.

use rusqlite::{Connection, OptionalExtension, Row};
use serde::de::DeserializeOwned;

use super::{Store, StoreError, StoredGame, StoredPly, open};

impl Store {
    /// Reads a game.
    pub fn load(&self, id: &str) -> Result<Option<StoredGame>, StoreError> {
        let connection = self.lock();
        let generation = open::generation(&connection)?;
        let Some(mut game) = read_game(&connection, "id", id, generation)? else {
            return Ok(None);
        };
        game.touched = connection
            .prepare_cached("SELECT touched FROM game WHERE id = ?1")?
            .query_row([id], |row| row.get(0))?;
        Ok(Some(game))
    }

    /// Whether a game is in the store.
    pub fn contains(&self, id: &str) -> Result<bool, StoreError> {
        let connection = self.lock();
        let found = connection.prepare_cached("SELECT 1 FROM game WHERE id = ?1")?.exists([id])?;
        Ok(found)
    }
}

/// Reads the game whose column has a value, and refuses it if anything in it is
/// not as it was written.
pub(super) fn read_game(
    connection: &Connection,
    column: &str,
    value: impl rusqlite::ToSql,
    generation: String,
) -> Result<Option<StoredGame>, StoreError> {
    let damaged = |error: rusqlite::Error| match storage::Fault::of(&error) {
        storage::Fault::Damaged => StoreError::DamagedGame(error.to_string()),
        _ => StoreError::Sql(error),
    };
    let select = |added: &str| {
        connection.prepare_cached(&format!(
            "SELECT spec, start, settings, clocks, played, ended, review, id, {added}
             FROM game WHERE {column} = ?1"
        ))
    };
    // A damaged file of an earlier version is read as it is.
    let found = select("tree, result")
        .or_else(|_| select("NULL, NULL"))?
        .query_row([value], |row| {
            Ok(StoredGame {
                id: row.get(7)?,
                spec: row.get(0)?,
                start: row.get(1)?,
                settings: parsed(row, 2)?,
                clocks: parsed_or_null(row, 3)?,
                played: whole(row, 4)?,
                ended: parsed_or_null(row, 5)?,
                review: row.get(6)?,
                plies: Vec::new(),
                tree: parsed_or_null(row, 8)?.unwrap_or_default(),
                result: row.get(9)?,
                touched: 0,
                generation,
            })
        })
        .optional()
        .map_err(damaged)?;
    let Some(mut game) = found else { return Ok(None) };
    if game.clocks.is_some_and(|clocks| !clocks.is_sound()) {
        return Err(StoreError::DamagedGame("its clocks make no sense".to_owned()));
    }
    let mut query = connection.prepare_cached(
        "SELECT move, eval, first, second, n FROM ply WHERE game = ?1 ORDER BY n",
    )?;
    let rows = query.query_map([&game.id], |row| {
        let left: (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
        let left = left.0.zip(left.1).map(|(first, second)| [first as u64, second as u64]);
        Ok((whole(row, 4)?, StoredPly { mv: row.get(0)?, eval: row.get(1)?, left }))
    })?;
    for row in rows {
        let (number, ply) = row.map_err(damaged)?;
        if number != game.plies.len() {
            return Err(StoreError::DamagedGame(format!("move {} is missing", game.plies.len())));
        }
        game.plies.push(ply);
    }
    if game.played > game.plies.len() {
        return Err(StoreError::DamagedGame(format!("move {} is missing", game.plies.len())));
    }
    if !game.tree.is_sound(game.plies.len()) {
        return Err(StoreError::DamagedGame("a side line begins nowhere".to_owned()));
    }
    Ok(Some(game))
}

/// A count.
pub(super) fn whole(row: &Row, column: usize) -> rusqlite::Result<usize> {
    let number: i64 = row.get(column)?;
    usize::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

pub(super) fn parsed<T: DeserializeOwned>(row: &Row, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
    })
}

fn parsed_or_null<T: DeserializeOwned>(row: &Row, column: usize) -> rusqlite::Result<Option<T>> {
    match row.get_ref(column)? {
        rusqlite::types::ValueRef::Null => Ok(None),
        _ => parsed(row, column).map(Some),
    }
}
