//! Engines that ask a network: `puct net=FILE`.

use std::path::Path;
use std::sync::Arc;

use games::TextError;
use learn::{EvaluatorPool, load_for, read_for};
use search::tree::{Fpu, LeafEvaluator, MakeEvaluator, Reward, Selection, TreeSettings};

use super::options::{BELOW_SIBLINGS, TreeOptions};
use super::spec::EngineSpec;
use crate::{Playable, ROWS};

/// The networks that come with the program under this name, all of a game's under the
/// game's; `models/` says where they come from.
fn shipped(name: &str) -> impl Iterator<Item = &'static [u8]> {
    let all = ROWS.iter().flat_map(|row| row.networks.iter().map(move |network| (row, network)));
    let named = all.filter(move |(row, (own, _))| row.name == name || *own == name);
    named.map(|(_, (_, bytes))| *bytes)
}

/// Whether a spec that says `net=NAME` needs no file.
pub fn has_network(name: &str) -> bool {
    name == "none" || shipped(name).next().is_some()
}

/// Positions that each thread's cache holds.
const CACHE_SIZE: usize = 1 << 14;

/// The network that evaluates leaves, if the options name one.
pub(super) fn evaluator<G: Playable>(
    options: &TreeOptions,
    start: &G,
) -> Result<Option<LeafEvaluator<G>>, TextError> {
    let file = options.net.as_str();
    if file == "none" {
        return Ok(None);
    }
    let path = Path::new(file);
    // The first that is for this board; if none is, what is wrong with the last.
    let fitting = shipped(file).map(|bytes| read_for(path, bytes, start));
    let fitting = fitting.reduce(|one, next| if one.is_ok() { one } else { next });
    let (network, _) = fitting.unwrap_or_else(|| {
        load_for(path, start).map_err(|error| {
            let names = ROWS.iter().flat_map(|row| row.networks.iter().map(|(name, _)| *name));
            let names: Vec<&str> = names.collect();
            TextError::new(format!("{error}; networks with a name are {}", names.join(", ")))
        })
    })?;
    let pool = EvaluatorPool::new(network, CACHE_SIZE);
    let make: MakeEvaluator<G> = Arc::new(move || Box::new(pool.get()));
    Ok(Some(LeafEvaluator::Evaluator { make, batch: options.batch }))
}

/// The weight of exploration in a network's search where the spec does not say.
const EXPLORATION: f32 = 1.0;

/// What a network's search does where the spec does not say. Values of networks go from
/// -1 to 1, so that is their scale; and an unvisited move counts a little less than its
/// siblings, for the policy says when to look at it. With 200 simulations a move that
/// takes 56.5% of 100 games of Surakarta, 60.8% of 120 of Dots and Boxes and 56.2% of
/// 120 of Connect Four from the 2020 paper's `c=2 fpu=0`; `c=1.5` is as good in
/// Surakarta.
pub(super) fn adapt(spec: &EngineSpec, settings: &mut TreeSettings) {
    if !spec.is_given("reward") {
        settings.reward = Reward::PlusMinus;
    }
    if !spec.is_given("fpu") {
        settings.fpu = Fpu::Reduction(BELOW_SIBLINGS);
    }
    if let Selection::Puct { c } = &mut settings.selection
        && !spec.is_given("c")
    {
        *c = EXPLORATION;
    }
}

#[cfg(test)]
mod tests {
    use games::Record;
    use games::connect_four::{ConnectFour, U192};
    use games::dots_and_boxes::DotsAndBoxes;
    use games::surakarta::Surakarta;
    use search::{Engine, SearchControl};

    use super::*;

    type Standard = ConnectFour<u64>;

    fn told<G: Playable>(spec: &str) -> String {
        let start = G::start(&G::Setup::default()).unwrap();
        let built = G::engine(&spec.parse().unwrap(), &start, 1);
        built.err().map_or(String::new(), |error| error.to_string())
    }

    /// Six moves of the network that comes with a game.
    fn play<G: Playable>() -> String {
        let start = G::start(&G::Setup::default()).unwrap();
        let spec = format!("puct net={} c=2 sims=48 tactics=off", G::NAME).parse().unwrap();
        let mut engine = G::engine(&spec, &start, 1).unwrap();
        let mut record = Record::new(start);
        for _ in 0..6 {
            let info = engine.search(&record, &SearchControl::unlimited());
            assert_eq!(info.sims, 48);
            record.play(info.best.unwrap()).unwrap();
        }
        record.moves_text()
    }

    #[test]
    fn shipped_networks_fit_and_play_the_same_game_twice() {
        assert_eq!(play::<Surakarta>(), play::<Surakarta>());
        assert_eq!(play::<DotsAndBoxes>(), play::<DotsAndBoxes>());
        assert_eq!(play::<Standard>(), play::<Standard>());
    }

    #[test]
    fn the_network_of_connect_four_plays_every_board() {
        fn check<G: Playable>(setups: &[&str]) {
            for setup in setups {
                let start = G::start(&setup.parse().ok().unwrap()).unwrap();
                for net in ["connect-four", "connect-four-boards"] {
                    let spec = format!("puct net={net} c=2 sims=16 tactics=off").parse().unwrap();
                    let mut engine = G::engine(&spec, &start, 1).unwrap();
                    let info =
                        engine.search(&Record::new(start.clone()), &SearchControl::unlimited());
                    assert!(info.best.is_some() && info.sims == 16, "{net} {setup}");
                }
            }
        }
        check::<Standard>(&["", "4x4", "5x8 hole=2,2"]);
        check::<ConnectFour<u128>>(&["9x9 hole=3,4"]);
        check::<ConnectFour<U192>>(&["12x12 hole=6,7", "7x6"]);
    }

    #[test]
    fn a_wrong_or_damaged_file_is_explained() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        let missing = told::<Surakarta>(&format!("puct net={}", file("none").display()));
        assert!(missing.contains("can't be read") && missing.contains("surakarta"), "{missing}");
        let other = told::<DotsAndBoxes>("puct net=surakarta");
        assert_eq!(other, "surakarta plays surakarta, not dots-and-boxes 5x5");
        let whole = shipped("surakarta").next().unwrap();
        for (name, bytes) in [("cut", &whole[..whole.len() / 2]), ("text", b"no network at all")] {
            let path = file(name);
            std::fs::write(&path, bytes).unwrap();
            let told = told::<Surakarta>(&format!("puct net={}", path.display()));
            assert!(told.contains("not a whole safetensors file"), "{name}: {told}");
        }
    }
}
