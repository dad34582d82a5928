//! `cargo xtask soak`: what is too long for each change.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::ensure;
use clap::{Args, ValueEnum};

use crate::step::{install, step, succeeds};
use crate::{coverage, fuzz, python};

/// What to soak.
#[derive(Args)]
pub struct Arguments {
    /// The parts to run; all by default
    #[arg(value_name = "PART")]
    parts: Vec<Part>,
    /// Seconds of coverage-guided fuzzing for each target
    #[arg(long, default_value_t = 60)]
    fuzz_seconds: u64,
    /// Seconds of one long think in each game
    #[arg(long, default_value_t = 600)]
    think_seconds: u64,
}

/// A part of the soak, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The long tests: load, kills, hard sets
    Tests,
    /// What is `unsafe`, under the address sanitizer
    Sanitizer,
    /// How much of the parsers is executed by their tests
    Coverage,
    /// The dependencies' known faults
    Advisories,
    /// The Python package with all that it can be used with
    Python,
    /// Whether engines keep time under load
    Punctuality,
    /// Whether engines play perfectly where they should
    Perfect,
    /// Whether memory and speed stay in a long think
    Think,
    /// Coverage-guided fuzzing
    Fuzz,
}

impl Arguments {
    /// Runs the parts, each of them though another fails, and says at the end how long
    /// each took and which failed.
    pub fn run(self) -> anyhow::Result<()> {
        let parts = match self.parts.as_slice() {
            [] => Part::value_variants(),
            parts => parts,
        };
        let (mut lines, mut failed) = (Vec::new(), Vec::new());
        for &part in parts {
            let began = Instant::now();
            let result = self.run_part(part);
            let seconds = began.elapsed().as_secs();
            lines.push(match &result {
                Ok(()) => format!("{part:?}: passed in {seconds} s"),
                Err(error) => format!("{part:?}: FAILED after {seconds} s: {error}"),
            });
            failed.extend(result.err().map(|_| format!("{part:?}")));
        }
        println!("\n{}", lines.join("\n"));
        println!("soak: {} passed, {} failed", parts.len() - failed.len(), failed.len());
        ensure!(failed.is_empty(), "{} failed", failed.join(", "));
        Ok(())
    }

    fn run_part(&self, part: Part) -> anyhow::Result<()> {
        let example = |name: &str| format!("cargo run --release -p session --example {name}");
        match part {
            Part::Tests => {
                install("valgrind", "valgrind")?;
                install("nats-server", "nats-server")?;
                step("cargo test --workspace --release --quiet --no-fail-fast -- --ignored", &[])
            }
            Part::Sanitizer => address_sanitizer(),
            Part::Coverage => coverage::run(),
            Part::Advisories => advisories(),
            Part::Python => python::soak(),
            Part::Punctuality => {
                step(&example("punctuality"), &[])?;
                // Long searches have large trees, which take longest to notice their end.
                step(&format!("{} -- 2 1000", example("punctuality")), &[])
            }
            Part::Perfect => step(&example("perfect"), &[]),
            Part::Think => {
                step(&format!("{} -- {}", example("long_think"), self.think_seconds), &[])
            }
            Part::Fuzz => fuzz::run(self.fuzz_seconds),
        }
    }
}

/// The tests of what is `unsafe` in the engines: the kernels of networks, the
/// tree's node pool, the memory of large tables and the mapping of endgame tables; and of
/// the failing disk in `storage`. The address sanitizer finds reads and writes out
/// of bounds and after free. It is an unstable option of the compiler, which
/// `RUSTC_BOOTSTRAP` lets the stable one take, and needs a target folder of its own.
fn address_sanitizer() -> anyhow::Result<()> {
    let environment = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTFLAGS", "-Zsanitizer=address -Ctarget-cpu=x86-64-v3"),
        // The C compiler's instrumentation and the Rust compiler's runtime do not fit
        // together: zstd's constants were taken for memory of a stack.
        ("CFLAGS", "-fno-sanitize=all"),
        // Tests ask for more memory than there is, and are to be refused.
        ("ASAN_OPTIONS", "allocator_may_return_null=1"),
    ];
    for tests in [
        "-p games --lib -- bits lines",
        "-p learn --lib --test net",
        "-p search --lib --test all -- tree pool memory table",
        "-p exact --lib --test surakarta_tables",
        "-p storage --lib",
    ] {
        let target = "--target x86_64-unknown-linux-gnu --target-dir target/address-sanitizer";
        step(&format!("cargo test --quiet {target} {tests}"), &environment)?;
    }
    Ok(())
}

/// Looks the dependencies up in the RustSec database of security advisories, where
/// cargo-deny and a copy of the database are at hand; nothing is fetched.
fn advisories() -> anyhow::Result<()> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let home = variable("CARGO_HOME").or_else(|| Some(variable("HOME")?.join(".cargo")));
    // cargo-deny's name for its copies, and the older one of cargo-audit.
    let copies = ["advisory-dbs", "advisory-db"];
    let at_hand = home.is_some_and(|home| copies.iter().any(|copy| home.join(copy).is_dir()));
    if !at_hand || !succeeds("cargo deny --version") {
        println!("\nno cargo-deny or no advisory database: the dependencies are not looked up");
        return Ok(());
    }
    step("cargo deny --offline --locked check advisories", &[])
}
