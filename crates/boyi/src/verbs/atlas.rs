//! `boyi atlas FILE`: solves the empty boards of Connect Four, a line each.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use exact::{Solve, SolverOptions};
use games::Game;
use games::connect_four::{ConnectFour, Setup, U192};
use lab::atlas::{self, AtlasLine, board_text};
use search::{Limits, SearchControl};
use session::machine::require_memory;

use crate::interrupt::set_on_interrupt;
use crate::limits::seconds;
use crate::position::print_line;

/// Solve the empty Connect Four boards of many sizes, with and without a hole
#[derive(Args)]
#[command(after_help = "\
FILE gets a line for each board: First's value (+k: First wins with its k-th last stone), the
number of the last stone, all best first columns and the nodes. It is replaced after each board,
so the command may be stopped at any moment, and goes on where it stopped.

Examples:
  boyi atlas atlas.tsv --cells 30
  boyi atlas atlas.tsv 7x6 --memory 2048 --threads 2
  boyi atlas atlas.tsv --pictures DIR
")]
pub struct Arguments {
    /// The file with what is solved
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Boards of these sizes only
    #[arg(value_name = "SIZE")]
    sizes: Vec<String>,

    /// Boards of up to so many cells
    #[arg(long, value_name = "N", default_value_t = 42, value_parser = clap::value_parser!(u32).range(16..=144))]
    cells: u32,

    /// Seconds per board, after which it is left out
    #[arg(long, value_name = "S", value_parser = seconds)]
    st: Option<Duration>,

    /// Megabytes for the table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,

    /// Threads
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Solve nothing, but draw every size that the file has into this folder
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
}

static STOP: AtomicBool = AtomicBool::new(false);

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let mut lines = match std::fs::read_to_string(&self.file) {
            Ok(text) => atlas::read(&text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("{} can't be read", self.file.display()));
            }
        };
        if let Some(folder) = &self.pictures {
            return draw(&lines, folder);
        }
        require_memory("the table", self.memory.into())?;
        set_on_interrupt(&STOP)?;
        for setup in self.boards()? {
            if lines.iter().any(|line| line.setup == setup) {
                continue;
            }
            match self.solve(&setup)? {
                Some(line) => {
                    print_line(&line)?;
                    lines.push(line);
                    files::write(&self.file, &[atlas::write(&lines).as_bytes()])
                        .with_context(|| format!("{} can't be written", self.file.display()))?;
                }
                None if STOP.load(Relaxed) => bail!("stopped; the same command goes on"),
                None => print_line(format!("{} is not solved in this time", board_text(&setup)))?,
            }
        }
        Ok(())
    }

    fn boards(&self) -> anyhow::Result<Vec<Setup>> {
        let mut sizes = Vec::new();
        for text in &self.sizes {
            let setup: Setup = text.parse()?;
            if setup.hole.is_some() {
                bail!("'{text}' has a hole; name the size alone, all its holes are solved");
            }
            sizes.push((setup.columns, setup.rows));
        }
        let most = sizes.iter().map(|&(columns, rows)| u32::from(columns) * u32::from(rows)).max();
        let mut boards = atlas::boards(most.unwrap_or(self.cells));
        boards.retain(|board| sizes.is_empty() || sizes.contains(&(board.columns, board.rows)));
        Ok(boards)
    }

    /// The board's line, if no limit cuts it short.
    fn solve(&self, setup: &Setup) -> anyhow::Result<Option<AtlasLine>> {
        let options =
            SolverOptions { megabytes: self.memory as usize, threads: self.threads.into() };
        let mut solver =
            ConnectFour::<U192>::solver(setup, &options).map_err(anyhow::Error::msg)?;
        let start = ConnectFour::<U192>::start(setup)?;
        let control = SearchControl::new(Limits { time: self.st, ..Limits::default() });
        let solved = start.solve(&mut solver, true, &control, &mut |_| {
            if STOP.load(Relaxed) {
                control.stop();
            }
        });
        let (Some(value), Some(last)) = (solved.value(), solved.plies) else { return Ok(None) };
        if control.should_stop() {
            return Ok(None);
        }
        let mut best: Vec<u32> = solved.best.iter().map(|column| u32::from(column.0) + 1).collect();
        best.sort_unstable();
        let nodes = solved.bounds.nodes;
        Ok(Some(AtlasLine { setup: setup.clone(), value, last, best, nodes }))
    }
}

/// A picture of each size, where a board with a hole is solved.
fn draw(lines: &[AtlasLine], folder: &PathBuf) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} can't be made", folder.display()))?;
    let holed = lines.iter().filter(|line| line.setup.hole.is_some());
    let mut sizes: Vec<(u8, u8)> =
        holed.map(|line| (line.setup.columns, line.setup.rows)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for (columns, rows) in sizes {
        let path = folder.join(format!("connect-four-{columns}x{rows}.svg"));
        let picture = atlas::heat_map(columns, rows, lines);
        files::write(&path, &[picture.as_bytes()])
            .with_context(|| format!("{} can't be written", path.display()))?;
        print_line(path.display())?;
    }
    Ok(())
}
