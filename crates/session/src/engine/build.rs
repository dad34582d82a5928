//! From a spec to an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use exact::SolverOptions;
use games::{Record, TextError};
use search::alpha_beta::{self, AlphaBeta, MoveBonus};
use search::knowledge::best_by_default;
use search::rollout::{Cutoff, Rollout};
use search::tree::{LeafEvaluator, TreeNode, TreeSearch};
use search::{Engine, Limits, SearchControl};

use super::exact_stage::ExactStage;
use super::family::resolve;
use super::level::{Level, Strength};
use super::net;
use super::options::{
    AlphaBetaOptions, BestOptions, LevelOptions, Options, ProgramOptions, ProgramProtocol,
    TreeOptions,
};
use super::random::RandomMover;
use super::spec::EngineSpec;
use crate::book::BookSource;
use crate::machine::require_memory;
use crate::program::{Dialect, GtpClient, SauClient, UgiClient};
use crate::{GameRow, Playable};

/// Builds the engine that a spec names, for a game on its default board.
pub fn build<G: Playable>(spec: &EngineSpec, seed: u64) -> Result<Box<dyn Engine<G>>, TextError> {
    G::engine(spec, &G::start(&G::Setup::default())?, seed)
}

/// [`Playable::engine_with`] of any game.
pub fn build_engine<G: Playable>(
    spec: &EngineSpec,
    start: &G,
    seed: u64,
    evaluator: Option<LeafEvaluator<G>>,
) -> Result<Box<dyn Engine<G>>, TextError> {
    Ok(match spec.options() {
        _ if evaluator.is_some() => {
            let spec = resolve(spec, G::row())?;
            let Options::Tree(options) = spec.options() else {
                let name = spec.family().name;
                return Err(TextError::new(format!(
                    "{name} takes no evaluation from outside; uct and puct do"
                )));
            };
            check_memory(&spec.options())?;
            let tree = tree_search::<G>(&spec, options, start, seed, evaluator)?;
            Box::new(with_new_game::<G, _>(tree, seed))
        }
        Options::Best(best) => {
            let best = best_engine::<G>(spec, &best, start, seed)?;
            Box::new(with_new_game::<G, _>(best, seed))
        }
        Options::Level(options) => {
            let row = G::row();
            let mut spec: EngineSpec = row.level_search.unwrap_or(row.best).parse()?;
            if let (Some(all), Some(own)) = (options.memory, spec.family().memory()) {
                spec.set(own, &(all - all / 3).to_string())?;
            }
            require_memory("the engine", options.memory.unwrap_or(0))?;
            let search = plain_engine::<G>(&spec, start, seed)?;
            let megabytes = options.memory.map_or(128, |all| all as usize / 3);
            let solver = SolverOptions { megabytes, threads: 1 };
            let engine = ExactStage::new(None, solver, search);
            let heuristic = named_evaluation::<G>("default")?;
            let level = Level::new(engine, heuristic, strength::<G>(&options), seed);
            Box::new(with_new_game::<G, _>(level, seed))
        }
        _ => {
            let plain = plain_engine::<G>(&resolve(spec, G::row())?, start, seed)?;
            with_new_game::<G, _>(plain, seed)
        }
    })
}

/// An engine at the beginning of a game.
fn with_new_game<G: Playable, E: Engine<G>>(mut engine: E, seed: u64) -> E {
    engine.new_game(seed);
    engine
}

/// A level of a game, where nothing else is said.
fn strength<G: Playable>(options: &LevelOptions) -> Strength {
    let level = options.level.clamp(1, 10) as usize;
    let own = G::row().levels[level - 1];
    Strength {
        careless: options.careless.unwrap_or(own.careless),
        sample_size: options.sample_size.unwrap_or(own.sample_size),
        nodes: options.nodes.unwrap_or(own.nodes),
    }
}

/// The best engine of a game: its search, and all that is known before it.
fn best_engine<G: Playable>(
    spec: &EngineSpec,
    best: &BestOptions,
    start: &G,
    seed: u64,
) -> Result<impl Engine<G> + use<G>, TextError> {
    require_memory("the engine", best.memory.unwrap_or(0))?;
    let search = plain_engine::<G>(&resolve(spec, G::row())?, start, seed)?;
    let megabytes = best.memory.map_or(128, |all| all as usize / 3);
    let options = SolverOptions { megabytes, threads: best.thread_count() };
    Ok(ExactStage::new(BookSource::of(&best.book).book::<G>(&start.setup()), options, search))
}

/// The engine of a spec that stands for nothing else.
fn plain_engine<G: Playable>(
    spec: &EngineSpec,
    start: &G,
    seed: u64,
) -> Result<Box<dyn Engine<G>>, TextError> {
    check_memory(&spec.options())?;
    Ok(match spec.options() {
        Options::Random => Box::new(RandomMover::new(seed)),
        Options::Tree(options) => Box::new(tree_search::<G>(spec, options, start, seed, None)?),
        Options::AlphaBeta(options) => {
            let (settings, evaluation, order) = alpha_beta::<G>(&options)?;
            let tables = options.tables && !options.plain;
            let mut engine = AlphaBeta::new(evaluation, settings).with_guess(best_by_default::<G>);
            if let Some(oracle) = if tables { G::node_oracle() } else { None } {
                engine = engine.with_oracle(oracle);
            }
            if let Some(order) = order {
                engine = engine.with_order(order);
            }
            Box::new(engine)
        }
        Options::Program(options) => program::<G>(&options)?,
        Options::Level(_) | Options::Best(_) => {
            return Err(TextError::new(format!("{} is no plain engine", spec.family().name)));
        }
    })
}

/// Makes sure that a spec can be built for games on the board of `start`, without
/// taking the memory of an engine. An outside program is started, to see that it
/// answers, and ended.
pub fn check<G: Playable>(spec: &EngineSpec, start: &G) -> Result<(), TextError> {
    if let Options::Best(BestOptions { memory, .. }) | Options::Level(LevelOptions { memory, .. }) =
        spec.options()
    {
        require_memory("the engine", memory.unwrap_or(0))?;
    }
    let options = resolve(spec, G::row())?.options();
    check_memory(&options)?;
    match options {
        Options::Random | Options::Level(_) | Options::Best(_) => Ok(()),
        Options::Tree(options) => {
            rollout::<G>(&options)?;
            net::evaluator(&options, start).map(drop)
        }
        Options::AlphaBeta(options) => alpha_beta::<G>(&options).map(drop),
        Options::Program(options) => program::<G>(&options).map(drop),
    }
}

/// Refuses a search that wants more memory than the machine has.
fn check_memory(options: &Options) -> Result<(), TextError> {
    match options {
        Options::Tree(options) => require_memory("the tree", options.settings.memory as u64),
        Options::AlphaBeta(options) if !options.plain => {
            require_memory("the table", options.settings.table_mb as u64)
        }
        _ => Ok(()),
    }
}

/// The most bytes that the weights of an evaluation may have.
const LARGEST_EVALUATION: u64 = 64 << 20;

/// The evaluation with this name, or of this file of weights, or the game's default.
pub fn named_evaluation<G: Playable>(name: &str) -> Result<G::Eval, TextError> {
    let name = if name == "default" { G::EVALUATIONS[0].0 } else { name };
    if name.ends_with(".nnue") {
        let wrong = |error: &str| TextError::new(format!("{name}: {error}"));
        let bytes = files::read(Path::new(name), LARGEST_EVALUATION)
            .map_err(|error| wrong(&format!("can't be read: {error}")))?;
        return G::read_evaluation(&bytes).map_err(|error| wrong(&error.to_string()));
    }
    G::evaluation(name).ok_or_else(|| unknown("evaluation", name, G::NAME, G::EVALUATIONS))
}

/// The evaluation that a spec names, or the game's default.
pub fn evaluation<G: Playable>(spec: &EngineSpec) -> Result<G::Eval, TextError> {
    named_evaluation::<G>(spec.text("eval"))
}

fn unknown(what: &str, name: &str, game: &str, known: &[(&str, &str)]) -> TextError {
    let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    TextError::new(match known.is_empty() {
        true => format!("{game} has no {what} '{name}', nor any other"),
        false => format!("{game} has no {what} '{name}'; it has {}", known.join(", ")),
    })
}

/// An outside program, started and greeted.
fn program<G: Playable>(program: &ProgramOptions) -> Result<Box<dyn Engine<G>>, TextError> {
    let command = program.command.as_str();
    if command == "none" {
        return Err(TextError::new("program needs a command, as in command=\"./other --flag\""));
    }
    let patience = Duration::from_secs_f64(program.patience);
    let log = (program.log != "none").then(|| PathBuf::from(&program.log));
    let dialect = match program.protocol {
        ProgramProtocol::Ugi => Dialect::Ugi,
        ProgramProtocol::Uci => Dialect::Uci,
        ProgramProtocol::Gtp => return Ok(Box::new(GtpClient::start(command, patience, log)?)),
        ProgramProtocol::Sau if G::row().platform.is_none() => {
            return Err(TextError::new(format!("the contest platform does not have {}", G::NAME)));
        }
        ProgramProtocol::Sau => return Ok(Box::new(SauClient::start(command, patience, log)?)),
    };
    let mut options = Vec::new();
    for option in program.options.split(';').map(str::trim) {
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
    Ok(Box::new(UgiClient::start(dialect, command, options, patience, log)?))
}

/// The settings of a game's best engine if that is alpha-beta, else of alpha-beta as
/// it is by default.
pub fn alpha_beta_settings(game: &GameRow) -> alpha_beta::AlphaBetaSettings {
    let spec: Option<EngineSpec> = game.best.parse().ok();
    match spec.map(|spec| spec.options()) {
        Some(Options::AlphaBeta(options)) => options.settings,
        _ => alpha_beta::AlphaBetaSettings::default(),
    }
}

/// The parts of an alpha-beta player.
#[expect(clippy::type_complexity, reason = "three parts, used in two places here")]
fn alpha_beta<G: Playable>(
    options: &AlphaBetaOptions,
) -> Result<(alpha_beta::AlphaBetaSettings, G::Eval, Option<MoveBonus<G>>), TextError> {
    let mut settings = options.settings.clone();
    if options.plain {
        let depth = settings.depth;
        let depth =
            depth.ok_or_else(|| TextError::new("plain=on needs a depth, for example depth=3"))?;
        let nodes = settings.nodes;
        settings =
            alpha_beta::AlphaBetaSettings { nodes, ..alpha_beta::AlphaBetaSettings::plain(depth) };
    }
    let evaluation = named_evaluation::<G>(&options.eval)?;
    let order = match options.order.as_str() {
        "none" => None,
        name => {
            let order = G::order(name);
            Some(order.ok_or_else(|| unknown("order", name, G::NAME, G::ORDERS))?)
        }
    };
    Ok((settings, evaluation, order))
}

/// [`Playable::grow`] of any game.
pub fn grow<G: Playable>(
    spec: &EngineSpec,
    record: &Record<G>,
    limits: &Limits,
    seed: u64,
    depth: u32,
) -> Result<Option<TreeNode<G::Move>>, TextError> {
    let Options::Tree(options) = spec.options() else {
        return Err(TextError::new(format!("{} grows no tree", spec.family().name)));
    };
    check_memory(&spec.options())?;
    let mut tree = tree_search(spec, options, record.game(), seed, None)?;
    tree.search(record, &SearchControl::new(*limits));
    Ok(tree.export(depth))
}

/// The tree search of a spec, for games on the board of `start`; an evaluator
/// takes the place of the spec's network.
fn tree_search<G: Playable>(
    spec: &EngineSpec,
    mut options: TreeOptions,
    start: &G,
    seed: u64,
    evaluator: Option<LeafEvaluator<G>>,
) -> Result<TreeSearch<G>, TextError> {
    let rollout = rollout::<G>(&options)?;
    let network = match evaluator {
        Some(_) => evaluator,
        None => net::evaluator(&options, start)?,
    };
    if network.is_some() {
        net::adapt(spec, &mut options.settings);
    }
    let oracle = if options.tables { G::node_oracle() } else { None };
    let evaluator = network.unwrap_or(LeafEvaluator::Rollout(rollout));
    let tree = TreeSearch::new(options.settings, seed)
        .with_evaluator(evaluator)
        .with_guess(best_by_default::<G>);
    Ok(match oracle {
        Some(oracle) => tree.with_oracle(oracle),
        None => tree,
    })
}

fn rollout<G: Playable>(options: &TreeOptions) -> Result<Rollout<G>, TextError> {
    let cutoff = match options.cutoff {
        None => None,
        Some(at) => {
            let heuristic = Arc::new(named_evaluation::<G>(&options.eval)?);
            Some(Cutoff { at, heuristic, value: options.cutoff_value() })
        }
    };
    Ok(Rollout { policy: options.policy, cutoff })
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
            for family in FAMILIES.iter() {
                let spec: EngineSpec = family.name.parse().unwrap();
                let Ok(mut engine) = build::<G>(&spec, 1) else {
                    assert!(family.preset_in(G::row()).is_none());
                    continue;
                };
                let mut record = Record::new(start.clone());
                let limits = Limits { nodes: Some(300), sims: Some(100), ..Limits::default() };
                for _ in 0..4 {
                    let info = engine.search(&record, &SearchControl::new(limits));
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
        for family in FAMILIES.iter() {
            for parameter in &family.parameters {
                parameter.check(&parameter.default).unwrap();
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
