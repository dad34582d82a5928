//! A smoke tournament: every preset of every game plays every other, with next
//! to no time, and nobody moves illegally, crashes or overruns its time.

use std::process::Command;

use tempfile::TempDir;

fn tournament(game: &str, engines: &[&str], games: &str) {
    let temp = TempDir::new().unwrap();
    let export = temp.path().join("games.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_boyi"));
    command
        .args(["match", game, "--games", games, "--st", "0.004", "--cap", "60", "--margin", "5"]);
    command.arg("--store").arg(temp.path().join("games.sqlite"));
    command.arg("--export").arg(&export);
    for engine in engines {
        command.args(["--engine", engine]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
    let played = std::fs::read_to_string(&export).unwrap();
    assert!(played.lines().count() >= engines.len() * (engines.len() - 1), "{game}");
    for line in played.lines() {
        for fault in ["illegal move", "crashed", "\"reason\":\"time\""] {
            assert!(!line.contains(fault), "{game}: {line}");
        }
    }
}

#[test]
fn surakarta() {
    let engines =
        ["best", "paper-000", "paper-003", "level n=2", "uct", "puct", "alpha-beta", "random"];
    tournament("surakarta", &engines, "56");
}

#[test]
fn dots_and_boxes() {
    let engines = ["best", "paper-001", "level n=9", "uct", "puct", "alpha-beta", "random"];
    tournament("dots-and-boxes", &engines, "42");
}

#[test]
fn connect_four() {
    let engines = ["best", "paper-004", "level n=5", "uct", "puct", "alpha-beta", "random"];
    tournament("connect-four 10x9 hole=3,4", &engines, "42");
    tournament("connect-four", &["best", "paper-004", "alpha-beta"], "6");
}
