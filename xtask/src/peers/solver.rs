//! Our Connect Four solver beside the crate connect-four-ai.
//!
//! The crate is no dependency of the workspace: a throw-away package below the
//! build folder depends on it and on us, so that both are compiled alike and
//! solve each position in turn.

use anyhow::{Context, bail};
use serde_json::Value;

use super::{Arguments, Step};
use crate::step::{command, output, root};

/// The published sets, as far as they are there.
pub const STEP: Step = Step {
    name: "solver",
    about: "Connect Four solvers, one thread, no book, tables cleared: connect-four-ai and ours",
    run,
};

/// Each set and how many of its positions, easy ones first.
const SETS: [(&str, usize); 6] = [
    ("L3_R1", 1000),
    ("L2_R1", 1000),
    ("L1_R1", 1000),
    ("L2_R2", 1000),
    ("L1_R2", 200),
    ("L1_R3", 12),
];

const MANIFEST: &str = r#"[package]
name = "connect-four-solvers"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
connect-four-ai = "=1.0.0"
exact = { path = "EXACT" }

[profile.release]
lto = "thin"
codegen-units = 1
"#;

fn run(_: &Arguments) -> anyhow::Result<()> {
    let data = root().join("../shared/data/connect-four");
    if !data.is_dir() {
        println!("the published sets are not there ({}); nothing to compare", data.display());
        return Ok(());
    }
    let package = root().join("target/peers/connect-four-solvers");
    std::fs::create_dir_all(package.join("src"))?;
    let exact = root().join("crates/exact");
    let exact = exact.to_str().context("the path of the workspace is not UTF-8")?;
    std::fs::write(
        package.join("Cargo.toml"),
        MANIFEST.replace("EXACT", &exact.replace('\\', "/")),
    )?;
    std::fs::copy(root().join("xtask/peers/connect_four_solvers.rs"), package.join("src/main.rs"))?;

    let mut program = command("cargo run --quiet --release --");
    program.current_dir(&package);
    for (name, count) in SETS {
        program.arg(format!("{}:{count}", data.join(format!("Test_{name}")).display()));
    }
    println!(
        "{:8} {:>5} {:>12} {:>12} {:>12} {:>12} {:>8}",
        "set", "count", "their nodes", "our nodes", "their ms", "our ms", "times"
    );
    for line in output(&mut program)?.lines() {
        let told: Value = serde_json::from_str(line)?;
        if let Some(wrong) = told["wrong"].as_str() {
            bail!("a wrong score: {wrong}");
        }
        let mean = |name: &str, side: usize| {
            told[name][side].as_f64().unwrap_or(f64::NAN) / told["count"].as_f64().unwrap_or(1.0)
        };
        let (theirs, ours) = (1e3 * mean("seconds", 0), 1e3 * mean("seconds", 1));
        println!(
            "{:8} {:>5} {:>12.0} {:>12.0} {theirs:>12.4} {ours:>12.4} {:>8.2}",
            told["set"].as_str().unwrap_or("?"),
            told["count"],
            mean("nodes", 0),
            mean("nodes", 1),
            theirs / ours
        );
    }
    Ok(())
}
