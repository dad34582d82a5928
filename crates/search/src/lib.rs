//! Searches: whoever looks for a good move, for any game.
//!
//! This room stands on `games` alone. It knows nothing of text, protocols,
//! files or terminals: whoever shows progress is a `watch` (see [`Engine`]).

pub mod alpha_beta;
mod engine;
mod evaluate;
pub mod knowledge;
mod lent;
mod oracle;
mod pace;
mod post;
mod punctual;
pub mod rollout;
pub mod tree;

pub use engine::{Clock, Engine, Fault, Info, Limits, Line, Score, Source};
pub use evaluate::{Evaluation, Evaluator, Leaf};
pub use knowledge::{Evaluated, Heuristic, SearchHints, Term, Variant};
pub use oracle::{Budget, Oracle, Verdict};
pub use pace::{Doubt, Pace, Plan};
pub use punctual::Punctual;
