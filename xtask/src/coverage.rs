//! `cargo xtask coverage`: which lines of the parsers the fuzz laws and the tests
//! beside them execute, counted by the compiler's own instrumentation.
//!
//! The format of its counters changes with LLVM, so the tools that read them must
//! have the compiler's major version: its own (`rustup component add llvm-tools`), else
//! Debian's package of that version, which is installed if it is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::step::{command, install, output, root, succeeds};

/// The tests that are run.
const TESTS: &str = "-p fuzz-laws -p records -p protocols";

/// Everything that reads text or bytes of other people.
const PARSERS: &[&str] = &[
    "crates/games/src/text.rs",
    "crates/games/src/connect_four/setup.rs",
    "crates/games/src/connect_four/text.rs",
    "crates/games/src/dots_and_boxes/setup.rs",
    "crates/games/src/dots_and_boxes/text.rs",
    "crates/games/src/surakarta/setup.rs",
    "crates/games/src/surakarta/text.rs",
    "crates/session/src/book/file.rs",
    "crates/session/src/engine/parameter.rs",
    "crates/session/src/engine/spec.rs",
    "crates/session/src/game.rs",
    "crates/session/src/rows/connect_four/cfour_moves.rs",
    "crates/session/src/rows/dots_and_boxes/platform.rs",
    "crates/session/src/rows/surakarta/platform.rs",
    "crates/protocols/src/course.rs",
    "crates/protocols/src/gtp.rs",
    "crates/protocols/src/sau/engine.rs",
    "crates/protocols/src/sau/settings.rs",
    "crates/protocols/src/serve.rs",
    "crates/protocols/src/ugi.rs",
    "crates/records/src/columns.rs",
    "crates/records/src/contest.rs",
    "crates/records/src/json.rs",
    "crates/records/src/lib.rs",
    "crates/records/src/name.rs",
    "crates/records/src/plain.rs",
    "crates/records/src/platform.rs",
];

/// The least share of the parsers' lines that have to be executed, in percent.
const LEAST: f64 = 90.0;

/// Runs the tests with counters and prints the share of lines of each parser.
pub fn run() -> anyhow::Result<()> {
    let tools = Tools::find()?;
    let folder = root().join("target/coverage");
    let profiles = folder.join("profiles");
    if profiles.exists() {
        std::fs::remove_dir_all(&profiles)?;
    }
    let instrumented = |line: &str| {
        let mut command = command(line);
        command
            .env("RUSTFLAGS", "-Cinstrument-coverage")
            .env("CARGO_TARGET_DIR", &folder)
            .env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
        command
    };
    println!("\n=== cargo test {TESTS}, with -Cinstrument-coverage");
    let list = format!("cargo test {TESTS} --no-run --message-format=json");
    let programs: Vec<String> = output(&mut instrumented(&list))?
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(str::to_owned))
        .collect();
    ensure!(!programs.is_empty(), "cargo built no test");
    // What build scripts and macros counted meanwhile is not asked for.
    if profiles.exists() {
        std::fs::remove_dir_all(&profiles)?;
    }
    let passed = instrumented(&format!("cargo test {TESTS} --quiet")).status()?.success();
    ensure!(passed, "a test failed");

    let merged = folder.join("all.profdata");
    merge(&tools, &profiles, &merged)?;
    let mut export = Command::new(&tools.cov);
    export.args(["export", "--summary-only"]).arg("-instr-profile").arg(&merged);
    for (number, program) in programs.iter().enumerate() {
        if number > 0 {
            export.arg("-object");
        }
        export.arg(program);
    }
    let report: Value = serde_json::from_str(&output(&mut export)?)?;
    print(&report)
}

/// The programs that read the counters.
struct Tools {
    cov: PathBuf,
    profdata: PathBuf,
}

impl Tools {
    /// The compiler's own, else Debian's.
    fn find() -> anyhow::Result<Tools> {
        let library = output(&mut command("rustc --print target-libdir"))?;
        let folder = Path::new(library.trim()).with_file_name("bin");
        let own = Tools { cov: folder.join("llvm-cov"), profdata: folder.join("llvm-profdata") };
        if succeeds(&format!("{} --version", own.cov.display())) {
            return Ok(own);
        }
        let compiler = output(&mut command("rustc --version --verbose"))?;
        let major = compiler
            .lines()
            .find_map(|line| line.strip_prefix("LLVM version: ")?.split('.').next())
            .context("rustc does not say its version of LLVM")?;
        install(&format!("llvm-cov-{major}"), &format!("llvm-{major}"))
            .context("run 'rustup component add llvm-tools'")?;
        let tool = |name: &str| PathBuf::from(format!("{name}-{major}"));
        Ok(Tools { cov: tool("llvm-cov"), profdata: tool("llvm-profdata") })
    }
}

/// Adds up the counters of all processes.
fn merge(tools: &Tools, profiles: &Path, merged: &Path) -> anyhow::Result<()> {
    let mut merge = Command::new(&tools.profdata);
    merge.args(["merge", "-sparse", "-o"]).arg(merged);
    for entry in std::fs::read_dir(profiles).context("the tests wrote no counters")? {
        merge.arg(entry?.path());
    }
    output(&mut merge).map(drop)
}

/// Prints a table and fails if too little was executed.
fn print(report: &Value) -> anyhow::Result<()> {
    let files = report["data"][0]["files"].as_array().context("llvm-cov lists no files")?;
    let (mut all, mut executed) = (0, 0);
    println!("{:56} {:>6} {:>9} {:>7}", "parser", "lines", "executed", "share");
    for parser in PARSERS {
        let file = root().join(parser);
        ensure!(file.exists(), "{parser} is no file any more: mend the list in coverage.rs");
        let found =
            files.iter().find(|found| found["filename"].as_str().map(Path::new) == Some(&file));
        let lines =
            &found.with_context(|| format!("no test contains {parser}"))?["summary"]["lines"];
        let count = |name: &str| lines[name].as_u64().unwrap_or(0);
        let (lines, covered) = (count("count"), count("covered"));
        all += lines;
        executed += covered;
        println!("{parser:56} {lines:>6} {covered:>9} {:>6.1}%", share(covered, lines));
    }
    let share = share(executed, all);
    println!("{:56} {all:>6} {executed:>9} {share:>6.1}%", "all");
    ensure!(share >= LEAST, "less than {LEAST}% of the parsers' lines are executed");
    Ok(())
}

fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
