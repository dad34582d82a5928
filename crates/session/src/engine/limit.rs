//! Which limits end a search: each kind of engine observes only its own.

use games::TextError;
use search::Limits;

use super::family::resolve;
use super::spec::EngineSpec;
use crate::GameSpec;

/// The names of the limits beside time that would end a search of this engine, if
/// neither these limits nor its spec do; `None` if one of them does.
pub fn missing_limits(
    game: &GameSpec,
    spec: &EngineSpec,
    limits: &Limits,
) -> Result<Option<&'static [&'static str]>, TextError> {
    let Limits { time, clock, nodes, sims, depth } = limits;
    let plain = resolve(spec, game.row())?;
    let own = |name: &&&str| plain.is_given(name) && plain.text(name) != "off";
    let (names, counted): (&[&str], bool) = match plain.family().name {
        "uct" | "puct" => (&["sims", "nodes"], sims.is_some() || nodes.is_some()),
        "alpha-beta" => (&["nodes", "depth"], nodes.is_some() || depth.is_some()),
        "program" => {
            (&["sims", "nodes", "depth"], sims.is_some() || nodes.is_some() || depth.is_some())
        }
        _ => (&[], true),
    };
    let by_itself = names.iter().filter(|name| plain.family().has(name)).find(own).is_some();
    let ends = counted || by_itself || time.is_some() || clock.is_some();
    Ok((!ends).then_some(names))
}
