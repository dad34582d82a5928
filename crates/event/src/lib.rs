//! A contest day: teams, rounds, results, and the records of all its games.
//!
//! [`Event`] is a plain value with the rules of a tournament: whom a round pairs
//! (`swiss`, `round_robin`, `knockout`), what it holds (`round`), what a result counts (`standings`), how it
//! is shown (`chart`). It knows no files, no clock and no chance, so the same
//! results give the same pairings everywhere. [`EventFolder`] keeps one in a
//! folder, together with the records of its games under the names that contests
//! give them; a process may die at any moment, and what it had acknowledged is
//! there.
//!
//! Teams, rounds, tables and games are numbered from 1 wherever people read or
//! write them, and from 0 in the code.
//!
//! ```
//! use event::{Event, Format, GameEnd, Settings, Winner};
//!
//! let settings = Settings::new("Spring Cup", "surakarta", Format::Swiss { rounds: 3 });
//! let mut event = Event::new(settings, ["A", "B", "C", "D", "E"])?;
//! let round = event.pair()?;
//! assert_eq!(event.rounds[round].byes().count(), 1, "five teams: one has a bye");
//! event.set_result((round, 0, 0), Some(GameEnd::new(Winner::First, "resigned")))?;
//! assert!(event.pair().is_err(), "a game of the round is still open");
//! # Ok::<(), event::EventError>(())
//! ```

mod chart;
mod folder;
mod history;
mod knockout;
mod round;
mod round_robin;
mod standings;
mod swiss;

use serde::{Deserialize, Serialize};

pub use chart::{cell as chart_cell, csv, wall_chart};
pub use folder::{EventFolder, FolderError};
pub use round::{Entry, Game, GameEnd, Pairing, Round, Winner};
pub use standings::Standing;

/// The most teams of an event.
pub const MOST_TEAMS: usize = 400;

/// What an event refuses, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EventError(String);

impl EventError {
    fn new(sentence: impl Into<String>) -> EventError {
        EventError(sentence.into())
    }
}

/// How rounds are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Format {
    /// Teams with equal scores meet, never twice.
    Swiss {
        /// How many rounds there are.
        rounds: usize,
    },
    /// Who loses is out.
    Knockout,
    /// Everyone meets everyone.
    RoundRobin,
}

/// What was agreed about an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Its name, which stands in the records.
    pub name: String,
    /// The game and its setup.
    pub game: String,
    /// How rounds are paired.
    pub format: Format,
    /// Games of a pairing: with two, each team is First once.
    pub games: usize,
    /// Minutes that each side has for a game, for the clocks of the board.
    pub minutes: u32,
}

impl Settings {
    /// With one game a pairing and 15 minutes.
    pub fn new(name: &str, game: &str, format: Format) -> Settings {
        Settings { name: name.to_owned(), game: game.to_owned(), format, games: 1, minutes: 15 }
    }
}

/// A team. Its number is its place in the list of seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Whether it plays no further rounds.
    #[serde(default)]
    pub withdrawn: bool,
}

/// Which game: round, table and game, each from 0.
pub type Place = (usize, usize, usize);

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The version of this form.
    version: u32,
    /// What was agreed.
    pub settings: Settings,
    /// The teams, the strongest first as far as that is known.
    pub teams: Vec<Team>,
    /// The rounds paired so far.
    pub rounds: Vec<Round>,
}

/// The version of [`Event`]'s form in a file.
const VERSION: u32 = 1;

impl Event {
    /// An event with its first teams, in the order of their seeds.
    pub fn new<'a>(
        settings: Settings,
        teams: impl IntoIterator<Item = &'a str>,
    ) -> Result<Event, EventError> {
        let game: session::GameSpec =
            settings.game.parse().map_err(|error| EventError::new(format!("{error}")))?;
        let settings =
            Settings { game: game.to_string(), name: name("event", &settings.name)?, ..settings };
        if !(1..=2).contains(&settings.games) {
            return Err(EventError::new("a pairing has 1 or 2 games"));
        }
        if let Format::Swiss { rounds } = settings.format
            && !(1..=99).contains(&rounds)
        {
            return Err(EventError::new("a Swiss tournament has from 1 to 99 rounds"));
        }
        if !(1..=600).contains(&settings.minutes) {
            return Err(EventError::new("a side has from 1 to 600 minutes"));
        }
        let mut event = Event { version: VERSION, settings, teams: Vec::new(), rounds: Vec::new() };
        for team in teams {
            event.add_team(team)?;
        }
        Ok(event)
    }

    /// An event out of a file; refused where it contradicts itself.
    fn checked(self) -> Result<Event, EventError> {
        if self.version != VERSION {
            return Err(EventError::new("it was written by another version of this program"));
        }
        let known = |team: usize| team < self.teams.len();
        let sound = self.rounds.iter().flat_map(|round| &round.entries).all(|entry| match entry {
            Entry::Bye(team) => known(*team),
            Entry::Table(pairing) => {
                pairing.teams.into_iter().all(known) && pairing.games.len() == self.settings.games
            }
        });
        if !sound {
            return Err(EventError::new("it names teams or games that are not there"));
        }
        Ok(self)
    }

    /// Adds a team. Before the first round that is always possible; later only in a
    /// Swiss tournament, where it begins without points.
    pub fn add_team(&mut self, team: &str) -> Result<usize, EventError> {
        let team = name("team", team)?;
        if self.teams.iter().any(|other| other.name == team) {
            return Err(EventError::new(format!("there is a team '{team}' already")));
        }
        if self.teams.len() >= MOST_TEAMS {
            return Err(EventError::new(format!("an event has at most {MOST_TEAMS} teams")));
        }
        if !self.rounds.is_empty() && !matches!(self.settings.format, Format::Swiss { .. }) {
            return Err(EventError::new("a team can join a running Swiss tournament only"));
        }
        self.teams.push(Team { name: team, withdrawn: false });
        Ok(self.teams.len() - 1)
    }

    /// Lets a team play no further rounds, or again.
    pub fn withdraw(&mut self, team: usize, withdrawn: bool) -> Result<(), EventError> {
        let found = self.teams.get_mut(team);
        let team = found.ok_or_else(|| EventError::new("there is no such team"))?;
        team.withdrawn = withdrawn;
        Ok(())
    }

    /// The number of rounds, as far as that is known.
    pub fn planned_rounds(&self) -> usize {
        match self.settings.format {
            Format::Swiss { rounds } => rounds,
            Format::RoundRobin => round_robin::rounds(self.teams.len()),
            Format::Knockout => knockout::rounds(self.teams.len()),
        }
    }

    /// Whether every round is paired and finished.
    pub fn is_finished(&self) -> bool {
        self.rounds.len() >= self.planned_rounds() && self.open_tables().is_empty()
    }

    /// The tables of the last round that lack a result, from 0.
    pub fn open_tables(&self) -> Vec<usize> {
        let Some(round) = self.rounds.last() else { return Vec::new() };
        let open = |pairing: &Pairing| match self.settings.format {
            Format::Knockout => pairing.advances().is_none(),
            _ => !pairing.is_finished(),
        };
        round.tables().enumerate().filter(|(_, one)| open(one)).map(|(table, _)| table).collect()
    }

    /// Pairs the next round and gives its number.
    pub fn pair(&mut self) -> Result<usize, EventError> {
        let number = self.rounds.len();
        if self.teams.len() < 2 {
            return Err(EventError::new("an event needs at least two teams"));
        }
        if number >= self.planned_rounds() {
            return Err(EventError::new(format!("all {number} rounds are paired")));
        }
        if self.rounds.last().is_some_and(|round| !round.is_finished(self.settings.format)) {
            let tables: Vec<String> =
                self.open_tables().iter().map(|table| (table + 1).to_string()).collect();
            return Err(EventError::new(format!(
                "round {number} is not finished: table {} has no result",
                tables.join(", ")
            )));
        }
        let entries = match self.settings.format {
            Format::Swiss { .. } => swiss::pair(self)?,
            Format::RoundRobin => round_robin::pair(self),
            Format::Knockout => knockout::pair(self),
        };
        self.rounds.push(Round { entries });
        Ok(number)
    }

    /// Takes the last round back, as long as none of its games has a result.
    pub fn unpair(&mut self) -> Result<(), EventError> {
        let Some(round) = self.rounds.last() else {
            return Err(EventError::new("no round is paired"));
        };
        let begun = |game: &Game| game.end.is_some() || game.record.is_some();
        if round.tables().any(|pairing| pairing.games.iter().any(begun)) {
            let sentence = "the round has results; clear them before you take it back";
            return Err(EventError::new(sentence));
        }
        self.rounds.pop();
        Ok(())
    }

    /// The pairing at a round's table.
    pub fn pairing(&self, round: usize, table: usize) -> Result<&Pairing, EventError> {
        let found = self.rounds.get(round).and_then(|round| round.tables().nth(table));
        found.ok_or_else(|| no_table(round, table))
    }

    fn pairing_mut(&mut self, round: usize, table: usize) -> Result<&mut Pairing, EventError> {
        let found = self.rounds.get_mut(round).and_then(|round| round.table_mut(table));
        found.ok_or_else(|| no_table(round, table))
    }

    /// A game of the event.
    pub fn game(&self, (round, table, game): Place) -> Result<&Game, EventError> {
        let found = self.pairing(round, table)?.games.get(game);
        found.ok_or_else(|| EventError::new("a pairing has no such game"))
    }

    fn game_mut(&mut self, (round, table, game): Place) -> Result<&mut Game, EventError> {
        let found = self.pairing_mut(round, table)?.games.get_mut(game);
        found.ok_or_else(|| EventError::new("a pairing has no such game"))
    }

    /// Enters how a game ended, or that it has not. A result of an earlier round may
    /// be corrected, except where the bracket of a knockout depends on it.
    pub fn set_result(&mut self, place: Place, end: Option<GameEnd>) -> Result<(), EventError> {
        let is_known =
            |reason: &str| games::Reason::ALL.iter().any(|known| known.to_string() == reason);
        if let Some(end) = &end
            && !is_known(&end.reason)
        {
            return Err(EventError::new(format!("'{}' is no reason for an end", end.reason)));
        }
        if end.as_ref().is_some_and(|end| !end.is_possible()) {
            return Err(EventError::new("who resigns or does not appear has lost: say who won"));
        }
        let before = self.pairing(place.0, place.1)?.advances();
        let game = self.game_mut(place)?;
        if end.is_none() && game.record.is_some() {
            return Err(EventError::new("the game has a record; remove that first"));
        }
        let old = std::mem::replace(&mut game.end, end);
        let locked = self.settings.format == Format::Knockout && place.0 + 1 < self.rounds.len();
        if locked && self.pairing(place.0, place.1)?.advances() != before {
            self.game_mut(place)?.end = old;
            return Err(EventError::new(
                "the next round depends on who won here; take that round back first",
            ));
        }
        Ok(())
    }

    /// Decides who goes on in a knockout although the games are level.
    pub fn decide(&mut self, round: usize, table: usize, side: usize) -> Result<(), EventError> {
        if self.settings.format != Format::Knockout {
            return Err(EventError::new("only a knockout needs a decision after a draw"));
        }
        if round + 1 < self.rounds.len() {
            return Err(EventError::new("the next round is paired; take that round back first"));
        }
        let pairing = self.pairing_mut(round, table)?;
        let [a, b] = pairing.half_points();
        if side > 1 || !pairing.is_finished() || a != b {
            return Err(EventError::new("a decision is for a table whose games are level"));
        }
        pairing.decided = Some(side);
        Ok(())
    }

    /// Where a game was played, as its record's file name says: `R3T12`, and with
    /// two games a pairing `R3T12G2`.
    pub fn place_name(&self, (round, table, game): Place) -> String {
        let table = format!("R{}T{}", round + 1, table + 1);
        if self.settings.games == 1 { table } else { format!("{table}G{}", game + 1) }
    }
}

fn no_table(round: usize, table: usize) -> EventError {
    EventError::new(format!("there is no table {} in round {}", table + 1, round + 1))
}

/// A name without spaces around it, if it can stand in a record and in a file's
/// name.
fn name(what: &str, text: &str) -> Result<String, EventError> {
    let text = text.trim();
    let length = text.chars().count();
    if !(1..=60).contains(&length) || text.contains(records::is_invisible) {
        return Err(EventError::new(format!(
            "a name of {what} has from 1 to 60 characters, in one line and all visible"
        )));
    }
    Ok(text.to_owned())
}
