//! `boyi export sau DIR`: ready-named copies of this program for the contest
//! platform, with a settings file each.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use session::GameSpec;
use session::protocols::sau::Settings;

use crate::position::say;

/// Write engines for other programs
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Engines for the contest platform (SAU): a program a game, and its settings
    Sau {
        /// The folder to write to; it is made if need be
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let What::Sau { folder } = self.what;
        let itself = std::env::current_exe().context("this program can't find itself")?;
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{} can't be made", folder.display()))?;
        for game in ["surakarta", "dots-and-boxes"] {
            let game: GameSpec = game.parse()?;
            let program = folder.join(game.name()).with_extension(std::env::consts::EXE_EXTENSION);
            copy(&itself, &program)?;
            let settings = program.with_extension("txt");
            // A team's settings are not written over.
            if !settings.exists() {
                std::fs::write(&settings, Settings::template(&game))
                    .with_context(|| format!("{} can't be written", settings.display()))?;
            }
            say(format!("{} with {}", program.display(), settings.display()))?;
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if to.exists() && from.canonicalize().ok() == to.canonicalize().ok() {
        bail!("{} is this program itself", to.display());
    }
    std::fs::copy(from, to).with_context(|| format!("{} can't be written", to.display()))?;
    Ok(())
}
