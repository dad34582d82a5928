//! A contest day by the command line.

use std::process::{Command, Output};

use tempfile::TempDir;

fn event(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boyi"));
    command.arg("event").args(arguments).current_dir(folder.path()).output().unwrap()
}

/// What a command printed.
fn said(folder: &TempDir, arguments: &[&str]) -> String {
    let output = event(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The sentence of a refusal.
fn refused(folder: &TempDir, arguments: &[&str]) -> String {
    let output = event(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.trim_end().lines().count(), 1, "{sentence}");
    sentence
}

#[test]
fn a_small_event_from_the_command_line() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("teams.txt"), "甲\n乙\n丙\n").unwrap();
    std::fs::write(folder.path().join("game.txt"), "1212121").unwrap();
    let new = ["new", "cup", "--game", "connect-four", "--rounds", "2", "--teams", "teams.txt"];
    assert_eq!(said(&folder, &new), "cup: 3 teams\n");
    assert!(refused(&folder, &new).contains("already"));
    assert!(refused(&folder, &["pair", "nowhere"]).contains("no event"));
    let pairs = said(&folder, &["pair", "cup"]);
    assert!(pairs.contains("table   1:") && pairs.contains("bye:"), "{pairs}");
    assert_eq!(said(&folder, &["pair", "cup", "--round", "1"]), pairs, "asked twice, paired once");
    assert!(refused(&folder, &["pair", "cup"]).contains("table 1 has no result"));
    assert!(refused(&folder, &["result", "cup", "1", "9", "first"]).contains("no table 9"));
    assert!(refused(&folder, &["result", "cup", "0", "1", "first"]).contains("from 1 on"));
    let bad = ["result", "cup", "1", "1", "first", "--reason", "luck"];
    assert!(refused(&folder, &bad).contains("luck"));
    let name = said(&folder, &["record", "cup", "1", "1", "game.txt"]);
    assert!(name.starts_with("R1T1：") && name.trim_end().ends_with("胜.txt"), "{name}");
    assert!(folder.path().join("cup/records").join(name.trim_end()).is_file());
    said(&folder, &["pair", "cup", "--round", "2"]);
    said(&folder, &["result", "cup", "2", "1", "nobody", "--reason", "forfeit"]);
    let chart = said(&folder, &["chart", "cup"]);
    assert!(chart.contains("bye") && chart.contains('!') && chart.contains("Buchholz"), "{chart}");
    assert_eq!(said(&folder, &["chart", "cup", "--csv"]).lines().count(), 4);
    assert!(refused(&folder, &["pair", "cup"]).contains("all 2 rounds"));
}
