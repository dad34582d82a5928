//! `boyi train`: a network that learns a game by playing against itself.

mod curve;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use games::Record;
use learn::selfplay::{Played, Ply};
use learn::train::{Folder, Settings, Stop, Trainer, run};
use serde_json::Value;
use session::{GameSpec, Playable, Task};

/// Let a network learn a game by playing against itself
#[derive(Args)]
#[command(after_help = "\
The folder keeps everything: an interrupted run goes on with --resume, also after a crash.
Its net.safetensors is the newest network, which plays as 'puct net=DIR/net.safetensors'.
metrics.jsonl and TensorBoard's event files tell how it goes, report.html, elo.svg and losses.svg
how it went: they are written at the end, and by --report at any time. --set changes any setting
that settings.json lists, by its path.

Examples:
  boyi train surakarta --out runs/surakarta --hours 2
  boyi train 'dots-and-boxes 3x3' --out runs/small --minutes 20 --set channels=16
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

    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    resume: Option<PathBuf>,

    /// Only write the pictures of the run in this folder: how its strength and its losses went
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "out", "resume"])]
    report: Option<PathBuf>,

    /// Hours in all, from the beginning of the run
    #[arg(long, value_name = "H", conflicts_with = "minutes")]
    hours: Option<f64>,

    /// Minutes in all, from the beginning of the run
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,

    /// Settings to begin with
    #[arg(long, value_enum, default_value_t = Preset::Default, conflicts_with = "resume")]
    preset: Preset,

    /// Change a setting, such as channels=64 or selfplay.sims=48
    #[arg(long = "set", value_name = "NAME=VALUE")]
    changes: Vec<String>,

    /// Begin with the recorded games of this folder, in any format that 'boyi record' reads
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    records: Option<PathBuf>,

    /// Threads that play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Decides every random choice
    #[arg(long, value_name = "X", conflicts_with = "resume")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// What learns most on two cores in two hours
    Default,
    /// What the 2020 paper did
    #[value(name = "paper-002")]
    Paper002,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        static STOP: AtomicBool = AtomicBool::new(false);
        if let Some(path) = &self.report {
            let (folder, game, _) = Folder::open(path)?;
            println!("{}", curve::write(&folder, &game)?.display());
            return Ok(());
        }
        let (folder, game, settings) = match (&self.resume, &self.game, &self.out) {
            (Some(path), _, _) => {
                let (folder, game, settings) = Folder::open(path)?;
                let settings = self.change(settings)?;
                folder.write_settings(&game, &settings)?;
                (folder, game.parse()?, settings)
            }
            (None, Some(game), Some(path)) => {
                let settings = self.change(match self.preset {
                    Preset::Default => Settings::default(),
                    Preset::Paper002 => Settings::paper_002(),
                })?;
                let folder = Folder::create(path, &game.to_string(), &settings)?;
                (folder, game.clone(), settings)
            }
            _ => bail!("name a game and a folder, or a run to go on with"),
        };
        crate::interrupt::set_on_interrupt(&STOP)?;
        let resume = self.resume.is_some();
        let (pictures, name) = (folder.clone(), game.to_string());
        let records = self.records.clone().map(|folder| (folder, game.clone()));
        let end = game.run(Training { folder, settings, resume, records, stop: &STOP })?;
        curve::write(&pictures, &name)?;
        tell_end(end, pictures.path());
        Ok(())
    }

    /// The settings with what the user changed.
    fn change(&self, settings: Settings) -> anyhow::Result<Settings> {
        let mut whole = serde_json::to_value(&settings)?;
        for change in &self.changes {
            let (name, text) = change
                .split_once('=')
                .with_context(|| format!("'{change}' is no setting; write NAME=VALUE"))?;
            let place = name.split('.').try_fold(&mut whole, |value, name| value.get_mut(name));
            let Some(place) = place else {
                let known: Vec<&String> =
                    whole.as_object().into_iter().flat_map(|o| o.keys()).collect();
                bail!("there is no setting '{name}'; there are {known:?}");
            };
            *place = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        }
        let mut settings: Settings = serde_json::from_value(whole)
            .map_err(|error| anyhow::anyhow!("a setting has no such value: {error}"))?;
        if let Some(minutes) = self.minutes.or(self.hours.map(|hours| hours * 60.0)) {
            settings.minutes = minutes;
        }
        settings.threads = self.threads.map_or(settings.threads, usize::from);
        settings.seed = self.seed.unwrap_or(settings.seed);
        ensure!(
            settings.minutes > 0.0 && settings.batch > 1 && settings.selfplay.games > 0,
            "minutes, batch and selfplay.games must be positive"
        );
        Ok(settings)
    }
}

fn tell_end(end: Stop, path: &Path) {
    match end {
        Stop::Finished => eprintln!(
            "finished: {}, {}",
            path.join("net.safetensors").display(),
            path.join("report.html").display()
        ),
        Stop::Asked => eprintln!("to go on: boyi train --resume {}", path.display()),
    }
}

struct Training {
    folder: Folder,
    settings: Settings,
    resume: bool,
    records: Option<(PathBuf, GameSpec)>,
    stop: &'static AtomicBool,
}

impl Task for Training {
    type Output = anyhow::Result<Stop>;

    fn run<G: Playable>(self, start: G) -> anyhow::Result<Stop> {
        let Training { folder, settings, resume, records, stop } = self;
        let mut trainer = match resume {
            true => Trainer::resume(folder, start.clone(), settings)?,
            false => Trainer::begin(folder, start.clone(), settings)?,
        };
        trainer.oracle = G::lookup();
        if let Some((folder, game)) = records {
            for played in recorded(&folder, &game, &start)? {
                trainer.take(played)?;
            }
        }
        Ok(run(&mut trainer, stop, &mut |line| println!("{line}"))?)
    }
}

/// The finished games of a folder. A file that is no record of this game, or not
/// a legal or a finished one, is told of and left out.
fn recorded<G: Playable>(folder: &Path, game: &GameSpec, start: &G) -> anyhow::Result<Vec<Played>> {
    let told = || format!("{} can't be read", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(told)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()
        .with_context(told)?;
    files.retain(|file| file.is_file());
    files.sort();
    let mut games = Vec::new();
    for file in &files {
        match one_record(file, game, start, games.len() as u64) {
            Ok(played) => games.push(played),
            Err(error) => eprintln!("left out {}: {error:#}", file.display()),
        }
    }
    ensure!(!games.is_empty(), "{} holds no finished game of {game}", folder.display());
    println!("{} recorded games to begin with", games.len());
    Ok(games)
}

fn one_record<G: Playable>(
    file: &Path,
    game: &GameSpec,
    start: &G,
    id: u64,
) -> anyhow::Result<Played> {
    let bytes = fs::read(file)?;
    let record = records::read(&records::decode(&bytes), None, Some(game))?;
    ensure!(record.game.name() == game.name(), "it is a game of {}", record.game);
    ensure!(record.start.is_none(), "it does not begin at the start");
    let mut played = Record::new(start.clone());
    let mut plies = Vec::new();
    for (_, text) in &record.moves {
        let mv = played.game().parse_move(text)?;
        let shares: Vec<f32> =
            played.legal().iter().map(|&other| f32::from(u8::from(other == mv))).collect();
        played.play(mv)?;
        plies.push(Ply::recorded(mv.into(), &shares));
    }
    let winner = match (played.outcome(), record.winner) {
        (Some(outcome), _) => outcome.winner,
        (None, Some(winner)) => winner,
        (None, None) => bail!("it does not say who won"),
    };
    let result = winner.map_or(0, |winner| winner.sign() as i8);
    Ok(Played { id, setup: start.setup().to_string(), plies, result })
}
