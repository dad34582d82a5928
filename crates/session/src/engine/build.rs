//! From a line of text to an engine.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use exact::{Assured, Effort};
use games::{Player, Record, TextError};
use search::alpha_beta::{self, AlphaBeta, Ties, WindowMode};
use search::rollout::{Cutoff, CutoffAt, CutoffValue, Policy, Rollout};
use search::tree::{
    self, Expand, FinalMove, Fpu, LeafEvaluator, Parallel, Reward, Selection, TreeNode, TreeSearch,
};
use search::{Engine, Limits, Variant};

use super::family::Preset;
use super::level::Level;
use super::limited::Limited;
use super::random::RandomMover;
use super::spec::EngineSpec;
use crate::Playable;
use crate::book::{Booked, Shelf};
use crate::program::{SauClient, UgiClient};

/// Builds the engine that a spec names, for a game on its default board.
pub fn build<G: Playable>(spec: &EngineSpec, seed: u64) -> Result<Box<dyn Engine<G>>, TextError> {
    G::engine(spec, &G::start(&G::Setup::default())?, seed)
}

/// [`Playable::engine`] of any game.
pub fn assemble<G: Playable>(
    spec: &EngineSpec,
    start: &G,
    seed: u64,
) -> Result<Box<dyn Engine<G>>, TextError> {
    let plain = resolve::<G>(spec)?;
    let engine = plain_engine::<G>(&plain, start, seed)?;
    if spec.family().name != "best" {
        return Ok(engine);
    }
    let megabytes = limit(spec, "memory").map_or(128, |all| all as usize / 3);
    let effort = Effort { megabytes, threads: spec.value("threads") };
    let engine: Box<dyn Engine<G>> = Box::new(Assured::new(engine, effort));
    Ok(match Shelf::of(spec.text("book")).book::<G>() {
        Some(book) => Box::new(Booked::new(book, engine)),
        None => engine,
    })
}

fn plain_engine<G: Playable>(
    spec: &EngineSpec,
    start: &G,
    seed: u64,
) -> Result<Box<dyn Engine<G>>, TextError> {
    let mut engine: Box<dyn Engine<G>> = match spec.family().name {
        "random" => Box::new(RandomMover::new(seed)),
        "uct" | "puct" => Box::new(Limited {
            engine: Box::new(TreeSearch::new(tree_settings::<G>(spec, start)?, seed)),
            sims: limit(spec, "sims"),
            nodes: None,
        }),
        "alpha-beta" => Box::new(Limited {
            engine: alpha_beta::<G>(spec)?,
            sims: None,
            nodes: limit(spec, "nodes"),
        }),
        "level" => {
            let mut best: EngineSpec = "best book=off".parse()?;
            best.set("memory", spec.text("memory"))?;
            let best = G::engine(&best, start, seed)?;
            Box::new(Level::new(best, spec.value("n"), seed))
        }
        "program" => program::<G>(spec)?,
        other => unreachable!("{other} stands for something else"),
    };
    engine.new_game(seed);
    Ok(engine)
}

/// The plain spec that a preset stands for in this game, with what the user set
/// laid over it; any other spec as it is.
pub fn resolve<G: Playable>(spec: &EngineSpec) -> Result<EngineSpec, TextError> {
    let family = spec.family();
    let mut plain = match family.preset {
        Preset::None => return Ok(spec.clone()),
        Preset::Best => G::row().best.parse::<EngineSpec>()?,
        Preset::Paper(game, plain) if game == G::NAME => plain.parse()?,
        Preset::Paper(game, _) => {
            return Err(TextError::new(format!("{} plays {game}, not {}", family.name, G::NAME)));
        }
    };
    if family.name != "best" {
        return plain.with(spec);
    }
    // Book and solver stand before the engine, which knows nothing of them.
    if let (Some(name), Some(all)) = (plain.family().memory(), limit(spec, "memory")) {
        plain.set(name, &(all - all / 3).to_string())?;
    }
    plain.with(&spec.only("threads"))
}

fn limit(spec: &EngineSpec, name: &str) -> Option<u64> {
    spec.text(name).parse().ok()
}

/// The evaluation that a spec names, or the game's default.
pub fn evaluation<G: Playable>(spec: &EngineSpec) -> Result<G::Eval, TextError> {
    let name = match spec.text("eval") {
        "default" => G::EVALUATIONS[0].0,
        name => name,
    };
    G::evaluation(name).ok_or_else(|| unknown("evaluation", name, G::NAME, G::EVALUATIONS))
}

fn unknown(what: &str, name: &str, game: &str, known: &[(&str, &str)]) -> TextError {
    let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    TextError::new(match known.is_empty() {
        true => format!("{game} has no {what} '{name}', nor any other"),
        false => format!("{game} has no {what} '{name}'; it has {}", known.join(", ")),
    })
}

/// An outside program, started and greeted.
fn program<G: Playable>(spec: &EngineSpec) -> Result<Box<dyn Engine<G>>, TextError> {
    let command = match spec.text("command") {
        "none" => {
            return Err(TextError::new(
                "program needs a command, as in command=\"./other --flag\"",
            ));
        }
        command => command,
    };
    let patience = Duration::from_secs_f64(spec.value("patience"));
    if spec.text("protocol") == "sau" {
        if G::row().platform.is_none() {
            return Err(TextError::new(format!("the contest platform does not have {}", G::NAME)));
        }
        return Ok(Box::new(SauClient::start(command, patience)?));
    }
    let mut options = Vec::new();
    for option in spec.text("options").split(';').map(str::trim) {
        match option.split_once('=') {
            Some((name, value)) => options.push((name.trim().to_owned(), value.trim().to_owned())),
            None if option == "none" || option.is_empty() => {}
            None => {
                return Err(TextError::new(format!(
                    "'{option}' is no option; write options=\"name=value; name=value\""
                )));
            }
        }
    }
    Ok(Box::new(UgiClient::start(command, options, patience)?))
}

fn alpha_beta<G: Playable>(spec: &EngineSpec) -> Result<Box<dyn Engine<G>>, TextError> {
    let depth = limit(spec, "depth").map(|depth| depth as u32);
    let settings = if spec.is_on("plain") {
        let depth =
            depth.ok_or_else(|| TextError::new("plain=on needs a depth, for example depth=3"))?;
        alpha_beta::Settings::plain(depth)
    } else {
        alpha_beta::Settings {
            depth,
            threads: spec.value("threads"),
            table_mb: spec.value("table"),
            pvs: spec.is_on("pvs"),
            aspiration: spec.value("aspiration"),
            noisy_first: spec.is_on("forcing"),
            killers: spec.is_on("killers"),
            history: spec.is_on("history"),
            reductions: spec.is_on("reductions"),
            quiescence: spec.value("quiescence"),
            repetition: spec.is_on("repetition"),
            tactics: spec.is_on("tactics"),
            ties: match spec.text("ties") {
                "random" => Ties::Random,
                _ => Ties::First,
            },
            window_mode: match spec.text("window") {
                "printed" => WindowMode::Paper2012,
                _ => WindowMode::Correct,
            },
            ..alpha_beta::Settings::default()
        }
    };
    let mut engine = AlphaBeta::new(evaluation::<G>(spec)?, settings);
    if spec.is_on("tables")
        && !spec.is_on("plain")
        && let Some(oracle) = G::lookup()
    {
        engine = engine.with_oracle(oracle);
    }
    match spec.text("order") {
        "none" => {}
        name => {
            let order = G::order(name).ok_or_else(|| unknown("order", name, G::NAME, G::ORDERS))?;
            engine = engine.with_order(order);
        }
    }
    Ok(Box::new(engine))
}

/// [`Playable::grow`] of any game.
pub fn grow<G: Playable>(
    spec: &EngineSpec,
    record: &Record<G>,
    limits: &Limits,
    seed: u64,
    depth: u32,
) -> Result<Option<TreeNode<G::Move>>, TextError> {
    let mut tree = TreeSearch::new(tree_settings::<G>(spec, record.game())?, seed);
    tree.think(record, limits, &mut |_| ControlFlow::Continue(()));
    Ok(tree.export(depth))
}

/// The settings of the tree search that a plain `uct` or `puct` spec names, for
/// games on the board of `start`.
fn tree_settings<G: Playable>(
    spec: &EngineSpec,
    start: &G,
) -> Result<tree::Settings<G>, TextError> {
    let c = spec.value("c");
    let mut settings = tree::Settings {
        selection: match spec.text("select") {
            "puct" => Selection::Puct { c },
            _ => Selection::Ucb1 { c },
        },
        reward: match spec.text("reward") {
            "pm1" => Reward::PlusMinus,
            _ => Reward::ZeroOne,
        },
        fpu: match (spec.text("fpu"), spec.text("fpu").parse()) {
            (_, Ok(value)) => Fpu::Absolute(value),
            ("siblings", _) => Fpu::Reduction(0.2),
            _ => Fpu::Infinite,
        },
        expand: match spec.text("expand") {
            "one" => Expand::One,
            "necessary" => Expand::Necessary,
            _ => Expand::All,
        },
        leaf_evaluator: LeafEvaluator::Rollout(rollout::<G>(spec)?),
        rollouts: spec.value("rollouts"),
        final_move: match spec.text("pick") {
            "mean" => FinalMove::Mean,
            "temperature" => FinalMove::Temperature(spec.value("temperature")),
            _ => FinalMove::Visits,
        },
        proofs: spec.is_on("proofs"),
        oracle: if spec.is_on("tables") { G::lookup() } else { None },
        tactics: spec.is_on("tactics"),
        prune_children: spec.is_on("narrow"),
        history: spec.is_on("history"),
        reuse: spec.is_on("reuse"),
        recycle: spec.is_on("recycle"),
        threads: spec.value("threads"),
        parallel: match spec.text("parallel") {
            "root" => Parallel::Root,
            "leaf" => Parallel::Leaf,
            _ => Parallel::Tree,
        },
        memory: spec.value("memory"),
        ..tree::Settings::default()
    };
    super::net::install(spec, start, &mut settings)?;
    Ok(settings)
}

fn rollout<G: Playable>(spec: &EngineSpec) -> Result<Rollout<G>, TextError> {
    let policy = match spec.text("rollout") {
        "forcing" => Policy::NoisyFirst,
        "prudent" => Policy::Safe,
        "weighted" => Policy::Weighted(Variant::Correct),
        "weighted-printed" => Policy::Weighted(Variant::Printed),
        _ => Policy::Uniform,
    };
    let at = match spec.text("cut") {
        "off" => return Ok(Rollout { policy, cutoff: None }),
        "settled" => CutoffAt::Quiet,
        plies => CutoffAt::Plies(plies.parse().expect("checked against its range")),
    };
    let value = match (spec.text("judge"), spec.text("zero")) {
        ("value", _) => CutoffValue::Expected,
        (_, "first") => CutoffValue::Sign { zero: Some(Player::First) },
        (_, "second") => CutoffValue::Sign { zero: Some(Player::Second) },
        _ => CutoffValue::Sign { zero: None },
    };
    let heuristic = Arc::new(evaluation::<G>(spec)?);
    Ok(Rollout { policy, cutoff: Some(Cutoff { at, heuristic, value }) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::FAMILIES;
    use crate::{GameSpec, GameVisitor, ROWS};

    /// Builds every family for a game and lets it play a few moves.
    struct Tour;

    impl GameVisitor for Tour {
        type Output = ();

        fn visit<G: Playable>(self, start: G) {
            for family in FAMILIES {
                let spec: EngineSpec = family.name.parse().unwrap();
                let Ok(mut engine) = build::<G>(&spec, 1) else {
                    assert!(family.preset_in(G::row()).is_none());
                    continue;
                };
                let mut record = Record::new(start.clone());
                let limits = Limits { nodes: Some(300), sims: Some(100), ..Limits::default() };
                for _ in 0..4 {
                    let info = engine.think(&record, &limits, &mut |_| ControlFlow::Continue(()));
                    record.play(info.best.expect("the game goes on")).expect("a legal move");
                }
            }
        }
    }

    #[test]
    fn every_family_plays_every_game_it_claims() {
        for game in GameSpec::all() {
            game.visit(Tour);
        }
    }

    #[test]
    fn defaults_fit_their_own_ranges() {
        for family in FAMILIES {
            for parameter in family.parameters {
                parameter.check(parameter.default).unwrap();
            }
            for row in ROWS {
                family.preset_in(row).map(|spec| spec.parse::<EngineSpec>().unwrap());
            }
        }
    }

    #[test]
    fn a_spec_comes_back_and_mistakes_are_explained() {
        let line = "uct c=0.23 cut=9 eval=matrix threads=2";
        assert_eq!(line.parse::<EngineSpec>().unwrap().to_string(), line);
        for (bad, word) in [
            ("", "name an engine"),
            ("deep-blue", "there is no engine 'deep-blue'; the engines are random, uct"),
            ("uct see=1", "uct has no parameter 'see'; it has c, select"),
            ("uct c=lots", "c=lots is not possible; c takes a number from 0 to 100"),
            ("uct c", "'c' is not a parameter; write name=value"),
            ("uct eval=\"x", "quotation mark"),
            ("random c=1", "random has no parameters"),
        ] {
            let error = bad.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.contains(word), "{bad}: {error}");
        }
        struct Refuse(&'static str);
        impl GameVisitor for Refuse {
            type Output = String;
            fn visit<G: Playable>(self, _start: G) -> String {
                build::<G>(&self.0.parse().unwrap(), 1)
                    .err()
                    .map_or(String::new(), |error| error.to_string())
            }
        }
        let surakarta: GameSpec = "surakarta".parse().unwrap();
        let told = surakarta.visit(Refuse("uct cut=3 eval=good"));
        assert!(told.contains("surakarta has no evaluation 'good'; it has matrix"), "{told}");
        let told = surakarta.visit(Refuse("paper-004"));
        assert_eq!(told, "paper-004 plays connect-four, not surakarta");
    }
}
