//! The project's chores, in Rust so that a toolchain is all one needs.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, Subcommand};

mod coverage;
mod fuzz;
mod page;
mod peers;
mod python;
mod soak;
mod step;
mod test;
mod test_programs;
mod tidy;

/// The project's chores
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that must hold at each change: format, lints, docs, tests
    Test,
    /// The long part: long tests, sanitizer, coverage, Python, time keeping, fuzzing
    Soak(soak::Arguments),
    /// Other people's programs and ours in one run, as ratios
    Peers(peers::Arguments),
    /// Which lines of the parsers their tests execute
    Coverage,
    /// Only the checks of files and texts, in a moment
    Tidy,
    /// Only the documentation: its links and its examples
    Docs,
    /// Only the quick tests of the Python package
    Python {
        /// The package's module, if it is built already
        #[arg(long)]
        module: Option<PathBuf>,
    },
    /// Only the page's types and format
    Page {
        /// Format the files instead of checking them
        #[arg(long)]
        write: bool,
    },
}

fn main() -> anyhow::Result<()> {
    let chore = Cli::parse().chore;
    let began = Instant::now();
    match chore {
        Chore::Test => test::run()?,
        Chore::Soak(arguments) => arguments.run()?,
        Chore::Peers(arguments) => arguments.run()?,
        Chore::Coverage => coverage::run()?,
        Chore::Tidy => tidy::run()?,
        Chore::Docs => test::docs()?,
        Chore::Python { module } => python::test(module)?,
        Chore::Page { write: true } => page::write()?,
        Chore::Page { write: false } => page::run()?,
    }
    println!("\nDone in {:.0} s.", began.elapsed().as_secs_f64());
    Ok(())
}
