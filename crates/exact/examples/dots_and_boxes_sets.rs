//! Solves a file of positions of 5 x 5 boxes, or whole boards, and counts nodes
//! and time, with the table cleared for each:
//!
//! ```text
//! cargo run --release -p exact --example dots_and_boxes_sets -- MEGABYTES THREADS FILE[:PART]|ROWSxCOLS ...
//! ```
//!
//! A line of a file is `DRAWN LEFT VALUE`: the drawn edges as a hexadecimal mask,
//! how many edges are left, and the mover's value, which is compared (`?` where it
//! is not known yet). A part is the number of edges left. With the variable `EACH` set, every
//! position is printed with its value. Time is that of the processor, where the
//! system tells it.

use std::time::Duration;

use exact::dots_and_boxes::{Position, Solver};
use search::SearchControl;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [megabytes, threads, files @ ..] = &args[..] else {
        return Err("megabytes, threads and files or boards are wanted".into());
    };
    let (megabytes, threads) = (megabytes.parse()?, threads.parse()?);
    let each = std::env::var_os("EACH").is_some();
    for name in files {
        if let Some((rows, cols)) = name.split_once('x')
            && let (Ok(rows), Ok(cols)) = (rows.parse(), cols.parse())
        {
            let mut solver = Solver::new(rows, cols, megabytes, threads)?;
            let start = solver.board().start();
            let (value, nodes, time) = solve(&mut solver, start);
            println!("{name}: value {value}, {nodes} nodes, {:.3} s", time.as_secs_f64());
            continue;
        }
        let (file, part) = name.rsplit_once(':').unwrap_or((name, ""));
        let mut solver = Solver::new(5, 5, megabytes, threads)?;
        let (mut all_nodes, mut all_time, mut slowest, mut count, mut wrong) =
            (0, Duration::ZERO, Duration::ZERO, 0, 0);
        let mut logs = 0.0;
        for line in std::fs::read_to_string(file)?.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let [drawn, left, known] = fields[..] else {
                return Err(format!("'{line}' is not DRAWN LEFT VALUE").into());
            };
            if !part.is_empty() && part != left {
                continue;
            }
            let position = solver.board().position(u128::from_str_radix(drawn, 16)?)?;
            let (value, nodes, time) = solve(&mut solver, position);
            if each {
                println!("{drawn} {left} {value} {nodes} {:.3}", time.as_secs_f64());
            }
            wrong += u32::from(known != "?" && known.parse() != Ok(value));
            (all_nodes, all_time, count) = (all_nodes + nodes, all_time + time, count + 1);
            slowest = slowest.max(time);
            logs += (nodes.max(1) as f64).ln();
        }
        let mean = |sum: f64| sum / f64::from(count.max(1));
        println!(
            "{name}: {count} positions, {wrong} wrong, {:.0} nodes (geometric mean {:.0}), \
             {:.1} ms on average, slowest {:.0} ms",
            mean(all_nodes as f64),
            mean(logs).exp(),
            mean(all_time.as_secs_f64() * 1e3),
            slowest.as_secs_f64() * 1e3
        );
    }
    Ok(())
}

/// The mover's value, nodes and time of one solve with an empty table.
fn solve(solver: &mut Solver, position: Position) -> (i32, u64, Duration) {
    solver.clear();
    let before = cpu_time();
    let solution = solver.solve(position, &SearchControl::unlimited(), &mut |_| {});
    let time = match (before, cpu_time()) {
        (Some(before), Some(after)) => after - before,
        _ => solution.elapsed,
    };
    (solution.bounds.value().expect("a solve without limits"), solution.nodes, time)
}

/// What the processor has worked for this thread.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}
