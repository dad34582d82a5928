//! `boyi train` as a user runs it, and as a power cut ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::folder::Folder;

/// Settings so small that a game takes milliseconds.
const SMALL: &[&str] = &[
    "blocks=1",
    "channels=8",
    "batch=16",
    "random_games=20",
    "random_steps=4",
    "report=0.2",
    "checkpoint=0.01",
    "match_pairs=1",
    "selfplay.games=8",
    "selfplay.sims=4",
];

fn boyi() -> Command {
    Command::new(env!("CARGO_BIN_EXE_boyi"))
}

fn begin(folder: &Folder) -> Command {
    let mut command = boyi();
    command.args(["train", "connect-four 4x4", "--out", folder.text(), "--minutes", "600"]);
    command.args(SMALL.iter().flat_map(|setting| ["--set", setting]));
    command
}

fn resume(folder: &Folder) -> Command {
    let mut command = boyi();
    command.args(["train", "--resume", folder.text()]);
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[test]
fn a_run_that_is_killed_again_and_again_loses_nothing_that_was_written() {
    let folder = Folder::absent("killed");
    let metrics = folder.join("metrics.jsonl");
    let mut shards = 0;
    for kill in 0..4 {
        let mut command = if kill == 0 { begin(&folder) } else { resume(&folder) };
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let before = lines(&metrics);
        // At least one report, then a moment that depends on nothing.
        while lines(&metrics) == before {
            if let Some(status) = child.try_wait().unwrap() {
                panic!("{status}: {}", told(&child.wait_with_output().unwrap()));
            }
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(37 * kill));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read_dir(folder.join("games")).unwrap().count();
        assert!(now >= shards, "shards were lost");
        shards = now;
    }
    // The time is over at once: what is there is read, kept and judged.
    let output = resume(&folder).args(["--minutes", "0.0001"]).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let net = folder.join("net.safetensors");
    let engine = format!("puct net={} sims=20", net.display());
    let output = boyi()
        .args(["analyse", "connect-four 4x4", "--engine", &engine, "--sims", "20"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let parts = |folder: PathBuf| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".part")).count()
    };
    assert_eq!(parts(folder.join("games")), 0, "half a shard was left");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = Folder::absent("mistakes");
    for (words, says) in [
        (vec!["train", "connect-four"], "--out"),
        (vec!["train", "--resume", folder.text()], "has no training run to go on with"),
        (
            vec!["train", "connect-four", "--out", folder.text(), "--set", "colour=red"],
            "there is no setting 'colour'",
        ),
        (
            vec!["train", "connect-four", "--out", folder.text(), "--set", "batch=many"],
            "no such value",
        ),
    ] {
        let output = boyi().args(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(told(&output).contains(says), "{words:?}: {}", told(&output));
        assert!(!folder.exists(), "{words:?} wrote something");
    }
}
