//! Steps of random games a second through Python: OpenSpiel's interface and ours.

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{Arguments, Step};
use crate::python;
use crate::step::output;

/// The same Python loop on both sides, then many games at once.
pub const STEP: Step = Step {
    name: "openspiel-steps",
    about: "random games in Python, one core, steps a second",
    run,
};

/// Seconds of each side in each turn.
const SECONDS: &str = "1";
/// How many times faster the same loop has to be, and many games at once. The loop
/// reaches its aim of 3: 3.4 to 3.8 times in five runs. That is without the clock, which
/// the script reads once in 100 games: read at every game, which costs both sides 3 us,
/// the loop of Connect Four is 2.4 to 2.7 times as fast. Many games at once miss their
/// aim of 100: 77 to 80 times in Connect Four, 95 to 101 in Dots and Boxes. Their limit
/// is a little less than that, so that a loss is noticed.
const WANTED: [f64; 2] = [3.0, 68.0];

fn run(_: &Arguments) -> anyhow::Result<()> {
    let mut script = python::package_peer("openspiel_steps.py", &["open_spiel"])?;
    for line in output(script.arg(SECONDS))?.lines() {
        let report: Value = serde_json::from_str(line)?;
        let game = report["game"].as_str().context("the script names the game")?;
        let rate = |side: &str| report[side].as_f64();
        let number = |side: &str| rate(side).with_context(|| format!("no steps of {side}"));
        let (one, many, seen) = (number("boyi")?, number("vector")?, number("observed")?);
        let Some(theirs) = rate("openspiel") else {
            println!("{game}: one game {one:.0}, many {many:.0}, with observations {seen:.0}");
            continue;
        };
        let [times, vector, observed] = [one, many, seen].map(|ours| ours / theirs);
        println!(
            "{game}: OpenSpiel {theirs:.0}; the same loop {one:.0} ({times:.1} times); many games \
             {many:.0} ({vector:.0} times), with observations {seen:.0} ({observed:.0} times)"
        );
        ensure!(times >= WANTED[0], "the same loop should be {} times as fast", WANTED[0]);
        ensure!(vector >= WANTED[1], "many games should be {} times as fast", WANTED[1]);
    }
    Ok(())
}
