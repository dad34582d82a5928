//! Positions per second of the default network, onnxruntime's and ours, and
//! whether both give the same evaluations.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{Arguments, Step};
use crate::python;
use crate::step::{command, output, root};

/// The default network on a batch of 64, one thread.
pub const STEP: Step = Step {
    name: "onnxruntime-inference",
    about: "the default network on a batch of 64, one thread, positions per second",
    run,
};

/// Turns, each side's best counting: a busy machine is rarely busy in all.
const TURNS: usize = 3;
/// Batches a turn.
const ROUNDS: &str = "60";
/// The largest difference: of a logit as a share of the largest one, of a
/// probability, of a value.
const TOLERANCE: f64 = 1e-4;
/// How many times faster ours has to be.
const WANTED: f64 = 2.5;

fn run(_: &Arguments) -> anyhow::Result<()> {
    let folder = root().join("target/peers/network");
    fs::create_dir_all(&folder)?;
    let (mut ours, mut theirs) = (0f64, 0f64);
    for _ in 0..TURNS {
        let our = report(&folder, "cargo run --quiet --release -p learn --example inference")?;
        let mut script =
            python::peer("onnxruntime_inference.py", &["numpy", "onnx", "onnxruntime"])?;
        let text = output(script.arg(&folder).arg(ROUNDS))?;
        let their: Value = serde_json::from_str(text.trim())?;
        for part in ["logits", "policies", "values"] {
            let difference = their["difference"][part].as_f64().context("a difference")?;
            ensure!(difference < TOLERANCE, "{part} differ by {difference}");
        }
        ours = ours.max(rate(&our)?);
        theirs = theirs.max(rate(&their)?);
    }
    let times = ours / theirs;
    println!("onnxruntime {theirs:.0}, ours {ours:.0} ({times:.2} times), same evaluations");
    ensure!(times >= WANTED, "it should be {WANTED} times or more");
    Ok(())
}

fn report(folder: &Path, line: &str) -> anyhow::Result<Value> {
    let text = output(command(line).arg("--").arg(folder).arg(ROUNDS))?;
    Ok(serde_json::from_str(text.trim())?)
}

fn rate(report: &Value) -> anyhow::Result<f64> {
    let number = |name: &str| report[name].as_f64().with_context(|| format!("no {name}"));
    Ok(number("positions")? / number("seconds")?)
}
