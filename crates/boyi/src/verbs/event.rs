//! `boyi event`: a contest day from the command line, in the folder that the board
//! shows as well.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use event::{Event, EventFolder, Format, GameEnd, Place, Settings, Winner, csv, wall_chart};
use session::GameSpec;

use crate::position::print_line;
use crate::verbs::record;

/// Run a contest day: teams, rounds, results, wall chart, records
#[derive(Args)]
#[command(after_help = "\
An event is a folder: event.json, the wall chart, and the records of its games under the names
that contests give them. The board shows the events in its data folder (boyi serve --events DIR).
Rounds, tables and games count from 1.

Examples:
  boyi event new cup --game surakarta --format swiss --rounds 9 --teams teams.txt
  boyi event pair cup                         pairs the next round and prints its tables
  boyi event result cup 1 3 first             round 1, table 3: First won
  boyi event result cup 1 4 second --reason forfeit
  boyi event record cup 1 3 game.txt          keeps the record, with its right name
  boyi event chart cup
")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Teams with equal scores meet, never twice
    Swiss,
    /// Who loses is out
    Knockout,
    /// Everyone meets everyone
    RoundRobin,
}

#[derive(Clone, Copy, ValueEnum)]
enum Won {
    /// The side that moved first won
    First,
    /// The other side won
    Second,
    /// A draw
    Draw,
    /// Both sides lost
    Nobody,
    /// The game has no result yet
    None,
}

#[derive(Subcommand)]
enum Action {
    /// Make an event in a new folder
    New {
        /// The folder
        folder: PathBuf,
        /// The event's name; the folder's by default
        #[arg(long)]
        name: Option<String>,
        /// The game and its setup
        #[arg(long, value_name = "GAME")]
        game: GameSpec,
        /// How rounds are paired
        #[arg(long, value_enum, default_value_t = Kind::Swiss)]
        format: Kind,
        /// Rounds of a Swiss tournament
        #[arg(long, value_name = "N", default_value_t = 5)]
        rounds: usize,
        /// Games of a pairing; with 2 each team is First once
        #[arg(long, value_name = "N", default_value_t = 1)]
        games: usize,
        /// Minutes of each side
        #[arg(long, value_name = "N", default_value_t = 15)]
        minutes: u32,
        /// A file with a team a line, the strongest first
        #[arg(long, value_name = "FILE")]
        teams: Option<PathBuf>,
    },
    /// Add a team
    Add { folder: PathBuf, team: String },
    /// Let a team, by its number, play no further rounds
    Withdraw {
        folder: PathBuf,
        number: usize,
        /// It plays again
        #[arg(long)]
        back: bool,
    },
    /// Pair the next round and print its tables
    Pair {
        folder: PathBuf,
        /// Only if this is the next round; nothing to do if it is paired
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
    /// Take back the last round, if no game of it has a result
    Unpair { folder: PathBuf },
    /// Enter how a game ended
    Result {
        folder: PathBuf,
        round: usize,
        table: usize,
        #[arg(value_enum)]
        won: Won,
        /// Which game of the pairing
        #[arg(long, value_name = "N", default_value_t = 1)]
        game: usize,
        /// Why: resigned, time, forfeit, agreed, adjudicated, or a reason of the rules
        #[arg(long, default_value = "adjudicated")]
        reason: String,
    },
    /// Decide who goes on in a knockout after drawn games
    Decide {
        folder: PathBuf,
        round: usize,
        table: usize,
        #[arg(value_enum)]
        won: Won,
    },
    /// Keep the record of a game, in any format that `boyi record` reads
    Record {
        folder: PathBuf,
        round: usize,
        table: usize,
        file: PathBuf,
        /// Which game of the pairing
        #[arg(long, value_name = "N", default_value_t = 1)]
        game: usize,
    },
    /// Print the wall chart
    Chart {
        folder: PathBuf,
        /// For a spreadsheet
        #[arg(long)]
        csv: bool,
        /// The whole event as JSON
        #[arg(long, conflicts_with = "csv")]
        json: bool,
    },
}

/// A number that people count from 1.
fn from_one(number: usize, what: &str) -> anyhow::Result<usize> {
    number.checked_sub(1).with_context(|| format!("a {what} has a number from 1 on"))
}

fn place(round: usize, table: usize, game: usize) -> anyhow::Result<Place> {
    Ok((from_one(round, "round")?, from_one(table, "table")?, from_one(game, "game")?))
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::New { folder, name, game, format, rounds, games, minutes, teams } => {
                let own = folder.file_name().map(|name| name.to_string_lossy().into_owned());
                let name = name.or(own).unwrap_or_else(|| "event".to_owned());
                let format = match format {
                    Kind::Swiss => Format::Swiss { rounds },
                    Kind::Knockout => Format::Knockout,
                    Kind::RoundRobin => Format::RoundRobin,
                };
                let list = match &teams {
                    None => String::new(),
                    Some(path) => {
                        let bytes = files::read(path, record::LARGEST)
                            .with_context(|| format!("{} can't be read", path.display()))?;
                        records::decode(&bytes)
                    }
                };
                let names = list.lines().map(str::trim).filter(|line| !line.is_empty());
                let settings =
                    Settings { games, minutes, ..Settings::new(&name, &game.to_string(), format) };
                let made = EventFolder::create(folder, settings, names)?;
                let event = made.load()?;
                print_line(format!("{}: {} teams", event.settings.name, event.teams.len()))
            }
            Action::Add { folder, team } => {
                let number = EventFolder::at(folder).change(|event| event.add_team(&team))?;
                print_line(format!("team {}: {team}", number + 1))
            }
            Action::Withdraw { folder, number, back } => {
                let team = from_one(number, "team")?;
                Ok(EventFolder::at(folder).change(|event| event.withdraw(team, !back))?)
            }
            Action::Pair { folder, round } => pair(&EventFolder::at(folder), round),
            Action::Unpair { folder } => Ok(EventFolder::at(folder).change(Event::unpair)?),
            Action::Result { folder, round, table, won, game, reason } => {
                let winner = match won {
                    Won::First => Some(Winner::First),
                    Won::Second => Some(Winner::Second),
                    Won::Draw => Some(Winner::Draw),
                    Won::Nobody => Some(Winner::Nobody),
                    Won::None => None,
                };
                let end = winner.map(|winner| GameEnd::new(winner, &reason));
                Ok(EventFolder::at(folder).set_result(place(round, table, game)?, end)?)
            }
            Action::Decide { folder, round, table, won } => {
                let side = match won {
                    Won::First => 0,
                    Won::Second => 1,
                    _ => bail!("say who goes on: first or second of the table"),
                };
                let (round, table, _) = place(round, table, 1)?;
                Ok(EventFolder::at(folder).change(|event| event.decide(round, table, side))?)
            }
            Action::Record { folder, round, table, file, game } => {
                let bytes = files::read(&file, record::LARGEST)
                    .with_context(|| format!("{} can't be read", file.display()))?;
                let place = place(round, table, game)?;
                let folder = EventFolder::at(folder);
                folder.set_record(place, &records::decode(&bytes))?;
                let event = folder.load()?;
                print_line(event.game(place)?.record.clone().unwrap_or_default())
            }
            Action::Chart { folder, csv: table, json } => {
                let event = EventFolder::at(folder).load()?;
                let text = match (table, json) {
                    (true, _) => csv(&event),
                    (_, true) => serde_json::to_string_pretty(&event)?,
                    _ => wall_chart(&event),
                };
                print_line(text.trim_end())
            }
        }
    }
}

fn pair(folder: &EventFolder, wanted: Option<usize>) -> anyhow::Result<()> {
    let round = match wanted {
        Some(wanted) if wanted >= 1 && folder.load()?.rounds.len() >= wanted => wanted - 1,
        _ => folder
            .change(|event| match wanted {
                Some(wanted) if wanted != event.rounds.len() + 1 => Ok(None),
                _ => event.pair().map(Some),
            })?
            .with_context(
                || "that is not the next round; 'boyi event chart' shows how far it is",
            )?,
    };
    let event = folder.load()?;
    let name = |team: usize| format!("{} {}", team + 1, event.teams[team].name);
    print_line(format!("Round {}", round + 1))?;
    for (table, pairing) in event.rounds[round].tables().enumerate() {
        let [first, second] = pairing.teams.map(name);
        print_line(format!("table {:>3}: {first} - {second}", table + 1))?;
    }
    for team in event.rounds[round].byes() {
        print_line(format!("bye: {}", name(team)))?;
    }
    Ok(())
}
