//! How many positions of the course's boards the solver solves within limits:
//!
//! ```text
//! cargo run --release -p exact --example course_positions -- SECONDS|NODES THREADS [KIND] [FILE]
//! ```
//!
//! A limit of 1,000 or more is nodes, less is seconds. KIND is `sign` (who wins, the
//! default) or `score` (and when). The table is cleared for each position. A line of
//! the file is a board and the columns of the moves, with a tab between; the default
//! file has positions with 60, 50 and 40 empty cells from games of `best` with itself,
//! made by `boyi match connect-four --boards random --engine 'best name=a' --engine
//! 'best name=b' --sims 2000 --opening-plies 2 --seed 18 --export FILE`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use exact::connect_four::AnySolver;
use games::connect_four::{ConnectFour, Setup, U192};
use games::{Game, Record};
use search::{Limits, SearchControl};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/course-positions.tsv");
const MEGABYTES: usize = 1024;

/// What was found with one number of empty cells.
#[derive(Default)]
struct Counts {
    positions: u32,
    /// Won, drawn and lost for the player to move.
    results: [u32; 3],
    nodes: u64,
    logs: f64,
    seconds: f64,
    /// Solved within the limit divided by 1, 2, 4 and so on.
    within: [u32; 6],
}

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [limit, threads, rest @ ..] = &args[..] else {
        return Err("SECONDS|NODES THREADS [sign|score] [FILE] are wanted".into());
    };
    let (limit, threads): (f64, usize) = (limit.parse()?, threads.parse()?);
    let limits = match limit >= 1e3 {
        true => Limits::nodes(limit as u64),
        false => Limits::time(Duration::from_secs_f64(limit)),
    };
    let scores = match rest.first().map(String::as_str) {
        None | Some("sign") => false,
        Some("score") => true,
        Some(_) => return Err("the third argument is sign or score".into()),
    };
    let file = rest.get(1).map_or(FILE, String::as_str);
    let each = std::env::var_os("EACH").is_some();
    let mut all: BTreeMap<u32, Counts> = BTreeMap::new();
    for line in std::fs::read_to_string(file)?.lines().filter(|line| !line.starts_with('#')) {
        let (setup, moves) = line.split_once('\t').ok_or("a line is not `board moves`")?;
        let mut record = Record::new(ConnectFour::<U192>::start(&setup.parse::<Setup>()?)?);
        record.play_text(moves)?;
        let game = record.game();
        let mut solver = AnySolver::new(&game.setup(), MEGABYTES, threads)?;
        let control = SearchControl::new(limits);
        let start = Instant::now();
        let bounds = match scores {
            true => solver.solve(game, &control, &mut |_| {}),
            false => solver.solve_sign(game, &control, &mut |_| {}),
        };
        let seconds = start.elapsed().as_secs_f64();
        let counts = all.entry(game.cells() - game.plies()).or_default();
        counts.positions += 1;
        counts.nodes += solver.nodes();
        counts.logs += (solver.nodes() as f64 + 1.0).ln();
        counts.seconds += seconds;
        let solved = if scores { bounds.score() } else { bounds.sign() };
        if let Some(value) = solved {
            counts.results[(1 - value.signum()) as usize] += 1;
            let used = if limit >= 1e3 { solver.nodes() as f64 } else { seconds };
            for (half, within) in counts.within.iter_mut().enumerate() {
                *within += u32::from(used * f64::from(1 << half) <= limit * 1.01);
            }
        }
        if each {
            println!("{line}\t{bounds:?}\t{}", solver.nodes());
        }
    }
    for (empty, counts) in all.iter().rev() {
        let Counts { positions, results: [won, drawn, lost], within, .. } = counts;
        println!(
            "{empty} empty cells: {positions} positions, solved {} ({won} won, {drawn} drawn, {lost} lost); \
             within the limit / 1, 2, 4...: {within:?}; {:.0} nodes each (geometric mean {:.0}), {:.0} a second",
            won + drawn + lost,
            counts.nodes as f64 / f64::from(*positions),
            (counts.logs / f64::from(*positions)).exp(),
            counts.nodes as f64 / counts.seconds,
        );
    }
    Ok(())
}
