//! How many positions of the course's boards the solver solves: makes positions from
//! games of `best` with itself, and solves them within limits.
//!
//! ```text
//! cargo run --release -p session --example drawn_boards -- make COUNT SIMS FILE
//! cargo run --release -p session --example drawn_boards -- solve FILE SECONDS|NODES THREADS
//! ```
//!
//! `make` appends to the file until it has COUNT positions each with 60, 50 and 40
//! empty cells. A limit of 1,000 or more is nodes, less is seconds. A line of the file
//! is a board and the columns of the moves, with a tab between.

use std::io::Write;
use std::time::Duration;

use exact::connect_four::AnySolver;
use games::connect_four::{ConnectFour, Setup, U192};
use games::{Game, Record, Rng};
use search::{Limits, Runner, SearchControl};
use session::EngineSpec;
use session::engine::build;

type Board = ConnectFour<U192>;
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Empty cells of the positions that are kept.
const EMPTY: [u32; 3] = [60, 50, 40];

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", count, sims, file] => make(count.parse()?, sims.parse()?, file),
        ["solve", file, limit, threads] => solve(file, limit.parse()?, threads.parse()?),
        _ => Err("make COUNT SIMS FILE, or solve FILE SECONDS|NODES THREADS".into()),
    }
}

fn left(game: &Board) -> u32 {
    game.cells() - game.plies()
}

/// The positions of a file.
fn positions(file: &str) -> Result<Vec<Board>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    let position = |line: &str| {
        let (setup, moves) = line.split_once('\t').ok_or("a line is not `board moves`")?;
        let mut record = Record::new(Board::start(&setup.parse::<Setup>()?)?);
        record.play_text(moves)?;
        Ok(*record.game())
    };
    text.lines().map(position).collect()
}

fn make(count: usize, sims: u64, file: &str) -> Outcome {
    let known = if std::path::Path::new(file).exists() { positions(file)? } else { Vec::new() };
    let mut have = EMPTY.map(|empty| known.iter().filter(|game| left(game) == empty).count());
    let mut output = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    let best: EngineSpec = "best".parse()?;
    // Another game for each position that is there, so that a run goes on.
    let mut seed = known.len() as u64;
    while have.iter().any(|&have| have < count) {
        seed += 1;
        let setup = Setup::course(&mut Rng::stream(18, seed));
        let mut runners =
            [0, 1].map(|side| build::<Board>(&best, 2 * seed + side).map(Runner::new));
        let mut record = Record::new(Board::start(&setup)?);
        while record.outcome().is_none() && left(record.game()) > EMPTY[2] {
            let side = record.moves().len() % 2;
            let runner = runners[side].as_mut().map_err(|error| error.to_string())?;
            let info = runner.search(&record, &Limits::sims(sims));
            record.play(info.best.ok_or("no move")?)?;
            let kind = EMPTY.iter().position(|&empty| left(record.game()) == empty);
            if let Some(kind) =
                kind.filter(|&kind| have[kind] < count && record.outcome().is_none())
            {
                have[kind] += 1;
                writeln!(output, "{setup}\t{}", record.moves_text())?;
                break; // one position a game
            }
        }
    }
    Ok(())
}

fn solve(file: &str, limit: f64, threads: usize) -> Outcome {
    let limits = match limit >= 1e3 {
        true => Limits::nodes(limit as u64),
        false => Limits::time(Duration::from_secs_f64(limit)),
    };
    let mut solved = [[0; 3]; 3];
    for game in positions(file)? {
        let Some(kind) = EMPTY.iter().position(|&empty| left(&game) == empty) else { continue };
        let mut solver = AnySolver::new(&game.setup(), 1024, threads)?;
        let sign = solver.solve_sign(&game, &SearchControl::new(limits), &mut |_| {});
        let mut solver = AnySolver::new(&game.setup(), 1024, threads)?;
        let whole = solver.solve(&game, &SearchControl::new(limits), &mut |_| {});
        let counts = &mut solved[kind];
        counts[0] += 1;
        counts[1] += u32::from(sign.sign().is_some());
        counts[2] += u32::from(whole.score().is_some());
    }
    for (empty, [all, sign, whole]) in EMPTY.into_iter().zip(solved) {
        println!(
            "{empty} empty cells: {all} positions, {sign} with a result, {whole} with a score"
        );
    }
    Ok(())
}
