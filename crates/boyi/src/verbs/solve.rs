//! `boyi solve`: the truth about a position.

mod proof;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use exact::{Bounds, MoveValues, Solved, SolverOptions};
use games::{Outcome, Record};
use search::{Limits, SearchControl, line_text};
use serde_json::{Value, json};
use session::machine::require_memory;
use session::{GameVisitor, Playable};

use crate::interrupt::set_on_interrupt;
use crate::limits::seconds;
use crate::position::{PositionArgs, print_line};

/// Solve a position: its exact value, all best moves and a line of best play
#[derive(Args)]
#[command(after_help = "\
Values are the mover's: the published score in Connect Four (+k: wins with its k-th last
stone), the difference of boxes still to be won in Dots and Boxes, the sign in Surakarta
(which needs endgame tables: 'boyi tables build'). Ctrl-C prints the bounds found so far.

--proof keeps the value of a whole Dots and Boxes board as lines of a file, the bounds of
positions some plies deep: the command may be stopped at any moment and goes on where it stopped;
with --threads several searches share its lines and the table. --check proves the value from the
lines alone and solves some of them again.

Examples:
  boyi solve connect-four --moves 44444252 --each
  boyi solve 'dots-and-boxes 3x4'
  boyi solve dots-and-boxes --position 8fbda9a59ecd557
  boyi solve connect-four --batch positions.txt
  boyi solve 'dots-and-boxes 4x4' --proof 4x4.txt --memory 1024
  boyi solve 'dots-and-boxes 4x4' --proof 4x4.txt --check 100
")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,

    /// A file with a position or a list of moves on each line; prints a JSON line for each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    batch: Option<PathBuf>,

    /// A file of lines that prove the value of the start: goes on with it, or begins it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "batch", "each", "json"])]
    proof: Option<PathBuf>,

    /// Check the proof instead, and solve so many of its lines again
    #[arg(long, value_name = "N", requires = "proof")]
    check: Option<usize>,

    /// Seconds per position, or for a proof
    #[arg(long, value_name = "S", value_parser = seconds)]
    st: Option<Duration>,

    /// Megabytes for the table
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,

    /// Threads
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Print the value of every move, too
    #[arg(long)]
    each: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

static STOP: AtomicBool = AtomicBool::new(false);

/// What was found, in what time.
struct Answer<M> {
    solved: Solved<M>,
    /// The value of every move, if requested.
    each: MoveValues<M>,
    time: Duration,
    /// Whether no limit cut it short: then the best moves are all of them.
    complete: bool,
    /// How the game ended, if it is over.
    outcome: Option<Outcome>,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        self.position.game.clone().visit(self)
    }

    fn options(&self) -> SolverOptions {
        SolverOptions { megabytes: self.memory as usize, threads: self.threads.into() }
    }

    /// Solves one position, with a progress line on a terminal.
    fn solve<G: Playable>(&self, game: &G, solver: &mut G::Solver) -> Answer<G::Move> {
        let begun = Instant::now();
        // The value comes first, then all best moves and a line: one clock and
        // Ctrl-C are for all of it together, and tell whether they cut it short.
        let control = SearchControl::new(Limits { time: self.st, ..Limits::default() });
        let mut printed = begun;
        let terminal = std::io::stderr().is_terminal();
        let mut observer = |bounds: Bounds| {
            if STOP.load(Relaxed) {
                control.stop();
            }
            if terminal && printed.elapsed() > Duration::from_millis(500) {
                printed = Instant::now();
                eprint!("\r{} to {}, {} nodes   ", bounds.low, bounds.high, bounds.nodes);
            }
        };
        let solved = game.solve_position(solver, true, &control, &mut observer);
        let each = match self.each {
            true => game.solve_moves(solver, &control, &mut observer),
            false => MoveValues::NONE,
        };
        let complete = solved.value().is_some() && !control.should_stop();
        if terminal {
            eprint!("\r{:60}\r", "");
        }
        Answer { solved, each, time: begun.elapsed(), complete, outcome: None }
    }

    fn batch<G: Playable>(&self, start: &G, file: &Path) -> anyhow::Result<()> {
        let text = files::read_text(file, 64 << 20)
            .with_context(|| format!("{} can't be read", file.display()))?;
        let mut solver = G::solver(&start.setup(), &self.options()).map_err(anyhow::Error::msg)?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let answer = match read(start, line) {
                Err(error) => json!({ "input": line, "error": error.to_string() }),
                Ok(record) => {
                    let answer = match record.outcome() {
                        Some(outcome) => Answer::of_end(record.game(), outcome),
                        None => self.solve(record.game(), &mut solver),
                    };
                    answer.json(line, record.game(), &solver)
                }
            };
            print_line(answer)?;
            if STOP.load(Relaxed) {
                bail!("stopped");
            }
        }
        Ok(())
    }
}

/// A line of a batch: a position, or else a list of moves from the start.
fn read<G: Playable>(start: &G, line: &str) -> anyhow::Result<Record<G>> {
    if let Ok(game) = G::parse(&start.setup(), line) {
        return Ok(Record::new(game));
    }
    let mut record = Record::new(start.clone());
    record.play_text(line)?;
    Ok(record)
}

impl<M: Copy> Answer<M> {
    /// The value of a game that is over.
    fn of_end<G: Playable<Move = M>>(game: &G, outcome: Outcome) -> Answer<M> {
        let value = game.final_value(&outcome);
        let bounds = Bounds { low: value, high: value, nodes: 0 };
        Answer {
            solved: Solved { bounds, best: Vec::new(), pv: Vec::new(), plies: Some(0) },
            each: MoveValues::NONE,
            time: Duration::ZERO,
            complete: true,
            outcome: Some(outcome),
        }
    }

    fn json<G: Playable<Move = M>>(&self, input: &str, game: &G, solver: &G::Solver) -> Value {
        let solved = &self.solved;
        let mut answer = json!({
            "input": input,
            "value": solved.value(),
            "best": self.best(game),
            "exact": solved.value().is_some(),
            "complete": self.complete,
            "nodes": self.nodes(),
            "seconds": self.time.as_secs_f64(),
            "pv": line_text(game, &solved.pv),
        });
        if solved.value().is_none() {
            answer["bounds"] = json!([solved.bounds.low, solved.bounds.high]);
            answer["beyond"] = json!(game.beyond(solver));
        }
        if let Some(plies) = solved.plies {
            answer["plies"] = json!(plies);
        }
        if let Some(outcome) = &self.outcome {
            answer["outcome"] = json!(outcome.to_string());
        }
        if !self.each.moves.is_empty() {
            let each = self.each.moves.iter().map(|(mv, range)| {
                let (low, high) = (range.start(), range.end());
                let value = (low == high).then_some(low);
                json!({ "move": game.move_text(*mv), "value": value, "bounds": [low, high] })
            });
            answer["each"] = each.collect();
        }
        answer
    }

    fn nodes(&self) -> u64 {
        self.solved.bounds.nodes + self.each.nodes
    }

    fn best<G: Playable<Move = M>>(&self, game: &G) -> Vec<String> {
        self.solved.best.iter().map(|&mv| game.move_text(mv)).collect()
    }
}

impl GameVisitor for Arguments {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        set_on_interrupt(&STOP)?;
        require_memory("the table", self.memory.into())?;
        if let Some(file) = &self.batch {
            return self.batch(&start, file);
        }
        if let Some(file) = &self.proof {
            return proof::run(&start, file, self.check, &self.options(), self.st);
        }
        let record = self.position.record(start)?;
        let game = record.game();
        let mut solver = G::solver(&game.setup(), &self.options()).map_err(anyhow::Error::msg)?;
        let answer = match record.outcome() {
            Some(outcome) => Answer::of_end(game, outcome),
            None => self.solve(game, &mut solver),
        };
        if self.json {
            return print_line(answer.json(&game.position(), game, &solver));
        }
        let solved = &answer.solved;
        if let Some(outcome) = &answer.outcome {
            print_line(format!("the game is over: {outcome}"))?;
            return print_line(format!("value {:+}", solved.bounds.low));
        }
        let Bounds { low, high, .. } = solved.bounds;
        match solved.value() {
            Some(value) => print_line(format!("value {value:+}"))?,
            None => print_line(format!(
                "not solved within the limits: the value lies from {low:+} to {high:+}"
            ))?,
        }
        if let (None, Some(why)) = (solved.value(), game.beyond(&solver)) {
            print_line(why)?;
        }
        if let Some(plies) = solved.plies {
            print_line(format!("plies to the next capture or the end: {plies}"))?;
        }
        if solved.value().is_some() {
            let all = if answer.complete { "best" } else { "best as far as known" };
            print_line(format!("{all} {}", answer.best(game).join(" ")))?;
            print_line(format!("line {}", line_text(game, &solved.pv).join(" ")))?;
        }
        for (mv, range) in &answer.each.moves {
            let (mv, low, high) = (game.move_text(*mv), range.start(), range.end());
            if low == high {
                print_line(format!("  {mv} {low:+}"))?;
            } else {
                print_line(format!("  {mv} {low:+} to {high:+}"))?;
            }
        }
        print_line(format!("{} nodes, {:.3} s", answer.nodes(), answer.time.as_secs_f64()))
    }
}
