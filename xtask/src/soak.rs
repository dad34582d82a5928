//! `cargo xtask soak`: what is too long for each change.

use std::path::PathBuf;

use clap::Args;

use crate::step::{install, step, succeeds};
use crate::{coverage, fuzz, python};

/// What to soak.
#[derive(Args)]
pub struct Arguments {
    /// Seconds of coverage-guided fuzzing for each target
    #[arg(long, default_value_t = 60)]
    fuzz_seconds: u64,
    /// Seconds of one long think in each game
    #[arg(long, default_value_t = 600)]
    think_seconds: u64,
}

impl Arguments {
    /// Runs the long tests, then what is `unsafe` under the address sanitizer, measures
    /// what is executed of the parsers, looks up the dependencies' known faults, runs
    /// the Python package with all that it can be used with, looks
    /// whether engines keep time under load, play perfectly where they should, and
    /// keep memory and speed in a long think, then fuzzes.
    pub fn run(self) -> anyhow::Result<()> {
        install("valgrind", "valgrind")?;
        install("nats-server", "nats-server")?;
        step("cargo test --workspace --release --quiet -- --ignored", &[])?;
        address_sanitizer()?;
        coverage::run()?;
        advisories()?;
        let example = |name: &str| format!("cargo run --release -p session --example {name}");
        python::soak()?;
        step(&example("punctuality"), &[])?;
        // Long searches have large trees, which take longest to notice their end.
        step(&format!("{} -- 2 1000", example("punctuality")), &[])?;
        step(&example("perfect"), &[])?;
        step(&format!("{} -- {}", example("long_think"), self.think_seconds), &[])?;
        fuzz::run(self.fuzz_seconds)
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
