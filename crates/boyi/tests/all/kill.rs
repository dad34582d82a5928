//! Builds of tables and books that are killed at any moment and begun again end
//! with the very files of an undisturbed build.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use games::Rng;
use tempfile::TempDir;

/// Every file of a folder and its content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // A lock names the last process.
        .filter(|path| path.extension().is_none_or(|end| end != "lock"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boyi"));
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a build in one folder undisturbed, and in another killed `kills` times
/// at moments spread over the time that the first one took. What it left behind
/// halfway is not looked at, but must do no harm.
fn build_twice(name: &str, arguments: &[&str], kills: u32) {
    let whole = TempDir::new().unwrap();
    let begun = Instant::now();
    assert!(command(arguments, whole.path()).status().unwrap().success());
    let took = begun.elapsed();

    let broken = TempDir::new().unwrap();
    let mut rng = Rng::seeded(kills.into());
    let mut killed = 0;
    for _ in 0..kills {
        let mut child = command(arguments, broken.path()).spawn().unwrap();
        std::thread::sleep(took.mul_f64(rng.unit()).min(Duration::from_secs(5)));
        killed += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(command(arguments, broken.path()).status().unwrap().success());
    assert!(
        files(broken.path()) == files(whole.path()),
        "{name}: {killed} of {kills} builds were killed"
    );
    println!("{name}: {killed} of {kills} builds were killed in time");
}

#[test]
fn killed_builds_of_tables_end_with_the_same_files() {
    build_twice("tables", &["tables", "build", "--pieces", "5", "--folder", "."], 10);
}

#[test]
fn killed_builds_of_books_end_with_the_same_file() {
    let solved = ["book", "build", "connect-four 5x4", "--plies", "6", "--out", "it.book"];
    build_twice("solved", &solved, 6);
    let searched = [
        "book",
        "build",
        "dots-and-boxes 3x3",
        "--nodes",
        "3000",
        "--sims",
        "300",
        "--out",
        "it.book",
    ];
    build_twice("searched", &searched, 6);
}
