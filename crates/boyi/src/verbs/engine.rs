//! `boyi engine`: plays for another program, over standard input and output.

use std::io::stdout;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use protocols::sau::SauSettings;
use protocols::{Protocol, Service, serve};
use session::{EngineSpec, GameSpec};

/// Run as an engine for another program, over standard input and output
#[derive(Args)]
#[command(after_help = "\
The first line of input selects the protocol: ugi (Universal Game Interface), uci (with
UCI_Variant cfour), sau (the contest platform), gtp, or saiblo (the course's judge).
Without --game the game comes from the program's file name or from the settings file
beside it; by default it is Connect Four, or Surakarta on the contest platform.

Examples:
  boyi engine --game surakarta
  boyi engine --game 'connect-four 9x9' --engine 'uct c=0.7 sims=2000'
  boyi engine --game dots-and-boxes --protocol sau
")]
pub struct Arguments {
    /// The game and its setup
    #[arg(long, value_name = "GAME")]
    game: Option<GameSpec>,

    /// The protocol; by default the first line of input selects it
    #[arg(long, value_name = "P")]
    protocol: Option<Protocol>,

    /// The engine
    #[arg(long, value_name = "SPEC")]
    engine: Option<EngineSpec>,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let settings = SauSettings::beside(&program()?);
        let Arguments { game, protocol, engine } = self;
        let service = Service { game, protocol, engine, settings };
        serve(service, std::io::stdin(), &mut stdout())?;
        Ok(())
    }
}

/// The path of this program under the name by which it was started.
fn program() -> anyhow::Result<PathBuf> {
    let name = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let itself = std::env::current_exe().context("this program's own path can't be found")?;
    // The folder is the program's own; the name is the one it was called by,
    // which may be a link's.
    let name = name.file_name().map(Path::new).or_else(|| itself.file_name().map(Path::new));
    Ok(itself.with_file_name(name.unwrap_or(Path::new("boyi"))))
}

/// The settings if this program was started as a contest engine: without
/// arguments, and its name or the file beside it identifies the game.
pub fn contest_settings() -> Option<SauSettings> {
    if std::env::args_os().len() != 1 {
        return None;
    }
    let settings = SauSettings::beside(&program().ok()?);
    settings.game.is_some().then_some(settings)
}

/// Serves without any output that is not the protocol's, even on errors.
pub fn serve_silently(settings: SauSettings) {
    let service = Service { game: None, protocol: None, engine: None, settings };
    let _ = serve(service, std::io::stdin(), &mut stdout());
}
