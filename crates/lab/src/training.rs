//! A network that is trained as part of an experiment, in a folder beside the
//! report, so that an interrupted training is resumed.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use learn::train::{RunConfig, RunEnd, RunFolder, TrainError, TrainSettings, Trainer};
use session::{GameVisitor, Playable};

use crate::experiment::Train;
use crate::{Experiment, LabContext, LabError, LabEvent, Profile};

/// The settings under a profile.
pub(crate) fn settings(
    experiment: &Experiment,
    train: &Train,
    profile: Profile,
) -> Result<TrainSettings, LabError> {
    let fault = |error: String| experiment.fault(&format!("its training's settings: {error}"));
    let mut whole =
        serde_json::to_value(TrainSettings::paper_002()).map_err(|e| fault(e.to_string()))?;
    for changes in [&train.settings, &experiment.size(profile).train] {
        let changes = serde_json::to_value(changes).map_err(|e| fault(e.to_string()))?;
        merge(&mut whole, changes).map_err(fault)?;
    }
    serde_json::from_value(whole).map_err(|error| fault(error.to_string()))
}

/// Changes the named settings; an unknown name is an error.
fn merge(whole: &mut serde_json::Value, changes: serde_json::Value) -> Result<(), String> {
    use serde_json::Value::Object;
    let (Object(whole), Object(changes)) = (&mut *whole, &changes) else {
        *whole = changes;
        return Ok(());
    };
    for (name, change) in changes {
        let place = whole.get_mut(name).ok_or_else(|| format!("there is no '{name}'"))?;
        // An enum is replaced as a whole.
        match place.is_object() && name == "selfplay" {
            true => merge(place, change.clone())?,
            false => *place = change.clone(),
        }
    }
    Ok(())
}

/// Trains, or resumes; gives the networks of the first and of the last milestone
/// when it is finished, and none if it was stopped before.
pub(crate) fn train(
    experiment: &Experiment,
    train: &Train,
    profile: Profile,
    context: &mut LabContext,
) -> Result<Option<[PathBuf; 2]>, LabError> {
    let settings = TrainSettings { seed: context.seed, ..settings(experiment, train, profile)? };
    let [Some(&first), Some(&last)] = [settings.milestones.first(), settings.milestones.last()]
    else {
        return Err(experiment.fault("its training saves no network"));
    };
    let game = experiment.game_named(None)?;
    let run = format!("{}-{}-seed-{}", experiment.id, profile.name(), context.seed);
    let path = context.folder.join(run);
    let (stop, on_event) = (context.stop, &mut *context.on_event);
    let name = game.to_string();
    let end = game.visit(Training { path: path.clone(), name, settings, stop, on_event })?;
    let kept = |games| path.join("checkpoints").join(format!("games-{games}.safetensors"));
    Ok((end == RunEnd::Finished).then(|| [kept(first), kept(last)]))
}

struct Training<'a> {
    path: PathBuf,
    name: String,
    settings: TrainSettings,
    stop: &'a AtomicBool,
    on_event: &'a mut dyn FnMut(LabEvent),
}

impl GameVisitor for Training<'_> {
    type Output = Result<RunEnd, TrainError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let _lock = RunFolder::lock(&self.path)?;
        let (folder, config) = match self.path.join("settings.json").exists() {
            true => RunFolder::open(&self.path)?,
            false => {
                let config = RunConfig { game: self.name, settings: self.settings };
                (RunFolder::create(&self.path, &config)?, config)
            }
        };
        let mut trainer = Trainer::open(folder, start, config.settings)?;
        if trainer.is_finished() {
            return Ok(RunEnd::Finished);
        }
        let mut log = |line: &str| (self.on_event)(LabEvent::Message(&format!("  {line}")));
        G::train(&mut trainer, self.stop, &mut log)
    }
}
