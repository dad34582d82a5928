//! Matches with statistics.
//!
//! The caller supplies engines; the arena plays them against each other. A
//! schedule says which game comes next, a referee plays it, finished pairs go to
//! the store, and a runner ties these together. What the results mean is in
//! [`statistics`].
//!
//! This crate depends on `games` and `search`. It knows no engine by name, no
//! command line and no terminal: a spec is a label here, and progress goes to a
//! callback.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use arena::{Entrant, Factory, MatchConfig, RunOptions, Store, run};
//! use games::connect_four::ConnectFour;
//! use search::tree::{TreeSettings, TreeSearch};
//! use search::{Engine, Limits};
//!
//! let entrant = |sims| Entrant {
//!     spec: format!("uct sims={sims}"),
//!     version: "0.1.0".into(),
//!     limits: Limits { sims: Some(sims), ..Limits::default() },
//! };
//! let engines = vec![entrant(40), entrant(20)];
//! let config = MatchConfig::new::<ConnectFour<u64>>(&Default::default(), engines, 1);
//! let factory: Factory<ConnectFour<u64>> = Arc::new(|_| {
//!     Ok(Box::new(TreeSearch::new(TreeSettings { memory: 4, ..TreeSettings::default() }, 0)))
//! });
//! let options = RunOptions { rounds: 2, ..RunOptions::default() };
//! let mut store = Store::in_memory()?;
//! let stop = AtomicBool::new(false);
//! let standing = run(&config, &options, factory, &mut store, &stop, |_| {})?;
//! assert!(standing.finished());
//! assert_eq!(standing.of(0).games(), 4);
//! # Ok::<(), arena::RunError>(())
//! ```

pub mod export;
pub mod statistics;
pub mod tune;

mod draft;
mod forfeits;
mod limits_json;
mod lost_wins;
mod match_config;
mod openings;
mod referee;
mod remote;
mod report;
mod run;
mod schedule;
mod standing;
mod store;
mod supervisor;
mod swiss;
mod worker;

pub use draft::{GameDraft, GameResult, Ply};
pub use forfeits::Forfeits;
pub use lost_wins::LostWins;
pub use match_config::{Boards, DrawRule, Entrant, MatchConfig, ResignRule, Rules};
pub use openings::{Openings, replay, replay_text, split_position};
pub use referee::{GameConfig, play};
pub use remote::{GameTask, PlayedGame, PlayerMessage, RemotePlayers, play_one};
pub use report::{EncounterReport, EngineReport, MatchReport, Results, SCHEMA, SprtReport};
pub use run::{Factory, MatchProgress, RunError, RunOptions, run, run_remotely};
pub use schedule::{Format, Schedule, ScheduledGame};
pub use standing::Standing;
pub use store::{MatchId, Store, StoreError, StudyId};
