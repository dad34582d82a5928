//! `boyi record`: reads, checks, shows and rewrites games on paper.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use records::{FileName, Format, GameRecord};
use serde_json::json;
use session::GameSpec;

use crate::position::{outcome_json, player_word, print_line};

/// The most bytes that a record may have: a game on paper takes a page.
pub const LARGEST: u64 = 16 << 20;

/// Read, check, print and convert game records
#[derive(Args)]
#[command(after_help = "\
Formats: contest (Surakarta contests), json (Dots and Boxes contests), platform (the
contest platform's save file), columns (Connect Four), plain (Boyi's own). The format is
detected from the content; files may be UTF-8 or GBK.

Examples:
  boyi record check game.txt
  boyi record show game.json --ply 20
  boyi record convert game.txt --to plain
  boyi record convert game.txt --to json --out game.json --encoding gbk
  boyi record convert game.txt --to contest --out . --place A6
")]
pub struct Arguments {
    #[command(subcommand)]
    what: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Convert a record to another format
    Convert {
        #[command(flatten)]
        source: Source,
        /// The format to write
        #[arg(long, value_name = "FORMAT")]
        to: Format,
        /// The file or folder to write to; in a folder the file is named as contests do.
        /// Standard output by default
        #[arg(long, value_name = "FILE|DIR")]
        out: Option<PathBuf>,
        /// The table number in a contest file name, as A6 in 'A6：X先手，Y后手，X胜.txt'
        #[arg(long, value_name = "PLACE")]
        place: Option<String>,
        /// The encoding of the output
        #[arg(long, default_value = "utf-8")]
        encoding: Encoding,
    },
    /// Check whether a record is legal, and if not, at which ply and why
    Check {
        #[command(flatten)]
        source: Source,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the board at the end, or at a ply
    Show {
        #[command(flatten)]
        source: Source,
        /// How many plies to play
        #[arg(long, value_name = "N")]
        ply: Option<usize>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
struct Source {
    /// The record
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game and its setup, if the record does not contain them
    #[arg(long, value_name = "GAME")]
    game: Option<GameSpec>,

    /// The record's format; by default it is detected
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Encoding {
    #[value(name = "utf-8")]
    Utf8,
    Gbk,
}

impl Source {
    fn read(&self) -> anyhow::Result<GameRecord> {
        let file = &self.file;
        let bytes = files::read(file, LARGEST)
            .with_context(|| format!("{} can't be read", file.display()))?;
        let mut record = records::read(&records::decode(&bytes), self.from, self.game.as_ref())
            .with_context(|| file.display().to_string())?;
        // What the content leaves open, a contest's file name may tell.
        if let Some(name) = self.name() {
            for (known, named) in record.players.iter_mut().zip(name.players) {
                known.get_or_insert(named);
            }
            record.winner = record.winner.or(name.winner);
        }
        Ok(record)
    }

    fn name(&self) -> Option<FileName> {
        FileName::parse(Path::new(&self.file).file_name()?.to_str()?)
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        match self.what {
            Action::Convert { source, to, out, place, encoding } => {
                let record = source.read()?;
                let text = records::write(&record, to)?;
                let out = match out {
                    Some(folder) if folder.is_dir() => {
                        Some(folder.join(contest_name(&record, place, source.name())))
                    }
                    out => out,
                };
                let bytes = match encoding {
                    Encoding::Utf8 => text.clone().into_bytes(),
                    Encoding::Gbk => records::encode_gbk(&text),
                };
                match out {
                    Some(out) => std::fs::write(&out, bytes)
                        .with_context(|| format!("{} can't be written", out.display())),
                    None => Ok(std::io::Write::write_all(&mut std::io::stdout(), &bytes)?),
                }
            }
            Action::Check { source, json } => check(&source.read()?, json),
            Action::Show { source, ply, json } => {
                let record = source.read()?;
                let session = record.replay(ply)?;
                if json {
                    return print_line(json!({
                        "game": record.game.to_string(),
                        "players": record.players,
                        "start": record.start,
                        "moves": session.moves(),
                        "plies": record.moves.len(),
                        "position": session.position(),
                        "outcome": outcome_json(session.outcome()),
                        "winner": record.winner.map(|winner| winner.map_or("draw", player_word)),
                    }));
                }
                let name = |i: usize| record.players[i].as_deref().unwrap_or("?");
                print_line(format!("{}: {} - {}", record.game, name(0), name(1)))?;
                print_line(session.draw().trim_end())?;
                print_line(format!("position: {}", session.position()))?;
                print_line(format!("plies: {} of {}", session.moves().len(), record.moves.len()))
            }
        }
    }
}

/// The name that a contest would give to a record's file.
fn contest_name(record: &GameRecord, place: Option<String>, old: Option<FileName>) -> String {
    let outcome = record.replay(None).ok().and_then(|session| session.outcome());
    let name = |player: usize| record.players[player].clone().unwrap_or("？".to_owned());
    let new = FileName {
        place: place.or(old.map(|old| old.place)).unwrap_or("A1".to_owned()),
        players: [name(0), name(1)],
        winner: outcome.map(|outcome| outcome.winner).or(record.winner),
    };
    records::file_name(&new, "txt")
}

fn check(record: &GameRecord, json: bool) -> anyhow::Result<()> {
    let plies = record.moves.len();
    match record.replay(None) {
        Ok(session) => {
            let outcome = session.outcome();
            let mismatch = record.result_mismatch(outcome);
            if json {
                return print_line(json!({
                    "game": record.game.to_string(),
                    "legal": true,
                    "plies": plies,
                    "outcome": outcome_json(outcome),
                    "doubt": mismatch,
                }));
            }
            let end = outcome.map_or("unfinished".to_owned(), |outcome| outcome.to_string());
            print_line(format!("legal: {}, {plies} plies, {end}", record.game))?;
            mismatch.map_or(Ok(()), print_line)
        }
        Err(error) if json => print_line(json!({
            "game": record.game.to_string(),
            "legal": false,
            "plies": plies,
            "ply": error.ply,
            "reason": error.reason.to_string(),
        })),
        Err(error) => bail!("not legal at {error}"),
    }
}
