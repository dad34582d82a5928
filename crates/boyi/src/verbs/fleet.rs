//! `boyi fleet`: self-play and matches on many machines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use arena::{Boards, GameResult, GameTask, RemotePlayers, play_one};
use clap::{Args, Subcommand};
use fleet::{Broker, BrokerOptions, WorkerOptions};
use learn::selfplay::Adjudicator;
use learn::train::{RunConfig, RunFolder, TrainSettings, Trainer};
use session::engine::Options;
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

/// Train a network, or play matches, on many machines
#[derive(Args)]
#[command(after_help = "\
The roles connect to a NATS broker with JetStream (nats-server -js). The order of starting does
not matter: workers and evaluators wait for the trainer, which says what is played. Any of them may
be stopped, killed, restarted or added at any time.

Examples:
  boyi fleet trainer surakarta --out runs/fleet --nats nats://broker:4222
  boyi fleet evaluator --nats nats://broker:4222
  boyi fleet worker --nats nats://broker:4222 --threads 8
  boyi fleet worker --nats nats://broker:4222 --alone
  boyi fleet trainer --resume runs/fleet --nats nats://broker:4222
  boyi fleet player --nats nats://broker:4222 --threads 8
")]
pub struct Arguments {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "made once")]
enum Role {
    /// Play self-play games
    Worker {
        #[command(flatten)]
        broker: BrokerArguments,
        /// Threads of self-play
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
        /// Evaluate positions locally with the newest weights instead of using the evaluators
        #[arg(long)]
        alone: bool,
    },
    /// Evaluate positions for the workers
    Evaluator {
        #[command(flatten)]
        broker: BrokerArguments,
        /// Threads of evaluation
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
    },
    /// Play games for 'boyi match --fleet', 'tune --fleet' and 'reproduce --fleet'
    Player {
        #[command(flatten)]
        broker: BrokerArguments,
        /// Games at a time
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
    },
    /// Set the game, train on the games and publish weights
    Trainer {
        #[command(flatten)]
        broker: BrokerArguments,
        /// The game and its setup
        #[arg(value_name = "GAME", required_unless_present = "resume", conflicts_with = "resume")]
        game: Option<GameSpec>,
        /// The folder for a new run
        #[arg(long, value_name = "DIR", required_unless_present = "resume")]
        out: Option<PathBuf>,
        /// Continue the run in this folder
        #[arg(long, value_name = "DIR", conflicts_with = "out")]
        resume: Option<PathBuf>,
        /// Total hours, from the start of the run
        #[arg(long, value_name = "H")]
        hours: Option<f64>,
        /// The longest queue of finished games; workers wait when it is full
        #[arg(long, value_name = "N", default_value_t = 256)]
        queue: u32,
    },
}

#[derive(Args)]
struct BrokerArguments {
    /// The broker's address: nats://HOST:PORT, tls://HOST:PORT
    #[arg(long, value_name = "URL")]
    nats: String,
    /// The run's name; several runs can share a broker
    #[arg(long, value_name = "NAME", default_value = "boyi")]
    run: String,
    /// The user name at the broker
    #[arg(long, value_name = "NAME", requires = "password_file")]
    user: Option<String>,
    /// A file with the password
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// A file with a token
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    token_file: Option<PathBuf>,
    /// Refuse a connection without TLS
    #[arg(long)]
    tls: bool,
    /// A certificate (PEM) to trust besides the system's
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// The client's certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// The secret in a file of one line.
fn secret(path: &Path) -> anyhow::Result<String> {
    let text = files::read_text(path, 1 << 16)
        .with_context(|| format!("{} can't be read", path.display()))?;
    Ok(text.trim_end().to_owned())
}

impl BrokerArguments {
    fn connect(self) -> anyhow::Result<Broker> {
        let password = self.password_file.as_deref().map(secret).transpose()?;
        Broker::connect(&BrokerOptions {
            url: self.nats,
            run: self.run,
            user: self.user.zip(password),
            token: self.token_file.as_deref().map(secret).transpose()?,
            tls: self.tls,
            authority: self.tls_ca,
            certificate: self.tls_cert.zip(self.tls_key),
        })
    }
}

/// Who plays the games of a match.
#[derive(Args)]
pub struct FleetArguments {
    /// Have the games played by the players at this broker ('boyi fleet player'), as many at a
    /// time as --concurrency says
    #[arg(long, value_name = "URL")]
    fleet: Option<String>,
    /// The run's name at the broker
    #[arg(long, value_name = "NAME", default_value = "boyi", requires = "fleet")]
    fleet_run: String,
    /// A file with a token for the broker
    #[arg(long, value_name = "FILE", requires = "fleet")]
    fleet_token_file: Option<PathBuf>,
}

impl FleetArguments {
    /// Whether the games are played here.
    pub fn is_none(&self) -> bool {
        self.fleet.is_none()
    }

    /// The players, with the connection that has to stay while they play; none if the games are
    /// played here.
    pub fn players(
        &self,
        engines: &[&EngineSpec],
    ) -> anyhow::Result<Option<(Broker, RemotePlayers)>> {
        let Some(url) = self.fleet.clone() else { return Ok(None) };
        if let Some(spec) =
            engines.iter().find(|spec| matches!(spec.options(), Options::Program(_)))
        {
            bail!("'{spec}' can't play on a fleet: players start no outside programs");
        }
        let broker = Broker::connect(&BrokerOptions {
            url,
            run: self.fleet_run.clone(),
            token: self.fleet_token_file.as_deref().map(secret).transpose()?,
            ..BrokerOptions::default()
        })?;
        let players = fleet::remote_players(&broker)?;
        Ok(Some((broker, players)))
    }
}

static STOP: AtomicBool = AtomicBool::new(false);

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        crate::interrupt::set_on_interrupt(&STOP)?;
        match self.role {
            Role::Worker { broker, threads, alone } => join(broker, |broker, config| {
                let game: GameSpec = config.game.parse()?;
                game.visit(Playing { broker, settings: config.settings, threads, alone })
            }),
            Role::Evaluator { broker, threads } => join(broker, |broker, config| {
                let game: GameSpec = config.game.parse()?;
                game.visit(Evaluating { broker, threads })
            }),
            Role::Player { broker, threads } => {
                let broker = broker.connect()?;
                fleet::run_player(&broker, threads, &play_game, &STOP, &print_line);
                Ok(())
            }
            Role::Trainer { broker, game, out, resume, hours, queue } => {
                let minutes = hours.map(|hours| hours * 60.0);
                let (_lock, folder, config) = match (&resume, game, out) {
                    (Some(path), _, _) => {
                        // Without a run in it a folder is not to be created by its lock.
                        RunFolder::open(path)?;
                        let lock = RunFolder::lock(path)?;
                        let (folder, mut config) = RunFolder::open(path)?;
                        if let Some(minutes) = minutes {
                            config.settings.minutes = minutes;
                            config.settings.check()?;
                            folder.write_config(&config)?;
                        }
                        (lock, folder, config)
                    }
                    (None, Some(game), Some(path)) => {
                        let mut settings = TrainSettings::default();
                        settings.minutes = minutes.unwrap_or(settings.minutes);
                        settings.check()?;
                        let config = RunConfig { game: game.to_string(), settings };
                        let lock = RunFolder::lock(&path)?;
                        (lock, RunFolder::create(&path, &config)?, config)
                    }
                    _ => bail!("name a game and a folder, or a run to resume"),
                };
                let game: GameSpec = config.game.parse()?;
                let broker = broker.connect()?;
                game.visit(Training { broker: &broker, folder, config, queue })
            }
        }
    }
}

/// Waits for the run's configuration and works on it.
fn join(
    broker: BrokerArguments,
    work: impl FnOnce(&Broker, RunConfig) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let broker = broker.connect()?;
    let Some(config) = broker.run_config(&STOP)? else { return Ok(()) };
    eprintln!("the run plays {}", config.game);
    work(&broker, config)
}

/// Plays a game of another process's match to its end, if this program plays what that one
/// means. Outside programs are not started for others.
fn play_game(task: &GameTask) -> Result<Option<GameResult>, String> {
    let setup = format!("{} {}", task.config.game, task.config.setup);
    let game: GameSpec = setup.trim_end().parse().map_err(|error| format!("{error}"))?;
    // Random boards are made on the largest type that the game has.
    let game = match task.config.boards {
        Boards::Given => game,
        Boards::Drawn => game.any_board().ok_or("there are no random boards of this game")?,
    };
    game.visit(OneGame(task))
}

struct OneGame<'a>(&'a GameTask);

impl GameVisitor for OneGame<'_> {
    type Output = Result<Option<GameResult>, String>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let OneGame(GameTask { config, game, .. }) = self;
        let mut specs: Vec<EngineSpec> = Vec::new();
        for entrant in &config.engines {
            let spec: EngineSpec = entrant.spec.parse().map_err(|error| format!("{error}"))?;
            if matches!(spec.options(), Options::Program(_)) {
                return Err(format!("a player starts no outside programs: '{spec}'"));
            }
            let version = session::engine::version(&spec);
            if version != entrant.version {
                let (spec, wanted) = (&entrant.spec, &entrant.version);
                return Err(format!("'{spec}' is version {version} here, and {wanted} is wanted"));
            }
            specs.push(spec);
        }
        let engine =
            |number: usize| G::engine(&specs[number], &start, 0).map_err(|error| error.to_string());
        let [first, second] = game.engines;
        play_one::<G, _>(config, game, [engine(first)?, engine(second)?], &Arc::default())
    }
}

fn print_line(line: &str) {
    println!("{line}");
}

/// Tables end a fleet's games, solvers do not: the trainer recomputes how each game
/// ended, and what a solver finds within so many nodes depends on what it solved before.
fn fleet_adjudicator<G: Playable>() -> Adjudicator<G> {
    Adjudicator::new(G::node_oracle())
}

struct Playing<'a> {
    broker: &'a Broker,
    settings: TrainSettings,
    threads: usize,
    alone: bool,
}

impl GameVisitor for Playing<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let options = WorkerOptions {
            adjudicator: fleet_adjudicator(),
            step: G::self_play_step,
            ..WorkerOptions::new(self.threads, self.alone)
        };
        fleet::run_worker(self.broker, &start, &self.settings, &options, &STOP, &print_line)
    }
}

struct Evaluating<'a> {
    broker: &'a Broker,
    threads: usize,
}

impl GameVisitor for Evaluating<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        fleet::run_evaluator(self.broker, &start, self.threads, &STOP, &print_line)
    }
}

struct Training<'a> {
    broker: &'a Broker,
    folder: RunFolder,
    config: RunConfig,
    queue: u32,
}

impl GameVisitor for Training<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let RunConfig { game, settings } = self.config;
        let adjudicator = &fleet_adjudicator();
        let mut trainer = Trainer::open(self.folder, start, settings)?;
        let (queue, log) = (self.queue, &mut print_line);
        fleet::run_trainer(self.broker, game, &mut trainer, adjudicator, queue, &STOP, log)?;
        Ok(())
    }
}
