//! Simulations a second of a plain UCT, OpenSpiel's and ours.

use std::thread;

use anyhow::Context;
use serde_json::Value;

use super::{Arguments, Step};
use crate::python;
use crate::step::{command, output};

/// Uniform UCT from the first position.
pub const STEP: Step = Step {
    name: "openspiel-speed",
    about: "uniform UCT from the first position, one thread, simulations a second",
    run,
};

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut script = python::peer("openspiel_speed.py", &["open_spiel"])?;
    script.arg((arguments.sims / 10).to_string());
    for line in output(&mut script)?.lines() {
        let peer: Value = serde_json::from_str(line)?;
        let game = peer["game"].as_str().context("the script names the game")?;
        let theirs = rate(&peer["sims"], &peer["seconds"])?;
        let one = ours(game, 1, arguments.sims)?;
        let two = ours(game, 2, arguments.sims)?;
        println!("{game}: OpenSpiel {theirs:.0}, ours {one:.0} ({:.1} times)", one / theirs);
        // What the machine has to give: two searches that share nothing.
        let apart = thread::scope(|scope| {
            let other = scope.spawn(|| ours(game, 1, arguments.sims));
            let this = ours(game, 1, arguments.sims)?;
            anyhow::Ok(this + other.join().expect("it returns its errors")?)
        })?;
        println!(
            "  two threads on one tree {two:.0} ({:.2} times one); two programs side by side {apart:.0} ({:.2} times one)",
            two / one,
            apart / one
        );
    }
    Ok(())
}

fn ours(game: &str, threads: u32, sims: u64) -> anyhow::Result<f64> {
    let engine = format!("uct tactics=off narrow=off proofs=off threads={threads}");
    let mut analysis = command("cargo run --quiet --release --");
    analysis.args(["analyse", game, "--engine", &engine, "--json", "--sims", &sims.to_string()]);
    let text = output(&mut analysis)?;
    let report: Value = serde_json::from_str(text.lines().last().context("a report")?)?;
    rate(&report["sims"], &report["seconds"])
}

fn rate(work: &Value, seconds: &Value) -> anyhow::Result<f64> {
    let (work, seconds) = (work.as_f64(), seconds.as_f64());
    Ok(work.context("a count")? / seconds.context("a time")?)
}
