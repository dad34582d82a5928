//! The folder of a training run, and what can go wrong with it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::Settings;
use crate::net::{WeightsError, replace};
use crate::replay::ShardError;
use crate::selfplay::BytesError;

/// Why training could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The file system said no.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
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
    /// A game that nobody can have played.
    #[error(transparent)]
    Game(#[from] BytesError),
    /// Weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Games.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Chosen {
    game: String,
    settings: Settings,
}

impl Folder {
    /// Begins a run in a folder that has none.
    pub fn create(path: &Path, game: &str, settings: &Settings) -> Result<Folder, TrainError> {
        let folder = Folder { path: path.to_owned() };
        if folder.settings_file().exists() {
            return Err(TrainError::Folder(format!(
                "{} has a training run already: go on with it by --resume, or name another folder",
                path.display()
            )));
        }
        let checkpoints = path.join("checkpoints");
        fs::create_dir_all(&checkpoints)
            .map_err(|source| TrainError::Io { path: checkpoints, source })?;
        folder.write_settings(game, settings)?;
        Ok(folder)
    }

    /// Opens the folder of a run: its game and its settings.
    pub fn open(path: &Path) -> Result<(Folder, String, Settings), TrainError> {
        let folder = Folder { path: path.to_owned() };
        let file = folder.settings_file();
        if !file.exists() {
            let path = path.display();
            return Err(TrainError::Folder(format!("{path} has no training run to go on with")));
        }
        folder.tidy().map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
        let text = fs::read_to_string(&file)
            .map_err(|source| TrainError::Io { path: file.clone(), source })?;
        let chosen: Chosen = serde_json::from_str(&text)
            .map_err(|error| TrainError::Damaged { path: file, reason: error.to_string() })?;
        Ok((folder, chosen.game, chosen.settings))
    }

    /// Takes away what a process left that died in the middle of writing.
    fn tidy(&self) -> io::Result<()> {
        for folder in [self.path.clone(), self.path.join("checkpoints")] {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|end| end == "part") {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the game and the settings.
    pub fn write_settings(&self, game: &str, settings: &Settings) -> Result<(), TrainError> {
        let chosen = Chosen { game: game.to_owned(), settings: settings.clone() };
        let text = serde_json::to_string_pretty(&chosen).expect("settings are plain data");
        self.replace(&self.settings_file(), text.as_bytes())
    }

    pub(super) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
        replace(path, bytes).map_err(|source| TrainError::Io { path: path.to_owned(), source })
    }

    fn settings_file(&self) -> PathBuf {
        self.path.join("settings.json")
    }

    /// Where the state is.
    pub fn state(&self) -> PathBuf {
        self.path.join("state.safetensors")
    }

    /// Where the newest network is, for engines.
    pub fn network(&self) -> PathBuf {
        self.path.join("net.safetensors")
    }

    /// Where the network after so many steps is.
    pub fn checkpoint(&self, steps: u64) -> PathBuf {
        self.path.join("checkpoints").join(format!("{steps:07}.safetensors"))
    }

    /// Where the network after so many games is.
    pub fn mark(&self, games: u64) -> PathBuf {
        self.path.join("checkpoints").join(format!("games-{games}.safetensors"))
    }

    /// Where the rows of its reports are.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// Where the games are.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
