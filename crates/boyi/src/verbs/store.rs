//! `boyi store`: the file that keeps the games of the board.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use web::store::{Recovered, back_up, check, recover, recovered_name, restore};

use super::serve::default_store;
use crate::position::print_line;

/// Check, back up, restore or recover the games of the board
#[derive(Args)]
#[command(after_help = "\
Examples:
  boyi store backup games-monday.sqlite       copies all games, while the board runs
  boyi store restore games-monday.sqlite      puts them back; what was there is copied first
  boyi store check                            reads every game
  boyi store recover                          copies what is whole of a damaged file
")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,

    /// The file that keeps the games
    #[arg(long, value_name = "FILE", global = true)]
    data: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Action {
    /// Copy all games to a new file, while the board may be running
    Backup {
        /// The new file
        file: PathBuf,
    },
    /// Put a backup in the place of all games, while the board may be running
    Restore {
        /// The backup
        file: PathBuf,
    },
    /// Read every game and say which are whole
    Check,
    /// Copy the games that are whole into a new file
    Recover {
        /// The new file; beside the damaged one by default
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let store = match self.data {
            Some(path) => path,
            None => default_store()?,
        };
        match self.action {
            Action::Backup { file } => {
                let games = back_up(&store, &file)?;
                print_line(format!("{} copied to {}", count(games), file.display()))
            }
            Action::Restore { file } => {
                let done = restore(&store, &file)?;
                print_line(format!("{} restored in {}", count(done.games), store.display()))?;
                if let Some(before) = done.before {
                    print_line(format!("what was there before is in {}", before.display()))?;
                }
                match done.running {
                    true => print_line("the board that is running shows them now"),
                    false => Ok(()),
                }
            }
            Action::Check => {
                let found = check(&store)?;
                report(&found)?;
                if found.moves_only > 0 || !found.lost.is_empty() {
                    bail!(
                        "{} is damaged; 'boyi store recover' copies what is whole",
                        store.display()
                    );
                }
                Ok(())
            }
            Action::Recover { out } => {
                let out = out.unwrap_or_else(|| recovered_name(&store));
                let found = recover(&store, Some(&out))?;
                report(&found)?;
                print_line(format!(
                    "{} was left as it is; open the copy with: boyi serve --data {}",
                    store.display(),
                    out.display()
                ))
            }
        }
    }
}

fn report(found: &Recovered) -> anyhow::Result<()> {
    for (id, reason) in &found.lost {
        print_line(format!("lost: {id}: {reason}"))?;
    }
    print_line(format!(
        "{} whole, {} with their moves alone, {} lost",
        count(found.whole),
        found.moves_only,
        found.lost.len()
    ))
}

fn count(games: usize) -> String {
    match games {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    }
}
