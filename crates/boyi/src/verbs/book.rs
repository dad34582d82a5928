//! `boyi book`: opening books.

mod check;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use exact::SolverOptions;
use files::{FileLock, LockError};
use search::Limits;
use serde_json::json;
use session::book::file::origin_text;
use session::book::{Book, Choice, Method, MoveSource, OpeningStats, shipped};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

use self::check::Check;
use crate::import;
use crate::interrupt::{set_on_interrupt, this_command};
use crate::limits::LimitArgs;
use crate::position::{PositionArgs, print_line};

/// Build, check and probe opening books
#[derive(Args)]
#[command(after_help = "\
A book is a repertoire for both sides. Connect Four's is solved exactly; those of the other
games come from search, from recorded games, or from both. 'best' uses the books bundled with
the program; 'best book=FILE' another one, 'best book=off' none.

Examples:
  boyi book build connect-four --plies 6 --out mine.book
  boyi book build surakarta --plies 3 --nodes 2000000 --out mine.book
  boyi book build dots-and-boxes --records matches.db --out mine.book
  boyi book check surakarta --file mine.book
  boyi book probe connect-four --moves 44
")]
pub struct Arguments {
    #[command(subcommand)]
    task: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Build or extend a book; after an interruption the same command continues
    Build(Box<Building>),
    /// Check a book for missing positions and for proven values that disagree
    Check {
        #[command(flatten)]
        book: BookArgs,

        /// Compute this many entries again, those with the most plies first
        #[arg(long, value_name = "N", default_value_t = 0)]
        again: usize,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the entry of a position
    Probe {
        #[command(flatten)]
        position: PositionArgs,

        /// The book; by default the bundled one
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
struct BookArgs {
    /// The game and its setup, quoted if it has several words
    #[arg(value_name = "GAME")]
    game: GameSpec,

    /// The book; by default the bundled one
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Args)]
struct Building {
    /// The game and its setup, quoted if it has several words
    #[arg(value_name = "GAME")]
    game: GameSpec,

    /// The file; it is saved every few seconds
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The depth of the repertoire in plies
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=60))]
    plies: u32,

    /// Solve every position (the default in Connect Four unless an engine is given)
    #[arg(long, conflicts_with = "engine")]
    solve: bool,

    /// The engine that searches; use one thread for a reproducible book [default: best book=off]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    #[command(flatten)]
    limits: LimitArgs,

    /// Recorded games: stores of matches, .jsonl exports, records, or folders of them
    #[arg(long, value_name = "PATH", num_args = 1..)]
    records: Vec<PathBuf>,

    /// Beyond the repertoire, positions that occur in so many recorded games
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    least: u64,

    /// Megabytes for the solver's table
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,

    /// Threads of the solver
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

/// Time between two savings of an unfinished book.
const SAVE: Duration = Duration::from_secs(5);

static STOP: AtomicBool = AtomicBool::new(false);

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        match self.task {
            Work::Build(building) => building.game.clone().visit(*building),
            Work::Check { book, again, json } => {
                book.game.clone().visit(Check { file: book.file, again, json })
            }
            Work::Probe { position, file, json } => {
                position.game.clone().visit(Probe { position, file, json })
            }
        }
    }
}

/// The book of a file, or the bundled one.
fn book<G: Playable>(file: Option<&Path>, setup: &G::Setup) -> anyhow::Result<Arc<Book<G>>> {
    let book = match file {
        Some(path) => Arc::new(Book::read(path).with_context(|| path.display().to_string())?),
        None => shipped(setup).context("no book is bundled for this setup; give --file")?,
    };
    if book.setup() != setup {
        bail!("this book is for the setup '{}'; write it after the game's name", book.setup());
    }
    Ok(book)
}

impl Building {
    fn method(&self) -> Method {
        if self.solve || (self.engine.is_none() && self.game.row().solved_book) {
            return Method::Solve(SolverOptions {
                megabytes: self.memory as usize,
                threads: self.threads.into(),
            });
        }
        let best = || "best book=off".parse().expect("a known engine");
        let mut limits = self.limits.limits();
        if limits == Limits::default() {
            // Both, since a search counts what it counts.
            (limits.nodes, limits.sims) = (Some(2_000_000), Some(200_000));
        }
        Method::Search(self.engine.clone().unwrap_or_else(best), limits)
    }
}

impl Building {
    /// Keeps other processes from building the same book.
    fn lock(&self) -> anyhow::Result<FileLock> {
        let path = self.out.display();
        let lock = FileLock::acquire(&self.out).map_err(|error| match error {
            LockError::Held(_) => anyhow!(
                "{path} can't be built: {error}; wait until that is done, or name another file"
            ),
            LockError::Io(name, error) => {
                anyhow::Error::new(error).context(format!("{} can't be written", name.display()))
            }
        })?;
        files::remove_partial_of(&self.out).with_context(|| path.to_string())?;
        Ok(lock)
    }
}

impl GameVisitor for Building {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        set_on_interrupt(&STOP)?;
        let _lock = self.lock()?;
        let setup = start.setup();
        let mut openings = OpeningStats::new(self.plies);
        let stats = import::read(&self.records, &start, &mut openings)?;
        let method = self.method();
        let mut made = method.words();
        if !self.records.is_empty() {
            eprintln!("{} recorded games, {} others skipped", stats.added, stats.skipped);
            made += &format!("; {} games on record, {} at least", stats.added, self.least);
        }
        let mut book = Book::new(&setup, self.plies, &made);
        if self.out.exists() {
            let old = Book::read(&self.out).with_context(|| self.out.display().to_string())?;
            // What games on record say depends on the plies; nothing else does.
            let deeper = old.plies() < self.plies && self.records.is_empty();
            let alike = (old.setup(), old.made()) == (&setup, book.made());
            if !alike || old.plies() != self.plies && !deeper {
                bail!(
                    "{} is a book of {} plies by {}: give another file, or the options it was started with (more plies are allowed without --records)",
                    self.out.display(),
                    old.plies(),
                    old.made()
                );
            }
            eprintln!("continuing with {} positions", old.len());
            book = old.deepened(self.plies);
        }
        let mut source = MoveSource::<G>::new(&method, &setup)?;
        let (begun, mut saved) = (Instant::now(), Instant::now());
        let mut failed = Ok(());
        let done = book.grow(
            &start,
            &openings.common(self.least),
            |game| {
                source
                    .ask(game, || STOP.load(Relaxed))
                    .map(|choice| openings.weigh(game, Some(choice)))
            },
            |book| {
                if saved.elapsed() > SAVE {
                    saved = Instant::now();
                    eprintln!("{} positions, {:.0} s", book.len(), begun.elapsed().as_secs_f64());
                    failed = book.write(&self.out);
                }
                if failed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        failed
            .and_then(|()| book.write(&self.out))
            .with_context(|| format!("{} can't be written", self.out.display()))?;
        let text = format!("{} positions in {}", book.len(), self.out.display());
        if !done {
            bail!("stopped with {text}; to continue: {}", this_command());
        }
        print_line(format!("{text}, {:.1} s", begun.elapsed().as_secs_f64()))
    }
}

struct Probe {
    position: PositionArgs,
    file: Option<PathBuf>,
    json: bool,
}

impl GameVisitor for Probe {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let book = book::<G>(self.file.as_deref(), &start.setup())?;
        let record = self.position.record(start)?;
        let game = record.game();
        let choices = book.choices(game);
        if self.json {
            let line = |choice: &Choice<G::Move>| {
                json!({
                    "move": game.move_text(choice.mv), "score": choice.score,
                    "games": choice.games, "origin": origin_text(choice.origin),
                })
            };
            return print_line(json!({ "moves": choices.iter().map(line).collect::<Vec<_>>() }));
        }
        if choices.is_empty() {
            return print_line("the position is not in the book");
        }
        for choice in choices {
            let (mv, worth) = (game.move_text(choice.mv), choice.score);
            print_line(format!(
                "{mv} {worth}, by {}, {} games",
                origin_text(choice.origin),
                choice.games
            ))?;
        }
        Ok(())
    }
}
