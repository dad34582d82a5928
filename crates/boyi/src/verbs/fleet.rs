//! `boyi fleet`: self-play on many machines.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use fleet::{Access, Fleet, Plan, Work};
use learn::train::{Folder, Settings, Trainer};
use session::{GameSpec, Playable, Task};

/// Let many machines play for one network
#[derive(Args)]
#[command(after_help = "\
The roles meet at a NATS broker with JetStream (nats-server -js). Start a trainer first or last:
the others wait for its plan. Any of them may be stopped, killed, restarted or added at any time.

Examples:
  boyi fleet trainer surakarta --out runs/fleet --nats nats://broker:4222
  boyi fleet evaluator --nats nats://broker:4222
  boyi fleet worker --nats nats://broker:4222 --threads 8
  boyi fleet worker --nats nats://broker:4222 --alone
  boyi fleet trainer --resume runs/fleet --nats nats://broker:4222
")]
pub struct Arguments {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "made once")]
enum Role {
    /// Play games and hand them in
    Worker {
        #[command(flatten)]
        broker: Broker,
        /// Threads that play
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
        /// Judge positions here, by the newest weights, rather than ask the evaluators
        #[arg(long)]
        alone: bool,
    },
    /// Judge positions for the workers
    Evaluator {
        #[command(flatten)]
        broker: Broker,
        /// Threads that judge
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
    },
    /// Say what is played, learn from it and publish weights
    Trainer {
        #[command(flatten)]
        broker: Broker,
        /// The game and its setup
        #[arg(value_name = "GAME", required_unless_present = "resume", conflicts_with = "resume")]
        game: Option<GameSpec>,
        /// The folder for a new run
        #[arg(long, value_name = "DIR", required_unless_present = "resume")]
        out: Option<PathBuf>,
        /// Go on with the run in this folder
        #[arg(long, value_name = "DIR", conflicts_with = "out")]
        resume: Option<PathBuf>,
        /// Hours in all, from the beginning of the run
        #[arg(long, value_name = "H")]
        hours: Option<f64>,
        /// Games that wait at most; workers wait when there are more
        #[arg(long, value_name = "N", default_value_t = 256)]
        queue: u32,
    },
}

#[derive(Args)]
struct Broker {
    /// The broker's address: nats://HOST:PORT, tls://HOST:PORT
    #[arg(long, value_name = "URL")]
    nats: String,
    /// The run's name at the broker, which may have several
    #[arg(long, value_name = "NAME", default_value = "boyi")]
    run: String,
    /// Our name at the broker
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
    /// Our own certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// The one line of a secret's file.
fn secret(path: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} can't be read", path.display()))?;
    Ok(text.trim_end().to_owned())
}

impl Broker {
    fn connect(self) -> anyhow::Result<Fleet> {
        let password = self.password_file.as_deref().map(secret).transpose()?;
        Fleet::connect(&Access {
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

static STOP: AtomicBool = AtomicBool::new(false);

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        crate::interrupt::set_on_interrupt(&STOP)?;
        match self.role {
            Role::Worker { broker, threads, alone } => follow(broker, |fleet, plan| {
                let work = Work { threads, alone };
                let game: GameSpec = plan.game.parse()?;
                game.run(Playing { fleet, settings: plan.settings, work })
            }),
            Role::Evaluator { broker, threads } => follow(broker, |fleet, plan| {
                let game: GameSpec = plan.game.parse()?;
                game.run(Judging { fleet, threads })
            }),
            Role::Trainer { broker, game, out, resume, hours, queue } => {
                let (folder, game, mut settings) = match (&resume, game, out) {
                    (Some(path), _, _) => {
                        let (folder, game, settings) = Folder::open(path)?;
                        (folder, game.parse::<GameSpec>()?, settings)
                    }
                    (None, Some(game), Some(path)) => {
                        let settings = Settings::default();
                        let folder = Folder::create(&path, &game.to_string(), &settings)?;
                        (folder, game, settings)
                    }
                    _ => bail!("name a game and a folder, or a run to go on with"),
                };
                if let Some(hours) = hours {
                    settings.minutes = hours * 60.0;
                    folder.write_settings(&game.to_string(), &settings)?;
                }
                let fleet = broker.connect()?;
                let (text, resume) = (game.to_string(), resume.is_some());
                game.run(Training { fleet: &fleet, folder, settings, resume, text, queue })
            }
        }
    }
}

/// Waits for the plan and does what it says.
fn follow(
    broker: Broker,
    work: impl FnOnce(&Fleet, Plan) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let fleet = broker.connect()?;
    let Some(plan) = fleet.plan(&STOP)? else { return Ok(()) };
    eprintln!("the plan: {}", plan.game);
    work(&fleet, plan)
}

fn tell(line: &str) {
    println!("{line}");
}

struct Playing<'a> {
    fleet: &'a Fleet,
    settings: Settings,
    work: Work,
}

impl Task for Playing<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> anyhow::Result<()> {
        fleet::play(self.fleet, &start, &self.settings, self.work, &STOP, &tell)
    }
}

struct Judging<'a> {
    fleet: &'a Fleet,
    threads: usize,
}

impl Task for Judging<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> anyhow::Result<()> {
        fleet::judge(self.fleet, &start, self.threads, &STOP, &tell)
    }
}

struct Training<'a> {
    fleet: &'a Fleet,
    folder: Folder,
    settings: Settings,
    resume: bool,
    text: String,
    queue: u32,
}

impl Task for Training<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let mut trainer = match self.resume {
            true => Trainer::resume(self.folder, start, self.settings)?,
            false => Trainer::begin(self.folder, start, self.settings)?,
        };
        fleet::train(self.fleet, self.text, &mut trainer, self.queue, &STOP, &mut tell)
    }
}
