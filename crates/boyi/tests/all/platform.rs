//! A contest platform of our own, which drives the real program through pipes:
//! it refuses legal moves, captures from corners, lists turns in any order, ends
//! games at any moment, and no game may be lost by protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::surakarta::{Move, Point, Setup, Surakarta};
use games::{Game, Player, Rng};
use session::rows::{dots_and_boxes::platform as dots, surakarta::platform as surakarta};
use tempfile::TempDir;

const GAMES: u64 = 20;

/// A folder of our own with the exported engines, as a team finds it.
fn fresh_export() -> TempDir {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(["export", "sau"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    folder
}

/// Likewise, with these settings.
fn exported(settings: &str) -> TempDir {
    let folder = fresh_export();
    for game in ["surakarta", "dots-and-boxes"] {
        std::fs::write(folder.path().join(game).with_extension("txt"), settings).unwrap();
    }
    folder
}

struct Contestant {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Contestant {
    fn start(program: PathBuf) -> Contestant {
        let program = program.with_extension(std::env::consts::EXE_EXTENSION);
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Contestant { child, input, output }
    }

    fn send(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine is gone");
        assert!(line.len() <= 256 && line.ends_with('\n'), "{line:?}");
        line.trim_end().to_owned()
    }

    /// A turn, without its first word.
    fn turn(&mut self) -> String {
        let line = self.line();
        line.strip_prefix("move ").unwrap_or_else(|| panic!("'{line}' is no move")).to_owned()
    }

    /// Ends the game, and reads over a move that was under way.
    fn end(&mut self) {
        self.send("end black");
        self.send("name?");
        loop {
            let line = self.line();
            if line == "name Boyi" {
                return;
            }
            assert!(line.starts_with("move "), "{line}");
        }
    }

    fn quit(mut self) {
        self.send("quit");
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            // The platform waits a second; a busy machine gets some more.
            assert!(begun.elapsed() < Duration::from_secs(5), "the engine does not leave");
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut rest).unwrap();
        assert_eq!(rest, "", "nothing is said on the error output");
    }
}

/// Something that is no word of the platform's.
fn garbage(engine: &mut Contestant, rng: &mut Rng) {
    match rng.below(12) {
        0 => engine.input.write_all(b"\xff\xfe\x00 move\n").unwrap(),
        1 => engine.send("move"),
        2 => engine.send(""),
        3 => engine.send("hello"),
        4 => engine.send(&"move ".repeat(1000)),
        _ => {}
    }
}

/// Any move of `player`, sometimes one that only the platform's judge allows.
fn surakarta_move(game: &Surakarta, rng: &mut Rng, corners: &mut u32) -> Move {
    let player = game.to_move();
    let corner = [(0, 0), (0, 5), (5, 0), (5, 5)]
        .map(|(row, column)| Point::at(row, column))
        .into_iter()
        .find(|&point| game.at(point) == Some(player));
    let prey = Point::all().rfind(|&point| game.at(point) == Some(!player));
    if let (Some(from), Some(to), 0) = (corner, prey, rng.below(5)) {
        *corners += 1;
        return Move { from, to };
    }
    game.random_move(rng).expect("the game goes on")
}

#[test]
fn surakarta_games_through_pipes() {
    let settings =
        "game = surakarta\nengine = alpha-beta table=1\nseconds = off\nmost = off\nnodes = 60\n";
    let folder = exported(settings);
    let mut engine = Contestant::start(folder.path().join("surakarta"));
    engine.send("name?");
    assert_eq!(engine.line(), "name Boyi");
    let mut rng = Rng::seeded(11);
    let (mut corners, mut errors, mut finished) = (0, 0, 0);
    // The platform counts nothing: it plays on until a side is gone.
    let rules: Setup = "quiet=0 repetition=0".parse().unwrap();
    for number in 0..GAMES {
        let side = Player::BOTH[(number % 2) as usize];
        engine.send(if side == Player::First { "new black" } else { "new white" });
        let mut game = Surakarta::start(&rules).unwrap();
        for ply in 0.. {
            if game.outcome().is_some() || ply == 150 {
                finished += u32::from(game.outcome().is_some());
                break;
            }
            if game.to_move() != side {
                let mv = surakarta_move(&game, &mut rng, &mut corners);
                garbage(&mut engine, &mut rng);
                engine.send(&format!("move {}", surakarta::write_move(mv)));
                game.play(mv);
                if rng.below(100) == 0 {
                    break; // the end comes on the heels of the last move
                }
                continue;
            }
            let mut answer = surakarta::read_move(&engine.turn()).expect("letters");
            assert!(game.is_legal(answer), "{answer:?} in {game:?}");
            if rng.below(10) == 0 && game.count_moves() > 1 {
                errors += 1;
                engine.send("error");
                let another = surakarta::read_move(&engine.turn()).expect("letters");
                assert!(game.is_legal(another) && another != answer, "{another:?}");
                answer = another;
            }
            game.play(answer);
        }
        engine.end();
    }
    engine.quit();
    assert!(corners > 20 && errors > 20 && finished > 5, "{corners} {errors} {finished}");
}

#[test]
fn dots_and_boxes_games_through_pipes() {
    let settings =
        "game = dots-and-boxes\nengine = uct memory=4\nseconds = off\nmost = off\nsims = 30\n";
    let folder = exported(settings);
    let mut engine = Contestant::start(folder.path().join("dots-and-boxes"));
    let mut rng = Rng::seeded(12);
    let setup = Default::default();
    let (mut shuffled, mut errors, mut finished) = (0, 0, 0);
    for number in 0..GAMES {
        let side = Player::BOTH[(number % 2) as usize];
        engine.send(if side == Player::First { "new black" } else { "new white" });
        let mut game = DotsAndBoxes::start(&setup).unwrap();
        while game.outcome().is_none() {
            if game.to_move() != side {
                let mut turn = Vec::new();
                while game.to_move() != side
                    && let Some(any) = game.random_move(&mut rng)
                {
                    let closing = games::dots_and_boxes::edges_of(game.closing()).next();
                    let edge = closing.filter(|_| rng.below(5) > 0).unwrap_or(any);
                    game.play(edge);
                    turn.push(edge);
                }
                shuffled += u32::from(turn.len() > 1);
                for i in (1..turn.len()).rev() {
                    turn.swap(i, rng.below(i + 1));
                }
                garbage(&mut engine, &mut rng);
                engine.send(&format!("move {}", dots::write_turn(&setup, &turn)));
                if rng.below(100) == 0 {
                    break;
                }
                continue;
            }
            let read = |text: String| -> Vec<Edge> {
                dots::read_turn(&setup, &text).unwrap_or_else(|| panic!("{text}"))
            };
            let mut turn = read(engine.turn());
            assert!(dots::is_turn(&game, &turn), "{turn:?} in {game:?}");
            if rng.below(10) == 0 && game.count_moves() > 4 {
                errors += 1;
                engine.send("error");
                let mut another = read(engine.turn());
                assert!(dots::is_turn(&game, &another), "{another:?} in {game:?}");
                let order = another.clone();
                another.sort();
                turn.sort();
                assert_ne!(another, turn);
                turn = order;
            }
            turn.iter().for_each(|&edge| game.play(edge));
        }
        finished += u32::from(game.outcome().is_some());
        engine.end();
    }
    engine.quit();
    assert!(shuffled > 20 && errors > 10 && finished > 10, "{shuffled} {errors} {finished}");
}

#[test]
fn a_closed_pipe_ends_the_engine_without_a_word() {
    let folder = exported("game = surakarta\n");
    let mut engine = Contestant::start(folder.path().join("surakarta"));
    engine.send("new black"); // it thinks now, for many seconds
    drop(engine.input);
    let output = engine.child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn an_engine_leaves_in_the_middle_of_a_thought() {
    let folder = exported("game = surakarta\nengine = alpha-beta\nmost = 300\nseconds = 9000\n");
    let mut engine = Contestant::start(folder.path().join("surakarta"));
    engine.send("new black");
    engine.send("name?"); // answered while thinking
    assert_eq!(engine.line(), "name Boyi");
    engine.quit();
}

#[test]
fn a_fresh_export_says_in_its_log_what_it_plays_with() {
    let folder = fresh_export();
    let mut engine = Contestant::start(folder.path().join("surakarta"));
    engine.send("name?");
    assert_eq!(engine.line(), "name Boyi");
    engine.quit();
    let log = std::fs::read_to_string(folder.path().join("surakarta.log")).unwrap();
    let cores = std::thread::available_parallelism().unwrap();
    let said = log.lines().next().unwrap();
    assert!(said.contains(&format!("{cores} of {cores} cores, endgame tables of up to ")), "{log}");
    assert!(said.contains("book of ") && said.ends_with("network nnue"), "{log}");
}

#[test]
fn settings_that_can_not_be_understood_are_told_in_the_log() {
    let folder = exported("game = dots-and-boxes\nengine = deep-blue\n");
    let mut engine = Contestant::start(folder.path().join("dots-and-boxes"));
    engine.send("name?");
    assert_eq!(engine.line(), "name Boyi");
    engine.quit();
    let log = std::fs::read_to_string(folder.path().join("dots-and-boxes.log")).unwrap();
    assert!(log.starts_with("settings, line 2: there is no engine 'deep-blue'"), "{log}");
    assert!(log.contains("< name?\n") && log.contains("< quit\n"), "{log}");
}
