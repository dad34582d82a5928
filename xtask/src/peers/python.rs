//! A Python environment for the peers, below the build folder and thrown away
//! with it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::bail;

use crate::step::{command, root, step, succeeds};

/// One of our scripts in the peers' environment, which is made to have the
/// packages that the script imports.
pub fn script(name: &str, packages: &[&str]) -> anyhow::Result<Command> {
    let mut command = Command::new(environment(packages)?);
    command.arg(root().join("xtask/peers").join(name)).current_dir(root());
    Ok(command)
}

/// The environment's Python, with some packages.
fn environment(packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = root().join("target/peers");
    let python = folder.join("bin/python");
    if !python.exists() {
        println!("making a Python environment for the peers in {}", folder.display());
        let made = command("python3 -m venv").arg(&folder).status();
        if !made.is_ok_and(|status| status.success()) {
            bail!("python3 with venv is missing: install the packages python3 and python3-venv");
        }
    }
    let pip = format!("{} -m pip", python.display());
    for package in packages {
        if !succeeds(&format!("{pip} show --quiet {package}")) {
            step(&format!("{pip} install --quiet --disable-pip-version-check {package}"), &[])?;
        }
    }
    Ok(python)
}
