//! The folder of a run, generation after generation.
//!
//! `settings.json`, `start.nnue` (what the first generation plays with, if not the
//! game's own evaluation), `teacher.safetensors` (a residual network that labels the
//! first generation, if there is one), `positions/GG-NNNN.zst` (shards of a generation),
//! `GG.nnue` (the network trained after a generation), `net.nnue` (the newest) and
//! `log.txt`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use games::{Symmetric, TextError, mix};
use search::Evaluated;
use search::nnue::{Description, Patterns, read, write};

use super::play::{Generation, Player};
use super::{NnueSettings, fit, is_quiet, read_shard, write_shard};
use crate::replay::ShardError;
use crate::{Encode, NetworkEvaluator, load_for};

/// The weights in a folder that its first generation plays with, if there are any.
pub const START: &str = "start.nnue";

/// The residual network in a folder whose values label the first generation, if there
/// is one.
pub const TEACHER: &str = "teacher.safetensors";

/// Positions of a shard.
const SHARD: usize = 50_000;

/// Of so many shards one is kept for validation.
const VALIDATION: u64 = 20;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NnueEnd {
    /// All generations are trained.
    Finished,
    /// It was stopped.
    Stopped,
}

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum NnueError {
    /// A file of the folder.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A shard of positions.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The weights of a generation.
    #[error("{path}: {reason}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

struct Folder<'a> {
    path: &'a Path,
}

impl Folder<'_> {
    fn shard(&self, generation: usize, number: u64) -> PathBuf {
        self.path.join("positions").join(format!("{generation:02}-{number:04}.zst"))
    }

    fn network(&self, generation: usize) -> PathBuf {
        self.path.join(format!("{generation:02}.nnue"))
    }

    /// The network that a generation plays with; it may not be there for the first.
    fn before(&self, generation: usize) -> PathBuf {
        match generation.checked_sub(1) {
            None => self.path.join(START),
            Some(before) => self.network(before),
        }
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> NnueError + '_ {
    |source| NnueError::Io { path: path.to_owned(), source }
}

/// The network that labels the first generation, if the folder has one.
fn teacher<G: Encode>(path: &Path, start: &G) -> Result<Option<NetworkEvaluator<G>>, NnueError> {
    let path = path.join(TEACHER);
    if !path.exists() {
        return Ok(None);
    }
    let refused =
        |error: TextError| NnueError::Weights { path: path.clone(), reason: error.to_string() };
    let (network, _) = load_for(&path, start).map_err(refused)?;
    Ok(Some(NetworkEvaluator::new(&network, 0)))
}

/// Goes on with the run of a folder, from whatever is there. `stop` ends it within a
/// game.
pub fn run<G: Patterns + Evaluated + Encode + Symmetric>(
    path: &Path,
    settings: &NnueSettings,
    player: &Player<G>,
    stop: &AtomicBool,
    mut log: impl FnMut(&str),
) -> Result<NnueEnd, NnueError> {
    let folder = Folder { path };
    let positions = path.join("positions");
    fs::create_dir_all(&positions).map_err(io(&positions))?;
    let log_path = path.join("log.txt");
    let mut log_file =
        fs::OpenOptions::new().create(true).append(true).open(&log_path).map_err(io(&log_path))?;
    let mut log = |line: &str| {
        // The log is for reading; a full disk shows at the next file that matters.
        let _ = writeln!(log_file, "{line}");
        log(line);
    };
    let stopped = || stop.load(Relaxed);
    let start = G::start(&G::Setup::default()).expect("the default setup is right");
    for (generation, &count) in settings.positions.iter().enumerate() {
        let output = folder.network(generation);
        if output.exists() {
            continue;
        }
        let before = folder.before(generation);
        let (network, evaluation) = if generation == 0 && !before.exists() {
            (None, G::evaluation(G::EVALUATIONS[0].0).expect("a game has its own evaluations"))
        } else {
            let bytes = fs::read(&before).map_err(io(&before))?;
            let refused = |error: TextError| NnueError::Weights {
                path: before.clone(),
                reason: error.to_string(),
            };
            let (network, _) = read::<G>(&bytes).map_err(refused)?;
            (Some(network), G::read_evaluation(&bytes).map_err(refused)?)
        };
        let mut games = Generation {
            start: &start,
            player,
            evaluation: &evaluation,
            teacher: if generation == 0 { teacher(path, &start)? } else { None },
            settings,
        };
        let shards = count.div_ceil(SHARD as u64);
        let (begun, mut played) = (Instant::now(), 0);
        for number in 0..shards {
            let shard = folder.shard(generation, number);
            if shard.exists() {
                continue;
            }
            let seed = mix(mix(settings.seed, generation as u64), number);
            let size = SHARD.min((count - number * SHARD as u64) as usize);
            let Some(samples) = games.play_shard(seed, size, stopped) else {
                return Ok(NnueEnd::Stopped);
            };
            write_shard(&shard, &samples)?;
            played += samples.len();
            log(&format!(
                "generation {generation}: shard {} of {shards}, {:.0} positions a second",
                number + 1,
                played as f64 / begun.elapsed().as_secs_f64()
            ));
        }
        let (mut samples, mut validation) = (Vec::new(), Vec::new());
        for older in (0..=generation).rev().take(settings.window) {
            for number in 0..settings.positions[older].div_ceil(SHARD as u64) {
                let mut read = read_shard(&folder.shard(older, number))?;
                if settings.quiet_margin > 0 {
                    read.retain(|sample| {
                        G::unpack(sample.words)
                            .is_some_and(|game| is_quiet(&game, &evaluation, settings.quiet_margin))
                    });
                }
                let kept = older == generation && number % VALIDATION == VALIDATION - 1;
                (if kept { &mut validation } else { &mut samples }).extend(read);
            }
        }
        let begun = Instant::now();
        let network = network.as_ref().filter(|_| settings.warm_start);
        let fitted = fit::<G>(&samples, &validation, settings, network, &mut log, stopped)
            .map_err(|reason| NnueError::Weights { path: output.clone(), reason })?;
        let Some(report) = fitted else { return Ok(NnueEnd::Stopped) };
        let line = format!(
            "generation {generation}: {} positions, {} steps in {:.0} s, training loss {:.5}, \
             validation loss {:.5}",
            samples.len(),
            report.steps,
            begun.elapsed().as_secs_f64(),
            report.training,
            report.validation
        );
        let description = Description { features: G::FEATURES.to_owned(), history: line.clone() };
        let bytes = write(&report.network, &description);
        for file in [&path.join("net.nnue"), &output] {
            files::write(file, &[&bytes]).map_err(io(file))?;
        }
        log(&line);
    }
    Ok(NnueEnd::Finished)
}
