//! `match`, `tune`, `reproduce` and `export` as a user gives them: what they
//! write, that they go on where they were killed, and what they say to mistakes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// Runs in a folder, where every file goes.
pub fn boyi(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(BOYI).current_dir(folder).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Refused with one sentence, exit code 2, and nothing written.
fn refused(folder: &Path, arguments: &[&str], word: &str) {
    let before = std::fs::read_dir(folder).unwrap().count();
    let output = boyi(folder, arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(output.stdout.is_empty() && told.starts_with("boyi: "), "{arguments:?}: {told}");
    assert!(!told.contains("For more information"), "{told}");
    assert!(told.trim_end().lines().count() == 1 && told.contains(word), "{arguments:?}: {told}");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), before, "{arguments:?} wrote something");
}

const SWEEP: &[&str] = &[
    "tune",
    "connect-four",
    "--engine",
    "uct memory=4",
    "--against",
    "random",
    "--parameter",
    "c",
    "--values",
    "0.1,0.5,1,2",
    "--games",
    "4",
    "--sims",
    "20",
    "--degree",
    "2",
    "--plot",
    "c.svg",
];

#[test]
fn a_sweep_is_told_drawn_and_kept() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let told = text(&boyi(folder, SWEEP));
    let values: Vec<&str> = told.lines().filter(|line| line.starts_with("c = ")).collect();
    assert_eq!(values.len(), 4, "{told}");
    assert!(values.iter().all(|line| line.contains("of 4 games")), "{told}");
    assert!(told.lines().last().unwrap().contains("best"), "{told}");
    let picture = read(folder, "c.svg");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("<circle").count(), 4, "a point for each value");
    // Nothing is played again, and more games keep those played.
    assert_eq!(text(&boyi(folder, SWEEP)), told);
    let json = text(&boyi(folder, &[SWEEP, &["--json"]].concat()));
    let curve: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(curve["samples"].as_array().unwrap().len(), 4);
    assert_eq!(curve["finished"], true);
}

#[test]
fn several_parameters_move_at_once() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let told = text(&boyi(
        folder,
        &[
            "tune",
            "dots-and-boxes 2x2",
            "--engine",
            "uct memory=4",
            "--spsa",
            "c=0.5,0,2,0.1",
            "--spsa",
            "rollouts=2,1,4,1",
            "--games",
            "8",
            "--sims",
            "10",
        ],
    ));
    let names: Vec<&str> = told.lines().filter_map(|line| line.split(" = ").next()).collect();
    assert_eq!(names, ["c", "rollouts"]);
}

#[test]
fn mistakes_in_tuning_are_told_before_anything_is_played() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let base = &["tune", "connect-four", "--engine", "uct", "--games", "4"];
    let with = |more: &[&'static str]| [&base[..], more].concat();
    let sweep = ["--against", "random", "--sims", "10"];
    let values = ["--parameter", "c", "--values"];
    let tune = |more: &[&'static str]| with(&[&sweep, more].concat());
    refused(folder, &with(&["--sims", "10"]), "--against");
    refused(folder, &with(&["--against", "random", "--parameter", "c"]), "think for ever");
    refused(folder, &tune(&[&values[..], &["1,2"]].concat()), "degree 4 needs at least 5 values");
    refused(folder, &tune(&[&values[..], &["1,x"]].concat()), "'x'");
    let low = ["--degree", "1"];
    refused(folder, &tune(&[&values[..], &["1,-5"], &low].concat()), "c=-5");
    refused(
        folder,
        &tune(&["--parameter", "height", "--values", "1,2", "--degree", "1"]),
        "height",
    );
    refused(folder, &with(&["--sims", "10", "--spsa", "c=1"]), "NAME=START,LOW,HIGH,STEP");
    refused(folder, &with(&["--sims", "10", "--spsa", "c=1,2,0,1"]), "from LOW to HIGH");
    refused(folder, &with(&["--sims", "10", "--spsa", "c=1,-1,2,1"]), "c=-1");
    refused(folder, &["tune", "chess", "--engine", "uct"], "chess");
}

#[test]
fn experiments_are_listed_and_named() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let all = text(&boyi(folder, &["reproduce", "--list"]));
    assert!(all.lines().count() >= 12 && all.contains("001-table-1 "), "{all}");
    let some = text(&boyi(folder, &["reproduce", "000", "003-window", "--list"]));
    assert_eq!(some.lines().count(), 8, "{some}");
    refused(folder, &["reproduce", "005"], "000-figure-4");
    refused(folder, &["reproduce", "--profile", "huge"], "huge");
    refused(folder, &["reproduce", "--concurrency", "0"], "0");
    refused(folder, &["reproduce", "004", "--samples", "nowhere"], "nowhere");
    let told = String::from_utf8(
        boyi(folder, &["reproduce", "001", "--profile", "full", "--estimate"]).stderr,
    );
    assert!(told.unwrap().contains("in all about"), "an estimate");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "nothing was played");
}

/// Killed as soon as it has begun an experiment, at each in turn, and given again:
/// what comes out at last is what an undisturbed run finds.
#[test]
fn killed_and_given_again_it_finds_the_same() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let ids = ["000-table-1", "000-table-2", "000-table-3", "000-figure-7", "003"];
    let arguments =
        |out| [&["reproduce"], &ids[..], &["--profile", "smoke", "--out", out]].concat();
    let quiet = text(&boyi(folder, &arguments("quiet")));
    assert!(quiet.contains("000-figure-7: ") && quiet.contains("the report is "), "{quiet}");
    for name in ["report.html", "report.json", "report.csv", "000-table-1-1.svg"] {
        assert!(!read(&folder.join("quiet"), name).is_empty(), "{name}");
    }
    let report: Value = serde_json::from_str(&read(&folder.join("quiet"), "report.json")).unwrap();
    for name in ["date", "commit", "machine", "signature"] {
        assert!(report["made"][name].as_str().is_some_and(|text| text.len() >= 7), "{report}");
    }
    for experiment in 2..=5 {
        let mut child = Command::new(BOYI)
            .current_dir(folder)
            .args(arguments("killed"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = format!("{experiment} of 6: ");
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let seen = lines.map_while(Result::ok).any(|line| line.starts_with(&begun));
        assert!(seen, "experiment {experiment} was not begun");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = text(&boyi(folder, &arguments("killed")));
    assert_eq!(resumed.replace("killed", "quiet"), quiet);
    for name in ["report.html", "report.json", "report.csv"] {
        let (a, b) = (read(&folder.join("quiet"), name), read(&folder.join("killed"), name));
        assert_eq!(a, b, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_command_that_goes_on() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let arguments = |games: &'static str| {
        [
            "match",
            "connect-four",
            "--engine",
            "random",
            "--engine",
            "uct sims=50 memory=4",
            "--games",
            games,
            "--store",
            "my games.sqlite",
        ]
    };
    let child = Command::new(BOYI)
        .current_dir(folder)
        .args(arguments("1000000"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It is made when the match begins, after an interrupt would be heard.
    while !folder.join("my games.sqlite.lock").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    let command = told.lines().last().unwrap().trim();
    assert!(told.contains("interrupted; the same command continues:"), "{told}");
    assert!(command.ends_with(" --games 1000000 --store 'my games.sqlite'"), "{command}");
    assert!(command.contains("--engine 'uct sims=50 memory=4'"), "{command}");
    // The same match, made shorter, goes on from there to its end.
    assert!(text(&boyi(folder, &arguments("4"))).contains("Games: 4"));
    assert!(
        text(&boyi(folder, &["export", "games", "--store", "my games.sqlite"])).starts_with("1: ")
    );
}

/// A store that the program wrote before there was a journal (c19e6d6): its games
/// are as they were. What that program played is not known to be what this one
/// plays, so the same command begins a match of its own beside them.
#[test]
fn a_store_of_an_earlier_version_is_migrated_and_keeps_its_games() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/data");
    std::fs::copy(data.join("match-c19e6d6.sqlite"), folder.join("m.sqlite")).unwrap();
    let written = std::fs::read_to_string(data.join("match-c19e6d6.jsonl")).unwrap();
    let engines = ["--engine", "uct memory=4", "--engine", "alpha-beta table=1 depth=3"];
    let rest = ["--seed", "7", "--sims", "60", "--store", "m.sqlite", "--games", "4"];
    text(&boyi(folder, &[&["match", "connect-four"], &engines[..], &rest[..]].concat()));
    let listed = text(&boyi(folder, &["export", "games", "--store", "m.sqlite"]));
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let export = ["export", "games", "old.jsonl", "--store", "m.sqlite", "--match", "1"];
    text(&boyi(folder, &export));
    assert_eq!(read(folder, "old.jsonl"), written, "the games of before");
}

/// What was played is not played twice, unless the user says so; then both stay.
#[test]
fn a_finished_match_says_that_its_games_are_stored_and_can_be_played_anew() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    std::fs::write(folder.join("openings.txt"), "# the centre\n44 # twice\n\n35\n").unwrap();
    let play = |more: &[&str]| {
        let engines = ["--engine", "uct memory=4 name=wide", "--engine", "random"];
        let rest = ["--sims", "20", "--games", "4", "--openings", "openings.txt"];
        text(&boyi(folder, &[&["match", "connect-four"], &engines[..], &rest[..], more].concat()))
    };
    let first = play(&[]);
    assert!(first.contains("wide against random") && !first.contains("--fresh"), "{first}");
    let stored = play(&[]);
    assert!(stored.contains("All games come from boyi-matches.sqlite; --fresh"), "{stored}");
    let fresh = play(&["--fresh"]);
    assert!(!fresh.contains("All games come"), "{fresh}");
    assert_eq!(fresh, first, "by simulations and one seed the same games");
    let json: Value = serde_json::from_str(&play(&["--json"])).unwrap();
    assert_eq!((&json["stored_before"], &json["finished"]), (&4.into(), &true.into()));
    assert_eq!(json["settings"]["repetition"], 1, "the newest counts");
    assert_eq!(json["engines"][0]["name"], "wide");
    assert_eq!(text(&boyi(folder, &["export", "games"])).lines().count(), 2);
}

/// An engine can have a clock of its own.
#[test]
fn a_time_control_of_one_engine() {
    let temp = TempDir::new().unwrap();
    let engines = ["--engine", "uct memory=4 tc=2+0.01", "--engine", "random"];
    let rest = ["--games", "2", "--json"];
    let arguments = [&["match", "connect-four 4x4"], &engines[..], &rest[..]].concat();
    let json: Value = serde_json::from_str(&text(&boyi(temp.path(), &arguments))).unwrap();
    let pace = |engine: usize| &json["settings"]["engines"][engine]["allowance"]["pace"];
    assert_eq!((&pace(0)["Game"]["base"]["secs"], pace(1)), (&2.into(), &"Free".into()), "{json}");
}

#[test]
fn three_engines_get_ratings() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let three =
        ["--engine", "random", "--engine", "uct memory=4", "--engine", "alpha-beta table=1"];
    let limits = ["--games", "12", "--sims", "20", "--depth", "2"];
    let told = text(&boyi(folder, &[&["match", "connect-four"], &three[..], &limits[..]].concat()));
    assert_eq!(told.matches(" against ").count(), 3, "{told}");
    assert!(told.contains("Bradley-Terry") && told.trim_end().lines().count() > 3, "{told}");
    let gauntlet = [&["match", "connect-four", "--gauntlet"], &three[..], &limits[..]].concat();
    assert_eq!(text(&boyi(folder, &gauntlet)).matches(" against ").count(), 2);
    let listed = text(&boyi(folder, &["export", "games"]));
    assert_eq!(listed.lines().count(), 2, "{listed}");
    refused(folder, &["export", "games", "out"], "2 matches");
    refused(folder, &["export", "games", "out", "--match", "3"], "2 matches");
    refused(folder, &["export", "games", "--store", "none.sqlite"], "none.sqlite");
    text(&boyi(folder, &["export", "games", "out.csv", "--match", "2"]));
    assert_eq!(read(folder, "out.csv").lines().count(), 1 + 12);
}

/// A Swiss match plays whole rounds, goes on with more, and tells only who met.
#[test]
fn a_swiss_match_pairs_by_points_and_can_be_made_longer() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let engines =
        ["random name=a", "uct memory=4 name=b", "alpha-beta table=1 name=c", "random name=d"];
    let play = |games: &'static str, more: &[&'static str]| {
        let mut arguments =
            vec!["match", "connect-four", "--swiss", "--sims", "20", "--depth", "2"];
        engines.iter().for_each(|engine| arguments.extend(["--engine", engine]));
        text(&boyi(folder, &[&arguments[..], &["--games", games], more].concat()))
    };
    // Two pairs a round: 1 vs 2 and 3 vs 4, then by points.
    let first = play("4", &[]);
    assert_eq!(first.matches(" against ").count(), 2, "{first}");
    assert!(first.contains("a against b") && first.contains("c against d"), "{first}");
    let json: Value = serde_json::from_str(&play("12", &["--json"])).unwrap();
    assert_eq!((&json["pairs"], &json["stored_before"]), (&6.into(), &4.into()));
    assert_eq!(json["settings"]["format"], "Swiss");
    let met = json["encounters"].as_array().unwrap();
    let games = |e: &Value| {
        e["results"]["wins"].as_u64().unwrap()
            + e["results"]["losses"].as_u64().unwrap()
            + e["results"]["draws"].as_u64().unwrap()
    };
    assert!(met.iter().all(|e| games(e) == 2), "three rounds of four: everybody met: {json}");
}

/// A file of openings may begin at positions; the games can be read back.
#[test]
fn openings_may_be_positions() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let openings = "# a position, and one with moves\nposition 7/7/7/7/3o3/3x3 x\n\
                    position 7/7/7/7/3o3/3x3 x moves 35\n44 # moves alone\n";
    std::fs::write(folder.join("openings.txt"), openings).unwrap();
    let play = |engine: &str| {
        let engines = ["--engine", "uct memory=4", "--engine", engine];
        let rest = ["--sims", "20", "--games", "6", "--openings", "openings.txt"];
        boyi(folder, &[&["match", "connect-four"], &engines[..], &rest[..]].concat())
    };
    text(&play("random"));
    text(&boyi(folder, &["export", "games", "games.jsonl"]));
    let games: Vec<Value> = read(folder, "games.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let opening = |game: usize| games[game]["opening"].as_str().unwrap();
    assert_eq!([opening(0), opening(1)], ["position 7/7/7/7/3o3/3x3 x"; 2]);
    assert_eq!(opening(2), "position 7/7/7/7/3o3/3x3 x moves 35");
    assert_eq!(opening(4), "44");
    assert!(games[0]["moves"].as_str().unwrap().starts_with("position 7/7/7/7/3o3/3x3 x moves "));
    text(&boyi(folder, &["export", "games", "records"]));
    for entry in std::fs::read_dir(folder.join("records")).unwrap() {
        let path = entry.unwrap().path();
        text(&boyi(folder, &["record", "check", path.to_str().unwrap()]));
        let shown = text(&boyi(folder, &["record", "show", path.to_str().unwrap(), "--json"]));
        let shown: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown["game"], "connect-four");
        assert_eq!(
            shown["moves"].as_array().unwrap().len() as u64,
            shown["plies"].as_u64().unwrap()
        );
    }
    let list: Value =
        serde_json::from_str(&text(&boyi(folder, &["export", "games", "--json"]))).unwrap();
    assert_eq!(
        (&list["matches"][0]["games"], &list["schema"]),
        (&6.into(), &"boyi-matches/1".into())
    );
    let told =
        play(&format!("program protocol=gtp command=\"'{BOYI}' engine --game connect-four\""));
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(told.contains("can't begin at a position"), "{told}");
    std::fs::write(folder.join("openings.txt"), "position 7/7 x\n").unwrap();
    refused(
        folder,
        &[
            "match",
            "connect-four",
            "--engine",
            "random",
            "--engine",
            "random",
            "--games",
            "2",
            "--openings",
            "openings.txt",
        ],
        "opening 1: ",
    );
}

/// A contest's record for each game: legal, with the same moves, players and
/// result as the store has.
#[test]
fn games_come_out_as_contest_records() {
    for (game, end) in
        [("surakarta", "txt"), ("dots-and-boxes", "json"), ("connect-four 9x8 hole=3,3", "txt")]
    {
        let temp = TempDir::new().unwrap();
        let folder = temp.path();
        let arguments = [
            "match",
            game,
            "--engine",
            "uct memory=4",
            "--engine",
            "random",
            "--games",
            "4",
            "--sims",
            "30",
            "--export",
        ];
        text(&boyi(folder, &[&arguments[..], &["games.jsonl"]].concat()));
        text(&boyi(folder, &[&arguments[..], &["records"]].concat()));
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("records"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let lines = read(folder, "games.jsonl");
        assert_eq!((files.len(), lines.lines().count()), (4, 4));
        for (file, line) in files.iter().zip(lines.lines()) {
            assert_eq!(file.extension().unwrap(), end);
            let stored: Value = serde_json::from_str(line).unwrap();
            let path = file.to_str().unwrap();
            let checked = text(&boyi(folder, &["record", "check", path]));
            assert!(checked.starts_with("legal: ") && checked.lines().count() == 1, "{checked}");
            assert!(checked.contains(stored["reason"].as_str().unwrap()), "{checked}");
            let plain = text(&boyi(folder, &["record", "convert", path, "--to", "plain"]));
            // A long game takes several lines.
            let field = |key: &str| {
                let lines: Vec<&str> = plain
                    .lines()
                    .filter_map(|line| line.strip_prefix(key))
                    .map(str::trim)
                    .collect();
                lines.join(" ")
            };
            assert_eq!(field("first:"), stored["first"].as_str().unwrap());
            assert_eq!(field("second:"), stored["second"].as_str().unwrap());
            assert_eq!(field("result:"), stored["winner"].as_str().unwrap_or("draw"));
            let moves = stored["moves"].as_str().unwrap();
            assert_eq!(field("moves:").replace([' ', ','], ""), moves.replace([' ', ','], ""));
        }
    }
}

#[test]
fn mistakes_in_a_match_are_told_before_it_begins() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let two = &["match", "surakarta", "--engine", "random", "--engine", "uct", "--games", "2"];
    let with = |more: &[&'static str]| [&two[..], more].concat();
    refused(folder, &with(&[]), "think for ever: give --st, --sims or --nodes");
    // Alpha-beta does not count simulations.
    let best = ["match", "surakarta", "--engine", "random", "--engine", "best", "--games", "2"];
    refused(folder, &[&best[..], &["--sims", "9"]].concat(), "'best', which is alpha-beta here,");
    refused(folder, &with(&["--sims", "9", "--export", "games.xls"]), ".csv");
    refused(folder, &with(&["--tc", "ten"]), "10+0.1");
    let spec = "program protocol=sau command=cat";
    let sau = ["match", "surakarta", "--engine", spec, "--engine", "random", "--games", "2"];
    refused(folder, &[&sau[..], &["--st", "1"]].concat(), "--opening-plies 0");
    refused(folder, &[&two[..5], &["uct tc=x", "--games", "2"]].concat(), "10+0.1");
    refused(folder, &with(&["--sims", "9", "--sprt", "elo0=5,elo1=0"]), "elo0");
    refused(folder, &with(&["--sims", "9", "--sprt", "speed=5"]), "elo0, elo1");
    refused(folder, &with(&["--sims", "9", "--resign", "0.9x3"]), "0.9");
    refused(folder, &with(&["--sims", "9", "--openings", "nowhere.txt"]), "nowhere.txt");
    refused(folder, &with(&["--sims", "9", "--opening-plies", "4000"]), "4000");
    refused(folder, &["match", "surakarta", "--engine", "random", "--games", "2"], "at least two");
    refused(
        folder,
        &["match", "surakarta", "--engine", "paper-004", "--engine", "random", "--games", "2"],
        "paper-004",
    );
}
