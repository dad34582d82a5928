//! Visitors who take more than their part: others are served all the same.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use web::Options;

use crate::client::{Guest, Stream, begin, play, post, serve, serve_class, serve_with};

/// A contest game between two engines that think for ten minutes a move.
fn greedy() -> Value {
    json!({
        "game": "surakarta", "move_seconds": 600,
        "seats": [{ "engine": "uct" }, { "engine": "uct" }],
        "contest": { "ours": 0, "names": ["a", "b"] },
    })
}

#[track_caller]
fn plays_against_an_engine(at: std::net::SocketAddr, within: Duration) {
    let seats = json!(["human", { "engine": "uct" }]);
    let id = begin(at, json!({ "game": "connect-four", "seats": seats, "move_seconds": 0.2 }));
    let mut stream = Stream::open(at, &id, "honest");
    let began = Instant::now();
    for ply in [0, 2] {
        play(at, &id, ply, "4").good();
        stream.until(|head, _| head["played"] == ply + 2);
    }
    assert!(began.elapsed() < within, "{:?}", began.elapsed());
}

#[test]
fn games_that_compute_unwatched_leave_memory_to_others() {
    let at = serve();
    for _ in 0..45 {
        begin(at, greedy());
    }
    // Long enough for every one of them to have asked.
    std::thread::sleep(Duration::from_millis(600));
    plays_against_an_engine(at, Duration::from_secs(10));
}

#[test]
fn unwatched_games_take_turns() {
    let at = serve();
    let quick = json!({
        "game": "connect-four", "move_seconds": 0.05,
        "seats": [{ "engine": "uct memory=8" }, { "engine": "uct memory=8" }],
        "contest": { "ours": 0, "names": ["a", "b"] },
    });
    let ids: Vec<String> = (0..9).map(|_| begin(at, quick.clone())).collect();
    // No page shows them, and every one of them gets on.
    std::thread::sleep(Duration::from_secs(5));
    let lengths: Vec<usize> =
        ids.iter().map(|id| Stream::open(at, id, "look").moves().len()).collect();
    assert!(lengths.iter().all(|length| *length > 0), "{lengths:?}");
}

#[test]
fn a_page_says_that_its_engine_waits_and_its_turn_comes() {
    // Memory for half a dozen engines.
    let at = serve_with(Options { memory: 64, ..Options::local(0) });
    // Each with a page: none is unwatched, and all memory is taken.
    let streams: Vec<Stream> =
        (0..12).map(|n| Stream::open(at, &begin(at, greedy()), &format!("g{n}"))).collect();
    // A browser with one engine goes before a client with many.
    let mut browser = Guest::new(at);
    assert_eq!(browser.get("/").status, 200);
    let seats = json!(["human", { "engine": "uct" }]);
    let request = json!({ "game": "connect-four", "seats": seats, "move_seconds": 0.2 });
    let id = browser.begin(request);
    let mut stream = browser.stream(&id, "honest").unwrap();
    browser.play(&id, 0, "4").good();
    stream.until(|head, _| head["waiting"] == "memory");
    stream.until(|head, _| head["played"] == 2 && head["waiting"].is_null());
    drop(streams);
}

#[test]
fn a_flood_of_streams_closes_no_classroom() {
    let (link, _) = serve_class();
    let mut teacher = Guest::enter(&link);
    let watched = teacher.begin(json!({ "game": "surakarta" }));
    // One client without a key opens a thousand streams and keeps what it gets.
    let flood = {
        let bare = teacher.without_key();
        let mut open = Vec::new();
        for n in 0..1000 {
            match bare.stream(&watched, &format!("f{n}")) {
                Ok(stream) => open.push(stream),
                Err(status) => assert_eq!(status, 429),
            }
        }
        open
    };
    assert!(flood.len() <= 400, "{} streams", flood.len());
    // One browser can't have many either.
    let greedy = Guest::enter(&link);
    let own: Vec<_> = (0..40).map(|n| greedy.stream(&watched, &format!("b{n}"))).collect();
    assert_eq!(own.iter().filter(|stream| stream.is_ok()).count(), 16);
    assert!(own.iter().all(|stream| !matches!(stream, Err(status) if *status != 429)));
    // Sixty pupils come behind the same address, and none of them is refused.
    let mut pupils: Vec<(Guest, String, Stream)> = (0..60)
        .map(|n| {
            let mut pupil = Guest::enter(&link);
            let id = pupil.begin(json!({ "game": "connect-four" }));
            let stream = pupil.stream(&id, &format!("p{n}"));
            let stream = stream.unwrap_or_else(|status| panic!("pupil {n} was refused: {status}"));
            (pupil, id, stream)
        })
        .collect();
    for (pupil, id, stream) in &mut pupils {
        pupil.play(id, 0, "4").good();
        stream.until(|head, _| head["played"] == 1);
    }
    drop(flood);
}

#[test]
fn silent_connections_keep_no_request_waiting() {
    let at = serve();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // 650 a second, and none says a word.
            let mut silent = Vec::new();
            while !over.load(SeqCst) {
                for _ in 0..65 {
                    silent.extend(TcpStream::connect(at));
                }
                // The server has closed the older ones long since.
                silent.drain(..silent.len().saturating_sub(1000));
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        std::thread::sleep(Duration::from_secs(2));
        let began = Instant::now();
        let mut worst = Duration::ZERO;
        while began.elapsed() < Duration::from_secs(4) {
            let asked = Instant::now();
            let id = begin(at, json!({ "game": "connect-four" }));
            post(at, &format!("/api/games/{id}"), &json!({ "do": "play", "ply": 0, "move": "4" }))
                .good();
            worst = worst.max(asked.elapsed());
        }
        over.store(true, SeqCst);
        assert!(worst < Duration::from_secs(3), "{worst:?}");
    });
}
