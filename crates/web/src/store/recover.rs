//! What is whole of a damaged store, as a new one.
//!
//! The damaged file is only read. Games are looked for in every order that the
//! file offers, because a damaged page ends a reading at one place; each is read
//! by itself and played through by its rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use session::GameSpec;

use super::read::read_game;
use super::write::{next_touched, write_game, write_plies};
use super::{StoreError, StoredGame, open};

/// What was found in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Games that are whole.
    pub whole: usize,
    /// Games whose moves are whole, without their settings, clocks or review.
    pub moves_only: usize,
    /// Why others are lost, by their id.
    pub lost: Vec<(String, String)>,
}

/// Copies the games that are whole into a new file; without one it only looks.
pub fn recover(from: &Path, to: Option<&Path>) -> Result<Recovered, StoreError> {
    open::check_owner(from)?;
    let opening = |error: rusqlite::Error| StoreError::opening(from.to_path_buf(), &error);
    let source = storage::open_read_only(from).map_err(opening)?;
    // A file without a single game, whose table of games cannot even be named, is
    // something else and gets no copy.
    if source.prepare("SELECT id FROM game").is_err() && candidates(&source).is_empty() {
        return Err(StoreError::Foreign(from.to_path_buf()));
    }
    let Some(to) = to else { return copy_whole(&source, open::in_memory()?) };
    if to.exists() {
        let sentence = "it exists already; give another name with --out".to_owned();
        return Err(StoreError::File(to.to_path_buf(), sentence));
    }
    let copied = open::open(to).and_then(|(target, _lock)| {
        copy_whole(&source, target).map_err(|error| match error {
            StoreError::Sql(error) => StoreError::opening(to.to_path_buf(), &error),
            other => other,
        })
    });
    if copied.is_err() {
        // A part of a copy would be taken for all that is whole.
        for end in ["", "-wal", "-shm", ".lock"] {
            let _ = std::fs::remove_file(storage::sidecar(to, end));
        }
    }
    copied
}

/// Copies the games that are whole.
fn copy_whole(source: &Connection, mut target: Connection) -> Result<Recovered, StoreError> {
    let transaction = target.transaction()?;
    let mut found = Recovered::default();
    for (row, id) in candidates(source) {
        let read = read_whole(source, row).map(|game| (game, true));
        let read = read
            .or_else(|error| read_moves(source, row, &id).map(|game| (game, false)).ok_or(error));
        match read {
            Ok((game, whole)) => {
                let touched = next_touched(&transaction)?;
                write_game(&transaction, &game, touched)?;
                write_plies(&transaction, &game, 0)?;
                copy_rest(source, &transaction, row, &id)?;
                if whole {
                    found.whole += 1;
                } else {
                    found.moves_only += 1;
                }
            }
            Err(error) => found.lost.push((id, error.to_string())),
        }
    }
    transaction.commit()?;
    Ok(found)
}

/// Reads every page and every game of a store.
pub fn check(path: &Path) -> Result<Recovered, StoreError> {
    open::existing(path)?;
    recover(path, None)
}

/// The name of the new file if none is given.
pub fn recovered_name(path: &Path) -> PathBuf {
    open::copy_name(path, "recovered")
}

/// Every game that can be found at all: its row and its id, the one untouched
/// for longest first.
fn candidates(source: &Connection) -> Vec<(i64, String)> {
    let mut found: BTreeMap<i64, String> = BTreeMap::new();
    for order in
        ["NOT INDEXED", "NOT INDEXED ORDER BY rowid DESC", "ORDER BY id", "ORDER BY id DESC"]
    {
        let sql = format!("SELECT rowid, id FROM game {order}");
        let Ok(mut query) = source.prepare(&sql) else { continue };
        let Ok(rows) = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))) else { continue };
        // The first error is where the damage begins.
        found.extend(rows.map_while(Result::ok));
    }
    let changed = |row: i64| {
        ["touched", "updated"].iter().find_map(|column| {
            let sql = format!("SELECT {column} FROM game WHERE rowid = ?1");
            source.query_row(&sql, [row], |row| row.get::<_, i64>(0)).ok()
        })
    };
    let mut all: Vec<(i64, String)> = found.into_iter().collect();
    all.sort_by_cached_key(|&(row, _)| changed(row));
    all
}

fn read_whole(source: &Connection, row: i64) -> Result<StoredGame, StoreError> {
    let game = read_game(source, "rowid", row, String::new())?.ok_or(StoreError::Gone)?;
    replay(&game).map_err(StoreError::DamagedGame)?;
    Ok(game)
}

/// The rules accept every move of the game and of its side lines.
fn replay(game: &StoredGame) -> Result<(), String> {
    let spec: GameSpec = game.spec.parse().map_err(|error| format!("{error}"))?;
    let mut session = session::open(&spec);
    session.set(game.start.as_deref(), &[]).map_err(|error| error.to_string())?;
    for ply in &game.plies {
        session.play(&ply.mv).map_err(|error| error.to_string())?;
    }
    let moves: Vec<&str> = game.plies.iter().map(|ply| ply.mv.as_str()).collect();
    for node in game.tree.nodes() {
        let (ply, path) = game.tree.path(node.id).ok_or("a side line begins nowhere")?;
        let side = path.iter().map(|node| node.mv.as_str());
        let line: Vec<&str> = moves[..ply].iter().copied().chain(side).collect();
        session.set(game.start.as_deref(), &line).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The game and its moves, whatever became of the rest.
fn read_moves(source: &Connection, row: i64, id: &str) -> Option<StoredGame> {
    let text = |column: &str| {
        let sql = format!("SELECT {column} FROM game WHERE rowid = ?1");
        source.query_row(&sql, [row], |row| row.get::<_, Option<String>>(0)).ok()
    };
    let mut query = source.prepare("SELECT n, move FROM ply WHERE game = ?1 ORDER BY n").ok()?;
    let rows = query.query_map([id], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).ok()?;
    let plies = rows.collect::<rusqlite::Result<Vec<(i64, String)>>>().ok()?;
    if plies.iter().enumerate().any(|(at, (number, _))| at as i64 != *number) {
        return None;
    }
    let ply = |(_, mv)| super::StoredPly { mv, eval: None, left: None };
    let game = StoredGame {
        id: id.to_owned(),
        spec: text("spec")??,
        start: text("start")?,
        settings: Default::default(),
        clocks: None,
        played: plies.len(),
        ended: None,
        review: None,
        plies: plies.into_iter().map(ply).collect(),
        tree: Default::default(),
        result: None,
        touched: 0,
        generation: String::new(),
    };
    replay(&game).ok().map(|()| game)
}

/// When the game was last changed, and who may play it, where that can be read.
fn copy_rest(source: &Connection, target: &Connection, row: i64, id: &str) -> rusqlite::Result<()> {
    let updated: Option<i64> = source
        .query_row("SELECT updated FROM game WHERE rowid = ?1", [row], |row| row.get(0))
        .unwrap_or_default();
    if let Some(updated) = updated {
        target.execute("UPDATE game SET updated = ?1 WHERE id = ?2", params![updated, id])?;
    }
    let kept = source.query_row("SELECT kept FROM game WHERE rowid = ?1", [row], |row| row.get(0));
    if kept == Ok(true) {
        target.execute("UPDATE game SET kept = 1 WHERE id = ?1", [id])?;
    }
    let access = source.prepare("SELECT role, key, link FROM access WHERE game = ?1");
    let Ok(mut access) = access else { return Ok(()) };
    let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let rows = access.query_map([id], read)?.map_while(Result::ok);
    type Access = (String, Option<String>, Option<String>);
    for (role, key, link) in rows.collect::<Vec<Access>>() {
        target.execute(
            "INSERT OR REPLACE INTO access VALUES (?1, ?2, ?3, ?4)",
            params![id, role, key, link],
        )?;
    }
    Ok(())
}
