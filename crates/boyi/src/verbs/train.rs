//! `boyi train`: trains a network by self-play on this machine.

mod curve;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use games::{Record, TextError};
use learn::net::{ModelInfo, Network, load};
use learn::selfplay::{BoardChoice, Ply, TrainingGame};
use learn::train::{RunConfig, RunEnd, RunFolder, TrainSettings, Trainer};
use serde_json::Value;
use session::machine::require_memory;
use session::{GameSpec, GameVisitor, Playable};

use crate::position::print_line;

/// Train a network by self-play
#[derive(Args)]
#[command(after_help = "\
The folder holds everything: an interrupted run continues with --resume, also after a crash.
Its net.safetensors is the newest network, which plays as 'puct net=DIR/net.safetensors'.
metrics.jsonl and TensorBoard's event files hold the metrics; report.html, elo.svg and losses.svg
are written at the end, and by --report at any time. --set changes any setting that settings.json
lists, by its path.

Examples:
  boyi train surakarta --out runs/surakarta --hours 2
  boyi train 'dots-and-boxes 3x3' --out runs/small --minutes 20 --set channels=16
  boyi train connect-four --boards random --out runs/boards --hours 2
  boyi train surakarta --out runs/paper --preset paper-002 --hours 48
  boyi train --resume runs/surakarta
  boyi train --report runs/surakarta
")]
pub struct Arguments {
    /// The game and its setup
    #[arg(
        value_name = "GAME",
        required_unless_present_any = ["resume", "report"],
        conflicts_with = "resume"
    )]
    game: Option<GameSpec>,

    /// The folder for a new run
    #[arg(long, value_name = "DIR", required_unless_present_any = ["resume", "report"])]
    out: Option<PathBuf>,

    /// Continue the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    resume: Option<PathBuf>,

    /// Only write the report of the run in this folder: charts of its strength and its losses
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "out", "resume"])]
    report: Option<PathBuf>,

    /// Total hours, from the start of the run
    #[arg(long, value_name = "H", conflicts_with = "minutes")]
    hours: Option<f64>,

    /// Total minutes, from the start of the run
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,

    /// Settings to start from
    #[arg(long, value_enum, default_value_t = Preset::Default, conflicts_with = "resume")]
    preset: Preset,

    /// Which boards games are played on
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Which::Given)]
    #[arg(conflicts_with_all = ["resume", "records"])]
    boards: Which,

    /// Change a setting, such as channels=64 or selfplay.sims=48
    #[arg(long = "set", value_name = "NAME=VALUE")]
    changes: Vec<String>,

    /// Start with the recorded games of this folder, in any format that 'boyi record' reads
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    records: Option<PathBuf>,

    /// Start with the numbers of this network, tensor by tensor where name and shape agree
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// Threads of self-play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seed of every random choice
    #[arg(long, value_name = "X", conflicts_with = "resume")]
    seed: Option<u64>,

    /// Print JSON at the end, or with --report; the progress goes to standard error
    #[arg(long)]
    json: bool,
}

/// Which boards a run is played on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// The board of GAME
    Given,
    /// Connect Four's boards of every size: a quarter 7 x 6, a quarter anything from 4 x 4 to
    /// 12 x 12, half as the course draws them
    Random,
}

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// The strongest after two hours on two cores
    Default,
    /// The 2020 paper's settings
    #[value(name = "paper-002")]
    Paper002,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        static STOP: AtomicBool = AtomicBool::new(false);
        if let Some(path) = &self.report {
            let (folder, config) = RunFolder::open(path)?;
            let page = curve::write(&folder, &config.game)?;
            return match self.json {
                true => print_line(curve::json(&folder, &config.game)?),
                false => print_line(page.display()),
            };
        }
        // Before the folder is made: a file that can't be read leaves no run behind.
        let from = match &self.from {
            None => None,
            Some(path) => {
                let (network, info) = load(path)?;
                Some((path.clone(), network, info))
            }
        };
        let (_lock, folder, config) = match (&self.resume, &self.game, &self.out) {
            (Some(path), _, _) => {
                // Without a run in it a folder is not to be created by its lock.
                RunFolder::open(path)?;
                let lock = RunFolder::lock(path)?;
                let (folder, mut config) = RunFolder::open(path)?;
                let old = config.settings.clone();
                config.settings = self.change(config.settings)?;
                if config.settings != old {
                    config.settings.check()?;
                    config.settings.check_resume(&old)?;
                }
                config.game.parse::<GameSpec>()?.visit(RequireMemory(&config.settings))?;
                (lock, folder, config)
            }
            (None, Some(game), Some(path)) => {
                let mut settings = self.change(match self.preset {
                    Preset::Default => TrainSettings::default(),
                    Preset::Paper002 => TrainSettings::paper_002(),
                })?;
                let any = match self.boards {
                    Which::Given => None,
                    Which::Random => {
                        settings.selfplay.boards = BoardChoice::Random;
                        ensure!(game.is_default(), "with --boards random no board is given");
                        let any = game.any_board();
                        Some(any.with_context(|| format!("{game} has no random boards"))?)
                    }
                };
                let game = any.as_ref().unwrap_or(game);
                settings.check()?;
                game.visit(RequireMemory(&settings))?;
                let config = RunConfig { game: game.to_string(), settings };
                let lock = RunFolder::lock(path)?;
                (lock, RunFolder::create(path, &config)?, config)
            }
            _ => bail!("name a game and a folder, or a run to resume"),
        };
        crate::interrupt::set_on_interrupt(&STOP)?;
        let (report, name) = (folder.clone(), config.game.clone());
        let game: GameSpec = config.game.parse()?;
        let records = self.records.clone().map(|folder| (folder, game.clone()));
        let log: fn(&str) = match self.json {
            true => |line| eprintln!("{line}"),
            false => |line| println!("{line}"),
        };
        let end = game.visit(Training { folder, config, from, records, log, stop: &STOP })?;
        curve::write(&report, &name)?;
        print_end(end, report.path());
        match self.json {
            true => print_line(curve::json(&report, &name)?),
            false => Ok(()),
        }
    }

    /// The settings with the user's changes.
    fn change(&self, settings: TrainSettings) -> anyhow::Result<TrainSettings> {
        let mut whole = serde_json::to_value(&settings)?;
        for change in &self.changes {
            let (name, text) = change
                .split_once('=')
                .with_context(|| format!("'{change}' is not a setting; write NAME=VALUE"))?;
            let place = name.split('.').try_fold(&mut whole, |value, name| value.get_mut(name));
            let Some(place) = place else {
                let known: Vec<&String> =
                    whole.as_object().into_iter().flat_map(|o| o.keys()).collect();
                bail!("there is no setting '{name}'; the settings are {known:?}");
            };
            *place = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        }
        let mut settings: TrainSettings = serde_json::from_value(whole)
            .map_err(|error| anyhow::anyhow!("a setting's value is not valid: {error}"))?;
        if let Some(minutes) = self.minutes.or(self.hours.map(|hours| hours * 60.0)) {
            settings.minutes = minutes;
        }
        settings.threads = self.threads.map_or(settings.threads, usize::from);
        settings.seed = self.seed.unwrap_or(settings.seed);
        Ok(settings)
    }
}

/// Refuses settings for which the machine has too little memory.
struct RequireMemory<'a>(&'a TrainSettings);

impl GameVisitor for RequireMemory<'_> {
    type Output = Result<(), TextError>;

    fn visit<G: Playable>(self, start: G) -> Result<(), TextError> {
        require_memory("training", self.0.memory(&start.shape()) >> 20)
    }
}

fn print_end(end: RunEnd, path: &Path) {
    match end {
        RunEnd::Finished => eprintln!(
            "finished: {}, {}",
            path.join("net.safetensors").display(),
            path.join("report.html").display()
        ),
        RunEnd::Stopped => eprintln!("to continue: boyi train --resume {}", path.display()),
    }
}

struct Training {
    folder: RunFolder,
    config: RunConfig,
    from: Option<(PathBuf, Network<f32>, ModelInfo)>,
    records: Option<(PathBuf, GameSpec)>,
    log: fn(&str),
    stop: &'static AtomicBool,
}

impl GameVisitor for Training {
    type Output = anyhow::Result<RunEnd>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<RunEnd> {
        let settings = self.config.settings.clone();
        let mut trainer = Trainer::open(self.folder, start.clone(), settings)?;
        // Only now: settings that the saved state does not fit are an error above.
        trainer.folder.write_config(&self.config)?;
        if let Some((path, network, info)) = self.from {
            let taken = trainer.start_from(&network, &info);
            ensure!(taken > 0, "{} has no tensor of this network's shapes", path.display());
            (self.log)(&format!("{taken} tensors from {}", path.display()));
        }
        if let Some((folder, game)) = self.records {
            for game in recorded(&folder, &game, &start, self.log)? {
                trainer.add_game(game)?;
            }
        }
        let log = self.log;
        Ok(G::train(&mut trainer, self.stop, &mut |line| log(line))?)
    }
}

/// The finished games of a folder. A file that is no record of this game, or not
/// a legal or a finished one, is reported and left out.
fn recorded<G: Playable>(
    folder: &Path,
    game: &GameSpec,
    start: &G,
    log: fn(&str),
) -> anyhow::Result<Vec<TrainingGame>> {
    let unreadable = || format!("{} can't be read", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(unreadable)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()
        .with_context(unreadable)?;
    files.retain(|file| file.is_file());
    files.sort();
    let mut games = Vec::new();
    for file in &files {
        match one_record(file, game, start, games.len() as u64) {
            Ok(game) => games.push(game),
            Err(error) => eprintln!("left out {}: {error:#}", file.display()),
        }
    }
    ensure!(!games.is_empty(), "{} holds no finished game of {game}", folder.display());
    log(&format!("{} recorded games to start with", games.len()));
    Ok(games)
}

fn one_record<G: Playable>(
    file: &Path,
    game: &GameSpec,
    start: &G,
    id: u64,
) -> anyhow::Result<TrainingGame> {
    let bytes = files::read(file, 16 << 20)?;
    let record = records::read(&records::decode(&bytes), None, Some(game))?;
    ensure!(record.game.name() == game.name(), "it is a game of {}", record.game);
    ensure!(record.start.is_none(), "it does not start at the initial position");
    let mut played = Record::new(start.clone());
    let mut plies = Vec::new();
    for (_, text) in &record.moves {
        let mv = played.game().parse_move(text)?;
        let policy: Vec<f32> =
            played.legal().iter().map(|&other| f32::from(u8::from(other == mv))).collect();
        played.play(mv)?;
        plies.push(Ply::recorded(mv.into(), &policy));
    }
    let winner = match (played.outcome(), record.winner) {
        (Some(outcome), _) => outcome.winner,
        (None, Some(winner)) => winner,
        (None, None) => bail!("it does not say who won"),
    };
    let result = winner.map_or(0, |winner| winner.sign() as i8);
    Ok(TrainingGame { id, setup: start.setup().to_string(), plies, result })
}
