//! Golden transcripts: what each protocol answers to each line.
//!
//! A file in `golden` begins with `# protocol`, `# game`, `# engine` and perhaps
//! `# settings` lines; then `> ` is what we say and `< ` what is answered, with
//! times masked. `UPDATE_GOLDEN=1` writes the answers anew.

use std::io::{Read, Seek};
use std::path::Path;

use protocols::course::Saiblo;
use protocols::sau::{Sau, SauSettings};
use protocols::{Dialect, Gtp, Log, ProtocolHandler, ProtocolRunner, Ugi};
use search::Limits;
use session::{EngineSpec, GameSpec};

fn mask(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for i in 1..words.len() {
        if words[i - 1] == "time" {
            words[i] = "T";
        }
    }
    words.join(" ")
}

fn replay<H: ProtocolHandler>(mut runner: ProtocolRunner<H>, script: &str) -> String {
    let mut out = String::new();
    for line in script.lines().filter(|line| !line.starts_with('<')) {
        out += &format!("{line}\n");
        let Some(said) = line.strip_prefix("> ") else { continue };
        for answer in runner.exchange(said) {
            // Progress depends on the clock; the answer's own line does not.
            let answer = answer.replace(|c: char| c.is_control(), "·");
            out += format!("< {}", mask(&answer)).trim_end();
            out.push('\n');
        }
    }
    out
}

fn transcript(script: &str) -> String {
    let head = |name: &str| {
        let start = format!("# {name} ");
        script.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_owned)
    };
    let game: GameSpec = head("game").expect("a game").parse().unwrap();
    let engine: EngineSpec = head("engine").expect("an engine").parse().unwrap();
    let quiet = Log::default;
    match head("protocol").expect("a protocol").as_str() {
        "ugi" => {
            let handler = Ugi::new(Dialect::Ugi, &game, engine.clone(), 1);
            replay(ProtocolRunner::new(handler, engine, 1, quiet()), script)
        }
        "uci" => {
            let handler = Ugi::new(Dialect::Uci, &game, engine.clone(), 1);
            replay(ProtocolRunner::new(handler, engine, 1, quiet()), script)
        }
        "sau" => {
            let text = head("settings").unwrap_or_default().replace(';', "\n");
            let (settings, complaints) = SauSettings::parse(&text);
            assert!(complaints.is_empty(), "{complaints:?}");
            let handler = Sau::new(&game, settings).expect("the platform has it");
            replay(ProtocolRunner::new(handler, engine, 1, quiet()), script)
        }
        "gtp" => replay(ProtocolRunner::new(Gtp::new(&game, 1), engine, 1, quiet()), script),
        "saiblo" => {
            let limits = Limits { sims: Some(200), ..Limits::default() };
            replay(ProtocolRunner::new(Saiblo::new(limits, 1), engine, 1, quiet()), script)
        }
        other => panic!("no protocol {other}"),
    }
}

#[test]
fn every_transcript_is_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let script = std::fs::read_to_string(&path).unwrap();
        let found = transcript(&script);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &found).unwrap();
        } else {
            assert_eq!(found, script, "{}", path.display());
        }
        seen += 1;
    }
    assert!(seen >= 8, "{seen} transcripts");
}

#[test]
fn input_is_heard_while_searching_and_an_endless_search_waits_for_stop() {
    // The first engine never ends, the second is done at once: both wait.
    for engine in ["uct memory=4", "random"] {
        let (game, engine) =
            ("connect-four".parse().unwrap(), engine.parse::<EngineSpec>().unwrap());
        let handler = Ugi::new(Dialect::Ugi, &game, engine.clone(), 1);
        let mut runner = ProtocolRunner::new(handler, engine, 1, Log::default());
        assert!(runner.exchange("go infinite").is_empty());
        assert_eq!(runner.exchange("isready"), ["readyok"]);
        assert_eq!(runner.exchange("query p1turn"), ["response true"]);
        let mut answer = runner.exchange("stop");
        let best = answer.pop().unwrap();
        assert!(best.starts_with("bestmove ") && best.split(' ').count() == 2, "{best}");
        assert!(runner.exchange("stop").is_empty(), "one answer for one question");
    }
}

#[test]
fn an_engine_that_fails_is_replaced_by_any_legal_move() {
    // Its spec fits another game, so it can't be built when it is needed.
    let (game, engine) =
        ("connect-four".parse().unwrap(), "paper-000".parse::<EngineSpec>().unwrap());
    let mut file = tempfile::tempfile().unwrap();
    let log = Log(Some(file.try_clone().unwrap()));
    let handler = Ugi::new(Dialect::Ugi, &game, engine.clone(), 1);
    let mut runner = ProtocolRunner::new(handler, engine, 1, log);
    assert_eq!(runner.exchange("go nodes 10").last().unwrap(), "bestmove 1");
    assert_eq!(runner.exchange("isready"), ["readyok"]);
    let mut logged = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut logged).unwrap();
    assert_eq!(logged, "paper-000 plays surakarta, not connect-four\n");
}
