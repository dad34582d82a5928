//! What the tests share: a broker, a small game, a trainer, waiting.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

use games::Game;
use games::dots_and_boxes::{DotsAndBoxes, Setup};
use learn::selfplay::SelfPlaySettings;
use learn::train::{RunConfig, RunFolder, TrainRatio, TrainSettings, Trainer};

pub const GAME: &str = "2x2";

pub fn start() -> DotsAndBoxes {
    DotsAndBoxes::start(&GAME.parse::<Setup>().expect("a setup")).expect("a board")
}

pub fn settings() -> TrainSettings {
    TrainSettings {
        threads: 1,
        blocks: 1,
        channels: 8,
        selfplay: SelfPlaySettings { games: 4, sims: 4, ..SelfPlaySettings::default() },
        batch_size: 16,
        ratio: TrainRatio::Reuse(1.0),
        random_games: 0,
        publish_seconds: 0.3,
        report_seconds: 0.3,
        minutes: 1e6,
        ..TrainSettings::default()
    }
}

/// The trainer of a run in this folder, new or resumed.
pub fn trainer(folder: &Path, settings: TrainSettings) -> Trainer<DotsAndBoxes> {
    let config = RunConfig { game: GAME.to_owned(), settings };
    let (folder, config) = match RunFolder::open(folder) {
        Ok(opened) => opened,
        Err(_) => (RunFolder::create(folder, &config).expect("a folder"), config),
    };
    Trainer::open(folder, start(), config.settings).expect("a trainer")
}

/// A process that dies with the test, and its output.
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

    /// The output of it and of its predecessors.
    pub fn output(&self) -> String {
        let output: String =
            self.logs.iter().map(|log| fs::read_to_string(log).expect("a log")).collect();
        assert!(!output.contains("panicked"), "{output}");
        output
    }

    /// SIGKILL on Unix: no chance to clean up.
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

/// A broker on a port that it chose, and its URL.
/// `more` is given to it as well.
pub fn start_broker(folder: &Path, more: &[&str]) -> (Process, String) {
    start_broker_at(folder, "-1", more)
}

/// The same on this port.
pub fn start_broker_at(folder: &Path, port: &str, more: &[&str]) -> (Process, String) {
    let mut command = Command::new("nats-server");
    command.args(["--addr", "127.0.0.1", "--port", port, "--jetstream", "--store_dir"]);
    command.arg(folder.join("broker")).arg("--ports_file_dir").arg(folder).args(more);
    let process = Process::new(command, folder.join("broker.log"));
    let ports = folder.join(format!("nats-server_{}.ports", process.child.id()));
    let url = wait("the broker's port", || {
        let ports: serde_json::Value = serde_json::from_slice(&fs::read(&ports).ok()?).ok()?;
        Some(ports["nats"][0].as_str()?.to_owned())
    });
    (process, url)
}

/// Sets the flag when it is dropped, so that no thread of a fleet goes on after a
/// failed assertion in another: a scope waits for all of them.
pub struct StopOnDrop<'a>(pub &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Polls until `found` gives something; test machines are busy.
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

/// Whether there is a broker to test with; false if the environment says to skip.
pub fn can_test() -> bool {
    if std::env::var_os("BOYI_NO_BROKER").is_some() {
        println!("BOYI_NO_BROKER is set: the fleet is not tested");
        return false;
    }
    let broker_there = Command::new("nats-server").arg("--version").output().is_ok();
    assert!(broker_there, "install the package nats-server, or set BOYI_NO_BROKER=1");
    true
}
