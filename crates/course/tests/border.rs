//! The library from outside: loaded by a program in C, as the judge does it.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The shared library that was built beside this test.
fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let name = format!("{}course{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folders = [program.parent().unwrap(), program.parent().unwrap().parent().unwrap()];
    let found = folders.iter().map(|folder| folder.join(&name)).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{name} is not in {folders:?}"))
}

/// The judge, or `None` if there is no C compiler. Compiled once: a program
/// can't be started while another test still writes it.
fn judge() -> Option<PathBuf> {
    static JUDGE: OnceLock<Option<PathBuf>> = OnceLock::new();
    JUDGE.get_or_init(compile).clone()
}

fn compile() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("judge");
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-Werror", "-o"])
        .args([&program, &source])
        .arg("-ldl")
        .status();
    match compiled {
        Ok(status) => {
            assert!(status.success(), "judge.c does not compile");
            Some(program)
        }
        Err(_) => {
            println!("there is no C compiler ('cc'), so the library is not loaded from C");
            None
        }
    }
}

/// Games, moves, milliseconds of CPU time, kilobytes, milliseconds by the wall
/// clock, threads.
fn play(judge: &Path, other: &Path, moves: u32, seconds: &str, games: &str) -> [u64; 6] {
    let output = Command::new(judge)
        .args([&library(), other])
        .args([&moves.to_string(), "7", games])
        .env("BOYI_COURSE_SECONDS", seconds)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let numbers: Vec<u64> = said.split_whitespace().map(|word| word.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn every_move_is_legal_on_boards_with_holes_everywhere() {
    let Some(judge) = judge() else { return };
    // The same file twice is one library in memory; a copy is another one.
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copy-of-course.so");
    std::fs::copy(library(), &copy).unwrap();
    for other in [library(), copy] {
        let [games, moves, millis, kilobytes, _, threads] =
            play(&judge, &other, 200, "0.003", "24");
        assert_eq!(threads, 1, "a thread outlives its call");
        assert!(games >= 24 && moves >= 200, "{games} games, {moves} moves");
        assert!(kilobytes < 1 << 20, "{kilobytes} kB");
        assert!(millis < 2900, "{millis} ms of CPU time");
    }
}

#[test]
fn a_move_stays_within_the_judges_limits() {
    let Some(judge) = judge() else { return };
    let [_, _, millis, kilobytes, wall, _] = play(&judge, &library(), 0, "2.7", "24");
    assert!(millis <= 2900, "{millis} ms of CPU time");
    // It thinks for as long as it may, even where a busy machine gives it little.
    assert!((1000..3000).contains(&wall), "{wall} ms by the wall clock");
    assert!(kilobytes < 1 << 20, "{kilobytes} kB");
}

/// Ends when it is dropped.
struct Busy(std::process::Child);

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "half an hour on two cores: cargo xtask soak"]
fn a_judge_with_a_wall_clock_never_waits_beside_busy_loops() {
    let judge = judge().expect("a C compiler");
    let _busy: Vec<Busy> = (0..3)
        .map(|_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().map(Busy).unwrap())
        .collect();
    let [games, moves, cpu, _, wall, threads] = play(&judge, &library(), 1, "2.7", "20");
    println!("{games} games, {moves} moves: {cpu} ms of CPU time, {wall} ms by the wall clock");
    assert!(wall < 3000 && cpu < 3000 && threads == 1, "{wall} ms, {cpu} ms, {threads} threads");
}

/// The handle of the judge's own thread, one for the whole process: the standard
/// library keeps a pointer into it where valgrind does not see it.
const KNOWN: &str = "{
   the handle of the calling thread
   Memcheck:Leak
   match-leak-kinds: possible
   ...
   fun:*init_current*
   ...
}
";

#[test]
#[ignore = "needs valgrind: cargo xtask soak"]
fn valgrind_finds_nothing_at_the_border() {
    let judge = judge().expect("a C compiler");
    let known = Path::new(env!("CARGO_TARGET_TMPDIR")).join("known.supp");
    std::fs::write(&known, KNOWN).unwrap();
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .arg(format!("--suppressions={}", known.display()))
        .args([&judge, &library(), &library()])
        .args(["40", "7"])
        .env("BOYI_COURSE_SECONDS", "0.003")
        .output()
        .expect("valgrind is installed");
    let found = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && found.is_empty(), "{:?}\n{found}", output.status);
    println!("{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn nonsense_is_answered_and_nothing_unwinds() {
    // SAFETY: the numbers behind the pointers are as many as the sizes say.
    unsafe {
        let (top, board) = ([3, 0, 0], [7; 9]);
        let point = course::getPoint(3, 3, top.as_ptr(), board.as_ptr(), 5, 99, -1, -1);
        assert_eq!(*point, course::Point { x: 2, y: 0 }, "the only column that is open");
        course::clearPoint(point);
        let none = std::ptr::null();
        let point = course::getPoint(9, 9, none, none, -1, -1, -5, 100);
        assert!(!point.is_null());
        course::clearPoint(point);
        let point = course::getPoint(-1, 0, none, none, 0, 0, 0, 0);
        course::clearPoint(point);
        course::clearPoint(std::ptr::null_mut());
    }
}
