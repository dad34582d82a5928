//! Searches: whoever looks for a good move, for any game.
//!
//! This room stands on `games` alone. It knows nothing of text, protocols,
//! files or terminals: whoever shows progress is a `watch` (see [`Engine`]).

mod engine;
mod evaluate;
mod knowledge;
mod oracle;

pub use engine::{Clock, Engine, Info, Limits, Line, Score, Source};
pub use evaluate::{Evaluation, Evaluator, Leaf};
pub use knowledge::{Heuristic, Knowledge, Part, loony};
pub use oracle::{Budget, Oracle, Verdict};
