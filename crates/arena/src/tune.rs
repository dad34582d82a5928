//! Finding good values for the parameters of an engine, by playing.
//!
//! Two ways: a sweep plays each of some values against a fixed opponent and
//! fits a curve; SPSA moves several parameters at once, by playing the engine
//! against itself a small step up and down. Both are lists of trials, each a
//! pair of games for given parameters, played by the caller's closure. The
//! store keeps the results, and everything else follows from them, so a study
//! goes on where it stopped.

mod spsa;
mod sweep;

pub use spsa::{Course, Parameter, Spsa};
pub use sweep::{Sweep, Swept};

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use games::Text;

use crate::{Contest, Factory, Plan, RunError, Store, StoreError, StudyId, run};

/// One pair of games to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Its place in the study.
    pub index: u64,
    /// Decides the pair's random choices.
    pub seed: u64,
    /// The values of the engine whose results count.
    pub parameters: Vec<f64>,
    /// The values of its opponent, if that is the same engine.
    pub against: Option<Vec<f64>>,
}

/// Plays a trial: the results of its two games for the engine that counts (1
/// won, 0 drawn, -1 lost), or `None` if it was interrupted.
pub type Play<'a> = dyn Fn(&Trial) -> Result<Option<[i32; 2]>, RunError> + Sync + 'a;

/// How to run a study; changes nothing about its trials.
pub struct Effort<'a> {
    /// Plays one trial.
    pub play: &'a Play<'a>,
    /// Trials at a time.
    pub concurrency: usize,
    /// Set to end soon; what is finished is stored.
    pub stop: &'a AtomicBool,
}

/// Plays one pair of a two-engine contest without keeping it: what a trial's
/// closure usually does, with the trial's seed as the contest's.
pub fn pair<G: Text>(
    contest: &Contest,
    factory: Factory<G>,
    stop: &AtomicBool,
) -> Result<Option<[i32; 2]>, RunError> {
    let mut results = None;
    let mut store = Store::in_memory()?;
    run(contest, &Plan::default(), factory, &mut store, stop, &mut |progress| {
        results = progress.pair.map(|games| [games[0].result(), games[1].result()]);
    })?;
    Ok(results)
}

impl Effort<'_> {
    /// Plays those trials that the store does not have, and tells the results
    /// of all. False if it was stopped before the end.
    fn results(
        &self,
        store: &mut Store,
        id: StudyId,
        trials: &[Trial],
        tell: &mut dyn FnMut(&Trial, [i32; 2]),
    ) -> Result<bool, RunError> {
        let mut missing = Vec::new();
        for trial in trials {
            match store.trial(id, trial.index)? {
                Some(results) => tell(trial, results),
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
            for (trial, answer) in receiver {
                let stored = answer.and_then(|results| {
                    let Some(results) = results else { return Ok(()) };
                    store.add_trial(id, trial.index, results)?;
                    tell(trial, results);
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

/// Opens a study in the store, to be known again by this text.
fn enter(store: &mut Store, identity: &impl serde::Serialize) -> Result<StudyId, StoreError> {
    store.claim()?;
    store.enter_study(&serde_json::to_string(identity).expect("a study is plain data"))
}
