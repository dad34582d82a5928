//! The test programs of the workspace, its documentation with its examples and the
//! Python package's tests, one more at a time than there are cores.
//!
//! `cargo test` runs one program after another, and many of ours wait for a
//! browser, a broker or a clock: one after another they leave half of the machine
//! idle, and one for each core a third of it. The lints are not among them: beside
//! browsers they take five times as long as alone, and come last. The output of each is shown whole when it ends, or when it was ended
//! because it took too long: one that hangs must not take the whole run's time.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::python;
use crate::step::{command, command_of, root};

/// The most that a test program may take: several times what the longest does on a
/// quiet machine.
const TIME_LIMIT: Duration = Duration::from_secs(900);

/// The programs that take longest, as [`TestProgram::name`] has them: begun first,
/// none of them runs alone at the end. One that is missing here costs time only.
const LONGEST: &[&str] = &[
    "browser of crates/web",
    DOCS,
    PYTHON,
    "server of crates/web",
    "all of crates/boyi",
    "all of crates/fleet",
    "training of crates/learn",
    "all of crates/search",
    "kill of crates/web",
    "connect_four of crates/exact",
    "all of crates/arena",
];

/// The name of the Python package's tests.
const PYTHON: &str = "Python package";
/// The name of the documentation's links and examples.
const DOCS: &str = "documentation";

/// A program that tests something.
struct TestProgram {
    executable: PathBuf,
    arguments: Vec<String>,
    /// Where it is run; for one of cargo's the folder of its package.
    folder: PathBuf,
    /// For one of cargo's its target and its folder.
    name: String,
    /// Whether it takes the names of tests to run.
    takes_names: bool,
}

/// Builds all test programs and runs them; fails at the end if any failed.
pub fn run() -> anyhow::Result<()> {
    let (mut programs, module) = build()?;
    programs.extend(others(&module)?);
    programs.sort_by_key(|program| {
        LONGEST.iter().position(|&name| name == program.name).unwrap_or(LONGEST.len())
    });
    let count = programs.len();
    let queue = Mutex::new(programs.into_iter());
    let failed = Mutex::new(Vec::new());
    let at_a_time = 1 + thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics").next();
                    let Some(program) = next else { break };
                    if let Err(failure) = program.run(&[]) {
                        failed.lock().expect("no thread panics").push((program, failure));
                    }
                }
            });
        }
    });
    // A browser or a broker that got no core in time is no defect: what failed
    // beside others is run once more, alone, and what then passes is listed.
    let (mut failures, mut unsteady) = (Vec::new(), Vec::new());
    for (program, Failure { sentence, tests, ended }) in
        failed.into_inner().expect("no thread panics")
    {
        // One that hangs would hang again.
        if ended || !program.takes_names {
            failures.push(sentence);
            continue;
        }
        match program.run(&tests) {
            Err(failure) => failures.push(failure.sentence),
            Ok(()) if tests.is_empty() => unsteady.push(format!("all tests '{}'", program.name)),
            Ok(()) => {
                unsteady.extend(tests.iter().map(|test| format!("{test} in '{}'", program.name)));
            }
        }
    }
    println!("\ntest programs: {} passed, {} failed", count - failures.len(), failures.len());
    if !unsteady.is_empty() {
        println!("passed only at the second try:\n  {}", unsteady.join("\n  "));
    }
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Builds the test programs and the Python module; cargo says where it put them. `cargo
/// build` with `--tests` builds what `cargo test` runs, and with `--lib` the module too:
/// in one build both stand on the same crates, which are compiled once.
fn build() -> anyhow::Result<(Vec<TestProgram>, PathBuf)> {
    let line = "cargo build --workspace --lib --tests";
    println!("\n=== {line}");
    let output = command(line)
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("'{line}' could not be started"))?;
    ensure!(output.status.success(), "'{line}' failed");
    let messages = String::from_utf8(output.stdout)?;
    let (mut programs, mut module) = (Vec::new(), None);
    for message in messages.lines() {
        let message: Value = serde_json::from_str(message)?;
        module = python::module_in(&message).or(module);
        let path = |name: &str| message[name].as_str().map(Path::new);
        if message["profile"]["test"] == true
            && let (Some(executable), Some(manifest)) = (path("executable"), path("manifest_path"))
            && let Some(folder) = manifest.parent()
        {
            let target = message["target"]["name"].as_str().unwrap_or_default();
            let place = folder.strip_prefix(root()).unwrap_or(folder).display();
            let name = format!("{target} of {place}");
            programs.push(TestProgram {
                executable: executable.into(),
                arguments: vec!["--quiet".to_owned()],
                folder: folder.into(),
                name,
                takes_names: true,
            });
        }
    }
    ensure!(!programs.is_empty(), "cargo built no test program");
    Ok((programs, module.context("cargo built no Python module")?))
}

/// What this program tests itself, each in a process of its own: the documentation, and
/// the Python package with its module.
fn others(module: &Path) -> anyhow::Result<[TestProgram; 2]> {
    let program = std::env::current_exe()?;
    let other = |name: &str, arguments: Vec<String>| TestProgram {
        executable: program.clone(),
        arguments,
        folder: root(),
        name: name.to_owned(),
        takes_names: false,
    };
    let module = module.display().to_string();
    Ok([
        other(DOCS, vec!["docs".to_owned()]),
        other(PYTHON, vec!["python".to_owned(), "--module".to_owned(), module]),
    ])
}

/// What failed in a test program.
struct Failure {
    sentence: String,
    /// The tests' names; none if it did not come to its end.
    tests: Vec<String>,
    /// Whether it took longer than [`TIME_LIMIT`].
    ended: bool,
}

impl TestProgram {
    /// Runs some of its tests, or all if none is named.
    fn run(&self, tests: &[String]) -> Result<(), Failure> {
        let began = Instant::now();
        let name = &self.name;
        let mut command = command_of(&self.executable);
        command.args(&self.arguments).current_dir(&self.folder);
        if self.takes_names {
            command.env("CARGO_MANIFEST_DIR", &self.folder);
        }
        if !tests.is_empty() {
            command.args(["--exact", "--test-threads=1"]).args(tests);
        }
        let failure = |reason: String, tests, ended| Failure {
            sentence: format!("the tests '{name}' failed ({reason})"),
            tests,
            ended,
        };
        let (status, text) = run_limited(&mut command)
            .map_err(|error| failure(error.to_string(), Vec::new(), false))?;
        let seconds = began.elapsed().as_secs_f64();
        let only = if tests.is_empty() { "" } else { ", what failed, once more" };
        println!("\n=== {name}{only}, {seconds:.1} s\n{}", text.trim());
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                let failed = text.lines().filter_map(|line| line.strip_suffix(" --- FAILED"));
                Err(failure(status.to_string(), failed.map(str::to_owned).collect(), false))
            }
            None => {
                let limit = TIME_LIMIT.as_secs();
                Err(failure(
                    format!("ended after {limit} s, see what it printed"),
                    Vec::new(),
                    true,
                ))
            }
        }
    }
}

/// Runs a command for at most [`TIME_LIMIT`]; gives its status, none if it was ended,
/// and what it printed. A file takes the output, since a pipe would fill up.
fn run_limited(command: &mut Command) -> io::Result<(Option<ExitStatus>, String)> {
    let mut printed: File = tempfile::tempfile()?;
    // A group of its own, so that the browsers and brokers it started end with it.
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(printed.try_clone()?)
        .stderr(printed.try_clone()?)
        .spawn()?;
    let status = wait_until(&mut child, Instant::now() + TIME_LIMIT)?;
    if status.is_none() {
        let group = format!("-{}", child.id());
        Command::new("kill").args(["-KILL", "--", &group]).status()?;
        child.wait()?;
    }
    printed.rewind()?;
    let mut text = Vec::new();
    printed.read_to_end(&mut text)?;
    Ok((status, String::from_utf8_lossy(&text).into_owned()))
}

fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(20));
    }
}
