//! Matches and reports seen through the page's requests.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use web::Options;

use crate::client::{Running, Stream, begin, get, play, post, serve_with};
use crate::matches_folder::MatchesFolder;

fn open(folder: &MatchesFolder) -> SocketAddr {
    serve_with(Options { matches: Some(folder.dir.path().to_owned()), ..Options::local(0) })
}

fn listing(at: SocketAddr) -> Value {
    get(at, "/api/arena").good()
}

#[test]
fn matches_are_listed_and_counted() {
    let folder = MatchesFolder::new();
    let at = open(&folder);
    let found = listing(at);
    let stores = found["stores"].as_array().unwrap();
    assert_eq!(stores.len(), 1, "{found:#}");
    assert_eq!(stores[0]["name"], "boyi-matches.sqlite");
    assert_eq!(stores[0]["running"], false);
    let one = &stores[0]["matches"][0];
    assert_eq!(one["engines"], json!(["uct c=0.4", "alpha-beta depth=6"]));
    assert_eq!((&one["games"], &one["score"]), (&json!(6), &json!(0.75)));
    let path = format!("/api/arena/{}/{}", stores[0]["id"].as_str().unwrap(), one["number"]);
    let whole = get(at, &path).good();
    let tally = &whole["meetings"][0]["tally"];
    assert_eq!(tally["pairs"], json!([0, 0, 0, 3, 0]));
    assert_eq!([&tally["wins"], &tally["draws"], &tally["losses"]], [3, 3, 0]);
    assert_eq!(whole["table"][1]["tally"]["points"], json!(1.5));
    assert_eq!(whole["latest"][0]["index"], 5);
    assert_eq!(whole["latest"][1]["plies"], 7);
}

#[test]
fn a_running_match_is_followed_and_nothing_is_written() {
    let folder = MatchesFolder::new();
    let files = || {
        let mut names: Vec<_> =
            std::fs::read_dir(folder.dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    let at = open(&folder);
    let id = listing(at)["stores"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/arena/{id}/1");
    assert_eq!(get(at, &path).good()["running"], false);
    assert_eq!(files(), before, "a reader leaves no file");
    let mut store = folder.store();
    store.lock().unwrap();
    folder.play(&mut store, 3);
    let whole = get(at, &path).good();
    assert_eq!(whole["running"], true);
    assert_eq!(whole["table"][0]["tally"]["games"], 8);
    drop(store);
    let whole = get(at, &path).good();
    assert_eq!(
        (&whole["running"], &whole["table"][0]["tally"]["games"]),
        (&json!(false), &json!(8))
    );
}

#[test]
fn a_game_of_a_match_comes_to_the_board() {
    let folder = MatchesFolder::new();
    let at = open(&folder);
    let id = listing(at)["stores"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/arena/{id}/1");
    let opened = |game: u64| {
        let answer = post(at, &path, &json!({ "game": game })).good();
        Stream::open(at, answer["id"].as_str().unwrap(), "t")
    };
    let won = opened(0);
    assert_eq!(won.moves(), ["1", "2", "1", "2", "1", "2", "1"]);
    assert_eq!(won.head["outcome"], json!({ "winner": 0, "reason": "four in a row" }));
    assert_eq!(won.head["names"], json!(["uct c=0.4", "alpha-beta depth=6"]));
    let chance = |ply: usize| won.plies[ply]["eval"].as_f64();
    assert_eq!(chance(2), None, "no engine evaluated the opening");
    assert_eq!(chance(3), Some(0.7));
    assert!((chance(4).unwrap() - 0.3).abs() < 1e-9, "Second's chance is turned");
    let level = opened(1);
    assert_eq!(level.head["outcome"], json!({ "winner": null, "reason": "adjudicated" }));
    assert_eq!(level.head["names"][0], "alpha-beta depth=6");
    post(at, &path, &json!({ "game": 99 })).refused(404);
    post(at, &path, &json!({ "game": -1 })).refused(422);
}

#[test]
fn reports_are_shown_and_their_pages_can_do_nothing() {
    let folder = MatchesFolder::new();
    let at = open(&folder);
    let found = listing(at);
    let report = &found["reports"][0];
    assert_eq!(report["verdicts"], json!([1, 1, 0]));
    let id = report["id"].as_str().unwrap();
    let data = get(at, &format!("/api/reports/{id}")).good();
    assert_eq!(data["experiments"][0]["id"], "000-table-1");
    let page = get(at, &format!("/report/{id}"));
    assert_eq!(page.status, 200);
    let policy = page.head.to_lowercase();
    assert!(policy.contains("content-security-policy: sandbox; default-src 'none'"), "{policy}");
    assert_eq!(policy.matches("content-security-policy").count(), 1);
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let folder = MatchesFolder::new();
    let at = open(&folder);
    for path in [
        "/api/reports/..%2fsecret.txt",
        "/api/reports/secret.txt",
        "/api/reports/%2fetc%2fpasswd",
        "/report/reproduction%2freport.html",
        "/report/..",
        "/api/arena/boyi-matches.sqlite/1",
        "/api/arena/other.sqlite/1",
        "/api/arena/..%2f..%2fx.sqlite/1",
        "/api/arena/0000000000000000/1",
    ] {
        get(at, path).refused(404);
    }
    let id = listing(at)["stores"][0]["id"].as_str().unwrap().to_owned();
    get(at, &format!("/api/arena/{id}/2")).refused(404);
    assert_eq!(get(at, &format!("/api/arena/{id}/x")).status, 400);
    // A damaged store is a sentence, not a path.
    let file = folder.dir.path().join("boyi-matches.sqlite");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4096..].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    let sentence = get(at, &format!("/api/arena/{id}/1")).refused(503);
    assert!(!sentence.contains("boyi-matches"), "{sentence}");
}

#[test]
fn without_a_folder_there_is_nothing() {
    let at = serve_with(Options::local(0));
    assert_eq!(listing(at), json!({ "stores": [], "reports": [], "starts": false }));
}

/// A store whose tables never end, and one with more engines than can be shown.
#[test]
fn a_hostile_store_stops_no_request() {
    let folder = MatchesFolder::new();
    let make = |name: &str, sql: &str| {
        let connection = rusqlite::Connection::open(folder.dir.path().join(name)).unwrap();
        connection.execute_batch(sql).unwrap();
        // As a store of matches says that it is one.
        connection.pragma_update(None, "application_id", 0x426f_7969).unwrap();
        connection.pragma_update(None, "user_version", 2).unwrap();
    };
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)";
    let columns = "x AS id, '{}' AS config, 0 AS match, 0 AS game";
    make(
        "view.sqlite",
        &format!(
            "CREATE VIEW matches AS {endless} SELECT {columns} FROM n WHERE x < 0;
             CREATE VIEW games AS {endless} SELECT {columns} FROM n WHERE x < 0;
             CREATE TABLE plies (match, game, ply);"
        ),
    );
    make(
        "trigger.sqlite",
        "CREATE TABLE matches (id); CREATE TABLE games (match);
        CREATE TABLE plies (ply); CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END;",
    );
    let at = open(&folder);
    let began = Instant::now();
    let found = listing(at);
    let names: Vec<&Value> =
        found["stores"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["boyi-matches.sqlite"], "what could run is no store");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    // As many requests as would have had all threads.
    let request = format!("GET /api/arena HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n");
    let waiting: Vec<TcpStream> = (0..540)
        .map(|_| {
            let mut socket = TcpStream::connect(at).unwrap();
            socket.write_all(request.as_bytes()).unwrap();
            socket
        })
        .collect();
    let began = Instant::now();
    let id = begin(at, json!({ "game": "connect-four" }));
    play(at, &id, 0, "4").good();
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    drop(waiting);
}

#[test]
fn games_in_play_of_another_process_are_seen() {
    let folder = MatchesFolder::new();
    let at = open(&folder);
    let id = listing(at)["stores"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/arena/{id}/1/live");
    let games = || get(at, &path).good()["games"].as_array().unwrap().clone();
    assert!(games().is_empty());
    let mut store = folder.store();
    store.lock().unwrap();
    folder.journal(&mut store, 6, "4");
    let seen = games();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((&seen[0]["index"], &seen[0]["plies"]), (&json!(6), &json!(3)));
    assert_eq!(seen[0]["engines"], json!([0, 1]));
    assert_eq!(seen[0]["geometry"]["kind"], "connect-four");
    drop(store);
    assert!(games().is_empty(), "nothing is played any more");
    let stop = post(at, &format!("/api/arena/{id}/1/run"), &json!({ "do": "stop" }));
    assert!(stop.refused(400).contains("another process"));
}

#[test]
fn a_match_from_the_page_goes_on_after_a_restart() {
    let folder = tempfile::TempDir::new().unwrap();
    let serve = || {
        let matches = Some(folder.path().to_owned());
        Running::start(Options { matches, ..Options::local(0) })
    };
    let request = json!({
        "game": "connect-four", "engines": ["level n=2", "random"], "games": 6, "seconds": null,
        "nodes": 100, "plies": 2, "seed": 5,
    });
    let server = serve();
    for (field, bad) in [
        ("engines", json!(["level n=2"])),
        ("engines", json!(["program command=ls", "random"])),
        ("engines", json!(["uct memory=99999", "random"])),
        ("games", json!(0)),
        ("nodes", json!(null)),
        ("game", json!("chess")),
    ] {
        let mut wrong = request.clone();
        wrong[field] = bad;
        assert_eq!(post(server.at, "/api/arena", &wrong).status, 400, "{field}");
    }
    let started = post(server.at, "/api/arena", &request).good();
    let path = format!("/api/arena/{}/{}", started["store"].as_str().unwrap(), started["number"]);
    let until = |at: SocketAddr, state: &str| {
        let began = Instant::now();
        while get(at, &path).good()["run"]["state"] != state {
            assert!(began.elapsed() < Duration::from_secs(20), "{}", get(at, &path).body);
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    until(server.at, "done");
    assert_eq!(get(server.at, &path).good()["table"][0]["tally"]["games"], 6);
    drop(server);
    // What ran when a process ended is paused in the next.
    let facts = folder.path().join("page-matches.json");
    let text = std::fs::read_to_string(&facts).unwrap();
    let text = text.replace("\"done\"", "\"running\"").replace("\"games\": 6", "\"games\": 10");
    std::fs::write(&facts, text).unwrap();
    let server = serve();
    until(server.at, "paused");
    post(server.at, &format!("{path}/run"), &json!({ "do": "resume" })).good();
    until(server.at, "done");
    assert_eq!(get(server.at, &path).good()["table"][0]["tally"]["games"], 10);
}
