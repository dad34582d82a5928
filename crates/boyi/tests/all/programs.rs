//! Outside programs that misbehave, as real processes in real matches: the right
//! one loses, for the right reason, and the match goes on to its end.
//!
//! The programs are shell scripts. No verdict here depends on how long something
//! takes: limits of time are only given where the program never answers in time.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// A clock that an engine in order keeps on the busiest machine.
const CLOCK: &[&str] = &["--st", "0.05", "--margin", "1.5"];

/// The spec of a program that does `action` when it has to move.
fn ugi(folder: &Path, action: &str, more: &str) -> String {
    let script = format!(
        "while read -r line; do\n\
             case \"$line\" in\n\
                 ugi) echo ugiok ;;\n\
                 isready) echo readyok ;;\n\
                 uginewgame) n=0 ;;\n\
                 go*) n=$((n + 1)); {action} ;;\n\
                 quit) exit 0 ;;\n\
             esac\n\
         done\n"
    );
    script_spec(folder, &script, more)
}

fn script_spec(folder: &Path, script: &str, more: &str) -> String {
    let file = folder.join("program.sh");
    std::fs::write(&file, script).unwrap();
    format!("program {more} command=\"sh '{}'\"", file.display())
}

fn run(folder: &Path, game: &str, engine: &str, more: &[&str]) -> Output {
    Command::new(BOYI)
        .args(["match", game, "--games", "2", "--seed", "5", "--concurrency", "2"])
        .args(["--engine", "uct memory=4", "--engine", engine, "--sims", "30"])
        .args(more)
        .arg("--store")
        .arg(folder.join("store.sqlite"))
        .arg("--export")
        .arg(folder.join("games.jsonl"))
        .output()
        .unwrap()
}

/// Winner (as `first` or `second`), whether the program began, reason and note of
/// every game.
fn games(folder: &Path, output: &Output) -> Vec<(String, bool, String, String)> {
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let games = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let games: Vec<_> = games
        .map(|game| {
            let began = word(&game["first"]).starts_with("program");
            (word(&game["winner"]), began, word(&game["reason"]), word(&game["note"]))
        })
        .collect();
    assert_eq!(games.len(), 2, "the match was not played to its end");
    assert_eq!(games.iter().filter(|game| game.1).count(), 1, "both have both colours");
    games
}

/// Every game is lost by the program, for this reason, with this word in the note.
fn loses(name: &str, action: &str, more: &[&str], spec: &str, reason: &str, word: &str) {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let engine = ugi(folder, action, spec);
    let output = run(folder, "connect-four", &engine, more);
    for (winner, began, why, note) in games(folder, &output) {
        assert_eq!(winner, if began { "second" } else { "first" }, "{name}: {why}, {note}");
        assert_eq!(why, reason, "{name}: {note}");
        assert!(note.contains(word), "{name}: {note}");
    }
}

/// A program in order plays whole games in every protocol that is spoken, at a game
/// with and one without moves of its own in it.
#[test]
fn programs_play_in_every_protocol() {
    for (protocol, game, word) in [
        ("ugi", "connect-four", "> uginewgame"),
        ("ugi", "surakarta", "> uginewgame"),
        // As an engine Boyi speaks UCI at the variant of chess alone.
        ("uci", "connect-four", "moves P@"),
        ("gtp", "connect-four", "> play b x"),
        ("gtp", "surakarta", "> genmove "),
    ] {
        let temp = TempDir::new().unwrap();
        let folder = temp.path();
        let engine = format!(
            "program protocol={protocol} log=\"{}\" command=\"'{BOYI}' engine --game {game}\"",
            folder.join("log").display()
        );
        let output = run(folder, game, &engine, &["--st", "0.02", "--margin", "60", "--cap", "30"]);
        for (_, _, reason, note) in games(folder, &output) {
            let fault = ["crashed", "illegal move", "time"].contains(&reason.as_str());
            assert!(!fault && note.is_empty(), "{protocol} {game}: {reason}, {note}");
        }
        let log = std::fs::read_to_string(folder.join("log")).unwrap();
        assert!(log.contains(word), "{protocol} {game}: {log}");
    }
}

/// A GTP program that refuses, lies or dies loses, as others do.
#[test]
fn gtp_programs_that_misbehave_lose() {
    for (name, action, reason, word) in [
        ("refuses", "printf '? cannot\\n\\n'", "illegal move", "cannot"),
        ("lies", "printf '= x9\\n\\n'", "illegal move", "x9"),
        ("dies", "exit 3", "crashed", "exit status: 3"),
    ] {
        let temp = TempDir::new().unwrap();
        let folder = temp.path();
        let script = format!(
            "while read -r line; do\n\
                 case \"$line\" in\n\
                     genmove*) {action} ;;\n\
                     quit) exit 0 ;;\n\
                     *) printf '=\\n\\n' ;;\n\
                 esac\n\
             done\n"
        );
        let engine = script_spec(folder, &script, "protocol=gtp");
        let output = run(folder, "connect-four", &engine, &[]);
        for (winner, began, why, note) in games(folder, &output) {
            assert_eq!(winner, if began { "second" } else { "first" }, "{name}: {why}, {note}");
            assert!(why == reason && note.contains(word), "{name}: {why}, {note}");
        }
    }
}

#[test]
fn who_crashes_has_crashed() {
    loses("exits", "exit 3", &[], "", "crashed", "exit status: 3");
    loses("is-killed", "kill -9 $$", &[], "", "crashed", "signal: 9");
    loses("second-move", "[ $n = 2 ] && exit 4; echo bestmove $n", &[], "", "crashed", "status: 4");
    loses("hangs-up", "exec 1>&-; exec sleep 5", &[], "", "crashed", "closed its output");
}

#[test]
fn who_cheats_has_moved_illegally() {
    loses("off-the-board", "echo bestmove 99", &[], "", "illegal move", "'bestmove 99'");
    loses("says-nothing", "echo bestmove", &[], "", "illegal move", "'bestmove'");
    loses("talks", "echo bestmove please wait", &[], "", "illegal move", "please");
}

#[test]
fn who_stalls_or_is_late_loses_on_time_and_without_a_clock_by_silence() {
    loses("stalls", "exec sleep 100", CLOCK, "", "time", "answered after");
    let game = ["--tc", "0.3+0.01", "--margin", "1.5"];
    loses("stalls-tc", "exec sleep 100", &game, "", "time", "answered after");
    loses("late", "sleep 2; echo bestmove $n", CLOCK, "", "time", "answered after");
    loses("no-clock", "exec sleep 100", &[], "patience=0.5", "crashed", "no answer for");
}

/// More than any pipe or queue holds, with and without line ends, and then
/// nothing of use: the program is not waited for beyond its time, and what it
/// wrote is not kept.
#[test]
fn who_floods_is_treated_as_silent() {
    let endless = |name: &str, flood: &str| {
        loses(name, flood, CLOCK, "", "time", "answered after");
        let name = format!("{name}-no-clock");
        loses(&name, flood, &[], "patience=0.5", "crashed", "no answer for");
    };
    endless("flood-of-lines", "exec yes babble");
    endless("flood-of-infos", "exec yes info depth 3 nodes 4 score cp 5 pv 4 4 4");
    endless("flood-without-line-ends", "yes babble | tr -d '\\n'");
    endless("flood-of-zeros", "exec cat /dev/zero");
}

/// A flood with an answer behind it is an answer.
#[test]
fn who_floods_and_then_answers_plays_on() {
    for (name, flood) in [
        ("a-line-of-megabytes", "head -c 3000000 /dev/zero | tr '\\0' x; echo"),
        ("megabytes-in-lines", "yes babble | head -c 3000000; echo"),
        ("long-lines", "for i in 1 2 3 4 5 6 7 8; do head -c 2000000 /dev/zero; echo; done"),
    ] {
        let temp = TempDir::new().unwrap();
        let folder = temp.path();
        let engine = ugi(folder, &format!("{flood}; echo bestmove $((n % 8 + 1))"), "");
        let output = run(folder, "connect-four 8x7", &engine, &[]);
        for (_, _, why, note) in games(folder, &output) {
            assert_eq!(why, "four in a row", "{name}: {note}");
        }
    }
}

#[test]
fn who_does_not_start_is_told_before_the_match() {
    for (script, word) in
        [(None, "can't be started"), (Some("exit 1"), "does not answer as UGI asks")]
    {
        let temp = TempDir::new().unwrap();
        let folder = temp.path();
        let engine = match script {
            Some(script) => script_spec(folder, script, ""),
            None => "program command=/no/such/program".to_owned(),
        };
        let output = run(folder, "connect-four", &engine, &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(word) && told.lines().count() == 1, "{told}");
        assert!(!folder.join("store.sqlite").exists(), "nothing was begun");
    }
}

#[test]
fn who_does_not_start_again_loses_every_game() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    // The first start is the check before the match.
    let script = format!(
        "cd '{}'; [ -e started ] && exit 1; touch started\n\
         while read -r line; do case \"$line\" in ugi) echo ugiok ;; isready) echo readyok ;; \
         quit) exit 0 ;; esac; done\n",
        folder.display()
    );
    let engine = script_spec(folder, &script, "");
    let output = run(folder, "connect-four", &engine, &[]);
    for (winner, began, why, note) in games(folder, &output) {
        assert_eq!(winner, if began { "second" } else { "first" }, "{why}, {note}");
        assert_eq!(why, "crashed", "{note}");
        assert!(note.contains("could not be started"), "{note}");
    }
}

/// How a fault is counted: the reason of the game, and a word of the note.
type Counted = (&'static str, &'static str);

/// What a program does when it has to move, and how that is counted with a clock
/// and without one.
struct FaultCase {
    name: &'static str,
    action: &'static str,
    timed: Counted,
    untimed: Counted,
}

const fn case(name: &'static str, action: &'static str, timed: Counted) -> FaultCase {
    FaultCase { name, action, timed, untimed: timed }
}

const fn silent(name: &'static str, action: &'static str) -> FaultCase {
    let (timed, untimed) = (("time", "answered after"), ("crashed", "no answer for"));
    FaultCase { name, action, timed, untimed }
}

const FAULTS: [FaultCase; 9] = [
    case("exit", "exit 3", ("crashed", "exit status: 3")),
    case("EOF", "exec 1>&-; exec sleep 9", ("crashed", "closed its output")),
    silent("flood", "exec yes babble"),
    silent("silence", "exec sleep 9"),
    silent("late", "sleep 2; echo bestmove $n"),
    case("illegal", "echo bestmove 99", ("illegal move", "'bestmove 99'")),
    silent("half a line", "printf 'bestmove 1'; exec sleep 9"),
    case("half a line, exit", "printf 'bestmove 1'; exit 3", ("crashed", "exit status: 3")),
    case("double", "echo bestmove $n; echo bestmove $n", ("illegal move", "a second answer")),
];

/// How long a fault may take to be a lost game, beyond what it takes to be one and
/// what the start of all processes takes.
const DECIDED: Duration = Duration::from_secs(1);
const STARTED: Duration = Duration::from_secs(1);

/// Every fault under every kind of limit: the program loses both games for the right
/// reason, soon after the fault, the match is played to its end, and the summary
/// counts it, as text and as JSON.
#[test]
fn every_fault_loses_under_every_limit() {
    // The time of a move, and how it is limited.
    let limits: [(&str, &[&str], bool); 5] = [
        ("st", &["--sims", "20", "--st", "0.2", "--margin", "0.3"], true),
        ("tc", &["--sims", "20", "--tc", "0.2+0.01", "--margin", "0.3"], true),
        ("sims", &["--sims", "20"], false),
        ("nodes", &["--nodes", "200"], false),
        ("depth", &["--depth", "2"], false),
    ];
    let cases: Vec<_> =
        FAULTS.iter().flat_map(|fault| limits.iter().map(move |limit| (fault, limit))).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((fault, limit)) = cases.get(next.fetch_add(1, Relaxed)) {
                    // A busy machine may be late itself, but not three times.
                    let quick = (0..3).any(|_| fault_loses(fault, limit));
                    assert!(quick, "{} under {}: decided too late", fault.name, limit.0);
                }
            });
        }
    });
}

/// Whether the fault was decided in time; everything else is asserted.
fn fault_loses(fault: &FaultCase, (limit, arguments, timed): &(&str, &[&str], bool)) -> bool {
    let case = format!("{} under {limit}", fault.name);
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let engine = ugi(folder, fault.action, "patience=0.5");
    let store = folder.join("store.sqlite");
    let play = |more: &[&str]| {
        Command::new(BOYI)
            .args(["match", "connect-four", "--games", "2", "--concurrency", "2", "--seed", "5"])
            .args(["--engine", "alpha-beta depth=2 table=1", "--engine", &engine])
            .args(*arguments)
            .arg("--store")
            .arg(&store)
            .args(more)
            .output()
            .unwrap()
    };
    let begun = Instant::now();
    let export = folder.join("games.jsonl");
    let output = play(&["--export", export.to_str().unwrap()]);
    let took = begun.elapsed();
    let (reason, word) = if *timed { fault.timed } else { fault.untimed };
    for (winner, began, why, note) in games(folder, &output) {
        assert_eq!(winner, if began { "second" } else { "first" }, "{case}: {why}, {note}");
        assert_eq!(why, reason, "{case}: {note}");
        assert!(note.contains(word), "{case}: {note}");
    }
    let text = String::from_utf8(output.stdout).unwrap();
    let kinds =
        [("crashed", "crashes"), ("illegal move", "illegal moves"), ("time", "time losses")];
    let counts = kinds.map(|(kind, name)| format!("{name} {}", if kind == reason { 2 } else { 0 }));
    let line = text.lines().find(|line| line.starts_with("Forfeits of program"));
    let line = line.unwrap_or_else(|| panic!("{case}: {text}"));
    assert!(counts.iter().all(|count| line.contains(count)), "{case}: {line}");
    assert!(line.contains("first in game 1: ") && line.contains(word), "{case}: {line}");
    // The same command again has nothing to play, and prints the summary as JSON.
    let summary: serde_json::Value = serde_json::from_slice(&play(&["--json"]).stdout).unwrap();
    for (kind, name) in [("crashed", "crashes"), ("illegal move", "illegal_moves")] {
        assert_eq!(
            summary["engines"][1]["forfeits"][name],
            if kind == reason { 2 } else { 0 },
            "{case}"
        );
    }
    assert_eq!(
        summary["engines"][1]["forfeits"]["time_losses"],
        if reason == "time" { 2 } else { 0 }
    );
    assert_eq!(summary["engines"][1]["forfeits"]["first"][0], 1, "{case}: {summary}");
    assert_eq!(
        summary["engines"][0]["forfeits"]["first"],
        serde_json::Value::Null,
        "{case}: {summary}"
    );
    // At most half a second of time or patience passes before it is a fault.
    took < STARTED + Duration::from_millis(500) + DECIDED
}

/// The contest platform's protocol has its own adapter.
#[test]
fn contest_programs_that_misbehave_lose_too() {
    for (name, action, more, spec, reason, word) in [
        ("sau-exits", "exit 3", &[][..], "", "crashed", "exit status: 3"),
        ("sau-cheats", "echo move ZZZZ", &[], "", "illegal move", "after two errors"),
        ("sau-stalls", "exec sleep 100", CLOCK, "", "time", "answered after"),
        ("sau-silent", "exec sleep 100", &[], "patience=0.5", "crashed", "no answer for"),
        ("sau-floods", "exec yes babble", &[], "patience=0.5", "crashed", "no answer for"),
        ("sau-flood", "yes x | tr -d '\\n'", &[], "patience=0.5", "crashed", "no answer for"),
    ] {
        let temp = TempDir::new().unwrap();
        let folder = temp.path();
        let script = format!(
            "while read -r word rest; do case \"$word\" in\n\
             'name?') echo name X ;; new|move) [ \"$rest\" = white ] || {{ {action}; }} ;;\n\
             error) {action} ;; quit|exit) exit 0 ;; esac; done\n"
        );
        let engine = script_spec(folder, &script, &format!("protocol=sau {spec}"));
        let more = [&["--opening-plies", "0"], more].concat();
        let output = run(folder, "surakarta", &engine, &more);
        for (winner, began, why, note) in games(folder, &output) {
            assert_eq!(winner, if began { "second" } else { "first" }, "{name}: {why}, {note}");
            assert_eq!(why, reason, "{name}: {note}");
            assert!(note.contains(word), "{name}: {note}");
        }
    }
}
