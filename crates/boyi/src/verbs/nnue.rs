//! `boyi nnue`: trains the network that alpha-beta evaluates with.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use files::FileLock;
use learn::nnue::{NnueConfig, NnueEnd, NnueSettings, START, TEACHER};
use session::{GameSpec, ROWS};

use crate::position::print_line;

/// Train the evaluation network of alpha-beta (eval=nnue)
#[derive(Args)]
#[command(after_help = "\
Generation after generation: games of the newest network against itself with a few hundred
nodes a move, then a network trained on their positions, by what the searches thought and how
the games ended. A game ends where the endgame tables know its result. The folder holds
everything; --resume continues after an interruption.
Its net.nnue is the newest network, which plays as 'alpha-beta eval=DIR/net.nnue'.

Examples:
  boyi nnue surakarta --out runs/nnue
  boyi nnue surakarta --out runs/small --positions 200000,400000 --nodes 200
  boyi nnue surakarta --out runs/next --from runs/nnue/net.nnue --warm-start --rate 0.0005
  boyi nnue surakarta --out runs/taught --teacher models/surakarta.safetensors
  boyi nnue --resume runs/nnue
  boyi nnue --resume runs/nnue --positions 1000000,2000000,3000000,10000000,20000000
")]
pub struct Arguments {
    /// The game
    #[arg(value_name = "GAME", required_unless_present = "resume", conflicts_with = "resume")]
    game: Option<GameSpec>,

    /// The folder for a new run
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,

    /// Continue the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    resume: Option<PathBuf>,

    /// Weights that the first generation plays with, in place of the game's own evaluation
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// A residual network (safetensors) whose values label the first generation, in place of
    /// the searches
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    teacher: Option<PathBuf>,

    /// Train each network on from the weights of the one before, not from random ones
    #[arg(long)]
    warm_start: bool,

    /// The learning rate at the beginning
    #[arg(long, value_name = "R")]
    rate: Option<f32>,

    /// Positions of each generation, such as 1000000,2000000; a resumed run may get more
    /// generations
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    positions: Option<Vec<u64>>,

    /// Nodes of each search
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    nodes: Option<u64>,

    /// Leave positions out that captures change by more than this, in hundredths of a piece;
    /// 0 leaves none out
    #[arg(long, value_name = "N")]
    quiet_margin: Option<i32>,

    /// How often each position is trained on
    #[arg(long, value_name = "N")]
    passes: Option<f64>,

    /// The weight of a game's result in the labels, from 0 to 1; the rest is the search's
    #[arg(long, value_name = "W")]
    result_weight: Option<f32>,

    /// The newest generations that a network is trained on
    #[arg(long, value_name = "N")]
    window: Option<usize>,

    /// Seed of every random choice
    #[arg(long, value_name = "X", conflicts_with = "resume")]
    seed: Option<u64>,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        static STOP: AtomicBool = AtomicBool::new(false);
        let (folder, mut config) = match (&self.resume, &self.game, &self.out) {
            (Some(folder), _, _) => (folder.clone(), read(folder)?),
            (None, Some(game), Some(folder)) => {
                if settings_file(folder).exists() {
                    bail!(
                        "{} has a run already: continue it with --resume, or name another folder",
                        folder.display()
                    );
                }
                let settings = NnueSettings::default();
                (folder.clone(), NnueConfig { game: game.to_string(), settings })
            }
            _ => bail!("name a game and a folder, or a run to resume"),
        };
        let game: GameSpec = config.game.parse()?;
        let Some(train) = game.row().train_evaluation else {
            let with: Vec<&str> = ROWS
                .iter()
                .filter(|row| row.train_evaluation.is_some())
                .map(|row| row.name)
                .collect();
            bail!("{} has no evaluation to train; {} has", game.name(), with.join(", "));
        };
        if !game.is_default() {
            bail!("an evaluation is trained for the default setup: write {}", game.name());
        }
        self.change(&mut config.settings);
        config.settings.check().map_err(|reason| anyhow!(reason))?;
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{} can't be made", folder.display()))?;
        let _lock = FileLock::acquire(&folder.join("run"))?;
        files::remove_partial(&folder)?;
        for (file, name) in [(&self.from, START), (&self.teacher, TEACHER)] {
            let Some(file) = file else { continue };
            let bytes =
                std::fs::read(file).with_context(|| format!("{} can't be read", file.display()))?;
            let copy = folder.join(name);
            files::write(&copy, &[&bytes])
                .with_context(|| format!("{} can't be written", copy.display()))?;
        }
        let text = serde_json::to_string_pretty(&config)?;
        files::write(&settings_file(&folder), &[text.as_bytes()])
            .with_context(|| format!("{} can't be written", settings_file(&folder).display()))?;
        crate::interrupt::set_on_interrupt(&STOP)?;
        let end = train(&folder, &config.settings, &STOP, |line| {
            // Whoever stops reading the log does not stop the run.
            let _ = print_line(line);
        })?;
        match end {
            NnueEnd::Finished => {
                print_line(format!("finished: {}", folder.join("net.nnue").display()))
            }
            NnueEnd::Stopped => {
                eprintln!("to continue: boyi nnue --resume {}", folder.display());
                Ok(())
            }
        }
    }

    fn change(&self, settings: &mut NnueSettings) {
        if let Some(positions) = &self.positions {
            settings.positions.clone_from(positions);
        }
        settings.nodes = self.nodes.unwrap_or(settings.nodes);
        settings.quiet_margin = self.quiet_margin.unwrap_or(settings.quiet_margin);
        settings.passes = self.passes.unwrap_or(settings.passes);
        settings.result_weight = self.result_weight.unwrap_or(settings.result_weight);
        settings.window = self.window.unwrap_or(settings.window);
        settings.rate = self.rate.unwrap_or(settings.rate);
        settings.warm_start |= self.warm_start;
        settings.seed = self.seed.unwrap_or(settings.seed);
    }
}

fn settings_file(folder: &Path) -> PathBuf {
    folder.join("settings.json")
}

fn read(folder: &Path) -> anyhow::Result<NnueConfig> {
    let path = settings_file(folder);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{} has no run to resume", folder.display()))?;
    serde_json::from_str(&text).map_err(|error| anyhow!("{} is damaged: {error}", path.display()))
}
