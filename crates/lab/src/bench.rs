//! What every experiment is done with: the store, the stop, somebody to tell.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::{Allowance, Contest, Entrant, Factory, Openings, Rules, RunError, Store, StoreError};
use games::TextError;
use learn::train::TrainError;
use session::{EngineSpec, Playable};

use crate::Samples;

/// Why an experiment could not be done.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Its file makes no sense.
    #[error("experiment {0}: {1}")]
    Experiment(String, String),
    /// A game or an engine makes no sense.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The arena could not play it.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A network could not be trained.
    #[error(transparent)]
    Train(#[from] TrainError),
}

/// What there is to tell of the progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// Something was found.
    Found(&'a str),
    /// So many pairs of games of a piece of work are there, those of earlier runs
    /// included; told of each, and once at the beginning.
    Played {
        /// The piece of work.
        work: &'a str,
        /// Pairs that are there.
        pairs: u64,
        /// Pairs that there will be.
        of: u64,
    },
}

/// Where experiments are done.
pub struct Bench<'a> {
    /// Keeps every game, so that the same experiment goes on where it stopped.
    pub store: Store,
    /// Games at a time.
    pub concurrency: usize,
    /// Set to end soon.
    pub stop: &'a AtomicBool,
    /// Hears of the progress.
    pub tell: &'a mut dyn FnMut(News),
    /// Where networks that an experiment trains are kept.
    pub folder: PathBuf,
    /// A folder of course strategies, where somebody has one.
    pub samples: Option<Samples>,
}

impl Bench<'_> {
    /// Whether somebody wants it to end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Two engines from one kind of opening under one allowance.
pub(crate) fn contest<G: Playable>(
    start: &G,
    engines: [&EngineSpec; 2],
    allowance: Allowance,
    plies: u32,
    seed: u64,
) -> Contest {
    let entrants = engines.map(|spec| Entrant {
        spec: spec.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        allowance,
    });
    Contest {
        openings: Openings::Random { plies },
        // A machine that measures may be busy; who is later than this was stuck.
        rules: Rules { margin: Duration::from_millis(500), ..Rules::default() },
        ..Contest::new::<G>(&start.setup(), entrants.into(), seed)
    }
}

/// Makes these engines for the arena; they are built once here, so that a spec
/// that does not fit the game is refused before anything is played.
pub(crate) fn factory<G: Playable>(
    engines: [EngineSpec; 2],
    start: &G,
) -> Result<Factory<G>, TextError> {
    for spec in &engines {
        G::engine(spec, start, 0)?;
    }
    let start = start.clone();
    Ok(Arc::new(move |index| {
        G::engine(&engines[index], &start, 0).map_err(|error| error.to_string())
    }))
}
