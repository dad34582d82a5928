//! Whether a long think keeps its memory and its speed: simulations for each
//! second of processor time and memory in use, window by window, and an error if
//! memory grows past the limit or the speed falls by more than 30%.
//!
//! Arguments: seconds (default 600), megabytes (default 64), and a game (default:
//! all, one after the other). What the system does not tell is not looked at.

use std::fs::read_to_string;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use games::Record;
use search::{Limits, Runner, Work};
use session::engine::build;
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

/// Windows of a think.
const WINDOWS: u32 = 20;
/// Beside the tree: stacks, reports, the tidying's marks.
const SLACK_MB: f64 = 8.0;
const SLOWEST: f64 = 0.7;

/// Megabytes of memory in use, and seconds of processor time used.
fn resources() -> Option<(f64, f64)> {
    let status = read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    let stat = read_to_string("/proc/self/stat").ok()?;
    // Behind the name in brackets, in hundredths of a second.
    let mut times = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let mut ticks = || times.next()?.parse::<f64>().ok();
    Some((kilobytes / 1024.0, (ticks()? + ticks()?) / 100.0))
}

struct Think {
    time: Duration,
    megabytes: u32,
}

impl GameVisitor for Think {
    /// Whether all was well.
    type Output = bool;

    fn visit<G: Playable>(self, start: G) -> bool {
        let spec = format!("uct threads=2 proofs=off memory={}", self.megabytes);
        let spec: EngineSpec = spec.parse().expect("a valid spec");
        let mut runner = Runner::new(build::<G>(&spec, 1).expect("uct plays everything"));
        let record = Record::new(start);
        let before = resources();
        let mut last = (0, before.map_or(0.0, |(_, cpu)| cpu), Instant::now());
        let (mut rates, mut most) = (Vec::new(), 0.0f64);
        let go_on = || ControlFlow::Continue(());
        runner.start(&record, Work::Search(Limits::time(self.time)), go_on, || {});
        while !runner.is_due() {
            thread::sleep(self.time / WINDOWS);
            let info = runner.newest();
            let wall = last.2.elapsed().as_secs_f64();
            let (memory, cpu) = resources().unwrap_or((0.0, last.1 + wall));
            let rate = (info.sims - last.0) as f64 / (cpu - last.1).max(1e-9);
            println!(
                "{} {:.0} s: {rate:.0} simulations a second of processor time, {memory:.1} MB",
                G::NAME,
                info.elapsed.as_secs_f64(),
            );
            rates.push(rate);
            most = most.max(memory);
            last = (info.sims, cpu, Instant::now());
        }
        let third = rates.len() / 3;
        let middle = |rates: &mut [f64]| {
            rates.sort_by(f64::total_cmp);
            rates.get(rates.len() / 2).copied().unwrap_or(0.0)
        };
        let end = rates.len() - third;
        let (late, early) = (middle(&mut rates[end..].to_vec()), middle(&mut rates[..third]));
        let grown = most - before.map_or(0.0, |(memory, _)| memory);
        println!(
            "{}: grew by {grown:.1} MB of {}, the last third at {:.2} of the first third's speed",
            G::NAME,
            self.megabytes,
            late / early
        );
        grown <= f64::from(self.megabytes) + SLACK_MB && late >= SLOWEST * early
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let mut number = |default| words.next().and_then(|word| word.parse().ok()).unwrap_or(default);
    let time = Duration::from_secs(number(600));
    let megabytes = number(64) as u32;
    let only = words.next();
    let games = GameSpec::all().into_iter();
    let wanted = games.filter(|game| only.as_deref().is_none_or(|only| only == game.name()));
    match wanted.map(|game| game.visit(Think { time, megabytes })).fold(true, |a, b| a & b) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
