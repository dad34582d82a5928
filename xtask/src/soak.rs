//! `cargo xtask soak`: what is too long for each change.

use clap::Args;

use crate::fuzz;
use crate::step::{install, step};

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
    /// Runs the long tests, looks whether engines keep time under load, play
    /// perfectly where they should, and keep memory and speed in a long think,
    /// then fuzzes.
    pub fn run(self) -> anyhow::Result<()> {
        install("valgrind", "valgrind")?;
        step("cargo test --workspace --release --quiet -- --ignored", &[])?;
        let example = |name: &str| format!("cargo run --release -p session --example {name}");
        step(&example("punctuality"), &[])?;
        step(&example("perfect"), &[])?;
        step(&format!("{} -- {}", example("long_think"), self.think_seconds), &[])?;
        fuzz::run(self.fuzz_seconds)
    }
}
