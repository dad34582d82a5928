//! Solves published sets (or any file of lines `moves score`), compares the
//! scores and counts nodes and time, with the table cleared for each position:
//!
//! ```text
//! cargo run --release -p exact --example connect_four_sets -- MEGABYTES THREADS FILE[:PART] ...
//! ```
//!
//! A part is so many positions from the first, or `FROM-TO`, counted from 1. The name
//! `empty` stands for the empty board. With the variable `COLUMNS` set,
//! each position's score is also compared with the best of its columns. With `WORD`
//! set to 64, 128 or 192, the board is not the standard one but any board of so many
//! bits, for comparing the words.

use std::time::Instant;

use exact::connect_four::{Free, Position, Shape, Solver};
use games::connect_four::U192;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [megabytes, threads, files @ ..] = &args[..] else {
        return Err("megabytes, threads and files are wanted".into());
    };
    let (megabytes, threads) = (megabytes.parse()?, threads.parse()?);
    let fits = "7 x 6 fits every word";
    match std::env::var("WORD").as_deref() {
        Err(_) => run(Solver::new(megabytes, threads), files),
        Ok("64") => {
            let shape = Free::<u64>::new(7, 6, None).ok_or(fits)?;
            run(Solver::for_shape(shape, megabytes, threads), files)
        }
        Ok("128") => {
            let shape = Free::<u128>::new(7, 6, None).ok_or(fits)?;
            run(Solver::for_shape(shape, megabytes, threads), files)
        }
        Ok("192") => {
            let shape = Free::<U192>::new(7, 6, None).ok_or(fits)?;
            run(Solver::for_shape(shape, megabytes, threads), files)
        }
        Ok(_) => Err("WORD is 64, 128 or 192".into()),
    }
}

fn run<S: Shape>(mut solver: Solver<S>, files: &[String]) -> Outcome {
    let by_columns = std::env::var_os("COLUMNS").is_some();
    let shape = solver.shape();
    for file in files {
        let (name, part) = file.rsplit_once(':').unwrap_or((file, ""));
        let (from, to): (usize, usize) = match part.split_once('-') {
            Some((from, to)) => (from.parse()?, to.parse()?),
            None if part.is_empty() => (1, usize::MAX),
            None => (1, part.parse()?),
        };
        let text = if name == "empty" { " 1".into() } else { std::fs::read_to_string(name)? };
        let (mut seconds, mut nodes, mut count, mut wrong) = (0.0, 0, 0, 0);
        let mut logs = 0.0;
        for line in text.lines().take(to).skip(from.saturating_sub(1)) {
            let (moves, score) = line.split_once(' ').ok_or("a line is not `moves score`")?;
            let (position, score) = (Position::parse(&shape, moves)?, score.trim().parse::<i32>()?);
            let (start, before) = (Instant::now(), solver.nodes());
            solver.clear();
            let found = solver.score(&position);
            seconds += start.elapsed().as_secs_f64();
            nodes += solver.nodes() - before;
            logs += ((solver.nodes() - before) as f64 + 1.0).ln();
            count += 1;
            let best = by_columns.then(|| solver.scores(&position).into_iter().flatten().max());
            if found != score || best.is_some_and(|best| best != Some(score)) {
                wrong += 1;
                println!("{moves}: {found}, by columns {best:?}, not {score}");
            }
        }
        let mean = |sum: f64| sum / f64::from(count);
        println!(
            "{name}: {count} positions, {wrong} wrong, {:.1} nodes (geometric mean {:.1}) and {:.4} ms each",
            mean(nodes as f64),
            mean(logs).exp(),
            1e3 * mean(seconds)
        );
    }
    Ok(())
}
