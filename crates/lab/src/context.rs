//! What every experiment runs with: the store, the stop flag, the progress
//! callback.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::{
    Entrant, Factory, MatchConfig, Openings, RemotePlayers, Rules, RunError, Store, StoreError,
};
use games::TextError;
use learn::train::TrainError;
use search::Limits;
use session::{EngineSpec, Playable};

use crate::Samples;

/// Why an experiment failed.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Its file is invalid.
    #[error("experiment {0}: {1}")]
    Experiment(String, String),
    /// A game or an engine spec is invalid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The arena could not play it.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Training a network failed.
    #[error(transparent)]
    Train(#[from] TrainError),
}

/// The progress of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabEvent<'a> {
    /// A line of text about a result.
    Message(&'a str),
    /// Pairs of games are finished, those of earlier runs included; sent after
    /// each pair, and once at the beginning.
    Progress {
        /// What is played.
        work: &'a str,
        /// Pairs finished.
        pairs: u64,
        /// Pairs in all.
        of: u64,
    },
}

/// What experiments run with.
pub struct LabContext<'a> {
    /// Keeps every game, so that an interrupted experiment can be resumed.
    pub store: Store,
    /// Games at a time.
    pub concurrency: usize,
    /// Seeds every match and training.
    pub seed: u64,
    /// Play nothing, only read what the store has; another process may be playing.
    pub stored_only: bool,
    /// Set to end soon.
    pub stop: &'a AtomicBool,
    /// Called with the progress.
    pub on_event: &'a mut dyn FnMut(LabEvent),
    /// Where networks that an experiment trains are kept.
    pub folder: PathBuf,
    /// Who plays the games, if not this process: those of a fleet.
    pub remote: Option<RemotePlayers>,
    /// A folder of course strategies, if the user has one.
    pub samples: Option<Samples>,
}

impl LabContext<'_> {
    /// Whether the user wants it to end. Reading what is stored is not worth a stop.
    pub fn stopped(&self) -> bool {
        !self.stored_only && self.stop.load(Ordering::Relaxed)
    }
}

/// A match of two engines under equal limits, from openings of so many random
/// plies.
pub(crate) fn match_config<G: Playable>(
    start: &G,
    engines: [&EngineSpec; 2],
    limits: Limits,
    plies: u32,
    seed: u64,
) -> MatchConfig {
    let entrants = engines.map(|spec| Entrant {
        spec: spec.to_string(),
        version: session::engine::version(spec),
        limits,
    });
    MatchConfig {
        openings: Openings::Random { plies },
        // A machine that runs experiments may be busy; a later answer means that
        // the engine hung.
        rules: Rules { margin: Duration::from_millis(500), ..Rules::default() },
        ..MatchConfig::new::<G>(&start.setup(), entrants.into(), seed)
    }
}

/// Makes these engines for the arena. Each spec is checked here, so that one that
/// does not fit the game is refused before anything is played.
pub(crate) fn factory<G: Playable>(
    engines: [EngineSpec; 2],
    start: &G,
) -> Result<Factory<G>, TextError> {
    for spec in &engines {
        session::engine::check(spec, start)?;
    }
    let start = start.clone();
    Ok(Arc::new(move |index| {
        G::engine(&engines[index], &start, 0).map_err(|error| error.to_string())
    }))
}
