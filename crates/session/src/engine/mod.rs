//! Engines by name: one line names an engine everywhere, on the command line,
//! in files, in the page and in protocols.

mod build;
mod family;
mod level;
mod limited;
mod net;
mod parameter;
mod random;
mod spec;

pub use build::{build, build_for, evaluation, resolve, tree_settings};
pub use family::{FAMILIES, Family};
pub use parameter::{Kind, Parameter};
pub use spec::EngineSpec;
