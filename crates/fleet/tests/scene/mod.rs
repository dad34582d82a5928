//! What the tests of a fleet share: a broker, a small game, patience.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use games::Game;
use games::dots_and_boxes::{DotsAndBoxes, Setup};
use learn::selfplay;
use learn::train::{Pace, Settings};

pub const GAME: &str = "2x2";

pub fn start() -> DotsAndBoxes {
    DotsAndBoxes::start(&GAME.parse::<Setup>().expect("a setup")).expect("a board")
}

pub fn settings() -> Settings {
    Settings {
        threads: 1,
        blocks: 1,
        channels: 8,
        selfplay: selfplay::Settings { games: 4, sims: 4, ..selfplay::Settings::default() },
        batch: 16,
        pace: Pace::Reuse(1.0),
        random_games: 0,
        publish: 0.3,
        report: 0.3,
        minutes: 1e6,
        ..Settings::default()
    }
}

/// A process that dies with the test, and what it says.
pub struct Process {
    pub child: Child,
    pub logs: Vec<PathBuf>,
}

impl Process {
    pub fn new(mut command: Command, log: PathBuf) -> Process {
        let out = File::create(&log).expect("a log");
        command.stdin(Stdio::null()).stdout(out.try_clone().expect("a log")).stderr(out);
        Process { child: command.spawn().expect("a process"), logs: vec![log] }
    }

    /// Everything it and those before it said.
    pub fn said(&self) -> String {
        let said: String =
            self.logs.iter().map(|log| fs::read_to_string(log).expect("a log")).collect();
        assert!(!said.contains("panicked"), "{said}");
        said
    }

    /// SIGKILL on Unix: no chance to tidy up.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A broker on a port that it chose, and its address.
/// `more` is given to it as well.
pub fn broker(folder: &Path, more: &[&str]) -> (Process, String) {
    let mut command = Command::new("nats-server");
    command.args(["--addr", "127.0.0.1", "--port", "-1", "--jetstream", "--store_dir"]);
    command.arg(folder.join("broker")).arg("--ports_file_dir").arg(folder).args(more);
    let process = Process::new(command, folder.join("broker.log"));
    let ports = folder.join(format!("nats-server_{}.ports", process.child.id()));
    let url = wait("the broker's port", || {
        let ports: serde_json::Value = serde_json::from_slice(&fs::read(&ports).ok()?).ok()?;
        Some(ports["nats"][0].as_str()?.to_owned())
    });
    (process, url)
}

/// What `found` finds, sooner or later; machines that test are busy.
pub fn wait<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "waited in vain for {what}");
        sleep(Duration::from_millis(50));
    }
}

/// Whether there is a broker to test with, or somebody said that there is none.
pub fn can_test() -> bool {
    if std::env::var_os("BOYI_NO_BROKER").is_some() {
        println!("BOYI_NO_BROKER is set: the fleet is not tested");
        return false;
    }
    let broker_there = Command::new("nats-server").arg("--version").output().is_ok();
    assert!(broker_there, "install the package nats-server, or set BOYI_NO_BROKER=1");
    true
}

/// An empty folder of this process.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("boyi-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
