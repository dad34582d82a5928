//! A classroom: many streams, many games. The long form is for `xtask soak`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Stream, begin, get, play, serve};

/// Opens streams and games for a while; gives the worst answer to a move in a
/// hundred.
fn classroom(streams: usize, games: usize, engine_seconds: f64, time: Duration) -> Duration {
    let at = serve();
    let watched = begin(at, json!({ "game": "surakarta" }));
    let over = AtomicBool::new(false);
    let news = AtomicUsize::new(0);
    let mut answers = thread::scope(|scope| {
        for n in 0..streams {
            let (watched, news, over) = (&watched, &news, &over);
            thread::Builder::new()
                .stack_size(256 << 10)
                .spawn_scoped(scope, move || {
                    let mut stream = Stream::open(at, watched, &format!("w{n}"));
                    while !over.load(SeqCst) {
                        if stream.next().0 == "game" {
                            news.fetch_add(1, SeqCst);
                        }
                    }
                })
                .unwrap();
        }
        let players: Vec<_> =
            (0..games).map(|n| scope.spawn(move || person(at, n, engine_seconds, time))).collect();
        let answers: Vec<Duration> =
            players.into_iter().flat_map(|player| player.join().unwrap()).collect();
        over.store(true, SeqCst);
        // A last word, so that everybody wakes up and goes.
        play(at, &watched, 0, "b5-b4").good();
        answers
    });
    assert!(news.load(SeqCst) >= streams, "every stream heard of the move");
    assert_eq!(get(at, "/").status, 200);
    answers.sort();
    answers[answers.len() * 99 / 100]
}

/// Plays against an engine until the time is up, and checks that no move is
/// lost. Gives how long each of the person's moves took to be taken.
fn person(
    at: std::net::SocketAddr,
    n: usize,
    engine_seconds: f64,
    time: Duration,
) -> Vec<Duration> {
    let began = Instant::now();
    let mut answers = Vec::new();
    while began.elapsed() < time {
        let seats = json!(["human", { "engine": "uct memory=16" }]);
        let id = begin(
            at,
            json!({ "game": "connect-four", "seats": seats, "move_seconds": engine_seconds }),
        );
        let mut stream = Stream::open(at, &id, &format!("p{n}"));
        let mut own = Vec::new();
        while began.elapsed() < time && stream.head["outcome"].is_null() {
            let legal = stream.head["legal"].as_array().unwrap();
            let mv = legal[(n + own.len()) % legal.len()][0].as_str().unwrap().to_owned();
            let ply = stream.head["played"].as_u64().unwrap();
            let asked = Instant::now();
            play(at, &id, ply as usize, &mv).good();
            answers.push(asked.elapsed());
            own.push(mv);
            stream.until(|head, _| {
                !head["outcome"].is_null()
                    || (head["to_move"] == 0 && head["played"].as_u64() > Some(ply + 1))
            });
            let kept: Vec<&str> = stream.moves().into_iter().step_by(2).collect();
            assert_eq!(kept, own, "no move is lost");
        }
    }
    answers
}

#[test]
fn a_classroom_for_a_moment() {
    // Only that no move is lost: this machine may be busy with other tests.
    let worst = classroom(60, 8, 0.1, Duration::from_secs(4));
    println!("99 of 100 moves were taken within {worst:?}");
}

#[test]
#[ignore = "five minutes: cargo xtask soak"]
fn a_classroom_for_five_minutes() {
    let before = memory();
    let worst = classroom(200, 20, 1.0, Duration::from_secs(300));
    println!("99 of 100 moves were taken within {worst:?}");
    assert!(worst < Duration::from_millis(100), "{worst:?}");
    let grown = memory().saturating_sub(before);
    println!("memory grew by {} MB", grown >> 20);
    assert!(grown < 600 << 20, "{} MB", grown >> 20);
}

/// Resident memory in bytes, where the system tells it.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).map_or(0, |n| n * 4096)
}
