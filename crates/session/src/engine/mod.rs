//! Engines by name: one line names an engine everywhere, on the command line,
//! in files, in the page and in protocols.

mod build;
mod exact_stage;
mod family;
mod level;
mod net;
mod options;
mod parameter;
mod random;
mod spec;

pub use build::{build, build_engine, check, evaluation, grow};
pub use family::{FAMILIES, Family, Preset, resolve};
pub use net::has_network;
pub use options::{
    AlphaBetaOptions, BestOptions, CutoffScoring, LevelOptions, Options, ProgramOptions, Speaks,
    TreeOptions,
};
pub use parameter::{Kind, Parameter};
pub use spec::EngineSpec;
