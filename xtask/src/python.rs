//! Python: environments of their own for what runs in it, and the tests of the
//! package in `crates/python`.
//!
//! An environment lies below the build folder and is thrown away with it. The
//! wheel is built from what the Rust tests have compiled already, so that little
//! but the bindings is left to build.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::step::{command, command_of, root, succeeds};

const PACKAGE: &str = "crates/python";
const LEFT_OUT: &str = "set BOYI_NO_PYTHON=1 to leave the tests of the Python package out";
/// What builds and tests the package.
const NEEDED: &[&str] = &["maturin", "pytest", "numpy", "gymnasium", "pettingzoo"];
/// What only the long tests need; PyTorch apart, which may be too large for a
/// machine.
const SOAKED: &[&str] = &["open_spiel", "onnx", "onnxruntime", "nbclient", "ipykernel", "mypy"];

/// The Python of an environment below the build folder, with some packages.
pub fn environment(name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = root().join("target").join(name);
    let python = folder.join("bin/python");
    if !python.exists() {
        println!("making a Python environment in {}", folder.display());
        let make = || command("python3 -m venv").arg(&folder).status().is_ok_and(|s| s.success());
        let install = "apt-get install -y --no-install-recommends python3 python3-venv";
        let made = make() || (succeeds("apt-get update") && succeeds(install) && make());
        if !made {
            bail!(
                "python3 with venv is missing: install the packages python3 and python3-venv, or \
                 {LEFT_OUT}"
            );
        }
    }
    let mut missing = Vec::new();
    for package in packages {
        if !run(&python, "-m pip show --quiet")
            .arg(package)
            .output()
            .is_ok_and(|output| output.status.success())
        {
            missing.push(*package);
        }
    }
    if !missing.is_empty() {
        let line = "-m pip install --quiet --disable-pip-version-check";
        println!("\n=== python {line} {}", missing.join(" "));
        let installed = run(&python, line).args(&missing).status();
        if !installed.is_ok_and(|status| status.success()) {
            bail!("{} could not be installed for Python; {LEFT_OUT}", missing.join(", "));
        }
    }
    Ok(python)
}

/// A command of an environment's Python; words stand apart by spaces.
fn run(python: &Path, words: &str) -> Command {
    let mut command = command_of(python);
    command.args(words.split_whitespace());
    command
}

/// Builds the wheel with a profile and installs it into the environment.
fn install(python: &Path, profile: &str) -> anyhow::Result<()> {
    let wheels = root().join("target/python-wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let build = format!(
        "-m maturin build --quiet --profile {profile} --manifest-path {PACKAGE}/Cargo.toml --interpreter"
    );
    println!("\n=== python {build} ...");
    let built = run(python, &build).arg(python).arg("--out").arg(&wheels).status()?;
    if !built.success() {
        bail!("the wheel of {PACKAGE} could not be built");
    }
    let mut found = std::fs::read_dir(&wheels)?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = found.next().context("maturin left no wheel")?;
    let line = "-m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps";
    let installed = run(python, line).arg(&wheel).status()?;
    if !installed.success() {
        bail!("{} could not be installed", wheel.display());
    }
    Ok(())
}

fn pytest(python: &Path, arguments: &str) -> anyhow::Result<()> {
    let line = format!("-m pytest -q {PACKAGE}/tests {arguments}");
    println!("\n=== python {line}");
    let status = run(python, &line).args(["-p", "no:cacheprovider"]).status()?;
    if !status.success() {
        bail!("'python {line}' failed");
    }
    Ok(())
}

/// The quick tests: games, engines, matches, networks, and the environments of
/// Gymnasium and PettingZoo.
pub fn test() -> anyhow::Result<()> {
    if std::env::var_os("BOYI_NO_PYTHON").is_some() {
        println!("BOYI_NO_PYTHON is set: the Python package is not tested");
        return Ok(());
    }
    let python = environment("python", NEEDED)?;
    install(&python, "dev")?;
    pytest(&python, "")
}

/// The long tests: OpenSpiel, ONNX, leaks, speed, and PyTorch with the notebooks.
pub fn soak() -> anyhow::Result<()> {
    let python = environment("python", NEEDED)?;
    environment("python", SOAKED)?;
    install(&python, "release")?;
    if environment("python", &["torch"]).is_err() {
        println!("PyTorch can't be installed here: its tests and its notebook are left out");
    }
    pytest(&python, "-m soak -rs")
}

/// The same with our package, built for release, in the environment of its tests.
pub fn package_peer(name: &str, packages: &[&str]) -> anyhow::Result<Command> {
    let python = environment("python", NEEDED)?;
    environment("python", packages)?;
    install(&python, "release")?;
    let mut command = command_of(python);
    command.arg(root().join("xtask/peers").join(name));
    Ok(command)
}

/// One of the scripts of `xtask/peers`, in an environment that has the packages it
/// imports.
pub fn peer(name: &str, packages: &[&str]) -> anyhow::Result<Command> {
    let mut command = command_of(environment("peers", packages)?);
    command.arg(root().join("xtask/peers").join(name));
    Ok(command)
}
