//! SIGKILL while games are played: the same program is the server and the one who
//! kills it. With `--ignored` it is the long run of the history checker; names
//! choose tests as they do elsewhere.

#[path = "server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "server/contest_day.rs"]
mod contest_day;
#[path = "browser/driver.rs"]
#[allow(dead_code)]
mod driver;
#[path = "server/history.rs"]
mod history;
#[path = "browser/pool.rs"]
mod pool;
#[path = "server/served.rs"]
mod server;

use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use client::{Stream, begin, play, post};
use serde_json::json;
use server::Served;

fn main() {
    if server::is_wanted() {
        return server::serve();
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&String> = arguments.iter().filter(|name| !name.starts_with('-')).collect();
    let long = arguments.iter().any(|argument| argument == "--ignored");
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed = number("BOYI_SEED").unwrap_or(1);
    let rounds = number("BOYI_ROUNDS").map_or(if long { 1000 } else { 5 }, |n| n as usize);
    let run = |name: &str, is_long: bool, test: &dyn Fn()| {
        if is_long == long && (names.is_empty() || names.iter().any(|part| name.contains(*part))) {
            test();
            println!("test {name} ... ok");
        }
    };
    run("killed_in_a_contest_game", false, &killed_in_a_contest_game);
    run("the_page_comes_back_by_itself", false, &the_page_comes_back_by_itself);
    run("a_contest_day_with_kills", false, &contest_day::run);
    run("no_acknowledged_move_is_lost", long, &|| history::run(rounds, seed));
}

fn start(data: &Path, port: u16) -> (Child, std::net::SocketAddr) {
    let served = Served::start(data, port);
    (served.child, served.at)
}

fn killed_in_a_contest_game() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let (mut server, mut at) = start(&data, 0);
    let id = begin(
        at,
        json!({
            "game": "surakarta", "total": 900_000, "seats": ["human", { "engine": "level n=2" }],
            "contest": { "ours": 1, "names": ["Them", "Us"], "event": "", "ponder": true },
        }),
    );
    let mut stream = Stream::open(at, &id, "a");
    post(at, &format!("/api/games/{id}"), &json!({ "do": "pause", "on": false })).good();
    let request = json!({ "tab": "a", "on": true, "engine": "uct memory=16", "ply": 0 });
    post(at, &format!("/api/games/{id}/study"), &request).good();
    for round in 0..4 {
        // Put in the opponent's move, wait for ours, and die at another moment
        // each time.
        let ply = stream.head["played"].as_u64().unwrap() as usize;
        let mv = stream.head["legal"][0][0].as_str().unwrap().to_owned();
        play(at, &id, ply, &mv).good();
        if round % 2 == 0 {
            stream.until(|head, _| head["played"].as_u64() >= Some(ply as u64 + 2));
        }
        std::thread::sleep(Duration::from_millis(300));
        let shown: Vec<String> = stream.moves().into_iter().map(str::to_owned).collect();
        let (left, seen) = (clocks(&Stream::open(at, &id, "b")), Instant::now());
        server.kill().unwrap();
        server.wait().unwrap();
        (server, at) = start(&data, 0);
        stream = Stream::open(at, &id, "a");
        let again: Vec<String> = stream.moves().into_iter().map(str::to_owned).collect();
        assert!(again.len() > ply && again.starts_with(&shown[..shown.len().min(again.len())]));
        assert!(again.len() >= shown.len(), "a move that was shown is lost");
        assert_eq!(again[ply], mv);
        // What was stored decides: at most a second is given back, nothing is
        // charged for the time without a server, and the page says so.
        let gone = seen.elapsed().as_millis() as u64;
        let (now, then): (u64, u64) = (clocks(&stream).iter().sum(), left.iter().sum());
        assert!(now <= then + 1500, "{left:?} then, {:?} after {gone} ms", clocks(&stream));
        assert!(then <= now + gone, "{left:?} then, {:?} after {gone} ms", clocks(&stream));
        if stream.moves().len() == shown.len() {
            assert_eq!(stream.head["notice"], "restarted");
        }
        assert_eq!(stream.head["study"], json!({ "on": true, "engine": "uct memory=16" }));
        assert_eq!(stream.head["contest"]["names"], json!(["Them", "Us"]));
        stream.until(|head, _| head["to_move"] == 0 && head["played"].as_u64() > Some(ply as u64));
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

fn clocks(stream: &Stream) -> [u64; 2] {
    [0, 1].map(|i| stream.head["clocks"]["left"][i].as_u64().unwrap())
}

/// A page stays open while its server dies and another takes its place.
fn the_page_comes_back_by_itself() {
    if driver::skipped() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let (mut server, at) = start(&data, 0);
    let study = json!({ "on": true, "engine": "uct memory=16" });
    let id = begin(at, json!({ "game": "connect-four", "moves": "443", "study": study }));
    let browser = driver::Browser::open(at, 1000, 800, "en-US");
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelectorAll('.lines tbody tr').length > 0");
    server.kill().unwrap();
    server.wait().unwrap();
    browser.wait("document.querySelector('.trouble:not([hidden])') !== null");
    (server, _) = start(&data, at.port());
    browser.wait("document.querySelector('.trouble[hidden]') !== null");
    browser.wait("document.querySelectorAll('.lines tbody tr').length > 0");
    browser.click(".hit.open[data-place='7']");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 4");
    assert_eq!(Stream::open(at, &id, "other").moves(), ["4", "4", "3", "7"]);
    drop(browser);
    server.kill().unwrap();
    server.wait().unwrap();
}
