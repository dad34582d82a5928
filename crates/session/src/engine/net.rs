//! Engines that ask a network: `puct net=FILE`.

use std::path::Path;
use std::sync::Arc;

use games::TextError;
use learn::{Shelf, load_for};
use search::tree::{FirstPlay, Judge, Reward, Settings};

use super::spec::EngineSpec;
use crate::Playable;

/// Positions that each thread's cache holds.
const MEMORY: usize = 1 << 14;

/// Lets the network that a spec names, if it names one, judge leaves. Values of
/// networks go from -1 to 1, so that is their scale where the spec does not say;
/// and a move that nobody looked at counts as even, as the 2020 paper has it,
/// for the policy says when to look at it.
pub(super) fn install<G: Playable>(
    spec: &EngineSpec,
    start: &G,
    settings: &mut Settings<G>,
) -> Result<(), TextError> {
    let file = spec.text("net");
    if file == "none" {
        return Ok(());
    }
    let (network, _) = load_for(Path::new(file), start)?;
    let shelf = Shelf::new(network, MEMORY);
    settings.judge =
        Judge::Evaluator { make: Arc::new(move || shelf.lend()), batch: spec.value("batch") };
    if !spec.is_given("reward") {
        settings.reward = Reward::PlusMinus;
    }
    if !spec.is_given("fpu") {
        settings.first_play = FirstPlay::Value(0.0);
    }
    Ok(())
}
