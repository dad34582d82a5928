//! What a spec says, typed: the options of each kind of engine, each with the
//! table of its parameters.
//!
//! Options are plain data without a game: names of evaluations, networks and books
//! stay names until an engine is built.

mod alpha_beta;
mod best;
mod program;
mod tree;

use super::parameter::{Parameter, Row};

pub use alpha_beta::AlphaBetaOptions;
pub use best::{BestOptions, LevelOptions};
pub use program::{ProgramOptions, ProgramProtocol};
pub(super) use tree::BELOW_SIBLINGS;
pub use tree::{CutoffScoring, TreeOptions};

/// Everything that a spec says about an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Options {
    /// Plays at random.
    Random,
    /// Tree search.
    Tree(TreeOptions),
    /// Alpha-beta.
    AlphaBeta(AlphaBetaOptions),
    /// The best engine, weakened.
    Level(LevelOptions),
    /// An outside program.
    Program(ProgramOptions),
    /// The best engine of a game.
    Best(BestOptions),
}

impl Options {
    /// The parameters with these options as their defaults.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        fn list<S>(rows: &[Row<S>], options: &S) -> Vec<Parameter> {
            let parameter = |row: &Row<S>| Parameter {
                name: row.name,
                default: (row.get)(options),
                kind: row.kind,
                help: row.help,
            };
            rows.iter().map(parameter).collect()
        }
        match self {
            Options::Random => Vec::new(),
            Options::Tree(options) => list(tree::TREE, options),
            Options::AlphaBeta(options) => list(alpha_beta::ALPHA_BETA, options),
            Options::Level(options) => list(best::LEVEL, options),
            Options::Program(options) => list(program::PROGRAM, options),
            Options::Best(options) => list(best::BEST, options),
        }
    }

    /// Sets a parameter to a text that fits it.
    pub(super) fn set(&mut self, name: &str, text: &str) {
        fn apply<S>(rows: &[Row<S>], options: &mut S, name: &str, text: &str) {
            if let Some(row) = rows.iter().find(|row| row.name == name) {
                (row.set)(options, text);
            }
        }
        match self {
            Options::Random => {}
            Options::Tree(options) => apply(tree::TREE, options, name, text),
            Options::AlphaBeta(options) => apply(alpha_beta::ALPHA_BETA, options, name, text),
            Options::Level(options) => apply(best::LEVEL, options, name, text),
            Options::Program(options) => apply(program::PROGRAM, options, name, text),
            Options::Best(options) => apply(best::BEST, options, name, text),
        }
    }
}
