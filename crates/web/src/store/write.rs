//! Writing games: each change is one transaction, and what it returns is on the
//! disk.

use rusqlite::{Transaction, params};
use serde::Serialize;

use super::read::whole;
use super::{Store, StoreError, StoredGame, access, open};
use crate::clock::{Clocks, wall_clock};

impl Store {
    /// Writes a new game, which belongs to a key.
    pub fn create(&self, game: &mut StoredGame, owner: &str) -> Result<(), StoreError> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let generation = open::generation(&transaction)?;
        let touched = next_touched(&transaction)?;
        write_game(&transaction, game, touched)?;
        write_plies(&transaction, game, 0)?;
        access::write(&transaction, &game.id, access::OWNER, Some(owner), None)?;
        transaction.commit()?;
        (game.touched, game.generation) = (touched, generation);
        Ok(())
    }

    /// Writes a change of a game. Plies before `from` are unchanged; should they
    /// not be in the store, all are written.
    pub fn save(&self, game: &mut StoredGame, from: usize) -> Result<(), StoreError> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        if open::generation(&transaction)? != game.generation {
            return Err(StoreError::Restored);
        }
        let below = transaction
            .prepare_cached("SELECT count(*) FROM ply WHERE game = ?1 AND n < ?2")?
            .query_row(params![game.id, from as i64], |row| whole(row, 0))?;
        let from = if below == from { from } else { 0 };
        let touched = next_touched(&transaction)?;
        write_game(&transaction, game, touched)?;
        write_plies(&transaction, game, from)?;
        transaction.commit()?;
        game.touched = touched;
        Ok(())
    }

    /// Writes down what running clocks have left, of games that have not been
    /// changed since.
    pub fn save_clocks(&self, games: &[(String, i64, Clocks)]) -> Result<(), StoreError> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for (id, touched, clocks) in games {
            transaction
                .prepare_cached("UPDATE game SET clocks = ?3 WHERE id = ?1 AND touched = ?2")?
                .execute(params![id, touched, json(clocks)])?;
        }
        Ok(transaction.commit()?)
    }
}

/// The number of the next change. It grows whatever the wall clock does.
pub(super) fn next_touched(transaction: &Transaction) -> rusqlite::Result<i64> {
    transaction
        .prepare_cached("SELECT coalesce(max(touched), 0) + 1 FROM game")?
        .query_row([], |row| row.get(0))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

pub(super) fn write_game(
    transaction: &Transaction,
    game: &StoredGame,
    touched: i64,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO game (id, spec, start, settings, clocks, played, ended,
             review, updated, contest, touched, tree, result)
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)
             ON CONFLICT (id) DO UPDATE SET (spec, start, settings, clocks, played, ended,
             review, updated, contest, touched, tree, result) =
             (?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)",
        )?
        .execute(params![
            game.id,
            game.spec,
            game.start,
            json(&game.settings),
            game.clocks.as_ref().map(json),
            game.played as i64,
            game.ended.as_ref().map(json),
            game.review,
            wall_clock() as i64,
            game.settings.contest.is_some(),
            touched,
            (!game.tree.is_empty()).then(|| json(&game.tree)),
            game.result,
        ])
        .map(drop)
}

/// Replaces the plies from a number on.
pub(super) fn write_plies(
    transaction: &Transaction,
    game: &StoredGame,
    from: usize,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("DELETE FROM ply WHERE game = ?1 AND n >= ?2")?
        .execute(params![game.id, from as i64])?;
    let mut insert =
        transaction.prepare_cached("INSERT INTO ply VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for (n, ply) in game.plies.iter().enumerate().skip(from) {
        insert.execute(params![
            game.id,
            n as i64,
            ply.mv,
            ply.eval,
            ply.left.map(|left| left[0] as i64),
            ply.left.map(|left| left[1] as i64),
        ])?;
    }
    Ok(())
}
