//! `cargo xtask tidy`: laws about files, texts and dependencies that no compiler
//! checks.

mod dependencies;
mod source;
mod words;

use std::path::Path;

use anyhow::{Context, bail};

use crate::page;
use crate::step::{command, root};

/// Names that say nothing about what a file holds.
const VAGUE_NAMES: [&str; 7] = ["util", "utils", "misc", "helper", "helpers", "common", "stuff"];

/// Packages whose `Cargo.toml` says `test = false`: they would be compiled a
/// second time for no test inside.
const TESTED_FROM_OUTSIDE: [&str; 5] =
    ["crates/boyi", "crates/course", "crates/python", "fuzz/laws", "xtask"];

/// Checks every file that git knows or would add.
pub fn run() -> anyhow::Result<()> {
    let mut faults = Vec::new();
    let mut totals = source::Totals::default();
    for name in files()? {
        let path = Path::new(&name);
        if path.components().any(|part| {
            let part = part.as_os_str().to_string_lossy();
            VAGUE_NAMES.contains(&part.split('.').next().unwrap_or_default())
        }) {
            faults.push(format!("{name}: a vague name; name it after what it holds"));
        }
        if let Ok(text) = std::fs::read_to_string(root().join(path)) {
            check_text(&name, &text, &mut faults);
            words::check(&name, &text, &mut faults);
            totals.check(&name, &text, &mut faults);
        }
    }
    totals.finish(&mut faults);
    check_documents(&mut faults)?;
    dependencies::check(&mut faults)?;
    page::check_imports(&mut faults)?;
    if !faults.is_empty() {
        bail!("untidy:\n  {}", faults.join("\n  "));
    }
    println!("tidy: files, documents and dependencies are in order");
    Ok(())
}

fn files() -> anyhow::Result<Vec<String>> {
    let Ok(listing) = command("git ls-files --cached --others --exclude-standard").output() else {
        println!("tidy: git is not installed, so single files are not looked at");
        return Ok(Vec::new());
    };
    let names = String::from_utf8(listing.stdout).context("a file name is not UTF-8")?;
    Ok(names.lines().map(str::to_owned).collect())
}

fn check_text(name: &str, text: &str, faults: &mut Vec<String>) {
    let ours = [".rs", ".md", ".toml", ".js", ".ts", ".css", ".html", ".py", ".pyi"]
        .iter()
        .any(|end| name.ends_with(end));
    if !ours || name.contains("/vendor/") {
        return;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        faults.push(format!("{name}: the last line has no line break"));
    }
    if TESTED_FROM_OUTSIDE.iter().any(|package| name.starts_with(&format!("{package}/src/")))
        && text.lines().any(|line| line.trim() == "#[test]")
    {
        faults.push(format!("{name}: this test never runs; put it into the package's tests/"));
    }
    for (i, line) in text.lines().enumerate() {
        if line.ends_with([' ', '\t']) || line.ends_with('\r') {
            faults.push(format!("{name}:{}: white space at the end of the line", i + 1));
        }
    }
}

/// ARCHITECTURE.md names every crate, and both READMEs have the same commands.
fn check_documents(faults: &mut Vec<String>) -> anyhow::Result<()> {
    let read = |name: &str| {
        std::fs::read_to_string(root().join(name)).with_context(|| format!("{name} can't be read"))
    };
    let architecture = read("ARCHITECTURE.md")?;
    for entry in std::fs::read_dir(root().join("crates"))? {
        let package = format!("crates/{}", entry?.file_name().to_string_lossy());
        if !architecture.contains(&package) {
            faults.push(format!("ARCHITECTURE.md does not mention {package}"));
        }
    }
    let commands = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("cargo ")).map(str::to_owned).collect()
    };
    if commands(&read("README.md")?) != commands(&read("README.zh-CN.md")?) {
        faults.push("README.md and README.zh-CN.md give different commands".to_owned());
    }
    Ok(())
}
