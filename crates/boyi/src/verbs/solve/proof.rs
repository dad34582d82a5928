//! `boyi solve --proof FILE`: a board's value as lines of a file that prove it.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use exact::{Proven, SolverOptions};
use files::FileLock;
use search::{Limits, SearchControl};
use session::Playable;

use super::STOP;
use crate::position::print_line;

/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Goes on with a proof, or with `check` only looks at what it proves and solves so
/// many of its lines again.
pub fn run<G: Playable>(
    start: &G,
    file: &Path,
    check: Option<usize>,
    options: &SolverOptions,
    time: Option<Duration>,
) -> anyhow::Result<()> {
    let mut solver = G::solver(&start.setup(), options).map_err(anyhow::Error::msg)?;
    let control = SearchControl::new(Limits { time, ..Limits::default() });
    let done = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                if STOP.load(Relaxed) {
                    control.stop();
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
        let result = match check {
            Some(again) => look(start, file, again, &mut solver, &control),
            None => extend(start, file, &mut solver, &control),
        };
        done.store(true, Relaxed);
        result
    })
}

fn extend<G: Playable>(
    start: &G,
    file: &Path,
    solver: &mut G::Solver,
    control: &SearchControl<G::Move>,
) -> anyhow::Result<()> {
    let name = file.display();
    let _lock = FileLock::acquire(file).map_err(|error| anyhow!("{name}: {error}"))?;
    let text = if file.exists() { read(file)? } else { String::new() };
    let mut out = File::options().create(true).append(true).open(file)?;
    // A line that was being written when the process ended is written anew.
    out.set_len(text.len() as u64)?;
    let (begun, mut printed) = (Instant::now(), Instant::now());
    let terminal = std::io::stderr().is_terminal();
    let mut write = |line: &str, proven: &Proven| {
        out.write_all(line.as_bytes()).map_err(|error| format!("{name}: {error}"))?;
        if terminal && printed.elapsed() > Duration::from_millis(500) {
            printed = Instant::now();
            let (low, high) = (proven.bounds.low, proven.bounds.high);
            eprint!("\r{low} to {high}, {} lines, {:.3} %   ", proven.lines, 100.0 * proven.share);
        }
        Ok(())
    };
    let proven = start.prove(&text, solver, control, &mut write).map_err(anyhow::Error::msg);
    out.sync_all()?;
    if terminal {
        eprint!("\r{:60}\r", "");
    }
    report(&proven?)?;
    print_line(format!("{:.3} s", begun.elapsed().as_secs_f64()))
}

fn look<G: Playable>(
    start: &G,
    file: &Path,
    again: usize,
    solver: &mut G::Solver,
    control: &SearchControl<G::Move>,
) -> anyhow::Result<()> {
    let text = read(file)?;
    let (proven, solved) =
        start.check_proof(&text, again, solver, control).map_err(anyhow::Error::msg)?;
    report(&proven)?;
    print_line(format!("{solved} lines solved again, none wrong"))?;
    if proven.bounds.value().is_none() {
        bail!("the lines do not prove the value yet; 'boyi solve' without --check goes on");
    }
    Ok(())
}

/// The whole lines of a file.
fn read(file: &Path) -> anyhow::Result<String> {
    let mut text = files::read_text(file, MOST_BYTES)
        .with_context(|| format!("{} can't be read", file.display()))?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    Ok(text)
}

fn report(proven: &Proven) -> anyhow::Result<()> {
    match proven.bounds.value() {
        Some(value) => print_line(format!("value {value:+}, proven"))?,
        None => print_line(format!(
            "not proven yet: the value lies from {:+} to {:+}; about {:.3} % is done",
            proven.bounds.low,
            proven.bounds.high,
            100.0 * proven.share
        ))?,
    }
    print_line(format!("{} positions, {} nodes", proven.lines, proven.nodes))
}
