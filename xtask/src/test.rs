//! `cargo xtask test`: everything that must hold at each change.

use anyhow::bail;

use crate::step::{step, succeeds};
use crate::tidy;

/// Runs all of it, cheapest first.
pub fn run() -> anyhow::Result<()> {
    tools()?;
    tidy::run()?;
    step("cargo fmt --all --check", &[])?;
    step("cargo clippy --workspace --all-targets -- -D warnings", &[])?;
    step("cargo doc --workspace --no-deps --quiet", &[("RUSTDOCFLAGS", "-D warnings")])?;
    step("cargo test --workspace --quiet", &[])
}

/// The parts of the toolchain that the checks need, installed if missing.
fn tools() -> anyhow::Result<()> {
    for (probe, component) in
        [("cargo fmt --version", "rustfmt"), ("cargo clippy --version", "clippy")]
    {
        if succeeds(probe) {
            continue;
        }
        println!("{component} is missing; adding it to the toolchain");
        if !succeeds(&format!("rustup component add {component}")) {
            bail!(
                "{component} is missing and could not be added: install it with 'rustup component add {component}'"
            );
        }
    }
    Ok(())
}
