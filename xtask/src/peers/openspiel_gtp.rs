//! OpenSpiel's client bot drives our engine over GTP.

use super::{Arguments, Step};
use crate::python;
use crate::step::output;

/// Whole games of Connect Four through the protocol.
pub const STEP: Step = Step {
    name: "openspiel-gtp",
    about: "OpenSpiel's GTP client plays Connect Four with our engine, against its own MCTS",
    run,
};

const GAMES: u64 = 20;

fn run(_: &Arguments) -> anyhow::Result<()> {
    let mut script = python::peer("openspiel_gtp.py", &["open_spiel"])?;
    script.args([&GAMES.to_string(), env!("CARGO"), "run", "--quiet", "--release", "--"]);
    script.args(["engine", "--game", "connect-four", "--engine", "uct sims=2000"]);
    println!("connect-four: finished {}", output(&mut script)?.trim_end());
    Ok(())
}
