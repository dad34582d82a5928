//! OpenSpiel's rules follow random games of ours.

use std::process::Stdio;

use anyhow::ensure;

use super::{Arguments, Step};
use crate::python;
use crate::step::{command, output};

/// Legal moves, turns and results, ply by ply.
pub const STEP: Step = Step {
    name: "openspiel-rules",
    about: "OpenSpiel's legal moves, turns and returns at each ply of our random games",
    run,
};

const GAMES: u64 = 10_000;

fn run(_: &Arguments) -> anyhow::Result<()> {
    for game in ["connect-four", "dots-and-boxes"] {
        let mut ours = command("cargo run --quiet --release -p games --example playthroughs --")
            .args([game, &GAMES.to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut script = python::peer("openspiel_rules.py", &["open_spiel"])?;
        script.arg(game).stdin(ours.stdout.take().expect("it is piped"));
        let agreed = output(&mut script)?;
        ensure!(ours.wait()?.success(), "our games of {game} broke off");
        println!("{game}: agreed on {}", agreed.trim_end());
    }
    Ok(())
}
