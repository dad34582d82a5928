//! `boyi course DIR`: a batch against a folder of libraries made for the course's
//! judge.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use games::connect_four::{Column, Setup};
use games::{Game, Player, Record, Rng, Text};
use search::{Fault, Limits};
use serde_json::json;
use session::{EngineHandle, EngineSpec, GameSpec, open};

use crate::course_library::{Board, CourseLibrary, libraries, name};
use crate::position::print_line;

/// Play against a folder of strategy libraries of the Connect Four course
#[derive(Args)]
#[command(after_help = "\
Every library (.so, .dylib, .dll) runs in a process of its own, with 1 GB of memory and 3 s
of CPU time per move. Each pair of games has a new random board, 9 to 12 squared with one
forbidden cell, and both sides move first once.

Examples:
  boyi course libraries
  boyi course libraries --games 10 --seconds 0.5
")]
pub struct Arguments {
    /// The folder with the libraries
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Games against each library, half of them moving first
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Seconds per move of our engine
    #[arg(long, value_name = "S", default_value_t = 2.7, value_parser = seconds)]
    seconds: f64,

    /// Our engine
    #[arg(long, value_name = "SPEC", default_value = "best")]
    engine: EngineSpec,

    /// Seed of the boards
    #[arg(long, value_name = "X", default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.001..=60.0).contains(&value) => Ok(value),
        _ => Err("a number from 0.001 to 60 is expected".to_owned()),
    }
}

/// How a game ended for us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Won,
    Drawn,
    Lost,
    /// Won because the library broke a rule.
    Forfeited,
}

/// Games with one library, by who moved first: we, then they.
#[derive(Default)]
struct Tally {
    counts: [[u32; 4]; 2],
    fault: Option<String>,
}

impl Tally {
    fn of(&self, end: End) -> u32 {
        self.counts.iter().map(|counts| counts[end as usize]).sum()
    }

    /// Our share of the points, draws counted half.
    fn rate(&self) -> f64 {
        let won = self.of(End::Won) + self.of(End::Forfeited);
        let all = won + self.of(End::Drawn) + self.of(End::Lost);
        (f64::from(won) + f64::from(self.of(End::Drawn)) / 2.0) / f64::from(all.max(1))
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let libraries = libraries(&self.folder)?;
        let mut rows = Vec::new();
        let mut whole = Tally::default();
        if !self.json {
            print_line(format!(
                "{:24} {:>11} {:>11} {:>7} {:>8}  fault",
                "library", "first +=-", "second +=-", "points", "forfeits"
            ))?;
        }
        for (number, library) in libraries.iter().enumerate() {
            let tally = self.meet(library, number as u64)?;
            let name = name(library);
            for (all, counts) in whole.counts.iter_mut().zip(tally.counts) {
                all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
            }
            match self.json {
                true => rows.push(row_json(&name, &tally)),
                false => print_line(row(&name, &tally))?,
            }
        }
        match self.json {
            true => print_line(json!({ "libraries": rows, "all": row_json("all", &whole) })),
            false => print_line(row("all", &whole)),
        }
    }

    fn meet(&self, library: &Path, number: u64) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        for index in 0..self.games {
            // Both games of a pair have the same board.
            let mut rng = Rng::stream(self.seed, number << 32 | u64::from(index / 2));
            let setup = Setup::course(&mut rng);
            let ours = Player::BOTH[(index % 2) as usize];
            let (end, fault) = self.play(library, &setup, ours)?;
            tally.counts[ours as usize][end as usize] += 1;
            tally.fault = tally.fault.or(fault);
        }
        Ok(tally)
    }

    /// One game. A library that does not start, breaks a rule or does not answer
    /// loses it.
    fn play(
        &self,
        library: &Path,
        setup: &Setup,
        ours: Player,
    ) -> anyhow::Result<(End, Option<String>)> {
        let mut theirs = CourseLibrary::new(library);
        let session = open(&GameSpec::of::<Board>(setup));
        let mut engine = session.engine(&self.engine, self.seed)?;
        let mut record = Record::new(Board::start(setup)?);
        let outcome = loop {
            if let Some(outcome) = record.outcome() {
                break outcome;
            }
            let column = if record.game().to_move() == ours {
                self.our_column(&mut engine, &record)?
            } else {
                match theirs.column(&record, || true) {
                    Ok(column) => column,
                    Err(Fault::Gone(why) | Fault::Illegal(why) | Fault::Late(why)) => {
                        return Ok((End::Forfeited, Some(why)));
                    }
                }
            };
            record.play(column)?;
        };
        let end = match outcome.winner {
            Some(winner) if winner == ours => End::Won,
            Some(_) => End::Lost,
            None => End::Drawn,
        };
        Ok((end, None))
    }

    fn our_column(
        &self,
        engine: &mut EngineHandle,
        record: &Record<Board>,
    ) -> anyhow::Result<Column> {
        let played = record.positions().iter().zip(record.moves());
        let moves: Vec<String> = played.map(|(game, &mv)| game.move_text(mv)).collect();
        engine.set(None, &moves.iter().map(String::as_str).collect::<Vec<_>>())?;
        let limits =
            Limits { time: Some(Duration::from_secs_f64(self.seconds)), ..Limits::default() };
        let info = engine.search(&limits, None);
        let Some(best) = info.best else { bail!("{} gave no move", self.engine) };
        Ok(record.game().parse_move(&best)?)
    }
}

fn row(name: &str, tally: &Tally) -> String {
    let [first, second] = tally
        .counts
        .map(|[won, drawn, lost, forfeited]| format!("{}/{drawn}/{lost}", won + forfeited));
    let (rate, forfeits) = (100.0 * tally.rate(), tally.of(End::Forfeited));
    let fault = tally.fault.as_deref().unwrap_or_default();
    let line = format!("{name:24} {first:>11} {second:>11} {rate:>6.1}% {forfeits:>8}  {fault}");
    line.trim_end().to_owned()
}

fn row_json(name: &str, tally: &Tally) -> serde_json::Value {
    let side = |counts: [u32; 4]| {
        let [won, drawn, lost, forfeited] = counts;
        json!({ "won": won + forfeited, "drawn": drawn, "lost": lost })
    };
    json!({
        "name": name,
        "first": side(tally.counts[0]),
        "second": side(tally.counts[1]),
        "points": tally.rate(),
        "forfeits": tally.of(End::Forfeited),
        "fault": tally.fault,
    })
}
