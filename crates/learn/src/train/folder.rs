//! The folder of a training run, and the errors of training.

use std::path::{Path, PathBuf};
use std::{fs, io};

use files::{FileLock, LockError};
use serde::{Deserialize, Serialize};

use super::TrainSettings;
use crate::net::WeightsError;
use crate::replay::ShardError;
use crate::selfplay::GameFormatError;

/// Why training could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// An error of the file system.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file of the folder is not what it should be.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The folder has a run already, or none.
    #[error("{0}")]
    Folder(String),
    /// Settings out of range, or that do not fit the run.
    #[error("{0}")]
    Settings(String),
    /// All self-play threads have ended before the training did.
    #[error("self-play has stopped: its threads have ended")]
    NoActors,
    /// A game with illegal moves.
    #[error(transparent)]
    Game(#[from] GameFormatError),
    /// An error of a weights file.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// An error of a shard.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// What a run trains: the contents of `settings.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunConfig {
    /// The game and its setup, as text.
    pub game: String,
    /// How it is played and trained.
    pub settings: TrainSettings,
}

/// The folder of a run.
///
/// ```
/// use learn::train::{RunConfig, RunFolder, TrainSettings};
///
/// let place = tempfile::tempdir().unwrap();
/// let _lock = RunFolder::lock(place.path()).unwrap();
/// assert!(RunFolder::lock(place.path()).is_err(), "one process at a time");
/// let config = RunConfig { game: "surakarta".to_owned(), settings: TrainSettings::default() };
/// RunFolder::create(place.path(), &config).unwrap();
/// assert_eq!(RunFolder::open(place.path()).unwrap().1.game, "surakarta");
/// ```
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Creates the folder of a new run; an error if it has one already.
    pub fn create(path: &Path, config: &RunConfig) -> Result<RunFolder, TrainError> {
        let folder = RunFolder { path: path.to_owned() };
        if folder.settings_file().exists() {
            return Err(TrainError::Folder(format!(
                "{} has a training run already: continue it with --resume, or name another folder",
                path.display()
            )));
        }
        let checkpoints = path.join("checkpoints");
        fs::create_dir_all(&checkpoints)
            .map_err(|source| TrainError::Io { path: checkpoints, source })?;
        folder.write_config(config)?;
        Ok(folder)
    }

    /// Opens the folder of a run and reads its configuration.
    pub fn open(path: &Path) -> Result<(RunFolder, RunConfig), TrainError> {
        let folder = RunFolder { path: path.to_owned() };
        let file = folder.settings_file();
        if !file.exists() {
            let path = path.display();
            return Err(TrainError::Folder(format!("{path} has no training run to resume")));
        }
        let text = fs::read_to_string(&file)
            .map_err(|source| TrainError::Io { path: file.clone(), source })?;
        let config = serde_json::from_str(&text)
            .map_err(|error| TrainError::Damaged { path: file, reason: error.to_string() })?;
        Ok((folder, config))
    }

    /// Locks the folder of a run, which is created if it does not exist, so that no
    /// other process writes to it: to be held from before the run is created or
    /// opened until it ends.
    pub fn lock(path: &Path) -> Result<FileLock, TrainError> {
        fs::create_dir_all(path)
            .map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
        FileLock::acquire(&path.join("training")).map_err(|error| match error {
            LockError::Held(holder) => TrainError::Folder(format!(
                "{} is being trained by another process ({holder}): stop that one first, or name \
                 another folder",
                path.display()
            )),
            LockError::Io(path, source) => TrainError::Io { path, source },
        })
    }

    /// Removes what a killed process left half written.
    pub(super) fn remove_partial(&self) -> Result<(), TrainError> {
        [self.path.clone(), self.path.join("checkpoints")].into_iter().try_for_each(|path| {
            files::remove_partial(&path).map_err(|source| TrainError::Io { path, source })
        })
    }

    /// Writes the configuration.
    pub fn write_config(&self, config: &RunConfig) -> Result<(), TrainError> {
        let text = serde_json::to_string_pretty(config).expect("settings are plain data");
        self.write(&self.settings_file(), text.as_bytes())
    }

    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
        files::write(path, &[bytes])
            .map_err(|source| TrainError::Io { path: path.to_owned(), source })
    }

    fn settings_file(&self) -> PathBuf {
        self.path.join("settings.json")
    }

    /// The path of the training state.
    pub fn state(&self) -> PathBuf {
        self.path.join("state.safetensors")
    }

    /// The path of the newest network, for engines.
    pub fn network(&self) -> PathBuf {
        self.path.join("net.safetensors")
    }

    /// The path of the checkpoint after so many steps.
    pub fn checkpoint(&self, steps: u64) -> PathBuf {
        self.path.join("checkpoints").join(format!("{steps:07}.safetensors"))
    }

    /// The path of the network saved after so many games.
    pub fn milestone(&self, games: u64) -> PathBuf {
        self.path.join("checkpoints").join(format!("games-{games}.safetensors"))
    }

    /// The path of the metrics.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// The folder of the games.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
