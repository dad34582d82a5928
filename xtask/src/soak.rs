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
    /// Runs the long tests, then what is `unsafe` under the address sanitizer, looks
    /// whether engines keep time under load, play perfectly where they should, and
    /// keep memory and speed in a long think, then fuzzes.
    pub fn run(self) -> anyhow::Result<()> {
        install("valgrind", "valgrind")?;
        install("nats-server", "nats-server")?;
        step("cargo test --workspace --release --quiet -- --ignored", &[])?;
        address_sanitizer()?;
        let example = |name: &str| format!("cargo run --release -p session --example {name}");
        step(&example("punctuality"), &[])?;
        step(&example("perfect"), &[])?;
        step(&format!("{} -- {}", example("long_think"), self.think_seconds), &[])?;
        fuzz::run(self.fuzz_seconds)
    }
}

/// The tests of what is `unsafe` in the engines: the kernels of networks, the
/// tree's node pool, the solvers' memory and the mapping of endgame tables; and of
/// the failing disk in `storage`. The address sanitizer finds reads and writes out
/// of bounds and after free. It is an unstable option of the compiler, which
/// `RUSTC_BOOTSTRAP` lets the stable one take, and needs a target folder of its own.
fn address_sanitizer() -> anyhow::Result<()> {
    let environment =
        [("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Zsanitizer=address -Ctarget-cpu=x86-64-v3")];
    for tests in [
        "-p games --lib -- bits",
        "-p learn --lib --test net",
        "-p search --lib --test all -- tree pool",
        "-p exact --lib --test surakarta_tables",
        "-p storage --lib",
    ] {
        let target = "--target x86_64-unknown-linux-gnu --target-dir target/address-sanitizer";
        step(&format!("cargo test --quiet {target} {tests}"), &environment)?;
    }
    Ok(())
}
