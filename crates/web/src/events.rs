//! Contest days in the page: every event is a folder of its own in one folder
//! ([`event::EventFolder`]), which `boyi event` changes as well.
//!
//! Everyone who may use the server reads; only the operator changes anything. A
//! visitor names an event by the name of its folder, which must be one that is
//! listed, so no path comes from outside.

use std::path::PathBuf;

use axum::http::StatusCode;
use event::{Entry, Event, EventFolder, FolderError, Format, GameEnd, Place, Settings};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::error::ApiError;

/// The most events that are listed.
const MOST_EVENTS: usize = 200;

/// The folder of all events.
#[derive(Debug)]
pub struct Events {
    folder: Option<PathBuf>,
}

/// A new event, as the page asks for it.
#[derive(Debug, Deserialize)]
pub struct NewEvent {
    name: String,
    game: String,
    format: Format,
    games: usize,
    minutes: u32,
    /// A team a line.
    teams: String,
}

/// What the page can ask of an event. Rounds, tables and games count from 0.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum EventCommand {
    /// Adds teams, one a line.
    AddTeams { teams: String },
    /// Lets a team play no further rounds, or again.
    Withdraw { team: usize, withdrawn: bool },
    /// Pairs a round, if it is the next one; nothing to do if it is paired.
    Pair { round: usize },
    /// Takes the last round back.
    Unpair,
    /// Enters how a game ended; nothing clears it.
    Result { place: Place, end: Option<GameEnd> },
    /// Who goes on after drawn games of a knockout.
    Decide { round: usize, table: usize, side: usize },
    /// The record of a game; nothing removes it.
    Record { place: Place, text: Option<String> },
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

impl From<FolderError> for ApiError {
    fn from(error: FolderError) -> ApiError {
        let status = match &error {
            FolderError::Event(_) => StatusCode::BAD_REQUEST,
            FolderError::Missing(_) => StatusCode::NOT_FOUND,
            FolderError::Exists(_) | FolderError::Busy(_) => StatusCode::CONFLICT,
            FolderError::Damaged(..) | FolderError::Io(..) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(status, error)
    }
}

impl Events {
    /// In this folder; `None` has no events.
    pub fn new(folder: Option<PathBuf>) -> Events {
        Events { folder }
    }

    fn folder(&self) -> Result<&PathBuf, ApiError> {
        self.folder.as_ref().ok_or_else(|| ApiError::bad("this server keeps no events"))
    }

    /// The names of all events, the last changed first.
    fn names(&self) -> Vec<String> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let mut found: Vec<_> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let file = std::fs::symlink_metadata(entry.path().join("event.json")).ok()?;
                let ours = entry.file_type().ok()?.is_dir() && file.is_file();
                ours.then(|| (file.modified().ok(), name))
            })
            .collect();
        found.sort_by(|a, b| b.cmp(a));
        found.into_iter().take(MOST_EVENTS).map(|(_, name)| name).collect()
    }

    /// Every event in short.
    pub fn list(&self, caller: &Caller) -> Value {
        let events: Vec<Value> = self
            .names()
            .into_iter()
            .filter_map(|id| {
                let event = EventFolder::at(self.folder.as_ref()?.join(&id)).load().ok()?;
                Some(json!({
                    "id": id, "name": event.settings.name, "game": event.settings.game,
                    "teams": event.teams.len(), "rounds": event.rounds.len(),
                    "planned": event.planned_rounds(), "finished": event.is_finished(),
                }))
            })
            .collect();
        json!({ "events": events, "changes": self.folder.is_some() && caller.is_operator })
    }

    fn find(&self, id: &str) -> Result<EventFolder, ApiError> {
        let missing = || ApiError::new(StatusCode::NOT_FOUND, "there is no such event here");
        if !self.names().iter().any(|name| name == id) {
            return Err(missing());
        }
        Ok(EventFolder::at(self.folder()?.join(id)))
    }

    /// Makes an event and gives its id.
    pub fn create(&self, new: NewEvent, caller: &Caller) -> Result<String, ApiError> {
        operator(caller)?;
        let root = self.folder()?;
        let settings = Settings {
            games: new.games,
            minutes: new.minutes,
            ..Settings::new(&new.name, &new.game, new.format)
        };
        // Refused before there is a folder.
        Event::new(settings.clone(), lines(&new.teams)).map_err(ApiError::bad)?;
        let plain: String = new
            .name
            .trim()
            .chars()
            .filter(|c| !records::is_invisible(*c) && !"/\\:*?\"<>|.".contains(*c))
            .collect();
        let plain = if plain.is_empty() { "event".to_owned() } else { plain };
        for number in 1..1000 {
            let id = if number == 1 { plain.clone() } else { format!("{plain} {number}") };
            match EventFolder::create(root.join(&id), settings.clone(), lines(&new.teams)) {
                Err(FolderError::Exists(_)) => {}
                made => return Ok(made.map(|_| id)?),
            }
        }
        Err(ApiError::stale("there are too many events of this name"))
    }

    /// One event whole.
    pub fn show(&self, id: &str, caller: &Caller) -> Result<Value, ApiError> {
        let folder = self.find(id)?;
        let event = folder.load()?;
        let changes = caller.is_operator;
        let mut value = json(&event);
        value["id"] = json!(id);
        value["changes"] = json!(changes);
        value["folder"] = json!(changes.then(|| folder.path().display().to_string()));
        Ok(value)
    }

    /// Does what a page asks; what it answers is on the disk.
    pub fn apply(&self, id: &str, command: EventCommand, caller: &Caller) -> Result<(), ApiError> {
        operator(caller)?;
        let folder = self.find(id)?;
        match command {
            EventCommand::AddTeams { teams } => {
                folder.change(|event| {
                    lines(&teams).try_for_each(|team| event.add_team(team).map(drop))
                })?;
            }
            EventCommand::Withdraw { team, withdrawn } => {
                folder.change(|event| event.withdraw(team, withdrawn))?;
            }
            EventCommand::Pair { round } => {
                let next = folder.change(|event| match event.rounds.len() {
                    next if next == round => event.pair().map(|_| true),
                    next => Ok(round < next),
                })?;
                if !next {
                    return Err(ApiError::stale("that is not the next round"));
                }
            }
            EventCommand::Unpair => folder.change(Event::unpair)?,
            EventCommand::Result { place, end } => folder.set_result(place, end)?,
            EventCommand::Decide { round, table, side } => {
                folder.change(|event| event.decide(round, table, side))?;
            }
            EventCommand::Record { place, text: Some(text) } => folder.set_record(place, &text)?,
            EventCommand::Record { place, text: None } => folder.remove_record(place)?,
        }
        Ok(())
    }

    /// The text of a record.
    pub fn record(&self, id: &str, place: Place) -> Result<String, ApiError> {
        let folder = self.find(id)?;
        let event = folder.load()?;
        let name = event.game(place).map_err(ApiError::bad)?.record.clone();
        let missing = || ApiError::new(StatusCode::NOT_FOUND, "this game has no record");
        let name = name.ok_or_else(missing)?;
        std::fs::read_to_string(folder.records().join(name)).map_err(|_| missing())
    }
}

fn operator(caller: &Caller) -> Result<(), ApiError> {
    match caller.is_operator {
        true => Ok(()),
        false => {
            let sentence = "only the operator of this server changes an event";
            Err(ApiError::new(StatusCode::FORBIDDEN, sentence))
        }
    }
}

/// An event as the page gets it.
fn json(event: &Event) -> Value {
    let standings = event.standings();
    let rows: Vec<Value> = standings
        .iter()
        .map(|standing| {
            let mut row = json!(standing);
            let cells: Vec<String> = (0..event.rounds.len())
                .map(|round| event::chart_cell(event, round, standing.team))
                .collect();
            row["cells"] = json!(cells);
            row
        })
        .collect();
    let rounds: Vec<Value> = event
        .rounds
        .iter()
        .enumerate()
        .map(|(number, round)| {
            let tables: Vec<Value> = round
                .tables()
                .enumerate()
                .map(|(table, pairing)| {
                    let games: Vec<Value> = pairing
                        .games
                        .iter()
                        .enumerate()
                        .map(|(game, one)| {
                            json!({
                                "place": [number, table, game], "sides": pairing.sides(game),
                                "name": event.place_name((number, table, game)),
                                "end": one.end, "record": one.record,
                            })
                        })
                        .collect();
                    let [a, b] = pairing.half_points();
                    json!({
                        "teams": pairing.teams, "games": games, "half_points": [a, b],
                        "advances": pairing.advances(),
                    })
                })
                .collect();
            let byes: Vec<usize> = round
                .entries
                .iter()
                .filter_map(|entry| match entry {
                    Entry::Bye(team) => Some(*team),
                    Entry::Table(_) => None,
                })
                .collect();
            json!({ "tables": tables, "byes": byes })
        })
        .collect();
    json!({
        "settings": event.settings, "teams": event.teams, "rounds": rounds, "rows": rows,
        "planned": event.planned_rounds(), "open": event.open_tables(),
        "finished": event.is_finished(),
    })
}
