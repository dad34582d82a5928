//! `boyi export`: engines for the contest platform, and the games of a match for
//! other programs.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use arena::{GameResult, MatchConfig, MatchId, Store, export};
use clap::{Args, Subcommand};
use protocols::sau::SauSettings;
use records::{FileName, Format, GameRecord};
use serde_json::json;
use session::{GameSpec, open};

use crate::position::print_line;

/// Write engines or games for other programs
#[derive(Args)]
#[command(after_help = "\
Examples:
  boyi export sau DIR                 engines for the contest platform
  boyi export games                   list the matches of a store
  boyi export games DIR --match 2     a contest's record for each game of the second match
  boyi export games games.csv         all games of the only match as a table
")]
pub struct Arguments {
    #[command(subcommand)]
    what: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Engines for the contest platform (SAU): a program per game, and its settings
    Sau {
        /// The folder to write to; created if missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// The games of a match: .jsonl or .csv, or a folder of contest records
    Games {
        /// The file or folder to write to; without it the matches are listed
        #[arg(value_name = "FILE|DIR")]
        to: Option<PathBuf>,
        /// The store of the games
        #[arg(long, value_name = "FILE", default_value = "boyi-matches.sqlite")]
        store: PathBuf,
        /// The match, by its number in the list; optional if there is only one
        #[arg(long = "match", value_name = "N")]
        number: Option<usize>,
        /// Print the list of matches as JSON
        #[arg(long, conflicts_with = "to")]
        json: bool,
    },
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        match self.what {
            Action::Sau { folder } => platform(&folder),
            Action::Games { to, store, number, json } => games(to.as_deref(), &store, number, json),
        }
    }
}

fn platform(folder: &Path) -> anyhow::Result<()> {
    let itself = std::env::current_exe().context("this program's own path can't be found")?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} can't be made", folder.display()))?;
    for game in GameSpec::all().into_iter().filter(|game| game.row().platform.is_some()) {
        let program = folder.join(game.name()).with_extension(std::env::consts::EXE_EXTENSION);
        copy(&itself, &program)?;
        let settings = program.with_extension("txt");
        // A team's settings are not written over.
        if !settings.exists() {
            std::fs::write(&settings, SauSettings::template(&game))
                .with_context(|| format!("{} can't be written", settings.display()))?;
        }
        print_line(format!("{} with {}", program.display(), settings.display()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if to.exists() && from.canonicalize().ok() == to.canonicalize().ok() {
        bail!("{} is this program itself", to.display());
    }
    std::fs::copy(from, to).with_context(|| format!("{} can't be written", to.display()))?;
    Ok(())
}

fn games(to: Option<&Path>, path: &Path, number: Option<usize>, json: bool) -> anyhow::Result<()> {
    ensure!(path.exists(), "there is no store {}; name one by --store", path.display());
    let store = Store::open(path)?;
    let matches = store.matches()?;
    let Some(to) = to else {
        if json {
            let list = (1..).zip(&matches).map(|(number, (id, config))| {
                let games = store.results(*id)?.len();
                Ok(json!({ "number": number, "games": games, "settings": config }))
            });
            let list = list.collect::<anyhow::Result<Vec<_>>>()?;
            return print_line(json!({ "schema": "boyi-matches/1", "matches": list }));
        }
        for (number, (id, config)) in (1..).zip(&matches) {
            let names: Vec<&str> = config.engines.iter().map(|e| e.spec.as_str()).collect();
            let (count, names) = (store.results(*id)?.len(), names.join(" against "));
            print_line(format!("{number}: {}, {count} games: {names}", title(config)))?;
        }
        return Ok(());
    };
    let target = Target::of(to)?;
    let chosen = match (number, matches.len()) {
        (_, 0) => bail!("{} has no match", path.display()),
        (None, 1) => 0,
        (Some(number), count) if (1..=count).contains(&number) => number - 1,
        (_, count) => bail!(
            "{} has {count} matches: name one by --match; 'boyi export games' lists them",
            path.display()
        ),
    };
    let (id, config) = &matches[chosen];
    target.write(&store, *id, config, u64::MAX)
}

fn title(config: &MatchConfig) -> String {
    format!("{} {}", config.game, config.setup).trim_end().to_owned()
}

/// Where the games of a match go, checked before any is played.
pub enum Target {
    /// JSON, one game per line.
    Lines(PathBuf),
    /// A table, one game per row.
    Table(PathBuf),
    /// A record for each game, as its contests write them.
    Records(PathBuf),
}

impl Target {
    /// The destination of a path, by its extension.
    pub fn of(path: &Path) -> anyhow::Result<Target> {
        let path = path.to_path_buf();
        match path.extension().and_then(|end| end.to_str()) {
            _ if path.is_dir() => Ok(Target::Records(path)),
            Some("jsonl") => Ok(Target::Lines(path)),
            Some("csv") => Ok(Target::Table(path)),
            None => Ok(Target::Records(path)),
            Some(_) => bail!(
                "games are written to a .jsonl or .csv file or into a folder, and {} is none of \
                 these",
                path.display()
            ),
        }
    }

    /// Writes the games of a match's first pairs.
    pub fn write(
        &self,
        store: &Store,
        id: MatchId,
        config: &MatchConfig,
        pairs: u64,
    ) -> anyhow::Result<()> {
        let file = |path: &Path| {
            let made = std::fs::File::create(path).map(BufWriter::new);
            made.with_context(|| format!("{} can't be written", path.display()))
        };
        match self {
            Target::Lines(path) => {
                let mut out = file(path)?;
                export::jsonl(store, id, config, pairs, &mut out)?;
                Ok(out.flush()?)
            }
            Target::Table(path) => {
                let mut out = file(path)?;
                export::csv(store, id, config, pairs, &mut out)?;
                Ok(out.flush()?)
            }
            Target::Records(folder) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("{} can't be made", folder.display()))?;
                let mut all = Vec::new();
                store.for_each_game::<arena::StoreError>(id, pairs, |game| {
                    all.push(game);
                    Ok(())
                })?;
                all.iter().try_for_each(|game| write_record(folder, config, game))
            }
        }
    }
}

/// As the game's contests write it, or in our own format.
fn write_record(folder: &Path, config: &MatchConfig, game: &GameResult) -> anyhow::Result<()> {
    let spec: GameSpec = title(config).parse()?;
    let (position, moves) = arena::split_position(&game.moves);
    // Contests have no form for a game that begins elsewhere.
    let format = if position.is_some() { Format::Plain } else { Format::of_contest(&spec) };
    let end = spec.row().contest_record.map_or("txt", |record| record.extension);
    let mut session = open(&spec);
    session.set(position, &[])?;
    if !moves.is_empty() {
        session.play(moves)?;
    }
    let [first, second] = game.engines.map(|number| config.engines[number].spec.as_str());
    let event = format!("{} {}", game.outcome.reason, game.note);
    let record = GameRecord {
        players: [first, second].map(|name| Some(name.to_owned())),
        winner: Some(game.outcome.winner),
        event: Some(event.replace(['\n', '\r'], " ").trim().to_owned()),
        ..GameRecord::of_session(&session)
    };
    let name = FileName {
        place: format!("{:05}", game.index + 1),
        players: [first, second].map(short),
        winner: record.winner,
    };
    let path = folder.join(records::file_name(&name, end));
    std::fs::write(&path, records::write(&record, format)?)
        .with_context(|| format!("{} can't be written", path.display()))
}

/// An engine's name for a file name, where commas separate the players.
fn short(spec: &str) -> String {
    let plain: String = spec.chars().map(|c| if ",，:：".contains(c) { ' ' } else { c }).collect();
    plain.chars().take(40).collect::<String>().trim_end().to_owned()
}
