//! The file that keeps the games: who may have it, what is refused, and what
//! comes back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, params};
use serde_json::json;
use web::store::{StoreError, back_up, check, recover, restore};
use web::{Options, Server, StartError};

use crate::client::{Running, Stream, begin, get, play, post};

fn options(data: &Path) -> Options {
    Options { data: Some(data.to_path_buf()), ..Options::local(0) }
}

fn serve(data: &Path) -> Running {
    Running::start(options(data))
}

/// Why a server on these games does not start.
fn refused(data: &Path) -> StoreError {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    match runtime.block_on(Server::start(&options(data))) {
        Err(StartError::Store(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it started"),
    }
}

/// Every file of a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn moves(at: std::net::SocketAddr, id: &str) -> Vec<String> {
    Stream::open(at, id, "m").moves().into_iter().map(str::to_owned).collect()
}

/// Begins a game and plays some moves of it.
fn game(server: &Running, count: usize) -> String {
    let id = begin(server.at, json!({ "game": "connect-four" }));
    for ply in 0..count {
        play(server.at, &id, ply, &(1 + ply % 7).to_string()).good();
    }
    id
}

/// A store with some games, closed.
fn closed(folder: &Path, games: usize) -> (PathBuf, Vec<String>) {
    let data = folder.join("games.sqlite");
    let server = serve(&data);
    let ids = (0..games).map(|_| game(&server, 5)).collect();
    (data, ids)
}

#[test]
fn a_new_game_stays_whole_among_thousands_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let (data, ids) = closed(folder.path(), 1);
    let mut connection = Connection::open(&data).unwrap();
    let transaction = connection.transaction().unwrap();
    for n in 0..20_001 {
        for contest in [0, 1] {
            transaction
                .prepare_cached(
                    "INSERT INTO game (id, spec, start, settings, clocks, played, ended, review,
                     updated, contest, touched) SELECT ?1, spec, start, settings, clocks, 0, ended, review,
                     updated, ?2, touched + ?3 FROM game WHERE id = ?4",
                )
                .unwrap()
                .execute(params![format!("{n}-{contest}"), contest, n + 1, ids[0]])
                .unwrap();
        }
    }
    transaction.commit().unwrap();
    drop(connection);
    let server = serve(&data);
    // Opened, and therefore not the one to go although the oldest.
    let stream = Stream::open(server.at, &ids[0], "a");
    let new = game(&server, 6);
    drop(stream);
    play(server.at, &ids[0], 5, "1").good();
    drop(server);
    let server = serve(&data);
    assert_eq!(moves(server.at, &new).len(), 6);
    assert_eq!(moves(server.at, &ids[0]).len(), 6);
    drop(server);
    let connection = Connection::open(&data).unwrap();
    let count = |contest: i64| -> i64 {
        let sql = "SELECT count(*) FROM game WHERE contest = ?1";
        connection.query_row(sql, [contest], |row| row.get(0)).unwrap()
    };
    assert_eq!((count(0), count(1)), (20_000, 20_001));
}

#[test]
fn a_second_server_on_the_same_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    let server = serve(&data);
    let id = game(&server, 2);
    let sentence = refused(&data).to_string();
    assert!(sentence.contains(&format!("at http://{}/", server.at)), "{sentence}");
    assert!(sentence.contains("--data"), "{sentence}");
    #[cfg(unix)]
    {
        let link = folder.path().join("other-name.sqlite");
        std::os::unix::fs::symlink(&data, &link).unwrap();
        assert!(matches!(refused(&link), StoreError::InUse(..)), "a link is the same file");
    }
    play(server.at, &id, 2, "4").good();
    drop(server);
    assert_eq!(moves(serve(&data).at, &id).len(), 3);
}

#[test]
fn other_files_are_refused_and_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("x.sqlite");
    let refused_as = |name: &str| {
        let before = files(folder.path());
        let sentence = refused(&data).to_string();
        assert_eq!(files(folder.path()), before, "{name}: something was written");
        assert!(sentence.contains("x.sqlite"), "{name}: {sentence}");
        sentence
    };
    std::fs::write(&data, "notes of mine").unwrap();
    assert!(refused_as("a text").contains("no store of games"));
    for journal in ["wal", "delete"] {
        std::fs::remove_file(&data).unwrap();
        let connection = Connection::open(&data).unwrap();
        connection.pragma_update(None, "journal_mode", journal).unwrap();
        connection.execute_batch("CREATE TABLE game (id); CREATE TABLE recipe (x)").unwrap();
        drop(connection);
        assert!(refused_as("another program's").contains("no store of games"));
    }
    std::fs::remove_file(&data).unwrap();
    drop(arena::Store::open(&data).unwrap());
    assert!(refused_as("matches").contains("a store of matches"));
    std::fs::remove_file(&data).unwrap();
    drop(serve(&data));
    let connection = Connection::open(&data).unwrap();
    connection
        .execute_batch("CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM ply; END")
        .unwrap();
    drop(connection);
    assert!(refused_as("with a trigger").contains("no store of games"));
    let connection = Connection::open(&data).unwrap();
    connection.execute_batch("DROP TRIGGER t; PRAGMA user_version = 99").unwrap();
    drop(connection);
    assert!(refused_as("of the future").contains("newer version"));
    std::fs::remove_file(&data).unwrap();
    std::fs::create_dir(&data).unwrap();
    let sentence = refused(&data).to_string();
    assert!(sentence.contains("no store of games"), "{sentence}");
    let sentence = refused(&folder.path().join("nowhere/x.sqlite")).to_string();
    assert!(sentence.contains("there is no folder"), "{sentence}");
}

#[test]
#[cfg(unix)]
fn a_read_only_place_has_its_own_sentence() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (data, _) = closed(folder.path(), 1);
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&data, 0o444);
    mode(folder.path(), 0o555);
    // Permissions don't bind the superuser.
    let bound = std::fs::write(folder.path().join("probe"), "").is_err();
    let error = bound.then(|| refused(&data));
    mode(folder.path(), 0o755);
    if let Some(error) = error {
        let sentence = error.to_string();
        assert!(sentence.contains("read-only") && sentence.contains("--data"), "{sentence}");
    }
}

#[test]
fn a_damaged_store_is_refused_kept_and_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let (data, ids) = closed(folder.path(), 60);
    let whole = std::fs::read(&data).unwrap();
    let pages = whole.len() / 4096;
    assert!(pages > 8, "{pages}");
    let mut rescued = 0;
    for page in 1..pages {
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0x5a);
        std::fs::write(&data, &bytes).unwrap();
        let error = refused(&data);
        assert!(matches!(error, StoreError::Damaged(..)), "page {page}: {error}");
        assert!(error.to_string().contains("boyi store recover"), "{error}");
        assert!(check(&data).is_err());
        let copy = folder.path().join(format!("copy-{page}.sqlite"));
        let found = recover(&data, Some(&copy)).unwrap();
        assert!(std::fs::read(&data).unwrap() == bytes, "the damaged file is kept");
        assert!(recover(&data, Some(&copy)).is_err(), "nothing is written over");
        let again = check(&copy).unwrap();
        assert_eq!(again.whole, found.whole + found.moves_only, "page {page}");
        rescued += again.whole;
    }
    // Each damaged page is at most a few games.
    let share = rescued as f64 / (ids.len() * (pages - 1)) as f64;
    println!("{pages} pages damaged in turn: {share:.2} of all games rescued");
    assert!(share > 0.5, "{share}");
    // A file that ends too early.
    std::fs::write(&data, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(refused(&data), StoreError::Damaged(..)));
    std::fs::write(&data, &whole[..50]).unwrap();
    assert!(matches!(refused(&data), StoreError::Damaged(..)));
    // What was not damaged is the same as before.
    std::fs::write(&data, &whole).unwrap();
    let copy = folder.path().join("copy.sqlite");
    let found = recover(&data, Some(&copy)).unwrap();
    assert_eq!((found.whole, found.moves_only, found.lost.len()), (60, 0, 0));
    let server = serve(&copy);
    assert_eq!(moves(server.at, &ids[7]), ["1", "2", "3", "4", "5"]);
}

#[test]
fn a_damaged_game_is_refused_while_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (data, ids) = closed(folder.path(), 2);
    let connection = Connection::open(&data).unwrap();
    let damage = "UPDATE game SET settings = '{\"seats\":' WHERE id = ?1";
    connection.execute(damage, [&ids[0]]).unwrap();
    drop(connection);
    let server = serve(&data);
    let sentence = play(server.at, &ids[0], 5, "1").refused(500);
    assert!(sentence.contains("damaged") && sentence.contains("boyi store recover"), "{sentence}");
    play(server.at, &ids[1], 5, "1").good();
    drop(server);
    let found = check(&data).unwrap();
    assert_eq!((found.whole, found.moves_only), (1, 1));
    let connection = Connection::open(&data).unwrap();
    let kept: String = connection
        .query_row("SELECT settings FROM game WHERE id = ?1", [&ids[0]], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, "{\"seats\":", "it was left as it is");
}

#[test]
fn a_running_store_is_backed_up_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    let backup = folder.path().join("backup.sqlite");
    let server = serve(&data);
    let id = game(&server, 4);
    assert_eq!(back_up(&data, &backup).unwrap(), 1);
    assert!(back_up(&data, &backup).is_err(), "nothing is written over");
    assert!(!folder.path().join("backup.sqlite-wal").exists(), "a backup is one file");
    let later = game(&server, 3);
    play(server.at, &id, 4, "7").good();
    let mut stream = Stream::open(server.at, &id, "a");
    let mut other = Stream::open(server.at, &later, "b");
    let done = restore(&data, &backup).unwrap();
    assert!(done.running);
    assert_eq!(done.games, 1);
    // A new stream shows the restored game; one that is not there can't go on.
    stream.until(|head, _| head["played"] == 4);
    other.until(|head, _| !head["trouble"].is_null());
    play(server.at, &later, 3, "7").refused(409);
    play(server.at, &id, 4, "2").good();
    stream.until(|head, _| head["played"] == 5);
    assert_eq!(get(server.at, "/api/games").good().as_array().unwrap().len(), 1);
    drop(server);
    assert_eq!(moves(serve(&data).at, &id), ["1", "2", "3", "4", "2"]);
    // What was there before is a store as well.
    let before = done.before.unwrap();
    assert_eq!(check(&before).unwrap().whole, 2);
    assert_eq!(moves(serve(&before).at, &id), ["1", "2", "3", "4", "7"]);
    // Without a server, and in a place where nothing is.
    let new = folder.path().join("new.sqlite");
    let done = restore(&new, &backup).unwrap();
    assert_eq!((done.games, done.before, done.running), (1, None, false));
    assert_eq!(moves(serve(&new).at, &id).len(), 4);
    assert!(matches!(restore(&new, &folder.path().join("absent")), Err(StoreError::File(..))));
    std::fs::write(folder.path().join("text"), "text").unwrap();
    assert!(matches!(restore(&new, &folder.path().join("text")), Err(StoreError::Foreign(_))));
}

#[test]
fn no_move_falls_between_the_copy_and_the_restored_games() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    let backup = folder.path().join("backup.sqlite");
    let server = serve(&data);
    let id = begin(server.at, json!({ "game": "surakarta" }));
    back_up(&data, &backup).unwrap();
    for round in 0..6 {
        // Plays on until the games are another's.
        let (at, name) = (server.at, id.clone());
        let (begun, first_move) = std::sync::mpsc::channel();
        let player = std::thread::spawn(move || {
            let shuttle = ["a5-a4", "a2-a3", "a4-a5", "a3-a2"];
            let ply = |n: usize| play(at, &name, n, shuttle[n % 4]).status;
            let acknowledged = |&n: &usize| {
                let status = ply(n);
                let _ = begun.send(());
                status == 200
            };
            (0..).take_while(acknowledged).count()
        });
        // A first move after the restoration would belong to the restored game.
        first_move.recv().unwrap();
        std::thread::sleep(Duration::from_millis(15 * round));
        let before = restore(&data, &backup).unwrap().before.unwrap();
        let acknowledged = player.join().unwrap();
        let copied = web::store::Store::open(Some(&before)).unwrap().load(&id).unwrap().unwrap();
        assert_eq!(copied.played, acknowledged, "round {round}");
        Stream::open(server.at, &id, "a").until(|head, _| head["played"] == 0);
    }
}

#[test]
fn a_move_is_never_written_into_a_store_that_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    let backup = folder.path().join("backup.sqlite");
    let server = serve(&data);
    let id = game(&server, 2);
    back_up(&data, &backup).unwrap();
    for round in 0..10 {
        play(server.at, &id, 2, "3").good();
        restore(&data, &backup).unwrap();
        // The server may or may not have noticed; either answer is whole.
        let answer = play(server.at, &id, 3, "4");
        assert!([409].contains(&answer.status), "round {round}: {}", answer.body);
        let mut stream = Stream::open(server.at, &id, "a");
        stream.until(|head, _| head["played"] == 2);
        assert_eq!(check(&data).unwrap().whole, 1, "round {round}");
    }
}

#[test]
fn a_store_of_an_earlier_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    std::fs::write(&data, include_bytes!("data/games-c19e6d6.sqlite")).unwrap();
    assert_eq!(check(&data).unwrap().whole, 4);
    // A backup of that version can be restored as well.
    let old = folder.path().join("old.sqlite");
    std::fs::copy(&data, &old).unwrap();
    let restored = folder.path().join("restored.sqlite");
    assert_eq!(restore(&restored, &old).unwrap().games, 4);
    let server = serve(&data);
    let listed = get(server.at, "/api/games").good();
    let ids: Vec<&str> =
        listed.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    let [contest, open, timed, plain] = ids[..] else { panic!("{listed}") };
    let stream = Stream::open(server.at, plain, "a");
    assert_eq!((stream.moves(), stream.plies.len()), (vec!["4", "4", "3", "5"], 6));
    let stream = Stream::open(server.at, timed, "a");
    assert_eq!(stream.moves(), ["c5-c4", "d2-d3"]);
    assert_eq!(stream.head["outcome"], json!({ "winner": 1, "reason": "resigned" }));
    assert_eq!(stream.head["clocks"]["left"], json!([601_999, 601_998]));
    let stream = Stream::open(server.at, open, "a");
    assert_eq!(stream.head["study"], json!({ "on": true, "engine": "uct memory=16" }));
    let stream = Stream::open(server.at, contest, "a");
    assert_eq!(stream.head["contest"]["names"], json!(["甲队", "乙队"]));
    assert_eq!(stream.head["notice"], "restarted", "its clock was running");
    let left = stream.head["clocks"]["left"][0].as_u64().unwrap();
    assert!((890_000..=899_998).contains(&left), "not charged for months: {left}");
    play(server.at, plain, 4, "6").good();
    drop(stream);
    drop(server);
    for store in [data, restored] {
        assert_eq!(check(&store).unwrap().whole, 4);
        let server = serve(&store);
        assert_eq!(get(server.at, "/api/games").good().as_array().unwrap().len(), 4);
    }
}

#[test]
fn a_jump_of_the_wall_clock_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.sqlite");
    let server = serve(&data);
    let id = begin(server.at, json!({ "game": "connect-four", "total": 60_000 }));
    play(server.at, &id, 0, "4").good();
    for hours in [1, -2, 24 * 365] {
        web::clock::shift_wall_clock(hours * 3_600_000);
        std::thread::sleep(Duration::from_millis(600));
        let stream = Stream::open(server.at, &id, "a");
        assert!(stream.head["outcome"].is_null());
        assert!(stream.head["clocks"]["left"][1].as_u64() > Some(50_000), "{}", stream.head);
    }
    web::clock::shift_wall_clock(0);
    play(server.at, &id, 1, "4").good();
    // A restart goes on with what was stored, within a second.
    std::thread::sleep(Duration::from_millis(1600));
    drop(server);
    let server = serve(&data);
    let stream = Stream::open(server.at, &id, "a");
    let left = stream.head["clocks"]["left"][0].as_u64().unwrap();
    assert!((50_000..59_500).contains(&left), "{left}");
}

#[test]
fn names_reach_neither_a_record_nor_a_file_name_with_invisible_signs() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(&folder.path().join("games.sqlite"));
    for sign in ["\u{202e}", "\u{2066}", "\u{200f}", "\u{200b}", "\u{feff}", "\u{7}", "\u{2028}"] {
        let contest =
            json!({ "names": [format!("a{sign}txt.exe"), "b"], "event": "", "place": "" });
        let sentence =
            post(server.at, "/api/games", &json!({ "game": "surakarta", "contest": contest }))
                .refused(400);
        assert!(sentence.contains("name"), "{sentence}");
    }
}
