//! Drives the real program as a user would.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn boyi(arguments: &[&str]) -> Output {
    run(arguments, "", "en")
}

fn run(arguments: &[&str], input: &str, language: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(arguments)
        .env("BOYI_LANG", language)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has seen enough may close its input before we are done.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one sentence of a refusal, with exit code 2 and nothing on stdout.
fn refusal(arguments: &[&str]) -> String {
    let output = boyi(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(
        sentence.starts_with("boyi: ") && sentence.trim_end().lines().count() == 1,
        "{sentence}"
    );
    sentence
}

#[test]
fn perft_prints_the_total_last() {
    assert_eq!(text(&boyi(&["perft", "surakarta", "4"])).lines().last(), Some("111122"));
    assert_eq!(text(&boyi(&["perft", "connect-four", "6"])).lines().last(), Some("117649"));
    let divided = text(&boyi(&["perft", "dots-and-boxes 3x4", "3", "--divide"]));
    assert_eq!(divided.lines().count(), 31 + 1);
    assert_eq!(divided.lines().last(), Some("26970"));
    let position = "bw4/6/6/3bw1/5b/3bb1 b";
    assert_eq!(text(&boyi(&["perft", "surakarta", "3", "--position", position])).trim(), "5590");
}

#[test]
fn a_book_does_not_end_an_analysis() {
    for arguments in [
        &["analyse", "surakarta", "--depth", "3"][..],
        &["analyse", "connect-four", "--moves", "444", "--st", "0.4"],
    ] {
        let printed = text(&boyi(arguments));
        let book: Vec<&str> = printed.lines().filter(|line| line.starts_with("book ")).collect();
        assert!(!book.is_empty() && printed.starts_with("book "), "{printed}");
        let last = printed.lines().rfind(|line| line.starts_with("depth ")).unwrap();
        assert!(!last.contains("nodes 0 ") && !last.contains("sims 0 "), "{printed}");
        let best = printed.lines().last().unwrap();
        assert!(best.starts_with("best ") && !best.contains("(book)"), "{printed}");
        let json = text(&boyi(&[arguments, &["--json"]].concat()));
        assert!(json.lines().next().unwrap().contains("\"source\":\"book\""), "{json}");
        assert!(!json.lines().last().unwrap().contains("\"source\":\"book\""), "{json}");
    }
}

#[test]
fn every_game_is_listed_shown_and_has_moves() {
    let games = text(&boyi(&["games", "--json"]));
    for game in ["surakarta", "dots-and-boxes", "connect-four"] {
        assert!(games.contains(&format!("\"{game}\"")));
        let shown = text(&boyi(&["show", game]));
        let position = shown.lines().find_map(|line| line.strip_prefix("position: ")).unwrap();
        let again = text(&boyi(&["show", game, "--position", position]));
        assert_eq!(again, shown, "the printed position is accepted back");
        let count = text(&boyi(&["moves", game])).lines().count();
        assert!(shown.contains(&format!("legal moves: {count}")));
        assert!(text(&boyi(&["moves", game, "--json"])).starts_with('['));
        assert!(text(&boyi(&["show", game, "--json"])).contains("\"to_move\":\"first\""));
    }
}

#[test]
fn the_short_position_forms_are_accepted() {
    let start = "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b";
    assert_eq!(text(&boyi(&["moves", "surakarta", "--position", start])).lines().count(), 16);
    let edges = text(&boyi(&["moves", "dots-and-boxes", "--position", "8fbda9a59ecd557"]));
    assert_eq!(edges.lines().count(), 24);
    let columns = text(&boyi(&["show", "connect-four", "--position", "4433"]));
    assert_eq!(columns.lines().last(), Some("legal moves: 7"));
    let moves = text(&boyi(&["show", "connect-four", "--moves", "4433"]));
    assert!(moves.contains(columns.lines().find(|line| line.starts_with("position")).unwrap()));
}

#[test]
fn a_mistake_gets_one_sentence_and_exit_code_2() {
    let mistakes: &[(&[&str], &str)] = &[
        (&["show", "chess"], "there is no game 'chess'"),
        (&["show", "connect-four 13x13"], "12"),
        (&["show", "connect-four", "--moves", "48"], "move 2"),
        (&["show", "surakarta", "--position", "bbbbbb"], "position"),
        (&["show", "surakarta", "--moves", "b5-b9"], "b9"),
        (&["moves", "dots-and-boxes", "--position", "xyz"], "position"),
        (&["perft", "surakarta"], "DEPTH"),
        (&["perft", "surakarta", "many"], "many"),
        (&["perft", "surakarta", "0", "--divide"], "at least 1"),
        (&["play", "surakarta", "--first", "nobody"], "nobody"),
        (&["bench", "--seconds", "99"], "0 to 60"),
        (&["dance"], "dance"),
    ];
    for (arguments, word) in mistakes {
        let sentence = refusal(arguments);
        assert!(sentence.contains(word), "{arguments:?}: {sentence}");
    }
}

/// What the machine does not have is refused before it is asked for.
#[cfg(target_os = "linux")]
#[test]
fn more_memory_than_there_is_is_refused() {
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap();
    let free = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap();
    let free: u64 = free.split_whitespace().next().unwrap().parse().unwrap();
    if free >> 10 > 60_000 {
        return; // then there is enough for what follows
    }
    let folder = tempfile::TempDir::new().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let wants: &[&[&str]] = &[
        &["analyse", "connect-four", "--engine", "uct memory=65536", "--sims", "10"],
        &["analyse", "surakarta", "--engine", "alpha-beta table=65536", "--depth", "1"],
        &["analyse", "connect-four", "--engine", "best memory=65536", "--sims", "10"],
        &["solve", "connect-four", "--memory", "60000"],
        &["book", "build", "connect-four", "--out", out, "--memory", "60000"],
        &["train", "surakarta", "--out", out, "--set", "batch=65536", "--set", "blocks=50"],
        &["serve", "--no-open", "--bind", "127.0.0.1:0", "--memory", "200000"],
    ];
    for arguments in wants {
        let sentence = refusal(arguments);
        assert!(sentence.contains("this machine has"), "{arguments:?}: {sentence}");
    }
}

/// With `ulimit -v` the system itself refuses memory: what was asked for by name is
/// refused in a sentence, and whatever runs goes on with less.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_ends_no_process() {
    let limited = |kilobytes: u32, arguments: &[&str]| {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_boyi")]).args(arguments);
        command.env("BOYI_LANG", "en").stdin(Stdio::null()).output().unwrap()
    };
    let told = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let out = folder.path().join("run");
    let [data, run] = [&data, &out].map(|path| path.to_str().unwrap());
    for arguments in [
        &["analyse", "connect-four", "--engine", "uct memory=900", "--sims", "10"][..],
        &["analyse", "surakarta", "--engine", "alpha-beta table=900", "--depth", "1"],
        &["analyse", "dots-and-boxes", "--engine", "best memory=900", "--sims", "10"],
        &["solve", "connect-four", "--memory", "900"],
        &["solve", "dots-and-boxes 3x3", "--memory", "900"],
        &["serve", "--no-open", "--bind", "127.0.0.1:0", "--memory", "900", "--data", data],
        &["train", "surakarta", "--out", run, "--set", "batch=8192"],
    ] {
        let output = limited(800_000, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", told(&output));
        assert!(told(&output).contains("this machine has"), "{arguments:?}: {}", told(&output));
        assert_eq!(told(&output).trim_end().lines().count(), 1, "{}", told(&output));
    }
    assert!(!out.exists(), "a run that can't be is not created");
    for game in ["surakarta", "connect-four 8x8", "dots-and-boxes"] {
        let best = ["analyse", game, "--engine", "best memory=300", "--st", "0.3"];
        let output = limited(450_000, &best);
        assert!(output.status.success(), "{game}: {}", told(&output));
    }
}

/// Files that are not there or not files are the user's to mend; a device that fails
/// is not.
#[cfg(target_os = "linux")]
#[test]
fn exit_codes_say_who_can_mend_it() {
    assert!(refusal(&["record", "show", "nowhere.txt"]).contains("nowhere.txt"));
    assert!(refusal(&["record", "show", "/"]).contains("can't be read"));
    let output = boyi(&["record", "show", "/proc/self/mem"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

/// A device that never ends, and a file of another size than any record.
#[cfg(unix)]
#[test]
fn what_is_far_too_large_is_not_read() {
    let endless = ["analyse", "surakarta", "--engine", "puct net=/dev/urandom", "--sims", "1"];
    assert!(refusal(&endless).contains("more than 256 MB"));
    for arguments in [
        &["book", "probe", "connect-four", "--file", "/dev/zero"][..],
        &["solve", "connect-four", "--batch", "/dev/zero"],
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
            "/dev/zero",
        ],
        &["record", "show", "/dev/zero"],
    ] {
        assert!(refusal(arguments).contains("it has more than"), "{arguments:?}");
    }
    let temp = tempfile::TempDir::new().unwrap();
    let path = temp.path().join("game.txt");
    std::fs::File::create(&path).unwrap().set_len(300 << 20).unwrap();
    assert!(refusal(&["record", "show", path.to_str().unwrap()]).contains("more than 16 MB"));
}

#[test]
fn positions_are_solved_as_far_as_the_limit_allows() {
    let solved = text(&boyi(&["solve", "dots-and-boxes 2x3"]));
    assert!(solved.starts_with("value -2\nbest "), "{solved}");
    let solved = text(&boyi(&["solve", "connect-four 5x4", "--json"]));
    let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
    assert_eq!((&solved["value"], &solved["complete"]), (&0.into(), &true.into()));
    assert_eq!(solved["best"], serde_json::json!(["3", "4", "2"]));
    // Hours are asked for and a fraction of a second is given.
    for game in ["dots-and-boxes 5x5", "connect-four 8x7"] {
        let solved = text(&boyi(&["solve", game, "--st", "0.2", "--memory", "16", "--json"]));
        let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
        assert_eq!((&solved["exact"], &solved["complete"]), (&false.into(), &false.into()));
        assert!(solved["bounds"][0].as_i64() < solved["bounds"][1].as_i64(), "{solved}");
    }
}

#[test]
fn a_finished_game_has_a_value() {
    // The winner's fourth stone is its 18th last; the loser would move.
    let solved = text(&boyi(&["solve", "connect-four", "--moves", "1212121"]));
    assert_eq!(solved, "the game is over: first wins (four in a row)\nvalue -18\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.txt");
    std::fs::write(&file, "121212\n1212121\n").unwrap();
    let lines = text(&boyi(&["solve", "connect-four", "--batch", file.to_str().unwrap()]));
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["value"], &lines[0]["best"]), (&18.into(), &serde_json::json!(["1"])));
    assert_eq!((&lines[1]["value"], &lines[1]["plies"]), (&(-18).into(), &0.into()));
    assert_eq!(lines[1]["outcome"], "first wins (four in a row)");
}

/// First's published score of an empty board, by every move of every position.
fn minimax(
    game: &games::connect_four::ConnectFour<u64>,
    known: &mut std::collections::HashMap<games::connect_four::ConnectFour<u64>, i32>,
) -> i32 {
    use games::Game;
    if let Some(&score) = known.get(game) {
        return score;
    }
    let mut moves = games::MoveList::new();
    game.moves(&mut moves);
    let after = |mv| {
        let next = game.after(mv);
        match next.outcome() {
            Some(outcome) if outcome.winner.is_some() => {
                (game.cells() - game.plies()).div_ceil(2) as i32
            }
            Some(_) => 0,
            None => -minimax(&next, known),
        }
    };
    let best = moves.into_iter().map(after).max().unwrap();
    known.insert(*game, best);
    best
}

#[test]
fn the_atlas_is_made_board_by_board_and_agrees_with_minimax() {
    use games::Game;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("atlas.tsv");
    let file = file.to_str().unwrap();
    let made = text(&boyi(&["atlas", file, "4x4", "--memory", "4"]));
    assert_eq!(made.lines().count(), 1 + 8, "a hole in the left half:\n{made}");
    let lines = lab::atlas::read(&std::fs::read_to_string(file).unwrap()).unwrap();
    for line in &lines {
        let game = games::connect_four::ConnectFour::start(&line.setup).unwrap();
        let score = minimax(&game, &mut std::collections::HashMap::new());
        assert_eq!(line.value, score, "{line}");
    }
    // What is there is not solved again, and another size is added.
    assert_eq!(text(&boyi(&["atlas", file, "4x4", "--memory", "4"])), "");
    let pictures = folder.path().join("pictures");
    let drawn = text(&boyi(&["atlas", file, "--pictures", pictures.to_str().unwrap()]));
    assert!(drawn.trim_end().ends_with("connect-four-4x4.svg"), "{drawn}");
    // The atlas of the documentation, as far as this solved it again.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/connect-four-atlas.tsv");
    let known = lab::atlas::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    for line in &lines {
        let same = |other: &&lab::atlas::AtlasLine| other.setup == line.setup;
        let listed = known.iter().find(same).expect("the documentation has every 4 x 4 board");
        assert_eq!((listed.value, &listed.best), (line.value, &line.best), "{line}");
    }
    // The published results of boards without a hole (Tromp, and Steininger for the
    // largest), by height from 4 and width from 4.
    let published = ["==-=-----", "====++++", "==-+--+", "==+=++", "==-+-", "==+=+", "==-+", "==+"];
    for line in known.iter().filter(|line| line.setup.hole.is_none()) {
        let (column, row) = (usize::from(line.setup.columns), usize::from(line.setup.rows));
        let sign = published.get(row - 4).and_then(|row| row.chars().nth(column - 4));
        let found = ['-', '=', '+'][(line.value.signum() + 1) as usize];
        assert!(sign.is_none_or(|sign| sign == found), "{line}");
    }
}

#[test]
fn every_move_is_told_what_it_is_worth() {
    for game in ["dots-and-boxes 2x3", "connect-four 5x4", "connect-four 5x4 hole=3,1"] {
        let solved = text(&boyi(&["solve", game, "--each", "--json"]));
        let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
        let each = solved["each"].as_array().unwrap();
        let legal = text(&boyi(&["moves", game]));
        assert_eq!(each.len(), legal.split_whitespace().count(), "{legal}");
        let is_best = |mv: &&serde_json::Value| mv["value"] == solved["value"];
        let mut best: Vec<&str> =
            each.iter().filter(is_best).map(|mv| mv["move"].as_str().unwrap()).collect();
        let mut listed: Vec<&str> =
            solved["best"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        best.sort_unstable();
        listed.sort_unstable();
        assert_eq!(best, listed, "{game}");
        assert!(each.iter().all(|mv| mv["value"].as_i64() <= solved["value"].as_i64()));
    }
    let each = text(&boyi(&["solve", "connect-four 5x4", "--moves", "33", "--each"]));
    assert_eq!(each.lines().filter(|line| line.starts_with("  ")).count(), 5, "{each}");
}

#[test]
fn help_teaches_by_example() {
    for verb in ["show", "moves", "perft", "play"] {
        assert!(text(&boyi(&[verb, "--help"])).contains("Examples:"), "{verb}");
    }
    assert!(text(&boyi(&["--help"])).contains("Examples:"));
}

#[test]
fn a_game_can_be_played_undone_and_left() {
    let session = "4\n4\nundo\nundo\nredo\n9\nmoves\nhelp\nboard\n3\nquit\n";
    let two = ["play", "connect-four", "--first", "human", "--second", "human"];
    let output = text(&run(&two, session, "en"));
    assert!(output.contains("column"), "a bad column is explained: {output}");
    assert!(output.contains("boyi play 'connect-four' --moves '4 3'"), "{output}");
    let output = text(&run(&two, "1\n2\n1\n2\n1\n2\n1\n", "en"));
    assert!(output.contains("first wins (four in a row)"), "{output}");
    let output = text(&run(&["play", "surakarta"], "resign\n", "zh"));
    assert!(output.contains("后手胜"), "{output}");
}

#[test]
fn random_games_end_and_repeat_by_seed() {
    for game in ["surakarta", "dots-and-boxes 2x3", "connect-four 9x9 hole=5,5"] {
        let both = ["play", game, "--first", "random", "--second", "random", "--seed", "7"];
        let output = text(&boyi(&both));
        assert_eq!(output, text(&boyi(&both)));
        assert!(output.lines().last().unwrap().starts_with(game), "the record comes last");
    }
}

#[test]
fn without_a_game_one_is_offered() {
    let output = text(&run(&["play"], "7\n3\n4\n", "en"));
    assert!(output.contains("connect-four") && output.contains("there is no game '7'"), "{output}");
    assert!(text(&run(&["play"], "q\n", "zh")).contains("四子棋"));
}

#[test]
fn the_bench_signature_is_the_committed_one() {
    let output = text(&boyi(&["bench", "--seconds", "0"]));
    let signature = output.lines().last().unwrap();
    let committed = include_str!("../../../session/data/bench-signature.txt").trim();
    assert_eq!(signature, committed, "behaviour changed: say why in the commit");
}

#[test]
fn the_board_is_served_until_the_program_ends() {
    use std::io::{BufRead, BufReader, Read};
    let temp = tempfile::TempDir::new().unwrap();
    let data = temp.path().join("games.sqlite");
    let mut child = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(["serve", "--no-open", "--bind", "127.0.0.1:0", "--data"])
        .arg(&data)
        .env("BOYI_LANG", "en")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().split("http://").nth(1).unwrap().trim_end_matches('/').to_owned();
    let mut socket = std::net::TcpStream::connect(&address).unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    let _ = socket.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("/page/main.js"), "{answer}");
    // Who asks for an address that is taken is told so.
    let other = temp.path().join("x.sqlite");
    let other = other.to_str().unwrap();
    let told = refusal(&["serve", "--no-open", "--bind", &address, "--data", other]);
    assert!(told.contains("can't listen") && told.contains("--bind"), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
}
