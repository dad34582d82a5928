//! The families of engines, and the presets that stand for one of them.
//!
//! A paper's engine is a preset: the spec of a plain family, with the named base
//! `plain` (everything off that the papers lack) and what differs from it.

use std::sync::LazyLock;

use games::TextError;

use super::options::{
    AlphaBetaOptions, BestOptions, LevelOptions, Options, ProgramOptions, TreeOptions,
};
use super::parameter::Parameter;
use super::spec::EngineSpec;
use crate::GameRow;

/// Engines that differ only in their parameters.
#[derive(Debug)]
pub struct Family {
    /// The first word of a spec.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub help: &'static str,
    /// What can be chosen.
    pub parameters: Vec<Parameter>,
    /// What it stands for.
    pub preset: Preset,
    /// What it is if the spec says nothing.
    pub(super) options: Options,
}

/// What a preset stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Nothing: the family is an engine of its own.
    None,
    /// A paper's engine: its game, and the spec, in which the word `plain` stands
    /// for the family's base.
    Paper(&'static str, &'static str),
    /// The engine that each game's row names.
    Best,
}

/// A tree search with everything off that the papers lack.
const PLAIN_TREE: &str =
    "proofs=off tables=off tactics=off narrow=off history=off reuse=off recycle=off";

/// Likewise alpha-beta.
const PLAIN_ALPHA_BETA: &str = "table=0 pvs=off aspiration=0 forcing=off killers=off history=off \
     reductions=off quiescence=0 repetition=off tables=off tactics=off ties=random";

/// The spec in which the word `plain` is replaced by the base of its family. What
/// the spec says otherwise about the base's parameters takes their place.
fn expand(spec: &str) -> String {
    let base = if spec.starts_with("alpha-beta") { PLAIN_ALPHA_BETA } else { PLAIN_TREE };
    let words = spec.split_whitespace().flat_map(|word| match word {
        "plain" => base.split_whitespace().collect(),
        word => vec![word],
    });
    let mut list: Vec<&str> = Vec::new();
    for word in words {
        let name = |word: &str| word.split('=').next().map(str::to_owned);
        match list.iter_mut().find(|earlier| name(earlier) == name(word)) {
            Some(earlier) => *earlier = word,
            None => list.push(word),
        }
    }
    list.join(" ")
}

impl Family {
    fn new(name: &'static str, help: &'static str, preset: Preset, options: Options) -> Family {
        Family { name, help, parameters: options.parameters(), preset, options }
    }

    /// The parameter with this name; otherwise an error that names the known
    /// ones.
    pub fn parameter(&self, name: &str) -> Result<&Parameter, TextError> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
            TextError::new(match known.is_empty() {
                true => format!("{} has no parameters, so '{name}' means nothing", self.name),
                false => {
                    format!("{} has no parameter '{name}'; it has {}", self.name, known.join(", "))
                }
            })
        })
    }

    /// Whether there is a parameter with this name.
    pub fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// The spec that the family stands for in a game; none if it is no preset, or
    /// not for this game.
    pub fn preset_in(&self, game: &GameRow) -> Option<String> {
        match self.preset {
            Preset::None => None,
            Preset::Paper(name, spec) => (name == game.name).then(|| expand(spec)),
            Preset::Best => Some(game.best.to_owned()),
        }
    }

    /// The parameter that says how many megabytes an engine may take, if it
    /// takes any.
    pub fn memory(&self) -> Option<&'static str> {
        let names = self.parameters.iter().map(|parameter| parameter.name);
        names.into_iter().find(|name| ["memory", "table"].contains(name))
    }
}

/// Every family, plain ones first, then presets.
pub static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    use Preset::{Best, None, Paper};
    let uct = || Options::Tree(TreeOptions::default());
    let puct = || Options::Tree(TreeOptions::puct());
    let alpha_beta = || Options::AlphaBeta(AlphaBetaOptions::default());
    vec![
        Family::new("random", "plays any legal move", None, Options::Random),
        Family::new("uct", "tree search by UCB1, with rollouts", None, uct()),
        Family::new(
            "puct",
            "tree search by PUCT, with a network, rollouts or an evaluation",
            None,
            puct(),
        ),
        Family::new(
            "alpha-beta",
            "iterative deepening with a table, reductions and quiescence",
            None,
            alpha_beta(),
        ),
        Family::new(
            "level",
            "the best engine weakened, from 1 to 10",
            None,
            Options::Level(LevelOptions::default()),
        ),
        Family::new(
            "program",
            "an outside program",
            None,
            Options::Program(ProgramOptions::default()),
        ),
        Family::new(
            "paper-000",
            "2025, Surakarta: UCT with rollouts cut after 9 plies and judged by the sign of an evaluation",
            Paper(
                "surakarta",
                "uct c=0.23 reward=01 expand=all cut=9 judge=sign eval=matrix pick=mean plain \
                 parallel=leaf",
            ),
            uct(),
        ),
        Family::new(
            "paper-001",
            "2021, Dots and Boxes: UCT with chain and loop theory",
            Paper(
                "dots-and-boxes",
                "uct c=0.4 reward=01 expand=all rollout=prudent cut=settled judge=sign eval=chains \
                 pick=mean plain tactics=on narrow=on",
            ),
            uct(),
        ),
        Family::new(
            "paper-002",
            "2020, Surakarta: PUCT with a residual network; give your own by net=FILE",
            Paper(
                "surakarta",
                "puct net=surakarta c=2 reward=pm1 fpu=0 expand=all pick=temperature \
                 temperature=0.1 plain parallel=root sims=1600",
            ),
            puct(),
        ),
        Family::new(
            "paper-003",
            "2012, Surakarta: alpha-beta with six factors and arcs first",
            Paper("surakarta", "alpha-beta eval=six order=arcs plain forcing=on"),
            alpha_beta(),
        ),
        Family::new(
            "paper-004",
            "2025, Connect Four: UCT with centre-weighted rollouts, win or block at once",
            Paper(
                "connect-four",
                "uct c=1.2 reward=pm1 expand=necessary rollout=weighted pick=mean plain tactics=on",
            ),
            uct(),
        ),
        Family::new(
            "best",
            "the strongest engine we have for a game",
            Best,
            Options::Best(BestOptions::default()),
        ),
    ]
});

/// The plain spec that a preset stands for in a game, with what the user set laid
/// over it; any other spec as it is.
pub fn resolve(spec: &EngineSpec, game: &GameRow) -> Result<EngineSpec, TextError> {
    let family = spec.family();
    if family.preset == Preset::None {
        return Ok(spec.clone());
    }
    let Some(plain) = family.preset_in(game) else {
        let Preset::Paper(own, _) = family.preset else { unreachable!("best is for every game") };
        return Err(TextError::new(format!("{} plays {own}, not {}", family.name, game.name)));
    };
    let mut plain: EngineSpec = plain.parse()?;
    let Options::Best(best) = spec.options() else { return plain.with(spec) };
    // Book and solver stand before the engine, which knows nothing of them.
    if let (Some(name), Some(all)) = (plain.family().memory(), best.memory) {
        plain.set(name, &(all - all / 3).to_string())?;
    }
    if spec.is_given("multipv") && plain.family().has("multipv") {
        plain.set("multipv", &best.multipv.to_string())?;
    }
    if spec.is_given("threads") {
        plain.set("threads", &best.thread_count().to_string())?;
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_a_base_and_what_differs_from_it() {
        let spec = |name: &str| {
            let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
            let Preset::Paper(_, spec) = family.preset else { panic!("{name} is a paper's") };
            expand(spec)
        };
        assert_eq!(
            spec("paper-001"),
            "uct c=0.4 reward=01 expand=all rollout=prudent cut=settled judge=sign eval=chains \
             pick=mean proofs=off tables=off tactics=on narrow=on history=off reuse=off recycle=off"
        );
        assert_eq!(
            spec("paper-003"),
            "alpha-beta eval=six order=arcs table=0 pvs=off aspiration=0 forcing=on killers=off \
             history=off reductions=off quiescence=0 repetition=off tables=off tactics=off ties=random"
        );
    }

    #[test]
    fn the_base_of_alpha_beta_is_the_papers_reference_player() {
        let spec: EngineSpec = format!("alpha-beta depth=3 {PLAIN_ALPHA_BETA}").parse().unwrap();
        let Options::AlphaBeta(options) = spec.options() else { panic!("alpha-beta") };
        let plain = search::alpha_beta::AlphaBetaSettings::plain(3);
        assert_eq!(
            options.settings,
            search::alpha_beta::AlphaBetaSettings { deepen: true, ..plain }
        );
    }
}
