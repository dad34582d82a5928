//! `cargo xtask test`: everything that must hold at each change.

use anyhow::bail;

use crate::step::{step, succeeds};
use crate::{page, test_programs, tidy};

/// Runs all of it, cheapest first.
pub fn run() -> anyhow::Result<()> {
    tools()?;
    tidy::run()?;
    page::run()?;
    step("cargo fmt --all --check", &[])?;
    step("cargo clippy --workspace --all-targets -- -D warnings", &[])?;
    test_programs::run()
}

/// The links of the documentation and its examples, which are compiled when they are
/// run.
pub fn docs() -> anyhow::Result<()> {
    step("cargo doc --workspace --no-deps --quiet", &[("RUSTDOCFLAGS", "-D warnings")])?;
    step("cargo test --workspace --doc --quiet --no-fail-fast", &[])
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
    browser()?;
    broker()
}

/// The browser that the page is tested in, from Debian's packages.
fn browser() -> anyhow::Result<()> {
    if std::env::var_os("BOYI_NO_BROWSER").is_some() {
        println!("BOYI_NO_BROWSER is set: the page is not tested in a browser");
        return Ok(());
    }
    if succeeds("chromedriver --version") {
        return Ok(());
    }
    println!("chromedriver is missing; installing Debian's packages chromium and chromium-driver");
    let install = "apt-get install -y --no-install-recommends chromium chromium-driver";
    let installed = succeeds(install) || (succeeds("apt-get update") && succeeds(install));
    if !installed {
        bail!(
            "chromium and chromedriver are missing and could not be installed: install the packages \
             chromium and chromium-driver, or set BOYI_NO_BROWSER=1 to leave the browser tests out"
        );
    }
    Ok(())
}

/// The broker that the fleet is tested with, from Debian's packages.
fn broker() -> anyhow::Result<()> {
    if std::env::var_os("BOYI_NO_BROKER").is_some() {
        println!("BOYI_NO_BROKER is set: the fleet is not tested");
        return Ok(());
    }
    if succeeds("nats-server --version") {
        return Ok(());
    }
    println!("nats-server is missing; installing Debian's package");
    let install = "apt-get install -y --no-install-recommends nats-server";
    let installed = succeeds(install) || (succeeds("apt-get update") && succeeds(install));
    if !installed {
        bail!(
            "nats-server is missing and could not be installed: install the package nats-server, \
             or set BOYI_NO_BROKER=1 to leave the fleet's test out"
        );
    }
    Ok(())
}
