//! `boyi tables`: Surakarta endgame tables.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use exact::surakarta::{
    self, Distance, Material, Tables, Workers, default_folder, estimate, open_or_shipped, verify,
};
use games::surakarta::{Stall, Surakarta};
use games::{Game, Text};
use serde_json::json;
use session::machine::require_memory;

use crate::interrupt::{set_on_interrupt, this_command};
use crate::position::print_line;

/// The most pieces of a table, as the type that the command line's ranges have.
const MOST_PIECES: i64 = surakarta::MOST_PIECES as i64;

/// Build, verify and probe Surakarta's endgame tables
#[derive(Args)]
#[command(after_help = "\
Tables of up to 6 pieces for --stall count come with the program. Others are in the folder of
BOYI_TABLES, by default ./tables or else 'tables' beside the program; engines find them there.
A table belongs to one stall rule: --stall count (the default rules) or --stall draw.

Examples:
  boyi tables build --pieces 6
  boyi tables build --pieces 6 --stall draw
  boyi tables verify --pieces 6
  boyi tables probe 'b5/1b4/6/6/6/4ww b'
")]
pub struct Arguments {
    #[command(subcommand)]
    task: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Build the missing tables; after an interruption the same command continues
    Build {
        #[command(flatten)]
        args: TableArgs,

        /// The maximum number of pieces
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MOST_PIECES))]
        pieces: u8,
    },
    /// Check every value against its successors, and print statistics
    Verify {
        #[command(flatten)]
        args: TableArgs,

        /// The maximum number of pieces
        #[arg(long, value_name = "N", default_value_t = MOST_PIECES as u8, value_parser = clap::value_parser!(u8).range(2..=MOST_PIECES))]
        pieces: u8,
    },
    /// Write all tables as one compressed file, the form in which they come with the program
    Pack {
        #[command(flatten)]
        args: TableArgs,

        /// The maximum number of pieces
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MOST_PIECES))]
        pieces: u8,

        /// The file to write
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the value of a position and of each move
    Probe {
        #[command(flatten)]
        args: TableArgs,

        /// The position in its one-line form
        #[arg(value_name = "P")]
        position: String,
    },
}

/// Which tables.
#[derive(Args)]
struct TableArgs {
    /// The stall rule
    #[arg(long, value_enum, default_value_t = StallRule::Count)]
    stall: StallRule,

    /// The folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Threads; one per core by default
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum StallRule {
    Count,
    Draw,
}

static STOP: AtomicBool = AtomicBool::new(false);

impl TableArgs {
    fn stall(&self) -> Stall {
        match self.stall {
            StallRule::Count => Stall::Count,
            StallRule::Draw => Stall::Draw,
        }
    }

    fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(default_folder)
    }

    fn workers(&self) -> Workers<'static> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Workers { threads: self.threads.map_or(cores, usize::from), stop: &STOP }
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        match self.task {
            Work::Build { args, pieces } => build(&args, pieces.into()),
            Work::Verify { args, pieces } => check(&args, pieces.into()),
            Work::Pack { args, pieces, file } => pack(&args, pieces.into(), &file),
            Work::Probe { args, position } => probe(&args, &position),
        }
    }
}

/// `3v2`: pieces of the mover and of the other side.
fn name(material: Material) -> String {
    format!("{}v{}", material.mover, material.other)
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.2} GB", bytes as f64 / 1e9)
}

fn build(args: &TableArgs, pieces: usize) -> anyhow::Result<()> {
    set_on_interrupt(&STOP)?;
    let (memory, disk) = estimate(pieces);
    eprintln!(
        "up to {pieces} pieces: about {} of memory, {} of disk in {}",
        gigabytes(memory),
        gigabytes(disk),
        args.folder().display()
    );
    require_memory("building them", memory >> 20)?;
    let begun = Instant::now();
    let mut since = begun;
    let built = Tables::build(&args.folder(), args.stall(), pieces, &args.workers(), |progress| {
        let size = progress.placements;
        match (progress.found, progress.done) {
            (true, _) => eprintln!("{}: found", name(progress.material)),
            (_, false) => {
                since = Instant::now();
                eprintln!("{}: {size} placements ...", name(progress.material));
            }
            (_, true) => {
                eprintln!(
                    "{}: done in {:.1} s",
                    name(progress.material),
                    since.elapsed().as_secs_f64()
                );
            }
        }
    });
    match built {
        Ok(tables) => {
            let seconds = begun.elapsed().as_secs_f64();
            if args.json {
                return print_line(json!({ "pieces": tables.pieces(), "seconds": seconds }));
            }
            print_line(format!(
                "all placements up to {} pieces are known ({seconds:.1} s)",
                tables.pieces()
            ))
        }
        Err(surakarta::BuildError::Stopped) => {
            bail!(
                "stopped; what is finished is kept, and this goes on from there: {}",
                this_command()
            )
        }
        Err(error) => Err(error.into()),
    }
}

fn check(args: &TableArgs, pieces: usize) -> anyhow::Result<()> {
    set_on_interrupt(&STOP)?;
    let tables = open_or_shipped(&args.folder(), args.stall(), pieces)?;
    if tables.pieces() < 2 {
        bail!("there are no tables in {}; 'boyi tables build' makes them", args.folder().display());
    }
    let mut rows = Vec::new();
    if !args.json {
        print_line(format!(
            "{:8} {:>14} {:>14} {:>14} {:>14} {:>8}",
            "mover", "wins", "draws", "losses", "by stall", "longest"
        ))?;
    }
    let mut failed = Ok(());
    verify(&tables, &args.workers(), |material, counts| {
        if args.json {
            rows.push(json!({
                "material": name(material), "wins": counts.wins, "draws": counts.draws,
                "losses": counts.losses, "stalls": counts.stalls, "longest": counts.longest,
            }));
        } else if failed.is_ok() {
            failed = print_line(format!(
                "{:8} {:>14} {:>14} {:>14} {:>14} {:>8}",
                name(material),
                counts.wins,
                counts.draws,
                counts.losses,
                counts.stalls,
                counts.longest
            ));
        }
    })
    .map_err(|fault| anyhow!("the tables are wrong: {fault}"))?;
    failed?;
    if args.json {
        return print_line(json!({ "pieces": tables.pieces(), "classes": rows }));
    }
    print_line(format!(
        "every placement up to {} pieces agrees with its successors",
        tables.pieces()
    ))
}

fn pack(args: &TableArgs, pieces: usize, file: &Path) -> anyhow::Result<()> {
    let tables = Tables::open(&args.folder(), args.stall(), pieces)?;
    if tables.pieces() < pieces {
        bail!(
            "the tables in {} know up to {} pieces; 'boyi tables build --pieces {pieces}' first",
            args.folder().display(),
            tables.pieces()
        );
    }
    let packed = tables.pack(pieces)?;
    files::write(file, &[&packed])
        .map_err(|error| anyhow!("{} can't be written: {error}", file.display()))?;
    print_line(format!("{}: {} bytes", file.display(), packed.len()))
}

fn probe(args: &TableArgs, position: &str) -> anyhow::Result<()> {
    let setup = games::surakarta::Setup { stall: args.stall(), ..Default::default() };
    let game = Surakarta::parse(&setup, position)?;
    if let Some(outcome) = game.outcome() {
        bail!("the game is over: {outcome}");
    }
    let tables = open_or_shipped(&args.folder(), args.stall(), surakarta::MOST_PIECES)?;
    let Some(value) = tables.position_value(&game) else {
        let [first, second] = game.boards();
        let pieces = (first | second).count_ones();
        bail!(
            "{pieces} pieces are on the board, and the endgame tables know up to {}; \
             'boyi tables build --pieces N' builds more",
            tables.pieces()
        );
    };
    let plies = |distance| match distance {
        Distance::Plies(plies) => Some(plies),
        Distance::Stall => None,
    };
    let ranked = tables.ranked(&game);
    if args.json {
        let moves: Vec<_> = ranked
            .iter()
            .map(|(mv, value)| json!({ "move": game.move_text(*mv), "value": value.sign(), "plies": plies(value.distance()) }))
            .collect();
        return print_line(
            json!({ "value": value.sign(), "plies": plies(value.distance()), "moves": moves }),
        );
    }
    print_line(value)?;
    for (mv, value) in ranked {
        print_line(format!("  {} {value}", game.move_text(mv)))?;
    }
    Ok(())
}
