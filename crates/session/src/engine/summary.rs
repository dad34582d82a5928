//! What an engine plays with on this machine, as a line for a log: a team sees
//! before a contest whether it has its cores, tables, book and network.

use games::TextError;

use super::{EngineSpec, Options, resolve};
use crate::Playable;
use crate::book::BookSource;

/// The threads, exact knowledge, book and network of an engine on the board of
/// `start`.
pub fn summary<G: Playable>(spec: &EngineSpec, start: &G) -> Result<String, TextError> {
    let plain = resolve(spec, G::row())?;
    let learned = |eval: &str| eval.contains("nnue");
    let (threads, network, tables) = match plain.options() {
        Options::AlphaBeta(options) => {
            let name = learned(&options.eval).then_some(options.eval);
            (options.settings.threads, name, options.tables && !options.plain)
        }
        Options::Tree(options) => {
            let name = (options.net != "none").then_some(options.net);
            (options.settings.threads, name, options.tables)
        }
        _ => (1, None, false),
    };
    let best = match spec.options() {
        Options::Best(best) => Some(best),
        _ => None,
    };
    let exact = if tables || best.is_some() { G::exact_summary(&start.setup()) } else { None };
    let book = best.and_then(|best| BookSource::of(&best.book).book::<G>(&start.setup()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!(
        "{spec}: {threads} of {cores} cores, {}, {}, {}",
        exact.as_deref().unwrap_or("no endgame tables"),
        book.map_or("no book".to_owned(), |book| format!("book of {} positions", book.len())),
        network.map_or("no network".to_owned(), |name| format!("network {name}")),
    ))
}
