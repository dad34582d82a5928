//! The real program at the other end of pipes: hostile input, and two copies of
//! it that play each other.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};

use games::Record;
use search::{Engine, Limits, Runner};
use session::engine::build;
use session::{EngineSpec, GameSpec, GameVisitor, Playable};
use tempfile::TempDir;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

fn engine(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(BOYI)
        .arg("engine")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Everything that nobody should send.
fn garbage() -> Vec<u8> {
    let mut bytes =
        b"\n\r\n\xff\xfe\xfd\n\0\0\0\nposition\nmoves\ngo\xc3\nsetoption name\n".to_vec();
    bytes.extend(vec![b'x'; 10 << 20]);
    bytes.extend_from_slice(b"\nposition startpos moves ");
    bytes.extend(b"4 ".repeat(2 << 20));
    bytes.push(b'\n');
    bytes
}

#[test]
fn what_is_certain_is_a_mate() {
    // A four at once, two fours to block, and a row of two threats.
    for (moves, mate) in
        [("4 1 4 1 4 1", "mate 1"), ("4 1 5 1 6", "mate -2"), ("4 4 5 5", "mate 3")]
    {
        let input = format!("ugi\nposition startpos moves {moves}\ngo nodes 3000\n");
        for engine_spec in ["uct memory=4", "puct memory=4", "best book=off memory=6"] {
            let said = text(&engine(&["--engine", engine_spec], input.as_bytes()));
            let last = said.lines().rfind(|line| line.contains(" score ")).unwrap_or_default();
            assert!(last.contains(&format!("score {mate} ")), "{engine_spec}, {moves}: {said}");
        }
    }
}

#[test]
fn garbage_does_not_end_the_game() {
    let mut input = b"ugi\n".to_vec();
    input.extend(garbage());
    input.extend_from_slice(b"position startpos moves 4\nquery p1turn\ngo nodes 50\n");
    let said = text(&engine(&["--engine", "uct memory=4"], &input));
    assert!(said.contains("response false\n"), "the game goes on");
    let best = said.lines().last().unwrap();
    assert!(best.starts_with("bestmove ") && best.split(' ').count() == 2, "{best}");

    let mut input = b"clear_board\n".to_vec();
    input.extend(garbage());
    input.extend_from_slice(b"play b x3\n7 genmove w\n");
    let said = text(&engine(&["--engine", "uct memory=4 sims=50"], &input));
    assert!(said.trim_end().lines().last().unwrap().starts_with("=7 o"), "{said}");

    let mut input = garbage();
    input.extend_from_slice(b"uci\nposition startpos\ngo nodes 50"); // no line end
    let said = text(&engine(&["--engine", "uct memory=4"], &input));
    assert!(said.contains("uciok\n") && said.contains("\nbestmove P@"), "{said}");

    let input =
        b"0044{\"type\":0,\"row\":9,\"col\":9,\"nox\":0,\"noy\":0}  0003{{{0012{\"type\": 2 }";
    let said = text(&engine(&["--engine", "random"], input));
    assert_eq!(said, "");
    assert_eq!(text(&engine(&[], b"")), "", "nothing at all");
}

#[test]
fn whoever_stops_listening_is_left_alone() {
    let mut child = Command::new(BOYI)
        .args(["engine", "--engine", "uct memory=4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(b"ugi\nisready\ngo infinite\nisready\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    drop(stdin);
}

#[test]
fn mistakes_in_the_arguments_are_told_at_once() {
    for (arguments, word) in [
        (&["--protocol", "xboard"][..], "the protocols are"),
        (&["--game", "chess"], "there is no game"),
        (&["--engine", "deep-blue"], "there is no engine"),
        (&["--game", "surakarta", "--protocol", "uci"], "no words for surakarta"),
        (&["--protocol", "sau", "--game", "connect-four"], "does not have connect-four"),
        (&["--protocol", "ugi", "--game", "surakarta", "--engine", "paper-004"], "paper-004"),
    ] {
        let output = engine(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(word) && output.stdout.is_empty(), "{arguments:?}: {told}");
    }
}

/// Plays a game between two specs and returns its moves and its end.
struct Play {
    specs: [String; 2],
    limits: Limits,
    seeds: [u64; 2],
}

impl GameVisitor for Play {
    type Output = String;

    fn visit<G: Playable>(self, start: G) -> String {
        let mut engines: Vec<Runner<G, Box<dyn Engine<G>>>> = (self.specs.iter().zip(self.seeds))
            .map(|(spec, seed)| {
                let spec: EngineSpec = spec.parse().unwrap();
                let mut engine = build::<G>(&spec, seed).unwrap();
                engine.new_game(seed);
                Runner::new(engine)
            })
            .collect();
        let mut record = Record::new(start);
        while record.outcome().is_none() {
            let side = record.game().to_move() as usize;
            let info = engines[side].search(&record, &self.limits);
            let mv = info.best.unwrap_or_else(|| panic!("no move: {}", record.moves_text()));
            record.play(mv).unwrap();
        }
        format!("{} {}", record.moves_text(), record.outcome().unwrap())
    }
}

const PLAYERS: [(&str, [&str; 2]); 4] = [
    ("surakarta quiet=20", ["uct memory=4 c=0.4", "alpha-beta table=1"]),
    ("dots-and-boxes 3x3", ["uct memory=4", "uct memory=4 c=2"]),
    ("dots-and-boxes", ["uct memory=4", "uct memory=4 c=2"]),
    ("connect-four 9x10 hole=3,3", ["uct memory=4 rollout=weighted", "alpha-beta table=1"]),
];

#[test]
fn two_copies_through_ugi_play_the_game_of_one_process() {
    for (game, specs) in PLAYERS {
        let limits = Limits { sims: Some(60), nodes: Some(400), ..Limits::default() };
        let game: GameSpec = game.parse().unwrap();
        let seeds = [3, 4];
        let inside = Play { specs: specs.map(str::to_owned), limits, seeds };
        let inside = game.visit(inside);
        let outside = specs.map(|spec| {
            format!(
                "program protocol=ugi command=\"{BOYI} engine --game {} --engine '{spec}'\"",
                game.name()
            )
        });
        let outside = game.visit(Play { specs: outside, limits, seeds });
        assert_eq!(inside, outside);
    }
}

#[test]
fn two_copies_through_the_platform_play_the_game_of_one_process() {
    for (game, specs) in PLAYERS.iter().take(3) {
        let spec: GameSpec = game.parse().unwrap();
        let mut limits = Limits { sims: Some(60), nodes: Some(400), ..Limits::default() };
        let seeds = [3, 4];
        let inside = spec.visit(Play { specs: specs.map(str::to_owned), limits, seeds });
        // Beside the program, so that it can be linked.
        let temp = [0, 1].map(|_| TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        let outside = [0, 1].map(|side| {
            let folder = temp[side].path();
            let program = folder.join("contestant").with_extension(std::env::consts::EXE_EXTENSION);
            // A link, not a copy: a program that is open for writing, in a process that
            // another test forks meanwhile, can't be started.
            std::fs::hard_link(BOYI, &program).unwrap();
            let settings = format!(
                "game = {game}\nengine = {}\nseconds = off\nmost = off\nsims = 60\nnodes = 400\n\
                 seed = {}\nlog = log.txt\n",
                specs[side], seeds[side]
            );
            std::fs::write(folder.join("contestant.txt"), settings).unwrap();
            format!("program protocol=sau command=\"'{}'\"", program.display())
        });
        limits = Limits::default();
        assert_eq!(inside, spec.visit(Play { specs: outside, limits, seeds }), "{game}");
    }
}

/// A program that is asked a line at a time.
struct Conversation {
    child: std::process::Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Conversation {
    fn with(spec: &str) -> Conversation {
        let mut child = Command::new(BOYI)
            .args(["engine", "--game", "connect-four", "--engine", spec])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Conversation { child, lines }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// What follows this word in the next line that begins with it.
    fn read_until(&mut self, word: &str) -> String {
        let mut lines = self.lines.by_ref().map(Result::unwrap);
        let found = lines.find_map(|line| Some(line.strip_prefix(word)?.trim().to_owned()));
        found.expect("the program goes on talking")
    }

    fn end(mut self) {
        self.send("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// GTP and UCI are spoken by the engine alone; a relay between two copies plays
/// the client.
#[test]
fn two_copies_through_gtp_and_uci_play_the_game_of_one_process() {
    let game: GameSpec = "connect-four".parse().unwrap();
    let specs = ["uct memory=4 sims=60", "uct memory=4 sims=60 c=2"];
    let inside = |seed: u64| {
        let specs = specs.map(str::to_owned);
        game.visit(Play { specs, limits: Limits::default(), seeds: [seed; 2] })
    };
    let expected = |moves: &[String]| format!("{} ", moves.concat());

    let mut engines = specs.map(Conversation::with);
    for engine in &mut engines {
        engine.send("clear_board");
        engine.read_until("=");
        // So much that only the simulations count.
        engine.send("time_settings 0 600 1");
        engine.read_until("=");
    }
    let mut moves: Vec<String> = Vec::new();
    let said = inside(1);
    while !said.starts_with(&expected(&moves)) && moves.len() < 42 {
        let side = moves.len() % 2;
        engines[side].send(&format!("genmove {}", ["b", "w"][side]));
        let mv = engines[side].read_until("=");
        engines[1 - side].send(&format!("play {} {mv}", ["b", "w"][side]));
        engines[1 - side].read_until("=");
        moves.push((mv[1..].parse::<u32>().unwrap() + 1).to_string());
        assert!(said.starts_with(&moves.concat()), "{said}\n{moves:?}");
    }
    engines.into_iter().for_each(Conversation::end);

    let mut engines = specs.map(Conversation::with);
    for engine in &mut engines {
        engine.send("uci");
        engine.read_until("uciok");
        engine.send("setoption name Seed value 5");
        engine.send("ucinewgame");
    }
    let (mut moves, mut texts): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let said = inside(5);
    while !said.starts_with(&expected(&moves)) && moves.len() < 42 {
        let engine = &mut engines[moves.len() % 2];
        engine.send(&format!("position startpos moves {}", texts.join(" ")));
        engine.send("go nodes 1000000000");
        let mv = engine.read_until("bestmove");
        let column = mv.strip_prefix("P@").unwrap().as_bytes()[0] - b'a' + 1;
        moves.push(column.to_string());
        texts.push(mv);
        assert!(said.starts_with(&moves.concat()), "{said}\n{moves:?}");
    }
    engines.into_iter().for_each(Conversation::end);
}

/// Asks an engine once and returns whether it gave a move.
struct Ask(String, Limits);

impl GameVisitor for Ask {
    type Output = Result<bool, String>;

    fn visit<G: Playable>(self, start: G) -> Result<bool, String> {
        let spec: EngineSpec = self.0.parse().map_err(|error| format!("{error}"))?;
        let engine = build::<G>(&spec, 1).map_err(|error| format!("{error}"))?;
        let info = Runner::new(engine).search(&Record::new(start), &self.1);
        Ok(info.best.is_some())
    }
}

#[cfg(unix)]
#[test]
fn programs_that_die_stall_or_babble_are_survived() {
    let game: GameSpec = "connect-four".parse().unwrap();
    let limits = Limits { time: Some(std::time::Duration::from_millis(20)), ..Limits::default() };
    let temp = TempDir::new().unwrap();
    let ask = |protocol: &str, script: &str| {
        let file = temp.path().join("program.sh");
        std::fs::write(&file, script).unwrap();
        let spec = format!("program protocol={protocol} command=\"sh '{}'\"", file.display());
        game.visit(Ask(spec, limits))
    };
    let hello = "read x; echo garbage; echo ugiok; read x; echo readyok; \
                 read x; read x; echo readyok; read x; echo readyok;";
    assert_eq!(ask("ugi", &format!("{hello} read x; read x; echo bestmove 4")), Ok(true));
    assert_eq!(ask("ugi", &format!("{hello} read x; read x; echo bestmove 9")), Ok(false));
    assert_eq!(ask("ugi", &format!("{hello} read x; read x; echo bestmove")), Ok(false));
    assert_eq!(ask("ugi", &format!("{hello} exit 3")), Ok(false), "dies");
    assert_eq!(ask("ugi", &format!("{hello} sleep 100")), Ok(false), "stalls");
    let babble = "while true; do echo babble babble; done";
    assert_eq!(ask("ugi", &format!("{hello} {babble}")), Ok(false), "babbles");
    assert!(ask("ugi", "exit 0").unwrap_err().contains("does not answer as UGI asks"));
    assert!(ask("sau", "exit 0").unwrap_err().contains("does not have connect-four"));
    let told = game.visit(Ask("program".to_owned(), limits)).unwrap_err();
    assert!(told.contains("program needs a command"), "{told}");
    let dots: GameSpec = "dots-and-boxes".parse().unwrap();
    let file = temp.path().join("contestant.sh");
    // Two refused turns, then a legal one.
    let script = "read x; echo name X; read x; echo move 1 ZZZ; read x; echo move 2 AAAAAB; \
                  read x; echo noise move 1 AAA; read x";
    std::fs::write(&file, script).unwrap();
    let spec = format!("program protocol=sau command=\"sh '{}'\"", file.display());
    assert_eq!(dots.visit(Ask(spec, limits)), Ok(true));
}

#[test]
fn records_are_checked_shown_and_converted() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let file = folder.join("A6：甲先手，乙后手，甲胜.txt");
    std::fs::write(&file, "B2C-3C\nR5B-4B\n").unwrap();
    let run =
        |arguments: &[&str]| Command::new(BOYI).arg("record").args(arguments).output().unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(text(&run(&["check", path])), "legal: surakarta, 2 plies, unfinished\n");
    let plain = text(&run(&["convert", path, "--to", "plain"]));
    assert_eq!(
        plain,
        "game: surakarta\nfirst: 甲\nsecond: 乙\nresult: first\nmoves: c5-c4 b2-b3\n"
    );
    let gbk = folder.join("gbk.txt");
    let out = gbk.to_str().unwrap();
    text(&run(&["convert", path, "--to", "plain", "--out", out, "--encoding", "gbk"]));
    assert!(std::str::from_utf8(&std::fs::read(&gbk).unwrap()).is_err());
    assert_eq!(text(&run(&["convert", out, "--to", "plain"])), plain);
    assert!(text(&run(&["show", path, "--ply", "1"])).contains("plies: 1 of 2"));
    std::fs::write(&gbk, "B2C-3C\nR5B-2B\n").unwrap();
    let output = run(&["check", out]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("ply 2") && told.contains("enemy piece"), "{told}");
    assert!(text(&run(&["check", out, "--json"])).contains("\"ply\":2"));
    assert_eq!(run(&["convert", path, "--to", "json"]).status.code(), Some(2));
    let place = folder.to_str().unwrap();
    text(&run(&["convert", path, "--to", "contest", "--out", place, "--place", "B2"]));
    let written = std::fs::read_to_string(folder.join("B2：甲先手，乙后手，甲胜.txt")).unwrap();
    assert!(written.ends_with("!RRRRRR\nB2C-3C\nR5B-4B\n"), "{written}");
}

#[test]
fn a_reader_of_one_line_gets_it_before_the_engine_is_asked_more() {
    // Nothing waits in a buffer: a runner reads `readyok` while the pipe is open.
    let mut child = Command::new(BOYI)
        .args(["engine", "--engine", "random"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    stdin.write_all(b"uginewgame\nugi\nisready\n").unwrap();
    let mut said = String::new();
    while !said.ends_with("readyok\n") {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        said.push(char::from(byte[0]));
    }
    stdin.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
}

/// The moves and results of a match, game by game.
fn match_games(engines: &[String]) -> Vec<[String; 2]> {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let export = folder.join("games.jsonl");
    let output = Command::new(BOYI)
        .args(["match", "connect-four 8x7", "--games", "4", "--sims", "60", "--seed", "9"])
        .args(engines.iter().flat_map(|engine| ["--engine", engine]))
        .arg("--store")
        .arg(folder.join("store.sqlite"))
        .arg("--export")
        .arg(&export)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(&export).unwrap();
    let games = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    games.map(|game| ["moves", "winner"].map(|field| game[field].to_string())).collect()
}

#[test]
fn the_arena_sees_no_difference_between_an_engine_and_a_program() {
    let inside = ["uct memory=4", "uct memory=5 c=2"].map(str::to_owned);
    let outside = inside.clone().map(|spec| {
        format!("program command=\"{BOYI} engine --game connect-four --engine '{spec}'\"")
    });
    let games = match_games(&inside);
    assert!(games.len() >= 4 && games.iter().all(|[moves, _]| moves.len() > 8), "{games:?}");
    assert_eq!(games, match_games(&outside));
}
