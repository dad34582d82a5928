//! An engine against a folder of other people's strategies for the Connect Four
//! course, which only a user of the course has: a batch of games as the course
//! counts them, on boards drawn anew for each pair, and the strongest of them
//! apart.

use std::sync::Arc;

use arena::{Allowance, Contest, Entrant, Factory, Plan, Rules, run};
use games::connect_four::{ConnectFour, Setup, U192};
use games::{Reason, Rng, mix};
use serde::Deserialize;
use session::EngineSpec;
use session::engine::build;

use crate::{Bench, Budget, Experiment, LabError, Measure, News, Share};

/// A board that holds every one of the course's.
pub type CourseBoard = ConnectFour<U192>;

/// The strategies of a folder, weakest first.
pub struct Samples {
    /// A name for each, and what tells one version of it from another.
    pub entrants: Vec<(String, String)>,
    /// Starts the strategy with a number.
    pub start: Factory<CourseBoard>,
}

/// A batch as an experiment's file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Who plays against the strategies.
    pub engine: String,
    /// The shares between which the paper's batches lie.
    pub between: [f64; 2],
    /// So many of the strongest are also counted apart.
    pub strongest: usize,
}

/// A batch as it came out: against all, against the strongest, and how many games
/// of all were decided by a fault.
pub(crate) struct Batched {
    pub all: Measure,
    pub strongest: Measure,
    pub forfeits: Vec<String>,
}

/// Plays what is missing of a batch: each strategy meets the engine in as many
/// pairs, together at least so many games.
pub(crate) fn play(
    experiment: &Experiment,
    batch: &Batch,
    budget: Budget,
    games: u64,
    bench: &mut Bench,
) -> Result<Batched, LabError> {
    let engine: EngineSpec = batch.engine.parse()?;
    build::<CourseBoard>(&engine, 0)?;
    let Bench { store, concurrency, stop, tell, samples, .. } = bench;
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
    let mut batched = Batched {
        all: measure(format!("against all {count} strategies")),
        strongest: measure(format!("against the {strong} strongest")),
        forfeits: Vec::new(),
    };
    let work = format!("against the strategies, {budget}");
    // All strategies in turn, so that an interrupted batch is even.
    for pair in 0..rounds * count as u64 {
        tell(News::Played { work: &work, pairs: pair, of: rounds * count as u64 });
        let number = (pair % count as u64) as usize;
        let (name, version) = &samples.entrants[number];
        let contest = contest(&engine, budget, name, version, pair);
        let (spec, start) = (engine.clone(), Arc::clone(&samples.start));
        let factory: Factory<CourseBoard> = Arc::new(move |seat| match seat {
            0 => build::<CourseBoard>(&spec, 0).map_err(|error| error.to_string()),
            _ => start(number),
        });
        let plan = Plan { concurrency: (*concurrency).min(2), ..Plan::default() };
        let standing = run::<CourseBoard>(&contest, &plan, factory, store, stop, &mut |_| ())?;
        if !standing.finished() {
            (batched.all.finished, batched.strongest.finished) = (false, false);
            break;
        }
        let id = store.enter(&contest)?;
        for game in store.games(id)? {
            let side = |measure: &mut Measure| match game.index % 2 {
                0 => measure.first.add(game.result()),
                _ => measure.second.add(game.result()),
            };
            side(&mut batched.all);
            if number >= count - strong {
                side(&mut batched.strongest);
            }
            let fault = [Reason::Crashed, Reason::IllegalMove, Reason::Time];
            if fault.contains(&game.outcome.reason) {
                let loser = if game.result() > 0 { name } else { &batch.engine };
                batched.forfeits.push(format!("{loser}: {}", game.note));
            }
        }
    }
    Ok(batched)
}

/// One pair on a board of its own. The strategies keep the judge's limits
/// themselves.
fn contest(engine: &EngineSpec, budget: Budget, name: &str, version: &str, pair: u64) -> Contest {
    let board = Setup::course(&mut Rng::stream(1, pair));
    let ours = Entrant {
        spec: engine.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        allowance: budget.allowance(),
    };
    let theirs = Entrant {
        spec: name.to_owned(),
        version: version.to_owned(),
        allowance: Allowance::default(),
    };
    Contest {
        rules: Rules { margin: std::time::Duration::from_millis(500), ..Rules::default() },
        ..Contest::new::<CourseBoard>(&board, vec![ours, theirs], mix(1, pair))
    }
}
