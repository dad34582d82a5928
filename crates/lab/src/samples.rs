//! An engine against a folder of sample strategies of the Connect Four course,
//! which only participants of the course have: a batch of games counted as the
//! course does, on a random board for each pair, with a second count for the
//! strongest strategies.

use std::sync::Arc;

use arena::{Entrant, Factory, MatchConfig, Rules, RunOptions, run};
use games::connect_four::{ConnectFour, Setup, U192};
use games::{Reason, Rng, mix};
use search::Limits;
use serde::Deserialize;
use session::EngineSpec;
use session::engine::build;

use crate::{Budget, Experiment, LabContext, LabError, LabEvent, Measure, Share};

/// A board that holds every one of the course's.
pub type CourseBoard = ConnectFour<U192>;

/// The fault of a strategy that crashed in its first call. Such a game is no game:
/// it is listed, not counted.
pub const CRASHED_FIRST: &str = "crashed before its first move";

/// The strategies of a folder, weakest first.
pub struct Samples {
    /// The name of each, and a text that identifies its version.
    pub entrants: Vec<(String, String)>,
    /// Starts the strategy with this number.
    pub start: Factory<CourseBoard>,
}

/// A batch as an experiment's file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The engine that plays against the strategies.
    pub engine: String,
    /// The shares between which the paper's batches lie.
    pub between: [f64; 2],
    /// How many of the strongest are also counted separately.
    pub strongest: usize,
}

/// The results of a batch: against all, against the strongest, and the games of
/// all that were decided by a fault.
pub(crate) struct BatchResult {
    pub all: Measure,
    pub strongest: Measure,
    pub forfeits: Vec<String>,
    /// All games, those that are not counted included.
    pub played: usize,
}

/// Plays what is missing of a batch: equally many pairs against each strategy,
/// together at least so many games.
pub(crate) fn play(
    experiment: &Experiment,
    batch: &Batch,
    budget: Budget,
    games: u64,
    context: &mut LabContext,
) -> Result<BatchResult, LabError> {
    let engine: EngineSpec = batch.engine.parse()?;
    build::<CourseBoard>(&engine, 0)?;
    let LabContext { store, concurrency, stop, on_event, samples, .. } = context;
    let samples = samples.as_ref().ok_or_else(|| experiment.fault("there are no strategies"))?;
    let count = samples.entrants.len();
    let rounds = games.div_ceil(2 * count as u64).max(1);
    let measure = |label: String| Measure {
        label,
        game: "connect-four, boards of the course".to_owned(),
        engines: [batch.engine.clone(), "the strategies".to_owned()],
        budget,
        first: Share::default(),
        second: Share::default(),
        finished: true,
    };
    let strong = batch.strongest.min(count);
    let mut batched = BatchResult {
        all: measure(format!("against all {count} strategies")),
        strongest: measure(format!("against the {strong} strongest")),
        forfeits: Vec::new(),
        played: 0,
    };
    let work = format!("against the strategies, {budget}");
    // All strategies in turn, so that an interrupted batch is even.
    for pair in 0..rounds * count as u64 {
        on_event(LabEvent::Progress { work: &work, pairs: pair, of: rounds * count as u64 });
        let number = (pair % count as u64) as usize;
        let (name, version) = &samples.entrants[number];
        let config = pair_config(&engine, budget, name, version, pair);
        let (spec, start) = (engine.clone(), Arc::clone(&samples.start));
        let factory: Factory<CourseBoard> = Arc::new(move |engine| match engine {
            0 => build::<CourseBoard>(&spec, 0).map_err(|error| error.to_string()),
            _ => start(number),
        });
        let options = RunOptions { concurrency: (*concurrency).min(2), ..RunOptions::default() };
        let standing = run::<CourseBoard>(&config, &options, factory, store, stop, |_| ())?;
        if !standing.finished() {
            (batched.all.finished, batched.strongest.finished) = (false, false);
            break;
        }
        let id = store.match_id(&config)?;
        for game in store.games(id)? {
            let side = |measure: &mut Measure| match game.index % 2 {
                0 => measure.first.add(game.for_lower_engine()),
                _ => measure.second.add(game.for_lower_engine()),
            };
            batched.played += 1;
            if game.note != CRASHED_FIRST {
                side(&mut batched.all);
                if number >= count - strong {
                    side(&mut batched.strongest);
                }
            }
            let fault = [Reason::Crashed, Reason::IllegalMove, Reason::Time];
            if fault.contains(&game.outcome.reason) {
                let loser = if game.for_lower_engine() > 0 { name } else { &batch.engine };
                batched.forfeits.push(format!("{loser}: {}", game.note));
            }
        }
    }
    Ok(batched)
}

/// One pair on a board of its own. The strategies enforce the course judge's
/// limits themselves.
fn pair_config(
    engine: &EngineSpec,
    budget: Budget,
    name: &str,
    version: &str,
    pair: u64,
) -> MatchConfig {
    let board = Setup::course(&mut Rng::stream(1, pair));
    let ours = Entrant {
        spec: engine.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        limits: budget.limits(),
    };
    let theirs =
        Entrant { spec: name.to_owned(), version: version.to_owned(), limits: Limits::default() };
    MatchConfig {
        rules: Rules { margin: std::time::Duration::from_millis(500), ..Rules::default() },
        ..MatchConfig::new::<CourseBoard>(&board, vec![ours, theirs], mix(1, pair))
    }
}
