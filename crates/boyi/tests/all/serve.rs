//! `boyi serve` and `boyi store` as an operator meets them.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

fn boyi(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boyi"));
    command.args(arguments).env("BOYI_LANG", "en").stdin(Stdio::null());
    command
}

/// A board that runs, and the line that says where.
struct Board(Child, String);

impl Board {
    fn start(data: &str, bind: &str) -> Board {
        let serve = ["serve", "--no-open", "--bind", bind, "--data", data];
        let mut child = boyi(&serve).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Board(child, line.trim().to_owned())
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn sentence(output: &Output, code: i32) -> String {
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(told.starts_with("boyi: ") && told.trim_end().lines().count() == 1, "{told}");
    told
}

#[test]
fn a_second_board_on_the_same_games_is_one_sentence() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let data = data.to_str().unwrap();
    let board = Board::start(data, "127.0.0.1:0");
    let address = board.1.rsplit(' ').next().unwrap().to_owned();
    let port = address.trim_end_matches('/').rsplit(':').next().unwrap().to_owned();
    for bind in ["127.0.0.1:0", &format!("127.0.0.1:{port}")] {
        let serve = ["serve", "--no-open", "--bind", bind, "--data", data];
        let told = sentence(&boyi(&serve).output().unwrap(), 2);
        assert!(told.contains(&address) && told.contains("--data"), "{told}");
    }
    // Another store at a port that is taken: the port is what is wrong.
    let other = folder.path().join("other.sqlite");
    let bind = format!("127.0.0.1:{port}");
    let serve = ["serve", "--no-open", "--bind", &bind, "--data", other.to_str().unwrap()];
    let told = sentence(&boyi(&serve).output().unwrap(), 2);
    assert!(told.contains("--bind") && !told.contains("--data"), "{told}");
}

#[test]
fn a_classroom_link_names_a_real_address() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let board = Board::start(data.to_str().unwrap(), "0.0.0.0:0");
    assert!(board.1.contains("/?token=") && !board.1.contains("0.0.0.0"), "{}", board.1);
    let place = board.1.split("http://").nth(1).unwrap().split('/').next().unwrap();
    std::net::TcpStream::connect(place).unwrap();
}

#[test]
fn a_file_of_somebody_else_is_one_sentence() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("x.sqlite");
    std::fs::write(&data, "notes").unwrap();
    let data = data.to_str().unwrap();
    let serve = ["serve", "--no-open", "--bind", "127.0.0.1:0", "--data", data];
    assert!(sentence(&boyi(&serve).output().unwrap(), 2).contains("no store of games"));
    for action in [&["backup", "/nowhere/x"][..], &["check"], &["recover"], &["restore", data]] {
        let store = [&["store"], action, &["--data", data]].concat();
        sentence(&boyi(&store).output().unwrap(), 2);
    }
    assert_eq!(std::fs::read(data).unwrap(), b"notes");
}

#[test]
fn backup_restore_check_and_recover_are_commands() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, backup, copy) = (path("games.sqlite"), path("backup.sqlite"), path("copy.sqlite"));
    let board = Board::start(&data, "127.0.0.1:0");
    let run = |arguments: &[&str]| {
        let output = boyi(&[&["store"], arguments, &["--data", &data]].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&["backup", &backup]).contains("0 games copied"));
    assert!(run(&["restore", &backup]).contains("running"));
    assert!(run(&["check"]).contains("0 games whole"));
    assert!(run(&["recover", "--out", &copy]).contains("boyi serve --data"));
    drop(board);
    assert!(!run(&["restore", &backup]).contains("running"));
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_with_130() {
    let folder = TempDir::new().unwrap();
    let mut board =
        Board::start(folder.path().join("games.sqlite").to_str().unwrap(), "127.0.0.1:0");
    let kill = Command::new("kill").args(["-INT", &board.0.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(board.0.wait().unwrap().code(), Some(130));
}
