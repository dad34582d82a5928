//! Searches: engines that choose a move, for any game.
//!
//! This crate stands on `games` alone. It knows nothing of protocols, files or
//! terminals. An [`Engine`] is synchronous: it is given a record of a game and a
//! [`SearchControl`] (what it may spend, when to stop, where to publish its newest
//! result). A [`Runner`] stands between it and a caller that must not wait.
//!
//! ```
//! use games::{Game, Record, connect_four::{ConnectFour, Setup}};
//! use search::alpha_beta::{AlphaBeta, AlphaBetaSettings};
//! use search::{Evaluated, Limits, Runner};
//!
//! type Board = ConnectFour<u64>;
//! let record = Record::new(Board::start(&Setup::default()).unwrap());
//! let (name, _) = Board::EVALUATIONS[0];
//! let settings = AlphaBetaSettings { table_mb: 1, ..AlphaBetaSettings::default() };
//! let engine = AlphaBeta::new(Board::evaluation(name).unwrap(), settings);
//! let info = Runner::new(engine).search(&record, &Limits::depth(4));
//! assert!(info.depth == 4 && info.best.is_some());
//! ```

pub mod alpha_beta;
mod control;
pub mod core_wait;
mod engine;
mod evaluate;
mod info;
pub mod knowledge;
mod limits;
pub mod memory;
pub mod nnue;
mod oracle;
pub mod rollout;
mod runner;
mod time;
pub mod tree;

pub use control::SearchControl;
pub use engine::{Engine, Fault};
pub use evaluate::{Evaluation, Evaluator, Leaf};
pub use info::{Line, Score, SearchInfo, Source, line_text};
pub use knowledge::{Evaluated, Heuristic, SearchHints, Term, Variant};
pub use limits::{Clock, Limits};
pub use oracle::{Oracle, Verdict};
pub use runner::{Runner, Work};
pub use time::{Stability, TimeManager, TimeOptions};
