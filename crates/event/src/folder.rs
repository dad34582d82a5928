//! An event in a folder.
//!
//! | file | |
//! | --- | --- |
//! | `event.json` | the event; everything else follows from it |
//! | `records/R3T12：甲先手，乙后手，甲胜.txt` | the record of a game, named as contests name them |
//! | `wall-chart.txt`, `wall-chart.csv` | the wall chart after the last change |
//!
//! A change locks the event, reads it, applies the change and replaces
//! `event.json` in one step; so several processes may work on one folder, and what
//! a call has returned is on the disk. A record is written under its new name
//! before `event.json` names it, and its old file is removed afterwards; files that
//! a killed process left under a game's other names are removed with the next
//! change of that game.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use files::{FileLock, LockError};
use games::Player;
use records::{FileName, GameRecord};

use crate::{Event, EventError, GameEnd, Place, Settings, Winner, csv, wall_chart};

/// How long a change waits for another process.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why an event in a folder could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The event refuses.
    #[error(transparent)]
    Event(#[from] EventError),
    /// There is none.
    #[error("there is no event in {0}; 'boyi event new' makes one")]
    Missing(PathBuf),
    /// There is one already.
    #[error("there is an event in {0} already; choose another folder")]
    Exists(PathBuf),
    /// The file is no event.
    #[error("{0} can't be read as an event ({1}); it was left as it is")]
    Damaged(PathBuf, String),
    /// Another process holds it for long.
    #[error("{0} is being changed by another process; try again")]
    Busy(PathBuf),
    /// The file system refuses.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
}

/// A folder with an event.
#[derive(Clone, Debug)]
pub struct EventFolder {
    path: PathBuf,
}

impl EventFolder {
    /// The event in a folder, which need not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> EventFolder {
        EventFolder { path: path.into() }
    }

    /// Makes the folder with a new event.
    pub fn create<'a>(
        path: impl Into<PathBuf>,
        settings: Settings,
        teams: impl IntoIterator<Item = &'a str>,
    ) -> Result<EventFolder, FolderError> {
        let folder = EventFolder::at(path);
        let event = Event::new(settings, teams)?;
        let records = folder.records();
        std::fs::create_dir_all(&records).map_err(|error| FolderError::Io(records, error))?;
        let _lock = folder.lock()?;
        if folder.file().exists() {
            return Err(FolderError::Exists(folder.path));
        }
        folder.write(&event)?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn file(&self) -> PathBuf {
        self.path.join("event.json")
    }

    /// Where its records are.
    pub fn records(&self) -> PathBuf {
        self.path.join("records")
    }

    fn lock(&self) -> Result<FileLock, FolderError> {
        let began = Instant::now();
        loop {
            match FileLock::acquire(&self.file()) {
                Ok(lock) => return Ok(lock),
                Err(LockError::Held(_)) if began.elapsed() < PATIENCE => {}
                Err(LockError::Held(_)) => return Err(FolderError::Busy(self.path.clone())),
                Err(LockError::Io(path, error)) => return Err(FolderError::Io(path, error)),
            }
        }
    }

    /// The event as it is now.
    pub fn load(&self) -> Result<Event, FolderError> {
        let path = self.file();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FolderError::Missing(self.path.clone()));
            }
            Err(error) => return Err(FolderError::Io(path, error)),
        };
        let damaged = |text: String| FolderError::Damaged(path.clone(), text);
        let event: Event =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        event.checked().map_err(|error| damaged(error.to_string()))
    }

    /// Changes the event. When this returns, the change is on the disk; if it fails,
    /// nothing was changed.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Event) -> Result<T, EventError>,
    ) -> Result<T, FolderError> {
        let _lock = self.lock_existing()?;
        let mut event = self.load()?;
        let value = change(&mut event)?;
        self.write(&event)?;
        Ok(value)
    }

    fn lock_existing(&self) -> Result<FileLock, FolderError> {
        match self.file().exists() {
            true => self.lock(),
            false => Err(FolderError::Missing(self.path.clone())),
        }
    }

    /// Replaces the event, then what follows from it.
    fn write(&self, event: &Event) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(event).map_err(|error| {
            FolderError::Damaged(self.file(), format!("it can't be written: {error}"))
        })?;
        self.replace(&self.file(), text.as_bytes())?;
        self.replace(&self.path.join("wall-chart.txt"), wall_chart(event).as_bytes())?;
        self.replace(&self.path.join("wall-chart.csv"), csv(event).as_bytes())
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
        files::write(path, &[bytes]).map_err(|error| FolderError::Io(path.to_path_buf(), error))
    }

    /// Enters how a game ended, and gives its record the name that says so.
    pub fn set_result(&self, place: Place, end: Option<GameEnd>) -> Result<(), FolderError> {
        let _lock = self.lock_existing()?;
        let mut event = self.load()?;
        event.set_result(place, end)?;
        if let Some(old) = event.game(place)?.record.clone() {
            let text = std::fs::read(self.records().join(&old))
                .map_err(|error| FolderError::Io(self.records().join(&old), error))?;
            self.put(&mut event, place, &text)?;
        }
        self.write(&event)?;
        self.remove_others(&event, place)
    }

    /// Adds or replaces the record of a game, in any format; it is kept in the
    /// contest's. If the game has no result yet, the record's is taken.
    pub fn set_record(&self, place: Place, text: &str) -> Result<(), FolderError> {
        let _lock = self.lock_existing()?;
        let mut event = self.load()?;
        let (record, end) = read_record(&event, place, text)?;
        if event.game(place)?.end.is_none()
            && let Some(end) = end
        {
            event.set_result(place, Some(end))?;
        }
        let format = records::Format::of_contest(&record.game);
        let text = records::write(&record, format)
            .or_else(|_| records::write(&record, records::Format::Plain))
            .map_err(|error| EventError::new(error.to_string()))?;
        self.put(&mut event, place, text.as_bytes())?;
        self.write(&event)?;
        self.remove_others(&event, place)
    }

    /// Removes the record of a game.
    pub fn remove_record(&self, place: Place) -> Result<(), FolderError> {
        let _lock = self.lock_existing()?;
        let mut event = self.load()?;
        event.game_mut(place)?.record = None;
        self.write(&event)?;
        self.remove_others(&event, place)
    }

    /// Writes a record under the name that it should have now.
    fn put(&self, event: &mut Event, place: Place, text: &[u8]) -> Result<(), FolderError> {
        let name = file_name(event, place)?;
        self.replace(&self.records().join(&name), text)?;
        event.game_mut(place)?.record = Some(name);
        Ok(())
    }

    /// Removes the files of a game under other names than its present one.
    fn remove_others(&self, event: &Event, place: Place) -> Result<(), FolderError> {
        let folder = self.records();
        let io = |error| FolderError::Io(folder.clone(), error);
        let own = format!("{}：", event.place_name(place));
        let kept = event.game(place)?.record.as_deref();
        for entry in std::fs::read_dir(&folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&own) && Some(&*name) != kept {
                std::fs::remove_file(entry.path()).map_err(io)?;
            }
        }
        Ok(())
    }
}

/// The name of a game's record now.
fn file_name(event: &Event, place: Place) -> Result<String, EventError> {
    let sides = event.pairing(place.0, place.1)?.sides(place.2);
    let winner = event.game(place)?.end.as_ref().and_then(|end| end.winner.in_record());
    let players = sides.map(|team| event.teams[team].name.clone());
    Ok(records::file_name(&FileName { place: event.place_name(place), players, winner }, "txt"))
}

/// A record with the event's names in it, and how its game ended if that is certain.
fn read_record(
    event: &Event,
    place: Place,
    text: &str,
) -> Result<(GameRecord, Option<GameEnd>), EventError> {
    let bad = |error: String| EventError::new(format!("the record can't be used: {error}"));
    let game: session::GameSpec =
        event.settings.game.parse().map_err(|error| EventError::new(format!("{error}")))?;
    let read = records::read(text, None, Some(&game)).map_err(|error| bad(error.to_string()))?;
    let session = read.replay(None).map_err(|error| bad(error.to_string()))?;
    if session.spec() != &game {
        return Err(bad(format!("it is a game of {}, not of {game}", session.spec())));
    }
    let sides = event.pairing(place.0, place.1)?.sides(place.2);
    let entered = event.game(place)?.end.clone();
    let own = session.outcome().map(|outcome| (outcome.winner, outcome.reason.to_string()));
    // The word of the record counts where the rules have not decided.
    let said = own.or_else(|| read.winner.map(|winner| (winner, "adjudicated".to_owned())));
    let end = said.map(|(winner, reason)| {
        let winner = match winner {
            Some(Player::First) => Winner::First,
            Some(Player::Second) => Winner::Second,
            None => Winner::Draw,
        };
        GameEnd { winner, reason }
    });
    if let (Some(entered), Some(end), Some(_)) = (&entered, &end, session.outcome())
        && entered.winner != end.winner
    {
        return Err(bad("its game ended with another result than was entered".to_owned()));
    }
    let winner = entered.as_ref().or(end.as_ref()).and_then(|end| end.winner.in_record());
    let players = sides.map(|team| Some(event.teams[team].name.clone()));
    let event_name = Some(event.settings.name.clone());
    Ok((GameRecord { players, winner, event: event_name, ..read }, end))
}
