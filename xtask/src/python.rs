//! Python: environments of their own for what runs in it, and the tests of the
//! package in `crates/python`.
//!
//! An environment lies below the build folder and is thrown away with it.
//!
//! The quick tests run with a wheel made of the module that cargo builds together with
//! the Rust tests. Maturin itself would compile `session` and all below it a second
//! time, minutes of it: cargo chooses the features of common dependencies by the packages
//! that it builds, and maturin has it build one. So it only writes the wheel's metadata.
//! The long tests use a wheel that is maturin's as a whole.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::step::{command, command_of, output, root, succeeds};

const PACKAGE: &str = "crates/python";
/// The part of the package that is written in Rust.
const MODULE: &str = "_boyi";
const LEFT_OUT: &str = "set BOYI_NO_PYTHON=1 to leave the tests of the Python package out";
/// What the quick tests need.
const NEEDED: &[&str] = &["pytest", "numpy", "gymnasium", "pettingzoo", "maturin", "wheel"];
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
    let present = run(&python, "-c").arg(PRESENT).args(packages).status();
    if !present.is_ok_and(|status| status.success()) {
        // What is not imported is not compiled either.
        let line = "-m pip install --quiet --disable-pip-version-check --no-compile";
        println!("\n=== python {line} {}", packages.join(" "));
        let installed = run(&python, line).args(packages).status();
        if !installed.is_ok_and(|status| status.success()) {
            bail!("{} could not be installed for Python; {LEFT_OUT}", packages.join(", "));
        }
    }
    Ok(python)
}

/// A program that fails if one of the packages it is given is missing.
const PRESENT: &str = "\
import importlib.metadata, sys
names = {one.metadata['Name'].lower().replace('-', '_') for one in importlib.metadata.distributions()}
sys.exit(not names.issuperset(sys.argv[1:]))";

/// A command of an environment's Python; words stand apart by spaces.
fn run(python: &Path, words: &str) -> Command {
    let mut command = command_of(python);
    command.args(words.split_whitespace());
    command
}

/// An empty folder below the build folder.
fn fresh_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder = root().join("target").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs Python, aloud, for a part of the wheel.
fn for_wheel(command: &mut Command) -> anyhow::Result<()> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    println!("\n=== python {}", words.join(" "));
    if !command.status()?.success() {
        bail!("the wheel of {PACKAGE} could not be built");
    }
    Ok(())
}

/// Has maturin build the wheel for release, and installs it into the environment.
fn install(python: &Path) -> anyhow::Result<()> {
    let wheels = fresh_folder("python-wheels")?;
    let build = format!(
        "-m maturin build --quiet --release --manifest-path {PACKAGE}/Cargo.toml --interpreter"
    );
    for_wheel(run(python, &build).arg(python).arg("--out").arg(&wheels))?;
    install_wheel(python, &wheels)
}

/// Makes a wheel of the package's Python files and a module, and installs it into the
/// environment.
fn install_with(python: &Path, module: &Path) -> anyhow::Result<()> {
    let content = fresh_folder("python-package")?;
    let package = content.join("boyi");
    std::fs::create_dir(&package)?;
    for entry in std::fs::read_dir(root().join(PACKAGE).join("python/boyi"))? {
        let file = entry?.path();
        if let Some(name) = file.file_name().filter(|_| file.is_file()) {
            std::fs::copy(&file, package.join(name))?;
        }
    }
    std::fs::copy(module, package.join(format!("{MODULE}.abi3.so")))?;
    let metadata = "-m maturin pep517 write-dist-info --metadata-directory";
    let mut metadata = run(python, metadata);
    metadata.arg(&content).arg("--interpreter").arg(python);
    for_wheel(metadata.current_dir(root().join(PACKAGE)))?;
    let wheels = fresh_folder("python-wheels")?;
    for_wheel(run(python, "-m wheel pack").arg(&content).arg("--dest-dir").arg(&wheels))?;
    install_wheel(python, &wheels)
}

/// Installs the one wheel in a folder into the environment.
fn install_wheel(python: &Path, wheels: &Path) -> anyhow::Result<()> {
    let mut found = std::fs::read_dir(wheels)?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = found.next().context("there is no wheel")?;
    let line = "-m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps";
    let installed = run(python, line).arg(&wheel).status()?;
    if !installed.success() {
        bail!("{} could not be installed", wheel.display());
    }
    Ok(())
}

/// Runs the tests of the installed package.
fn pytest(python: &Path, arguments: &str) -> anyhow::Result<()> {
    let line = format!("-m pytest -q {PACKAGE}/tests {arguments}");
    println!("\n=== python {line}");
    let status = run(python, &line).args(["-p", "no:cacheprovider"]).status()?;
    if !status.success() {
        bail!("'python {line}' failed");
    }
    Ok(())
}

/// The Python module, if cargo says in this message that it has built it.
pub fn module_in(message: &Value) -> Option<PathBuf> {
    let is_module = message["target"]["name"] == MODULE && message["profile"]["test"] == false;
    let files = message["filenames"].as_array().filter(|_| is_module)?;
    files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".so")).map(PathBuf::from)
}

/// Builds the module alone.
fn build_module() -> anyhow::Result<PathBuf> {
    let line = "cargo build --package python --lib --message-format=json-render-diagnostics";
    let messages = output(command(line).stderr(Stdio::inherit()))?;
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    messages.find_map(|message| module_in(&message)).context("cargo built no module")
}

/// The quick tests: games, engines, matches, networks, and the environments of
/// Gymnasium and PettingZoo; with a module that is built already, or a new one.
pub fn test(module: Option<PathBuf>) -> anyhow::Result<()> {
    if std::env::var_os("BOYI_NO_PYTHON").is_some() {
        println!("BOYI_NO_PYTHON is set: the Python package is not tested");
        return Ok(());
    }
    let python = environment("python", NEEDED)?;
    install_with(&python, &module.map_or_else(build_module, Ok)?)?;
    pytest(&python, "")
}

/// The long tests: OpenSpiel, ONNX, leaks, speed, and PyTorch with the notebooks.
pub fn soak() -> anyhow::Result<()> {
    let python = environment("python", NEEDED)?;
    environment("python", SOAKED)?;
    install(&python)?;
    if environment("python", &["torch"]).is_err() {
        println!("PyTorch can't be installed here: its tests and its notebook are left out");
    }
    pytest(&python, "-m soak -rs")
}

/// The same with our package, built for release, in the environment of its tests.
pub fn package_peer(name: &str, packages: &[&str]) -> anyhow::Result<Command> {
    let python = environment("python", NEEDED)?;
    environment("python", packages)?;
    install(&python)?;
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
