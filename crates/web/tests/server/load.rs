//! A classroom: many streams, many games. The long form is for `xtask soak`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use web::Options;

use crate::client::{Stream, begin, get, play, serve_with};

/// How a classroom went.
struct Lesson {
    /// How long each of a person's moves took to be taken, the quickest first.
    answers: Vec<Duration>,
    /// Resident memory in bytes, at equal distances of time.
    memory: Vec<u64>,
}

impl Lesson {
    /// The worst answer to a move in a hundred.
    fn worst(&self) -> Duration {
        self.answers[self.answers.len() * 99 / 100]
    }

    /// The most memory in a part of the time, given in thirds.
    fn most(&self, third: usize) -> u64 {
        let part = self.memory.len() / 3;
        self.memory[third * part..(third + 1) * part].iter().copied().max().unwrap_or(0)
    }
}

/// Opens streams and games against an engine for a while, at a server with so
/// many megabytes for engines.
fn classroom(
    [streams, games]: [usize; 2],
    (engine, seconds): (&str, f64),
    megabytes: u64,
    time: Duration,
) -> Lesson {
    let at = serve_with(Options { memory: megabytes, ..Options::local(0) });
    let watched = begin(at, json!({ "game": "surakarta" }));
    let over = AtomicBool::new(false);
    let news = AtomicUsize::new(0);
    let mut lesson = thread::scope(|scope| {
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
        let players: Vec<_> = (0..games)
            .map(|n| scope.spawn(move || person(at, n, (engine, seconds), time)))
            .collect();
        let mut usage = Vec::new();
        while !players.iter().all(|player| player.is_finished()) {
            usage.push(memory());
            thread::sleep(time / 60);
        }
        let answers: Vec<Duration> =
            players.into_iter().flat_map(|player| player.join().unwrap()).collect();
        over.store(true, SeqCst);
        // A last word, so that every client wakes up and ends.
        play(at, &watched, 0, "b5-b4").good();
        Lesson { answers, memory: usage }
    });
    assert!(news.load(SeqCst) >= streams, "every stream heard of the move");
    assert_eq!(get(at, "/").status, 200);
    lesson.answers.sort();
    lesson
}

/// Plays against an engine until the time is up, and checks that no move is
/// lost. Gives how long each of the person's moves took to be taken.
fn person(
    at: std::net::SocketAddr,
    n: usize,
    (engine, seconds): (&str, f64),
    time: Duration,
) -> Vec<Duration> {
    let began = Instant::now();
    let mut answers = Vec::new();
    while began.elapsed() < time {
        let seats = json!(["human", { "engine": engine }]);
        let id =
            begin(at, json!({ "game": "connect-four", "seats": seats, "move_seconds": seconds }));
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
    let lesson = classroom([60, 8], ("uct memory=16", 0.1), 1024, Duration::from_secs(4));
    println!("99 of 100 moves were taken within {:?}", lesson.worst());
}

#[test]
fn engines_that_wait_make_room_for_others() {
    // The memory holds four engines; six games share it.
    let lesson = classroom([1, 6], ("uct", 0.05), 16, Duration::from_secs(4));
    assert!(lesson.answers.len() >= 12, "{} moves", lesson.answers.len());
}

#[test]
#[ignore = "five minutes: cargo xtask soak"]
fn a_classroom_for_five_minutes() {
    // `BOYI_SOAK_SECONDS` makes it shorter, for trying things out.
    let seconds = std::env::var("BOYI_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let time = Duration::from_secs(seconds.unwrap_or(300));
    let lesson = classroom([200, 20], ("uct memory=16", 1.0), 1024, time);
    let (moves, worst) = (lesson.answers.len(), lesson.worst());
    println!("{moves} moves; 99 of 100 were taken within {worst:?}");
    let most = [0, 1, 2].map(|third| lesson.most(third) >> 20);
    println!("memory by thirds of the time: {most:?} MB");
    assert!(worst < Duration::from_millis(100), "{worst:?}");
    assert!(most[2] < most[1] + 50, "memory is not flat: {most:?} MB");
    assert!(most[2] < 20 * 16 + 130, "more than twenty engines of 16 MB: {most:?} MB");
}

/// Resident memory in bytes, where the system tells it.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).map_or(0, |n| n * 4096)
}
