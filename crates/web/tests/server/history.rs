//! The history checker: clients play and add side lines while the server is killed,
//! its disk fills up or tears a write, and its wall clock jumps. Afterwards every
//! acknowledged move is there, once and in order, every acknowledged side move too,
//! and no clock has run out.
//!
//! Everything random comes from a seed, but for what the machine does in between:
//! a round that fails can be played again, and will mostly fail again.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use games::Rng;
use serde_json::{Value, json};
use storage::{DiskFault, DiskFaults};

use crate::client::{Answer, Stream, exchange};
use crate::server::Served;

const CLIENTS: usize = 20;
const GAMES: [&str; 3] = ["surakarta", "connect-four", "dots-and-boxes 3x3"];
/// Each player's time: far more than a run takes.
const TIME: u64 = 6 * 3_600_000;
const HOUR: i64 = 3_600_000;
/// Moves of all clients before the faults of a round begin, and how long to wait for
/// them.
const MOVES: u64 = 20;
const PATIENCE: Duration = Duration::from_secs(2);

/// A request to a server that may die meanwhile; none unless the whole answer has
/// come.
fn attempt(address: SocketAddr, path: &str, body: &Value) -> Option<Answer> {
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: \
         application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let socket = TcpStream::connect(address).ok()?;
    let answer = exchange(socket, (head + &body).as_bytes());
    (answer.status != 0 && answer.json() != Value::Null).then_some(answer)
}

/// A game as its client knows it.
struct Known {
    id: String,
    spec: &'static str,
    /// Acknowledged, or seen after a restart.
    moves: Vec<String>,
    /// Acknowledged side moves, each with the moves before it.
    sides: Vec<Vec<String>>,
    /// Sent, and no answer came or the server refused it: it may be there.
    unsure: Option<String>,
}

impl Known {
    /// A legal move of the position, or none if the game is over.
    fn next_move(&self, rng: &mut Rng) -> Option<String> {
        self.move_at(self.moves.len(), rng)
    }

    /// A legal move after so many moves of the game.
    fn move_at(&self, ply: usize, rng: &mut Rng) -> Option<String> {
        let mut session = session::open(&self.spec.parse().unwrap());
        let moves: Vec<&str> = self.moves[..ply].iter().map(String::as_str).collect();
        session.set(None, &moves).unwrap();
        let legal = session.legal_moves();
        (!legal.is_empty()).then(|| legal[rng.below(legal.len())].text.clone())
    }

    /// Compares with what the server has, and takes over a move that was unsure.
    fn check(&mut self, at: SocketAddr, round: usize) {
        let stream = Stream::open(at, &self.id, "check");
        let found: Vec<String> = stream.moves().into_iter().map(str::to_owned).collect();
        let (known, id) = (self.moves.len(), &self.id);
        assert!(found.len() >= known, "round {round}: {id} has lost moves after {}", found.len());
        assert_eq!(found[..known], self.moves, "round {round}: {id} has other moves");
        let more = &found[known..];
        let unsure = self.unsure.take();
        assert!(
            more.is_empty() || (more.len() == 1 && more.first() == unsure.as_ref()),
            "round {round}: {id} has moves that were never sent: {more:?}, not {unsure:?}"
        );
        assert_ne!(stream.head["outcome"]["reason"], "time", "round {round}: {id}");
        let lines = stream.side_paths();
        let lost = self.sides.iter().find(|side| !lines.contains(side));
        assert_eq!(lost, None, "round {round}: {id} has lost a side move of {lines:?}");
        self.moves = found;
    }
}

/// What a run did.
#[derive(Default)]
struct Figures {
    moves: AtomicU64,
    sides: AtomicU64,
    refused: AtomicU64,
    games: AtomicU64,
}

struct Client {
    rng: Rng,
    current: Option<Known>,
    finished: Vec<Known>,
}

impl Client {
    /// Plays until the server is gone or the round is over.
    fn play(&mut self, at: SocketAddr, over: &AtomicBool, figures: &Figures) {
        while !over.load(SeqCst) {
            let Some(known) = &mut self.current else {
                let spec = GAMES[self.rng.below(GAMES.len())];
                let request = json!({ "game": spec, "total": TIME });
                let Some(answer) = attempt(at, "/api/games", &request) else { return };
                if answer.status == 200 {
                    let id = answer.json()["id"].as_str().unwrap().to_owned();
                    figures.games.fetch_add(1, SeqCst);
                    self.current = Some(Known {
                        id,
                        spec,
                        moves: Vec::new(),
                        sides: Vec::new(),
                        unsure: None,
                    });
                }
                continue;
            };
            if self.rng.below(4) == 0 && known.unsure.is_none() && !known.moves.is_empty() {
                let ply = self.rng.below(known.moves.len());
                let Some(mv) = known.move_at(ply, &mut self.rng) else { continue };
                let request = json!({ "ply": ply, "move": mv });
                let answer = attempt(at, &format!("/api/games/{}/line", known.id), &request);
                match answer.map(|answer| (answer.status, answer.json()["node"].is_u64())) {
                    None => return,
                    Some((200, true)) => {
                        known.sides.push([&known.moves[..ply], &[mv]].concat());
                        figures.sides.fetch_add(1, SeqCst);
                    }
                    // The game's own move, or the disk.
                    Some(_) => {}
                }
            }
            let Some(mv) = known.unsure.clone().or_else(|| known.next_move(&mut self.rng)) else {
                self.finished.extend(self.current.take());
                continue;
            };
            let request = json!({ "do": "play", "ply": known.moves.len(), "move": mv });
            known.unsure = Some(mv.clone());
            let answer = attempt(at, &format!("/api/games/{}", known.id), &request);
            match answer.map(|answer| answer.status) {
                None => return,
                Some(200) => {
                    known.unsure = None;
                    known.moves.push(mv);
                    figures.moves.fetch_add(1, SeqCst);
                }
                // The disk: the same move is tried again.
                Some(_) => {
                    figures.refused.fetch_add(1, SeqCst);
                    std::thread::sleep(Duration::from_millis(3));
                }
            }
        }
    }
}

/// What goes wrong in a round before the kill, as lines for the server.
fn faults(rng: &mut Rng) -> Vec<(Duration, String)> {
    let mut found = Vec::new();
    let moment = |rng: &mut Rng| Duration::from_millis(rng.below(150) as u64);
    if rng.below(3) == 0 {
        found.push((moment(rng), "full".to_owned()));
        found.push((moment(rng), "well".to_owned()));
    }
    if rng.below(3) == 0 {
        found.push((moment(rng), format!("torn {}", 1 + rng.below(20))));
        found.push((moment(rng), "well".to_owned()));
    }
    if rng.below(3) == 0 {
        let hours = [-30 * 24, -1, 1, 24, 30 * 24][rng.below(5)];
        found.push((moment(rng), format!("clock {}", hours * HOUR)));
    }
    // A third of the rounds are killed on a disk that is still full.
    if rng.below(3) == 0 {
        found.push((moment(rng), "full".to_owned()));
    }
    found.push((moment(rng), String::new()));
    found
}

/// Plays so many rounds; each ends with a kill.
pub fn run(rounds: usize, seed: u64) {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let began = Instant::now();
    let mut rng = Rng::seeded(seed);
    let mut clients: Vec<Client> = (0..CLIENTS as u64)
        .map(|n| Client { rng: Rng::stream(seed, n + 1), current: None, finished: Vec::new() })
        .collect();
    let (figures, mut injected, mut jumps) = (Figures::default(), 0, 0);
    let mut server = Served::start(&data, 0);
    for round in 0..rounds {
        let (at, over) = (server.at, AtomicBool::new(false));
        std::thread::scope(|scope| {
            for client in &mut clients {
                let (over, figures) = (&over, &figures);
                scope.spawn(move || client.play(at, over, figures));
            }
            // In most rounds the clients get going first, however slow the machine.
            let enough = figures.moves.load(SeqCst) + if rng.below(4) > 0 { MOVES } else { 0 };
            let began = Instant::now();
            while figures.moves.load(SeqCst) < enough && began.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_millis(5));
            }
            for (pause, line) in faults(&mut rng) {
                std::thread::sleep(pause);
                injected += usize::from(line.starts_with("full") || line.starts_with("torn"));
                jumps += usize::from(line.starts_with("clock"));
                server.tell(&line);
            }
            server.kill();
            over.store(true, SeqCst);
        });
        server = Served::start(&data, 0);
        for client in &mut clients {
            let finished = client.finished.len();
            // Of the finished games, one that is chosen at random, and all at the
            // end.
            let checked = match (finished, round + 1 == rounds) {
                (0, _) => 0..0,
                (_, true) => 0..finished,
                (_, false) => {
                    let one = client.rng.below(finished);
                    one..one + 1
                }
            };
            for known in client.finished[checked].iter_mut().chain(&mut client.current) {
                known.check(server.at, round);
            }
        }
    }
    server.kill();
    println!(
        "history, seed {seed}: {rounds} kills, {injected} disk faults, {jumps} clock jumps; {} games, \
         {} moves and {} side moves acknowledged, {} refused; {:?}",
        figures.games.into_inner(),
        figures.moves.into_inner(),
        figures.sides.into_inner(),
        figures.refused.into_inner(),
        began.elapsed()
    );
}

/// In the server's process: reads what shall go wrong from standard input.
pub fn inject_from_stdin(data: &Path) {
    let faults = DiskFaults::watch(data.parent().unwrap());
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            match line.split_once(' ').unwrap_or((&line, "")) {
                ("full", _) => faults.arm(1, DiskFault::Full, true),
                ("torn", at) => faults.arm(at.parse().unwrap(), DiskFault::Torn, false),
                ("well", _) => faults.heal(),
                ("clock", shift) => web::clock::shift_wall_clock(shift.parse().unwrap()),
                _ => {}
            }
        }
        // The test is gone.
        std::process::exit(0);
    });
}
