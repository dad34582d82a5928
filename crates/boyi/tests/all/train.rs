//! `boyi train` as a user runs it, and as a power cut ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use games::surakarta::Surakarta;
use games::{Game, Record, Rng, Text};
use records::{Format, GameRecord};
use session::GameSpec;
use tempfile::TempDir;

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

/// A path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn begin(folder: &Path) -> Command {
    let mut command = boyi();
    command.args(["train", "connect-four 4x4", "--out", text(folder), "--minutes", "600"]);
    command.args(SMALL.iter().flat_map(|setting| ["--set", setting]));
    command
}

fn resume(folder: &Path) -> Command {
    let mut command = boyi();
    command.args(["train", "--resume", text(folder)]);
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// How many files of a folder have such a name.
fn count(folder: &Path, is_meant: impl Fn(&str) -> bool) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| is_meant(&name.to_string_lossy())).count()
}

#[test]
fn a_run_that_is_killed_again_and_again_loses_nothing_that_was_written() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("killed");
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
        // A shard that was being written when the process died is none yet.
        let now = count(&folder.join("games"), |name| name.ends_with(".zst"));
        assert!(now >= shards, "shards were lost");
        shards = now;
    }
    // The time is over at once: the games are read, the network is saved and rated.
    let output = resume(&folder).args(["--minutes", "0.0001"]).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let net = folder.join("net.safetensors");
    let engine = format!("puct net={} sims=20", net.display());
    let output = boyi()
        .args(["analyse", "connect-four 4x4", "--engine", &engine, "--sims", "20"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let parts = count(&folder.join("games"), |name| name.ends_with(".part"));
    assert_eq!(parts, 0, "half a shard was left");
}

#[test]
fn a_network_trained_on_random_boards_plays_all_of_them() {
    let temp = TempDir::new().unwrap();
    let [first, second] = ["first", "second"].map(|name| temp.path().join(name));
    let train = |folder: &Path, more: &[&str]| {
        let mut command = boyi();
        command.args(["train", "connect-four", "--boards", "random", "--out", text(folder)]);
        command.args(SMALL.iter().chain(&["games=12"]).flat_map(|setting| ["--set", setting]));
        let output = command.args(more).output().unwrap();
        assert!(output.status.success(), "{}", told(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    train(&first, &[]);
    let net = first.join("net.safetensors");
    assert!(train(&second, &["--from", text(&net)]).contains("tensors from"));
    let engine = format!("puct net={} sims=20", net.display());
    for game in ["connect-four", "connect-four 9x9 hole=3,4", "connect-four 12x12 hole=6,7"] {
        let output = boyi().args(["analyse", game, "--engine", &engine, "--sims", "20"]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{game}: {}", told(&output));
    }
    for (game, words) in
        [("surakarta", "has no random boards"), ("connect-four 9x9", "no board is given")]
    {
        let folder = temp.path().join("none");
        let arguments = ["train", game, "--boards", "random", "--out", text(&folder)];
        let output = boyi().args(arguments).output().unwrap();
        assert!(told(&output).contains(words), "{}", told(&output));
        assert!(!folder.exists());
    }
}

#[test]
fn a_second_process_does_not_train_in_the_same_folder() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("run");
    let mut first = begin(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while lines(&folder.join("metrics.jsonl")) == 0 {
        assert_eq!(first.try_wait().unwrap(), None, "the first run goes on");
        thread::sleep(Duration::from_millis(5));
    }
    let second = resume(&folder).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2), "{}", told(&second));
    assert!(told(&second).contains("is being trained by another process"), "{}", told(&second));
    // The lock ended with its process.
    let third = resume(&folder).args(["--minutes", "0.0001"]).output().unwrap();
    assert!(third.status.success(), "{}", told(&third));
}

#[test]
fn settings_out_of_range_are_refused_before_anything_is_written() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("run");
    for setting in [
        "rate=-1",
        "selfplay.sims=0",
        "lambda=5",
        "channels=0",
        "channels=100000",
        "batch=1",
        "selfplay.games=0",
        "rule={\"adam\":{\"mean\":0.9,\"square\":1}}",
    ] {
        let output = begin(&folder).args(["--set", setting]).output().unwrap();
        let name = setting.split('=').next().unwrap();
        assert_eq!(output.status.code(), Some(2), "{setting}: {}", told(&output));
        assert!(told(&output).contains(&format!("the setting {name}")), "{}", told(&output));
        assert!(!folder.exists(), "{setting}");
    }
}

#[test]
fn a_network_that_cannot_be_read_leaves_no_run_behind() {
    let temp = TempDir::new().unwrap();
    let (folder, missing) = (temp.path().join("run"), temp.path().join("missing.safetensors"));
    let output = begin(&folder).arg("--from").arg(&missing).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("missing.safetensors"), "{}", told(&output));
    assert!(!folder.exists());
}

#[test]
fn settings_that_change_the_networks_shape_leave_a_run_as_it_is() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("run");
    let output = begin(&folder).args(["--set", "games=10"]).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let settings = || fs::read_to_string(folder.join("settings.json")).unwrap();
    let before = settings();
    for setting in ["channels=32", "blocks=2", "rule={\"sgd\":{\"momentum\":0.9}}"] {
        let output = resume(&folder).args(["--set", setting]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{setting}: {}", told(&output));
        assert!(told(&output).contains("start a new run"), "{}", told(&output));
        assert_eq!(settings(), before);
    }
    let output = resume(&folder).args(["--set", "games=12"]).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    assert_ne!(settings(), before);
}

/// A lock that is held in this process stands for another one.
#[test]
fn tables_and_books_are_built_by_one_process_at_a_time() {
    let temp = TempDir::new().unwrap();
    let build = |arguments: &[&str]| boyi().args(arguments).output().unwrap();
    let book = temp.path().join("mine.book");
    let tables = temp.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let commands: [(PathBuf, &[&str]); 2] = [
        (tables.join("tables"), &["tables", "build", "--pieces", "2", "--folder", text(&tables)]),
        (
            book.clone(),
            &["book", "build", "connect-four 4x4", "--solve", "--plies", "1", "--out", text(&book)],
        ),
    ];
    for (store, arguments) in commands {
        let lock = files::FileLock::acquire(&store).unwrap();
        let output = build(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains("another process has it"), "{}", told(&output));
        drop(lock);
        let output = build(arguments);
        assert!(output.status.success(), "{}", told(&output));
    }
}

#[test]
fn a_finished_run_has_a_report() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("curve");
    let output = begin(&folder).args(["--set", "games=40"]).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    // The first network and the last one.
    assert!(read("elo.svg").matches("<circle").count() >= 2);
    let page = read("report.html");
    assert!(page.contains(&read("elo.svg")) && page.contains(&read("losses.svg")));
    fs::remove_file(folder.join("report.html")).unwrap();
    let output = boyi().args(["train", "--report", text(&folder)]).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(read("report.html"), page);
}

/// A game of random moves as the contest writes it; a part of one, if so many
/// plies are given.
fn contest_record(seed: u64, plies: Option<usize>) -> String {
    let spec: GameSpec = "surakarta".parse().unwrap();
    let mut played = Record::new(Surakarta::start(&Default::default()).unwrap());
    let mut rng = Rng::seeded(seed);
    let mut record = GameRecord::new(spec);
    while played.outcome().is_none() && plies.is_none_or(|plies| record.moves.len() < plies) {
        let legal = played.legal();
        let mv = legal[rng.below(legal.len())];
        let text = played.game().move_text(mv);
        record.moves.push((Some(played.game().to_move()), text));
        played.play(mv).unwrap();
    }
    records::write(&record, Format::Contest).unwrap()
}

#[test]
fn a_run_starts_with_recorded_games() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let records = folder.join("records");
    fs::create_dir_all(&records).unwrap();
    for seed in 0..3 {
        fs::write(records.join(format!("{seed}.txt")), contest_record(seed, None)).unwrap();
    }
    fs::write(records.join("half.txt"), contest_record(7, Some(9))).unwrap();
    fs::write(records.join("notes.txt"), "nothing of the kind").unwrap();
    let run = folder.join("run");
    let output = boyi()
        .args(["train", "surakarta", "--out", run.to_str().unwrap(), "--minutes", "600"])
        .args(["--records", records.to_str().unwrap()])
        .args(SMALL.iter().flat_map(|setting| ["--set", setting]))
        // No more than the recorded games: there is nothing else to train on.
        .args(["--set", "games=3", "--set", "pace={\"per_game\":2}"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("3 recorded games to start with"), "{said}{}", told(&output));
    assert_eq!(told(&output).matches("left out").count(), 2, "{}", told(&output));
    assert!(told(&output).contains("notes.txt") && told(&output).contains("half.txt"));
    let rows = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let row: serde_json::Value = serde_json::from_str(rows.lines().last().unwrap()).unwrap();
    assert!(row["games"].as_u64() >= Some(3) && row["steps"].as_u64() >= Some(6), "{row}");
    let shards = learn::replay::Shards::open(&run.join("games")).unwrap();
    let first = shards.read(shards.numbers().unwrap()[0]).unwrap();
    // A recorded move is its ply's whole policy target.
    for played in &first[..3] {
        let top = |ply: &learn::selfplay::Ply| ply.policy().fold(0.0, f32::max);
        assert!(played.plies.iter().all(|ply| ply.value().is_none() && top(ply) == 1.0));
    }

    let empty = folder.join("empty");
    fs::create_dir_all(&empty).unwrap();
    let output = boyi()
        .args(["train", "surakarta", "--out", folder.join("again").to_str().unwrap()])
        .args(["--records", empty.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(told(&output).contains("holds no finished game"), "{}", told(&output));
}

#[test]
fn mistakes_are_reported_in_a_sentence() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("mistakes");
    for (words, says) in [
        (vec!["train", "connect-four"], "--out"),
        (vec!["train", "--resume", text(&folder)], "has no training run to resume"),
        (
            vec!["train", "connect-four", "--out", text(&folder), "--set", "colour=red"],
            "there is no setting 'colour'",
        ),
        (
            vec!["train", "connect-four", "--out", text(&folder), "--set", "batch=many"],
            "value is not valid",
        ),
    ] {
        let output = boyi().args(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(told(&output).contains(says), "{words:?}: {}", told(&output));
        assert!(!folder.exists(), "{words:?} wrote something");
    }
}
