//! A match on a fleet of players that are killed at random equals the match that is
//! played here, game by game. With a real broker; BOYI_NO_BROKER=1 leaves it out.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// A process that dies with the test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Process {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Process(quiet.spawn().unwrap())
    }

    /// SIGKILL on Unix: no chance to clean up.
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A broker on a port that it chose, and its URL.
fn start_broker(folder: &Path) -> (Process, String) {
    let mut command = Command::new("nats-server");
    command.args(["--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir"]).arg(folder);
    let process = Process::start(&mut command);
    let ports = folder.join(format!("nats-server_{}.ports", process.0.id()));
    let begun = Instant::now();
    loop {
        let read = std::fs::read(&ports).unwrap_or_default();
        if let Ok(ports) = serde_json::from_slice::<Value>(&read) {
            return (process, ports["nats"][0].as_str().unwrap().to_owned());
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the broker has no port");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn player(url: &str) -> Process {
    Process::start(Command::new(BOYI).args(["fleet", "player", "--nats", url]))
}

/// A match of two engines limited by counts; its games without their times.
fn play(folder: &Path, name: &str, games: u64, more: &[&str]) -> Command {
    let mut command = Command::new(BOYI);
    command.current_dir(folder).args(["match", "connect-four", "--engine", "uct memory=4"]);
    command.args(["--engine", "alpha-beta table=1 depth=4", "--sims", "5000", "--seed", "3"]);
    command.args(["--games", &games.to_string(), "--store", &format!("{name}.sqlite")]);
    command.args(["--export", &format!("{name}.jsonl"), "--json"]).args(more);
    command
}

fn games(folder: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    let mut games: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for game in &mut games {
        for ply in game["plies"].as_array_mut().unwrap() {
            ply["micros"] = 0.into();
        }
    }
    games
}

/// Kills a player `kills` times in all, and the process with the match once, and
/// starts each again.
fn killed_at_random(games_played: u64, kills: u32) {
    if std::env::var_os("BOYI_NO_BROKER").is_some() {
        println!("BOYI_NO_BROKER is set: matches on a fleet are not tested");
        return;
    }
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let quiet = play(folder, "quiet", games_played, &[]).output().unwrap();
    assert!(quiet.status.success(), "{quiet:?}");
    let (_broker, url) = start_broker(folder);
    let mut players: Vec<Process> = (0..4).map(|_| player(&url)).collect();
    let fleet = ["--fleet", url.as_str(), "--concurrency", "8"];
    let run = || {
        let mut command = play(folder, "fleet", games_played, &fleet);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut the_match = run();
    let mut chance = games::Rng::seeded(11);
    for kill in 0..kills {
        std::thread::sleep(Duration::from_millis(50 + chance.below(400) as u64));
        let number = chance.below(players.len());
        players[number].kill();
        players[number] = player(&url);
        if kill == kills / 2 {
            let _ = the_match.kill();
            let _ = the_match.wait();
            the_match = run();
        }
    }
    let output = the_match.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (here, there) = (games(folder, "quiet"), games(folder, "fleet"));
    assert_eq!(here.len() as u64, games_played);
    assert!(here == there, "game by game the same");
    let figures = |bytes: &[u8]| {
        let json: Value = serde_json::from_slice(bytes).unwrap();
        (json["encounters"].clone(), json["engines"].clone(), json["finished"].clone())
    };
    assert_eq!(figures(&quiet.stdout), figures(&output.stdout), "and the same statistics");
}

#[test]
fn a_match_on_a_fleet_equals_the_one_played_here() {
    killed_at_random(40, 5);
}

#[test]
#[ignore = "long: part of cargo xtask soak"]
fn four_players_killed_ten_times_each_change_no_game() {
    killed_at_random(400, 40);
}

#[test]
fn a_player_refuses_what_it_does_not_play() {
    let temp = TempDir::new().unwrap();
    let told = play(temp.path(), "m", 2, &["--fleet", "nats://127.0.0.1:1"]).output().unwrap();
    assert!(String::from_utf8(told.stderr).unwrap().contains("no connection to the broker"));
    let program =
        ["--engine", "program command=\"sh -c 'exit 1'\"", "--fleet", "nats://127.0.0.1:1"];
    let told = play(temp.path(), "m", 2, &program).output().unwrap();
    assert_eq!(told.status.code(), Some(2), "{told:?}");
}
