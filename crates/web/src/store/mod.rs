//! Games on disk. Every change is committed, and the disk has it, before anyone
//! is shown the change; so a page never shows a move that a crash could undo.
//!
//! One process has the file (`open`). A change of a game replaces its row and
//! its last plies in one transaction, which also makes sure that the plies
//! before them are there. Whatever can't be read as it was written is refused,
//! never guessed.

mod access;
mod backup;
mod error;
mod list;
mod open;
mod read;
mod recover;
mod write;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction};
use serde::{Deserialize, Serialize};
use storage::FileLock;

use crate::clock::Clocks;
use crate::settings::Settings;
use crate::tree::Tree;
pub use backup::{Restored, back_up, restore};
pub use error::StoreError;
pub use list::{GameSummary, ListRequest};
use read::whole;
pub use recover::{Recovered, check, recover, recovered_name};

/// Games in the store beside those of contests and those that a user keeps; beyond
/// that the one untouched for longest goes, unless it is open.
const MOST_GAMES: usize = 20_000;

/// How a game was ended from outside its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// 0 for First, 1 for Second, none for a draw.
    pub winner: Option<usize>,
    /// A reason in the words of the rules: `resigned`, `time`.
    pub reason: String,
}

/// One move as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPly {
    /// Its text.
    pub mv: String,
    /// First's chance to win after it, if an engine had an opinion.
    pub eval: Option<f64>,
    /// What both clocks had left after it.
    pub left: Option<[u64; 2]>,
}

/// A game as it is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredGame {
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
    pub plies: Vec<StoredPly>,
    /// Side lines and comments.
    pub tree: Tree,
    /// The result as records write it: `1-0`, `0-1`, `1/2-1/2`, `*` while it goes
    /// on; none in a game of an earlier version.
    pub result: Option<String>,
    /// Which writing of the game this is: each change has a larger number than
    /// all before it in the store. 0 for a game that was never written.
    pub touched: i64,
    /// The store's generation when it was read: a restored backup has another.
    pub generation: String,
}

/// The database.
pub struct Store {
    connection: Mutex<Connection>,
    /// None for a store in memory.
    lock: Mutex<Option<FileLock>>,
    /// SQLite's count of other processes' changes, and the generation, when they
    /// were last looked at.
    seen: Mutex<(i64, String)>,
}

impl Store {
    /// Opens or makes the database; `None` keeps it in memory, for tests.
    pub fn open(path: Option<&Path>) -> Result<Store, StoreError> {
        let (connection, lock) = match path {
            Some(path) => {
                let (connection, lock) = open::open(path)?;
                (connection, Some(lock))
            }
            None => (open::in_memory()?, None),
        };
        let generation = open::generation(&connection)?;
        let connection = Mutex::new(connection);
        Ok(Store { connection, lock: Mutex::new(lock), seen: Mutex::new((-1, generation)) })
    }

    /// Tells a second server on these games where the board is.
    pub fn announce(&self, address: &str) {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = &mut *lock {
            // It is only for a friendlier sentence.
            let _ = lock.describe(&format!(", at {address}"));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the games untouched for longest beyond the limit, contest games,
    /// kept ones and open ones excepted.
    pub fn prune(&self, is_open: impl Fn(&str) -> bool) -> Result<(), StoreError> {
        self.prune_to(MOST_GAMES, is_open)
    }

    fn prune_to(&self, most: usize, is_open: impl Fn(&str) -> bool) -> Result<(), StoreError> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let count = transaction
            .prepare_cached("SELECT count(*) FROM game WHERE contest = 0 AND kept = 0")?
            .query_row([], |row| whole(row, 0))?;
        let extra = count.saturating_sub(most);
        if extra == 0 {
            return Ok(());
        }
        let oldest: Vec<String> = transaction
            .prepare("SELECT id FROM game WHERE contest = 0 AND kept = 0 ORDER BY touched")?
            .query_map([], |row| row.get::<_, String>(0))?
            .filter(|id| !id.as_ref().is_ok_and(|id| is_open(id)))
            .take(extra)
            .collect::<rusqlite::Result<_>>()?;
        for id in oldest {
            delete(&transaction, &id)?;
        }
        Ok(transaction.commit()?)
    }
}

/// Deletes all that there is of a game.
fn delete(transaction: &Transaction, id: &str) -> rusqlite::Result<()> {
    for table in ["game WHERE id", "ply WHERE game", "access WHERE game"] {
        transaction.execute(&format!("DELETE FROM {table} = ?1"), [id])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Parent, Spot};

    fn ply(mv: &str) -> StoredPly {
        StoredPly { mv: mv.to_owned(), eval: Some(0.25), left: Some([5, 7]) }
    }

    fn game(id: &str) -> StoredGame {
        let mut tree = Tree::default();
        let node = tree.add(Parent::Ply(2), "1".to_owned());
        tree.set_note(Spot { ply: 3, node: Some(node) }, "why not?".to_owned());
        StoredGame {
            id: id.to_owned(),
            spec: "connect-four".to_owned(),
            start: None,
            settings: Settings::default(),
            clocks: Some(Clocks::new(1000, 0)),
            played: 2,
            ended: Some(Ended { winner: None, reason: "time".to_owned() }),
            review: Some("[]".to_owned()),
            plies: vec![ply("4"), ply("5"), ply("6")],
            tree,
            result: Some("*".to_owned()),
            touched: 0,
            generation: String::new(),
        }
    }

    #[test]
    fn a_game_comes_back_as_it_was() {
        let store = Store::open(None).unwrap();
        let mut game = game("x");
        store.create(&mut game, "key").unwrap();
        assert_eq!(store.load("x").unwrap().as_ref(), Some(&game));
        game.plies.truncate(1);
        game.plies.push(ply("7"));
        store.save(&mut game, 1).unwrap();
        assert_eq!(store.load("x").unwrap(), Some(game));
        assert_eq!(store.load("y").unwrap(), None);
        assert_eq!(store.list(&ListRequest::default(), None).unwrap().len(), 1);
        store.prune(|_| false).unwrap();
        assert!(store.contains("x").unwrap());
    }

    #[test]
    fn contest_games_and_open_games_are_never_pruned() {
        let store = Store::open(None).unwrap();
        let contest = Some(crate::settings::Contest::default());
        let contest = Settings { contest, ..Settings::default() };
        for n in 0..30 {
            let settings = contest.clone();
            store
                .create(&mut StoredGame { settings, ..game(&format!("contest-{n}")) }, "key")
                .unwrap();
        }
        for n in 0..13 {
            store.create(&mut game(&format!("game-{n}")), "key").unwrap();
        }
        store.keep("game-1", true).unwrap();
        // The oldest ordinary game is open, the next is kept; contest games don't
        // count.
        store.prune_to(10, |id| id == "game-0").unwrap();
        let kept: Vec<String> = store
            .list(&ListRequest::default(), None)
            .unwrap()
            .into_iter()
            .map(|game| game.id)
            .collect();
        assert_eq!(kept.len(), 41);
        assert!(kept.iter().any(|id| id == "game-1"));
        for gone in ["game-2", "game-3"] {
            assert!(!kept.iter().any(|id| id == gone), "{gone}");
            assert_eq!(store.load(gone).unwrap(), None);
        }
        assert_eq!(store.load("game-0").unwrap().unwrap().plies.len(), 3);
        let orphans = "SELECT count(*) FROM ply WHERE game NOT IN (SELECT id FROM game)";
        assert_eq!(store.lock().query_row(orphans, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    }

    #[test]
    fn a_move_is_never_saved_without_the_moves_before_it() {
        let store = Store::open(None).unwrap();
        let mut game = game("x");
        store.create(&mut game, "key").unwrap();
        for loss in ["DELETE FROM game", "DELETE FROM ply", "DELETE FROM ply WHERE n = 1"] {
            store.lock().execute_batch(loss).unwrap();
            let from = game.plies.len();
            game.plies.push(ply("1"));
            store.save(&mut game, from).unwrap();
            assert_eq!(store.load("x").unwrap().as_ref(), Some(&game), "after {loss}");
        }
    }

    #[test]
    fn a_damaged_game_is_refused_and_left_as_it_is() {
        for (damage, part) in [
            ("UPDATE game SET settings = substr(settings, 2)", "settings"),
            ("UPDATE game SET settings = x'ff'", "settings"),
            ("UPDATE game SET clocks = '{\"left\":[1]}'", "clocks"),
            (
                "UPDATE game SET clocks = '{\"left\":[1,2],\"increment\":0,\"running\":[2,0],\"paused\":false}'",
                "clocks",
            ),
            ("UPDATE game SET ended = 'nobody'", "ended"),
            ("UPDATE game SET played = 'x'", "played"),
            ("UPDATE game SET played = 9", "move 3 is missing"),
            ("UPDATE game SET tree = '{'", "tree"),
            ("UPDATE game SET tree = replace(tree, '\"ply\":2', '\"ply\":4')", "begins nowhere"),
            ("UPDATE ply SET move = x'ff' WHERE n = 1", "move"),
            ("DELETE FROM ply WHERE n = 1", "move 1 is missing"),
        ] {
            let store = Store::open(None).unwrap();
            store.create(&mut game("x"), "key").unwrap();
            store.create(&mut game("y"), "key").unwrap();
            store
                .lock()
                .execute_batch(&format!(
                    "{damage} {} = 'x'",
                    match damage {
                        update if update.contains(" ply ") && update.contains("WHERE") =>
                            "AND game",
                        _ => "WHERE id",
                    }
                ))
                .unwrap();
            let error = store.load("x").unwrap_err();
            assert!(matches!(error, StoreError::DamagedGame(_)), "{damage}: {error}");
            assert!(error.to_string().contains("boyi store recover"), "{part}: {error}");
            assert_eq!(store.load("y").unwrap().unwrap().plies.len(), 3, "{damage}");
        }
    }

    #[test]
    fn games_are_ordered_by_change_whatever_the_wall_clock_does() {
        let store = Store::open(None).unwrap();
        for (id, wall) in [("a", 3_000_000_000_000i64), ("b", 0), ("c", 1)] {
            store.create(&mut game(id), "key").unwrap();
            store.lock().execute("UPDATE game SET updated = ?1 WHERE id = ?2", (wall, id)).unwrap();
        }
        let order: Vec<String> = store
            .list(&ListRequest::default(), None)
            .unwrap()
            .into_iter()
            .map(|one| one.id)
            .collect();
        assert_eq!(order, ["c", "b", "a"]);
    }
}
