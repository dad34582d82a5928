//! Tuning the parameters of an engine by playing.
//!
//! Two methods: a sweep plays each of several values against a fixed opponent and
//! fits a curve; SPSA moves several parameters at once, by playing the engine
//! against itself a small step up and down. Both are lists of trials, each a
//! pair of games for given parameters, played by the caller's closure. The
//! store keeps the results, and everything else follows from them, so an
//! interrupted study can be resumed.

mod engine_pool;
mod spsa;
mod sweep;

pub use engine_pool::{EnginePool, PooledEngine};
pub use spsa::{Parameter, Spsa, SpsaTrace};
pub use sweep::{Sweep, SweepResult};

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use games::Text;

use crate::{
    Factory, GameResult, MatchConfig, MatchProgress, RemotePlayers, RunError, RunOptions, Store,
    StoreError, StudyId, run, run_remotely,
};

/// One pair of games to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Its index in the study.
    pub index: u64,
    /// Seeds the pair's random choices.
    pub seed: u64,
    /// The values of the engine whose results are counted.
    pub parameters: Vec<f64>,
    /// The values of its opponent, if that is the same engine.
    pub against: Option<Vec<f64>>,
}

/// The results of a trial's two games for the engine with the parameters (1 won,
/// 0 drawn, -1 lost), or `None` if it was interrupted.
pub type TrialResult = Result<Option<[i32; 2]>, RunError>;

/// How to run a study. None of this changes its trials.
pub struct TrialRunner<'a, F> {
    /// Plays one trial.
    pub play: F,
    /// Trials at a time.
    pub concurrency: usize,
    /// Set to end soon; what is finished is stored.
    pub stop: &'a AtomicBool,
}

/// Plays one pair of a two-engine match without storing it: what a trial's
/// closure usually does, with the trial's seed as the match's.
/// The games are played here by the factory's engines, or elsewhere.
pub fn pair<G: Text>(
    config: &MatchConfig,
    factory: Factory<G>,
    remote: Option<&RemotePlayers>,
    stop: &AtomicBool,
) -> TrialResult {
    let mut results = None;
    let mut store = Store::in_memory()?;
    let progress = |progress: &MatchProgress| {
        results = progress.pair.map(|games| games.each_ref().map(GameResult::for_lower_engine));
    };
    let options = RunOptions::default();
    match remote {
        None => run(config, &options, factory, &mut store, stop, progress)?,
        Some(remote) => {
            let options = RunOptions { concurrency: 2, ..options };
            run_remotely::<G>(config, &options, remote.clone(), &mut store, stop, progress)?
        }
    };
    Ok(results)
}

impl<F: Fn(&Trial) -> TrialResult + Sync> TrialRunner<'_, F> {
    /// Plays those trials that the store does not have, and calls `on_result` for
    /// all. False if it was stopped before the end. One that is stopped already only
    /// reads, so another run may be writing.
    fn run(
        &self,
        store: &mut Store,
        id: StudyId,
        trials: &[Trial],
        mut on_result: impl FnMut(&Trial, [i32; 2]),
    ) -> Result<bool, RunError> {
        if !self.stop.load(Ordering::Relaxed) {
            store.lock()?;
        }
        let mut missing = Vec::new();
        for trial in trials {
            match store.trial(id, trial.index)? {
                Some(results) => on_result(trial, results),
                None => missing.push(trial),
            }
        }
        let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, missing.len().max(1)) {
                let (sender, missing, next, halt) = (sender.clone(), &missing, &next, &halt);
                scope.spawn(move || {
                    while !halt.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(trial) = missing.get(index) else { break };
                        if sender.send((*trial, (self.play)(trial))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut complete = 0;
            for (trial, result) in receiver {
                let stored = result.and_then(|results| {
                    let Some(results) = results else { return Ok(()) };
                    store.add_trial(id, trial.index, results)?;
                    on_result(trial, results);
                    complete += 1;
                    Ok(())
                });
                if let Err(error) = stored {
                    halt.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(complete == missing.len())
        })
    }
}

/// The study with this identity.
fn study_id(store: &mut Store, identity: &impl serde::Serialize) -> Result<StudyId, StoreError> {
    store.study_id(&serde_json::to_string(identity).expect("a study is plain data"))
}
