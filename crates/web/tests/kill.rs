//! SIGKILL in the middle of a contest game: the same program is the server and
//! the one who kills it.

#[path = "server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "browser/driver.rs"]
#[allow(dead_code)]
mod driver;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::{Stream, address, begin, play, post};
use serde_json::json;
use web::{Options, Server};

fn main() {
    match std::env::var_os("BOYI_SERVE_FROM") {
        Some(data) => {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let port = std::env::var("BOYI_SERVE_AT").map_or(0, |port| port.parse().unwrap());
                let options = Options { data: Some(data.into()), ..Options::local(port) };
                let server = Server::start(&options).await.unwrap();
                println!("{}", server.link());
                server.run().await;
            });
        }
        None => {
            killed_in_a_contest_game();
            println!("test killed_in_a_contest_game ... ok");
            the_page_comes_back_by_itself();
            println!("test the_page_comes_back_by_itself ... ok");
        }
    }
}

fn start(data: &Path, port: u16) -> (Child, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .env("BOYI_SERVE_FROM", data)
        .env("BOYI_SERVE_AT", port.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, address(line.trim()))
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
