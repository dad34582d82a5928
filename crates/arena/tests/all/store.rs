//! The store as a file: what it gives back, what it refuses, what it leaves
//! alone, and what it exports.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use arena::{GameResult, MatchConfig, Ply, RunOptions, Store, StoreError, export, run};
use games::{Game, Outcome, Player, Reason, Record};
use tempfile::TempDir;

use crate::stones::{Fault, Heap, Stones, scripted_match};

/// An empty folder, and the path of a store in it.
fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    (folder, path)
}

fn fill(store: &mut Store, seed: u64) -> MatchConfig {
    let (mut config, factory) = scripted_match(&[(Fault::None, 2), (Fault::Illegal, 5)], seed);
    config.engines[1].spec = "with \"quotes\", commas\nand lines".into();
    let stop = AtomicBool::new(false);
    let options = RunOptions { rounds: 5, ..RunOptions::default() };
    run(&config, &options, factory, store, &stop, |_| {}).unwrap();
    config
}

#[test]
fn what_was_written_is_read_again() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    let (one, two) = (fill(&mut store, 1), fill(&mut store, 2));
    let id = store.match_id(&one).unwrap();
    let games = store.games(id).unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.match_id(&one).unwrap(), id);
    assert_eq!(store.games(id).unwrap(), games);
    assert_eq!(games.len(), 10);
    let configs: Vec<MatchConfig> = store.matches().unwrap().into_iter().map(|m| m.1).collect();
    assert_eq!(configs, [one, two]);
    // The moves are a legal game as far as it went.
    for game in &games {
        let mut record = Record::new(Stones::start(&Heap::default()).unwrap());
        record.play_text(&game.moves).unwrap();
        assert_eq!(record.moves().len(), 2 + game.plies.len());
    }
    let results: Vec<i32> = store.results(id).unwrap().into_iter().map(|r| r.1).collect();
    assert_eq!(results, games.iter().map(|game| game.for_lower_engine()).collect::<Vec<_>>());
}

#[test]
fn a_pair_is_stored_once_and_whole() {
    let mut store = Store::in_memory().unwrap();
    let config = fill(&mut store, 1);
    let id = store.match_id(&config).unwrap();
    let games = store.games(id).unwrap();
    let mut half_new = [games[0].clone(), games[1].clone()];
    half_new[0].index = 100;
    assert!(store.add_pair(id, &half_new).is_err());
    assert_eq!(store.games(id).unwrap(), games);
}

#[test]
fn only_one_run_writes_at_a_time() {
    let (_folder, path) = place();
    let mut one = Store::open(&path).unwrap();
    let mut two = Store::open(&path).unwrap();
    one.lock().unwrap();
    one.lock().unwrap();
    assert!(matches!(two.lock(), Err(StoreError::Busy(_))));
    assert!(two.matches().unwrap().is_empty(), "reading is free");
    drop(one);
    two.lock().unwrap();
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let (_folder, path) = place();
    let refuse = |content: &[u8], expected: &str| {
        fs::write(&path, content).unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("games.db"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    };
    refuse(b"dear diary", "not a store");
    refuse(b"SQLite format 3\0 and then nothing of the kind", "damaged");

    // Somebody's database, also one with a log.
    for mode in ["DELETE", "WAL"] {
        let other = path.with_file_name("other.db");
        let connection = rusqlite::Connection::open(&other).unwrap();
        connection.pragma_update(None, "journal_mode", mode).unwrap();
        connection.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
        drop(connection);
        let recipes = fs::read(&other).unwrap();
        fs::remove_file(&other).unwrap();
        refuse(&recipes, "not a store");
    }

    // A store of the future.
    let (_folder, later) = place();
    drop(Store::open(&later).unwrap());
    rusqlite::Connection::open(&later).unwrap().pragma_update(None, "user_version", 9).unwrap();
    assert!(matches!(Store::open(&later), Err(StoreError::Newer(_))));
}

#[test]
fn damage_is_noticed() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    fill(&mut store, 1);
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    assert!(bytes.len() > 8192);
    bytes.truncate(bytes.len() - 4096);
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Damaged(..))));
    for byte in &mut bytes[4096..] {
        *byte ^= 0x55;
    }
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Damaged(..))));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// On a disk that became read-only, a store that was being written is not damaged.
#[test]
#[cfg(unix)]
fn a_read_only_place_is_no_damage() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path) = place();
    fill(&mut Store::open(&path).unwrap(), 1);
    let mode = |mode| {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o555);
    // Permissions don't bind the superuser.
    let bound = fs::write(folder.path().join("probe"), "").is_err();
    let error = Store::open(&path).err();
    mode(0o755);
    if let Some(error) = error.filter(|_| bound) {
        assert!(error.to_string().contains("read-only"), "{error}");
    }
}

#[test]
fn an_empty_file_and_an_unfinished_store_become_stores() {
    let (_folder, path) = place();
    fs::write(&path, b"").unwrap();
    fill(&mut Store::open(&path).unwrap(), 1);
    let (_folder, path) = place();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(connection);
    fill(&mut Store::open(&path).unwrap(), 1);
}

#[test]
fn a_store_of_the_first_version_is_brought_up_to_date() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    let (mut config, factory) = scripted_match(&[(Fault::None, 2), (Fault::None, 5)], 1);
    config.setup = "17".into();
    let stop = AtomicBool::new(false);
    run(&config, &RunOptions::default(), factory, &mut store, &stop, |_| {}).unwrap();
    let id = store.match_id(&config).unwrap();
    let games = store.games(id).unwrap();
    assert!(games.iter().all(|game| game.setup == "17"));
    drop(store);
    // The first version wrote the setup of a match alone.
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch("ALTER TABLE games DROP COLUMN setup; PRAGMA user_version = 1").unwrap();
    drop(old);
    for _ in 0..2 {
        let mut store = Store::open(&path).unwrap();
        assert_eq!(store.match_id(&config).unwrap(), id);
        assert_eq!(store.games(id).unwrap(), games);
    }
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 3).unwrap();
    drop(newer);
    assert!(matches!(Store::open(&path), Err(StoreError::Newer(_))));
}

#[test]
fn exports_have_a_line_a_game() {
    let mut store = Store::in_memory().unwrap();
    let config = fill(&mut store, 1);
    let id = store.match_id(&config).unwrap();
    let games = store.games(id).unwrap();

    let mut text = Vec::new();
    export::jsonl(&store, id, &config, u64::MAX, &mut text).unwrap();
    let lines: Vec<serde_json::Value> = String::from_utf8(text)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), games.len());
    for (line, game) in lines.iter().zip(&games) {
        assert_eq!(line["moves"], game.moves);
        assert_eq!(line["setup"], game.setup);
        assert_eq!(line["seed"], game.seed);
        assert_eq!(line["first"], config.engines[game.engines[0]].spec);
        assert_eq!(line["reason"], "illegal move");
        assert_eq!(line["plies"].as_array().unwrap().len(), game.plies.len());
    }

    let mut text = Vec::new();
    export::csv(&store, id, &config, 2, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    // A spec holds a line break inside quotation marks: one more line a game.
    assert_eq!(text.lines().count(), 1 + 2 * 4);
    assert!(text.starts_with("index,pair,game,"));
    assert!(text.contains("\"with \"\"quotes\"\", commas\nand lines\""));
}

/// Cells with commas, quotes or line breaks are quoted, no others.
#[test]
fn the_table_of_games_keeps_its_format() {
    let mut store = Store::in_memory().unwrap();
    let (mut config, _) = scripted_match(&[(Fault::None, 2), (Fault::None, 5)], 1);
    config.engines[1].spec = "with \"quotes\", commas\nand lines".into();
    let id = store.match_id(&config).unwrap();
    let ply = |mv: &str| Ply {
        mv: mv.into(),
        micros: 250_001,
        win_rate: 0.5,
        score: "0.1".into(),
        depth: 1,
        nodes: 2,
        sims: 3,
    };
    let game = |index: u64, note: &str| GameResult {
        index,
        engines: if index == 0 { [0, 1] } else { [1, 0] },
        seed: u64::MAX - index,
        setup: "17".into(),
        opening: "1 2".into(),
        moves: "1 2 3 1".into(),
        plies: vec![ply("3"), ply("1")],
        outcome: Outcome { winner: (index == 0).then_some(Player::First), reason: Reason::Time },
        note: note.into(),
    };
    store.add_pair(id, &[game(0, ""), game(1, "a\rb, c")]).unwrap();
    let mut text = Vec::new();
    export::csv(&store, id, &config, u64::MAX, &mut text).unwrap();
    let spec = "\"with \"\"quotes\"\", commas\nand lines\"";
    let expected = format!(
        "index,pair,game,setup,first,second,first_version,second_version,seed,winner,reason,note,\
         plies,seconds,opening,moves\n\
         0,0,stones,17,None,{spec},1,1,18446744073709551615,first,time,,2,0.500002,1 2,1 2 3 1\n\
         1,0,stones,17,{spec},None,1,1,18446744073709551614,draw,time,\"a\rb, c\",2,0.500002,1 2,\
         1 2 3 1\n"
    );
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn looking_from_outside_changes_nothing_and_sees_all() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    assert!(!Store::is_locked(&path));
    store.lock().unwrap();
    let config = fill(&mut store, 1);
    let id = store.match_id(&config).unwrap();
    let games = store.games(id).unwrap();
    let standing = |store: &Store| {
        let all = store.encounters(id, &config).unwrap();
        (all[0].tally.wins, all[0].tally.games(), store.latest(id, 3).unwrap())
    };
    // While the run still has it, its pairs are in the log.
    assert!(Store::is_locked(&path));
    let outside = Store::open_read_only(&path).unwrap();
    let seen = standing(&outside);
    assert_eq!((seen.0, seen.1), (10, 10), "the other one always breaks the rules");
    assert_eq!(seen.2.iter().map(|game| game.index).collect::<Vec<_>>(), [9, 8, 7]);
    assert_eq!(outside.game(id, 4).unwrap().as_ref(), Some(&games[4]));
    assert_eq!(outside.game(id, 10).unwrap(), None);
    drop((outside, store));
    let folder = path.parent().unwrap();
    let bytes = fs::read(&path).unwrap();
    let count = fs::read_dir(folder).unwrap().count();
    let later = Store::open_read_only(&path).unwrap();
    assert_eq!(standing(&later), seen);
    assert!(!Store::is_locked(&path));
    drop(later);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder).unwrap().count(), count, "nothing beside it either");
    fs::write(folder.join("text"), "no store").unwrap();
    assert!(matches!(Store::open_read_only(folder.join("text")), Err(StoreError::Foreign(_))));
    assert!(matches!(Store::open(folder.join("no/where")), Err(StoreError::NoFolder(_))));
    assert!(matches!(Store::open_read_only(folder.join("nowhere")), Err(StoreError::Foreign(_))));
}
