//! A contest day of 40 teams and nine Swiss rounds, whose server is killed again and
//! again: the event and its records end as those of an undisturbed day.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use event::{EventFolder, Format, GameEnd, Settings, Winner};
use games::Rng;
use serde_json::{Value, json};

use crate::client::{exchange, get, post, request};
use crate::server::Served;

const TEAMS: usize = 40;
const ROUNDS: usize = 9;
/// One request in so many is cut by a kill.
const KILLS: usize = 6;

fn names() -> Vec<String> {
    (1..=TEAMS).map(|n| format!("{n}队")).collect()
}

/// What happened at a table: its record, or a game that was not played. A record of
/// seven moves is a win of First; an unfinished one is adjudicated.
fn happening(round: usize, table: usize) -> (Option<&'static str>, GameEnd) {
    let mut rng = Rng::stream(round as u64, table as u64);
    match rng.below(10) {
        0 => (None, GameEnd::new(Winner::Second, "forfeit")),
        1 => (None, GameEnd::new(Winner::Nobody, "forfeit")),
        2..=4 => (Some("4433"), GameEnd::new(Winner::Draw, "agreed")),
        5..=7 => (Some("4435"), GameEnd::new(Winner::Second, "time")),
        _ => (Some("1212121"), GameEnd::new(Winner::First, "four in a row")),
    }
}

/// The server, and how often it was killed.
struct Day {
    served: Served,
    folder: std::path::PathBuf,
    rng: Rng,
    kills: usize,
}

impl Day {
    /// Asks until there is an answer; now and then the server is killed meanwhile.
    fn ask(&mut self, path: &str, body: &Value) {
        loop {
            let dies = self.rng.below(KILLS) == 0;
            let delay = Duration::from_micros(self.rng.below(8_000) as u64);
            let (at, served) = (self.served.at, &mut self.served);
            let status = std::thread::scope(|scope| {
                if dies {
                    scope.spawn(move || {
                        std::thread::sleep(delay);
                        served.kill();
                    });
                }
                answer(at, path, body)
            });
            if dies {
                self.kills += 1;
                self.served = Served::start(&self.folder.join("games.sqlite"), 0);
            }
            match status {
                Some(200) => return,
                Some(other) => panic!("{path} {body}: {other}"),
                // Killed before it answered: what was asked may be done, or not.
                None => {}
            }
        }
    }
}

/// The status of an answer; none if the server died.
fn answer(at: SocketAddr, path: &str, body: &Value) -> Option<u16> {
    let socket = TcpStream::connect(at).ok()?;
    let json = "content-type: application/json\r\n";
    let bytes = request(at, "POST", path, json, body.to_string().as_bytes());
    Some(exchange(socket, &bytes).status).filter(|&status| status != 0)
}

/// Every record and its text.
fn records(folder: &EventFolder) -> Vec<(String, String)> {
    let mut files: Vec<_> = std::fs::read_dir(folder.records())
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .filter(|(name, _)| !name.ends_with(".part"))
        .collect();
    files.sort();
    files
}

/// The same day without a server and without a kill.
fn undisturbed(path: &Path) -> EventFolder {
    let settings = Settings::new("Cup", "connect-four", Format::Swiss { rounds: ROUNDS });
    let names = names();
    let folder = EventFolder::create(path, settings, names.iter().map(String::as_str)).unwrap();
    for round in 0..ROUNDS {
        folder.change(|event| event.pair()).unwrap();
        for table in 0..TEAMS / 2 {
            let (record, end) = happening(round, table);
            if let Some(text) = record {
                folder.set_record((round, table, 0), text).unwrap();
            }
            folder.set_result((round, table, 0), Some(end)).unwrap();
        }
    }
    folder
}

pub fn run() {
    let folder = tempfile::TempDir::new().unwrap();
    let served = Served::start(&folder.path().join("games.sqlite"), 0);
    let rng = Rng::seeded(16);
    let mut day = Day { served, folder: folder.path().to_owned(), rng, kills: 0 };
    let new = json!({
        "name": "Cup", "game": "connect-four", "format": { "kind": "swiss", "rounds": ROUNDS },
        "games": 1, "minutes": 15, "teams": names().join("\n"),
    });
    // Not asked twice: a second event of the name would be another one.
    post(day.served.at, "/api/events", &new).good();
    for round in 0..ROUNDS {
        day.ask("/api/events/Cup", &json!({ "do": "pair", "round": round }));
        for table in 0..TEAMS / 2 {
            let (record, end) = happening(round, table);
            let place = json!([round, table, 0]);
            if let Some(text) = record {
                let command = json!({ "do": "record", "place": place, "text": text });
                day.ask("/api/events/Cup", &command);
            }
            day.ask("/api/events/Cup", &json!({ "do": "result", "place": place, "end": end }));
        }
    }
    assert!(day.kills >= 20, "{} kills", day.kills);
    let shown = get(day.served.at, "/api/events/Cup").good();
    assert_eq!(shown["finished"], true);
    day.served.kill();
    let other = tempfile::TempDir::new().unwrap();
    let whole = undisturbed(&other.path().join("Cup"));
    let ours = EventFolder::at(folder.path().join("events/Cup"));
    assert_eq!(ours.load().unwrap(), whole.load().unwrap());
    assert_eq!(records(&ours), records(&whole), "every record, with its right name");
    println!("{} kills in a day of {TEAMS} teams and {ROUNDS} rounds", day.kills);
}
