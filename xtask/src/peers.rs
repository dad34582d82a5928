//! `cargo xtask peers`: other people's programs and ours, doing the same work in
//! one run, so that a busy machine is busy for both.

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::Value;

use crate::step::{command, root, step, succeeds};

/// What to compare.
#[derive(Args)]
pub struct Arguments {
    /// Simulations of our tree search; the peer gets a tenth
    #[arg(long, default_value_t = 1_000_000)]
    sims: u64,
}

impl Arguments {
    /// Installs the peers into a throw-away environment and compares.
    pub fn run(self) -> anyhow::Result<()> {
        step("cargo build --release", &[])?;
        let python = environment()?;
        println!("\nuniform UCT from the first position, simulations a second, one thread:");
        let script = root().join("xtask/peers/openspiel_speed.py");
        let output =
            Command::new(&python).arg(script).arg((self.sims / 10).to_string()).output()?;
        ensure!(
            output.status.success(),
            "the peer failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        for line in String::from_utf8(output.stdout)?.lines() {
            let peer: Value = serde_json::from_str(line)?;
            let game = peer["game"].as_str().context("the script names the game")?;
            let theirs = rate(&peer["sims"], &peer["seconds"])?;
            let one = self.ours(game, 1)?;
            let two = self.ours(game, 2)?;
            println!("{game}: OpenSpiel {theirs:.0}, ours {one:.0} ({:.1} times)", one / theirs);
            // What the machine has to give: two searches that share nothing.
            let apart = thread::scope(|scope| {
                let other = scope.spawn(|| self.ours(game, 1));
                anyhow::Ok(self.ours(game, 1)? + other.join().expect("it returns its errors")?)
            })?;
            println!(
                "  two threads on one tree {two:.0} ({:.2} times one); two programs side by side {apart:.0} ({:.2} times one)",
                two / one,
                apart / one
            );
        }
        Ok(())
    }

    fn ours(&self, game: &str, threads: u32) -> anyhow::Result<f64> {
        let engine = format!("uct tactics=off narrow=off proofs=off threads={threads}");
        let sims = self.sims.to_string();
        let output = command("cargo run --quiet --release --")
            .args(["analyse", game, "--engine", &engine, "--sims", &sims, "--json"])
            .output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        let report: Value = serde_json::from_str(text.lines().last().context("a report")?)?;
        rate(&report["sims"], &report["seconds"])
    }
}

fn rate(work: &Value, seconds: &Value) -> anyhow::Result<f64> {
    let (work, seconds) = (work.as_f64(), seconds.as_f64());
    Ok(work.context("a count")? / seconds.context("a time")?)
}

/// A Python environment of its own below the build folder, with OpenSpiel.
fn environment() -> anyhow::Result<PathBuf> {
    let folder = root().join("target/peers");
    let python = folder.join("bin/python");
    if !python.exists() {
        println!("making a Python environment for the peers in {}", folder.display());
        if !succeeds(&format!("python3 -m venv {}", folder.display())) {
            bail!("python3 with venv is missing: install the packages python3 and python3-venv");
        }
    }
    let line = format!(
        "{} -m pip install --quiet --disable-pip-version-check open_spiel",
        python.display()
    );
    step(&line, &[])?;
    Ok(python)
}
