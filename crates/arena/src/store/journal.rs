//! The journal: games in play, so that a killed run loses only the moves that
//! were being searched.
//!
//! Two tables beside those of finished pairs: `journal` has the plies of games
//! limited by time, which resume where they stopped, and `halves` the finished
//! games whose pair is not complete. Games limited by simulations, nodes or depth
//! are not journaled ply by ply: played again from their first ply they are the
//! same games, and equal those of an undisturbed match.
//!
//! The tables are created when they are missing. Versions without a journal
//! ignore them, so they need no version of their own.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};

use super::{MatchId, Store, StoreError, number, ply, whole};
use crate::{GameResult, Ply};

pub(super) const JOURNAL_SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS halves (      -- as games
        match INTEGER NOT NULL REFERENCES matches (id),
        game INTEGER NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        seed TEXT NOT NULL,
        opening TEXT NOT NULL,
        moves TEXT NOT NULL,
        winner INTEGER,
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        setup TEXT NOT NULL,
        PRIMARY KEY (match, game)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS journal (     -- as plies
        match INTEGER NOT NULL,
        game INTEGER NOT NULL,
        ply INTEGER NOT NULL,
        move TEXT NOT NULL,
        micros INTEGER NOT NULL,
        win_rate REAL NOT NULL,
        score TEXT NOT NULL,
        depth INTEGER NOT NULL,
        nodes INTEGER NOT NULL,
        sims INTEGER NOT NULL,
        PRIMARY KEY (match, game, ply)) WITHOUT ROWID;
";

impl Store {
    /// Writes one ply of a game in play. A ply written before is replaced, and
    /// those after it are dropped.
    pub fn journal_ply(
        &mut self,
        id: MatchId,
        game: u64,
        index: usize,
        ply: &Ply,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction
            .prepare_cached("DELETE FROM journal WHERE match = ? AND game = ? AND ply >= ?")?
            .execute([id.0, whole(game), whole(index as u64)])?;
        insert_ply(&transaction, "journal", id, game, index, ply)?;
        Ok(transaction.commit()?)
    }

    /// The plies of each game in play.
    pub fn journal(&self, id: MatchId) -> Result<HashMap<u64, Vec<Ply>>, StoreError> {
        let mut select =
            self.connection.prepare("SELECT * FROM journal WHERE match = ? ORDER BY game, ply")?;
        let mut games: HashMap<u64, Vec<Ply>> = HashMap::new();
        let rows = select.query_map([id.0], |row| Ok((number(row, "game")?, ply(row)?)))?;
        for row in rows {
            let (game, ply) = row?;
            games.entry(game).or_default().push(ply);
        }
        Ok(games)
    }

    /// Adds a finished game whose pair is not complete.
    pub fn add_half(&mut self, id: MatchId, game: &GameResult) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        remove(&transaction, id, game.index)?;
        insert_game(&transaction, ["halves", "journal"], id, game)?;
        Ok(transaction.commit()?)
    }

    /// The finished games whose pairs are not complete, with their plies.
    pub fn halves(&self, id: MatchId) -> Result<Vec<GameResult>, StoreError> {
        let mut plies = self.journal(id)?;
        let mut select =
            self.connection.prepare("SELECT * FROM halves WHERE match = ? ORDER BY game")?;
        let mut rows = select.query([id.0])?;
        let mut halves = Vec::new();
        while let Some(row) = rows.next()? {
            let mut game = self.read_game(row)?;
            game.plies = plies.remove(&game.index).unwrap_or_default();
            halves.push(game);
        }
        Ok(halves)
    }
}

/// Removes a game from the journal.
pub(super) fn remove(transaction: &Transaction, id: MatchId, game: u64) -> Result<(), StoreError> {
    for table in ["halves", "journal"] {
        transaction
            .prepare_cached(&format!("DELETE FROM {table} WHERE match = ? AND game = ?"))?
            .execute([id.0, whole(game)])?;
    }
    Ok(())
}

/// Adds a game and its plies to two tables.
pub(super) fn insert_game(
    connection: &Connection,
    [games, plies]: [&str; 2],
    id: MatchId,
    game: &GameResult,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(&format!("INSERT INTO {games} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))?
        .execute(params![
            id.0,
            whole(game.index),
            whole(game.engines[0] as u64),
            whole(game.engines[1] as u64),
            game.seed.to_string(),
            game.opening,
            game.moves,
            game.outcome.winner.map(|player| player as i64 + 1),
            game.outcome.reason.to_string(),
            game.note,
            game.setup,
        ])?;
    for (index, ply) in game.plies.iter().enumerate() {
        insert_ply(connection, plies, id, game.index, index, ply)?;
    }
    Ok(())
}

fn insert_ply(
    connection: &Connection,
    table: &str,
    id: MatchId,
    game: u64,
    index: usize,
    ply: &Ply,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(&format!("INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))?
        .execute(params![
            id.0,
            whole(game),
            whole(index as u64),
            ply.mv,
            whole(ply.micros),
            ply.win_rate,
            ply.score,
            ply.depth,
            whole(ply.nodes),
            whole(ply.sims),
        ])?;
    Ok(())
}
