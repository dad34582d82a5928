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
}

impl Arguments {
    /// Runs the long tests, then the fuzzer.
    pub fn run(self) -> anyhow::Result<()> {
        install("valgrind", "valgrind")?;
        step("cargo test --workspace --release --quiet -- --ignored", &[])?;
        fuzz::run(self.fuzz_seconds)
    }
}
