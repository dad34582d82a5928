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

use crate::course_library::{Board, CRASHED_FIRST, CourseLibrary, libraries, name};
use crate::position::print_line;

/// Play against a folder of strategy libraries of the Connect Four course
#[derive(Args)]
#[command(after_help = "\
Every library (.so, .dylib, .dll) runs in a process of its own, with 1 GB of memory and 3 s
of CPU time per move. Each pair of games has a new random board, 9 to 12 squared with one
forbidden cell, and both sides move first once. Lost games are printed. A library that can't
be loaded, or crashes in its first call, is no opponent: no game, no point.

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
    /// The library crashed in its first call: no game, and no point.
    NoGame,
}

/// A game that we lost.
struct LostGame {
    record: Record<Board>,
    ours: Player,
}

impl LostGame {
    fn side(&self) -> &'static str {
        ["first", "second"][self.ours as usize]
    }
}

/// Games with one library, by who moved first: we, then they.
#[derive(Default)]
struct Tally {
    counts: [[u32; 5]; 2],
    fault: Option<String>,
    lost: Vec<LostGame>,
}

impl Tally {
    fn of(&self, end: End) -> u32 {
        self.counts.iter().map(|counts| counts[end as usize]).sum()
    }

    /// Our share of the points, draws counted half, if there was a game.
    fn rate(&self) -> Option<f64> {
        let won = self.of(End::Won) + self.of(End::Forfeited);
        let all = won + self.of(End::Drawn) + self.of(End::Lost);
        let points = f64::from(won) + f64::from(self.of(End::Drawn)) / 2.0;
        (all > 0).then(|| points / f64::from(all))
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let libraries = libraries(&self.folder)?;
        let mut rows = Vec::new();
        let mut whole = Tally::default();
        let mut refused = 0;
        if !self.json {
            print_line(format!(
                "{:24} {:>11} {:>11} {:>7} {:>8}  fault",
                "library", "first +=-", "second +=-", "points", "forfeits"
            ))?;
        }
        for (number, library) in libraries.iter().enumerate() {
            let name = name(library);
            if let Err(why) = CourseLibrary::new(library).load() {
                refused += 1;
                match self.json {
                    true => rows.push(json!({ "name": name, "error": why })),
                    false => print_line(format!("{name:24} can't be loaded: {why}"))?,
                }
                continue;
            }
            let tally = self.meet(library, number as u64)?;
            for (all, counts) in whole.counts.iter_mut().zip(tally.counts) {
                all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
            }
            match self.json {
                true => rows.push(row_json(&name, &tally)),
                false => {
                    print_line(row(&name, &tally))?;
                    tally.lost.iter().try_for_each(print_lost)?;
                }
            }
        }
        match self.json {
            true => print_line(json!({ "libraries": rows, "all": row_json("all", &whole) }))?,
            false => print_line(row("all", &whole))?,
        }
        match refused {
            0 => Ok(()),
            _ => {
                bail!("{refused} of {} libraries can't be loaded and did not play", libraries.len())
            }
        }
    }

    fn meet(&self, library: &Path, number: u64) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        for index in 0..self.games {
            // Both games of a pair have the same board.
            let mut rng = Rng::stream(self.seed, number << 32 | u64::from(index / 2));
            let setup = Setup::course(&mut rng);
            let ours = Player::BOTH[(index % 2) as usize];
            let (end, fault, record) = self.play(library, &setup, ours)?;
            tally.counts[ours as usize][end as usize] += 1;
            tally.fault = tally.fault.or(fault);
            if end == End::Lost {
                tally.lost.push(LostGame { record, ours });
            }
        }
        Ok(tally)
    }

    /// One game. A library that breaks a rule or does not answer loses it, unless it
    /// crashes in its first call.
    fn play(
        &self,
        library: &Path,
        setup: &Setup,
        ours: Player,
    ) -> anyhow::Result<(End, Option<String>, Record<Board>)> {
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
                        let crashed = why == CRASHED_FIRST;
                        let end = if crashed { End::NoGame } else { End::Forfeited };
                        return Ok((end, Some(why), record));
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
        Ok((end, None, record))
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
        .map(|[won, drawn, lost, forfeited, _]| format!("{}/{drawn}/{lost}", won + forfeited));
    let points = match tally.rate() {
        Some(rate) => format!("{:.1}%", 100.0 * rate),
        None => "-".to_owned(),
    };
    let forfeits = tally.of(End::Forfeited);
    let fault = match (tally.of(End::NoGame), tally.fault.as_deref().unwrap_or_default()) {
        (0, fault) => fault.to_owned(),
        (no_games, fault) => format!("{fault} (without a game: {no_games})"),
    };
    let line = format!("{name:24} {first:>11} {second:>11} {points:>7} {forfeits:>8}  {fault}");
    line.trim_end().to_owned()
}

fn row_json(name: &str, tally: &Tally) -> serde_json::Value {
    let side = |counts: [u32; 5]| {
        let [won, drawn, lost, forfeited, _] = counts;
        json!({ "won": won + forfeited, "drawn": drawn, "lost": lost })
    };
    json!({
        "name": name,
        "first": side(tally.counts[0]),
        "second": side(tally.counts[1]),
        "points": tally.rate(),
        "forfeits": tally.of(End::Forfeited),
        "no_games": tally.of(End::NoGame),
        "fault": tally.fault,
        "lost_games": tally.lost.iter().map(lost_json).collect::<Vec<_>>(),
    })
}

/// A lost game with its board, its moves and how it ended.
fn print_lost(lost: &LostGame) -> anyhow::Result<()> {
    let record = &lost.record;
    let (setup, moves) = (record.start().setup(), record.moves_text());
    print_line(format!("  lost, moving {}, on {setup}: {moves}", lost.side()))?;
    let board = record.game().render(record.last());
    board.lines().try_for_each(|line| print_line(format!("    {line}")))
}

fn lost_json(lost: &LostGame) -> serde_json::Value {
    let record = &lost.record;
    json!({
        "setup": record.start().setup().to_string(),
        "ours": lost.side(),
        "moves": record.moves_text(),
        "position": record.game().position(),
    })
}
