//! Self-play on many machines, over NATS JetStream.
//!
//! The 2020 paper's roles as processes that know only the broker:
//!
//! - [`run_trainer`] receives games, trains and publishes weights. It is the
//!   paper's training server and also its master: it says what is played.
//! - [`run_worker`] plays games of self-play.
//! - [`run_evaluator`] evaluates positions for workers, on request.
//!
//! Matches run on the same broker: [`remote_players`] gives the games of a match to the
//! players that ask for them ([`run_player`]).
//!
//! The broker holds all that they share: the run's configuration and the weights
//! in an object store, finished games in a work queue. Any of them may die at any
//! moment and be restarted, or be added. The training loop itself is `learn`'s
//! ([`learn::train::run`]); this crate is its source of games and sink of weights.
//!
//! **A game counts when the trainer has written it to its disk and its worker has
//! the trainer's receipt.** Until then its worker keeps it and publishes it again if
//! the broker may have lost it, and the broker keeps it until the trainer
//! acknowledges it. So it is lost only if both lose it: the worker ends, and the
//! broker's machine fails before it has synced its files. A game that arrives twice
//! is known by its id, which the trainer has granted; it believes nothing else that
//! a game claims, but recomputes it.
//!
//! The queue is short and refuses what does not fit, so workers wait for a slow
//! trainer. Deliberately absent: discovery, scheduling, a protocol of our own.
//!
//! A trainer and a worker, until ten games are written:
//!
//! ```
//! # use std::process::{Command, Stdio};
//! use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
//!
//! use fleet::{Broker, BrokerOptions, WorkerOptions, run_trainer, run_worker};
//! use games::Game;
//! use games::dots_and_boxes::DotsAndBoxes;
//! use learn::selfplay::{Adjudicator, SelfPlaySettings};
//! use learn::train::{RunConfig, RunFolder, TrainSettings, Trainer};
//!
//! # fn main() -> anyhow::Result<()> {
//! # if std::env::var_os("BOYI_NO_BROKER").is_some() {
//! #     return Ok(());
//! # }
//! # let place = tempfile::tempdir()?;
//! # let mut command = Command::new("nats-server");
//! # command.args(["--addr", "127.0.0.1", "--port", "-1", "--jetstream", "--store_dir"]);
//! # command.arg(place.path().join("broker")).arg("--ports_file_dir").arg(place.path());
//! # let mut server = command.stderr(Stdio::null()).spawn()?;
//! # let ports = place.path().join(format!("nats-server_{}.ports", server.id()));
//! # let url = loop {
//! #     let ports = serde_json::from_slice(&std::fs::read(&ports).unwrap_or_default());
//! #     if let Ok(serde_json::Value::Object(ports)) = ports {
//! #         break ports["nats"][0].as_str().unwrap().to_owned();
//! #     }
//! #     std::thread::sleep(std::time::Duration::from_millis(20));
//! # };
//! let options = BrokerOptions { url, run: "boxes".to_owned(), ..Default::default() };
//! let (stop, written) = (AtomicBool::new(false), AtomicUsize::new(0));
//! let start = DotsAndBoxes::start(&"2x2".parse()?)?;
//! let selfplay = SelfPlaySettings { games: 4, sims: 4, ..Default::default() };
//! let settings = TrainSettings { blocks: 1, channels: 8, random_games: 0, selfplay, ..Default::default() };
//! let config = RunConfig { game: "dots-and-boxes 2x2".to_owned(), settings };
//! let folder = RunFolder::create(&place.path().join("run"), &config)?;
//! let mut trainer = Trainer::open(folder, start, config.settings)?;
//! std::thread::scope(|scope| {
//!     scope.spawn(|| {
//!         let broker = Broker::connect(&options).unwrap();
//!         run_trainer(&broker, config.game, &mut trainer, &Adjudicator::none(), 16, &stop, &mut |_| ()).unwrap();
//!     });
//!     let broker = Broker::connect(&options)?;
//!     // Waits until the trainer has said what is played.
//!     if let Some(config) = broker.run_config(&stop)? {
//!         let options = WorkerOptions::new(1, true);
//!         run_worker(&broker, &start, &config.settings, &options, &stop, &|line| {
//!             let more = usize::from(line.starts_with("written "));
//!             stop.fetch_or(written.fetch_add(more, Relaxed) + more >= 10, Relaxed);
//!         })?;
//!     }
//!     anyhow::Ok(())
//! })?;
//! assert!(trainer.progress.games >= 10);
//! # server.kill()?;
//! # server.wait()?;
//! # Ok(())
//! # }
//! ```

mod broker;
mod evaluator;
mod lease;
mod outbox;
mod players;
mod trainer;
mod weights;
mod wire;
mod worker;

pub use broker::{Broker, BrokerOptions};
pub use evaluator::run_evaluator;
pub use players::{remote_players, run_player};
pub use trainer::run_trainer;
pub use worker::{WorkerOptions, run_worker};
