//! Running other programs, aloud.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_owned()
}

/// A command in the root of the workspace; its words stand apart by spaces.
pub fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let program = words.next().expect("a command has a name");
    // The very cargo that runs us, so that a chosen toolchain is kept.
    let program = if program == "cargo" { env!("CARGO") } else { program };
    let mut command = command_of(program);
    command.args(words);
    command
}

/// A program without arguments, in the root of the workspace.
pub fn command_of(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    // What cargo told this program about itself would make some dependencies
    // believe that they must be built anew, minutes each time.
    let ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
        command.env_remove(name);
    }
    command
}

/// Says what comes, does it, and fails if it fails.
pub fn step(line: &str, environment: &[(&str, &str)]) -> anyhow::Result<()> {
    println!("\n=== {line}");
    let status = command(line)
        .envs(environment.iter().copied())
        .status()
        .with_context(|| format!("'{line}' could not be started"))?;
    if !status.success() {
        bail!("'{line}' failed");
    }
    Ok(())
}

/// Whether a command runs and succeeds; its output is not shown.
pub fn succeeds(line: &str) -> bool {
    command(line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a command prints, if it succeeds.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?} could not be started"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed: {complaint}");
    Ok(String::from_utf8(output.stdout)?)
}

/// Makes sure that a program is there, from these packages of Debian's if it is
/// not.
pub fn install(program: &str, packages: &str) -> anyhow::Result<()> {
    if succeeds(&format!("{program} --version")) {
        return Ok(());
    }
    println!("{program} is missing; installing Debian's {packages}");
    let install = format!("apt-get install -y --no-install-recommends {packages}");
    let installed = succeeds(&install) || (succeeds("apt-get update") && succeeds(&install));
    ensure!(installed, "{program} is missing and could not be installed: install {packages}");
    Ok(())
}
