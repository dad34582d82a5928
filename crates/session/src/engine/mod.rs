//! Engines by name: one line names an engine everywhere, on the command line,
//! in files, in the page and in protocols.

mod build;
mod exact_stage;
mod family;
mod level;
mod limit;
mod net;
mod options;
mod parameter;
mod random;
mod spec;
mod summary;
mod version;

pub use build::{
    alpha_beta_settings, build, build_engine, check, evaluation, grow, named_evaluation,
};
pub use family::{FAMILIES, Family, Preset, resolve};
pub use level::Strength;
pub use limit::missing_limits;
pub use net::has_network;
pub use options::{
    AlphaBetaOptions, BestOptions, CutoffScoring, LevelOptions, Options, ProgramOptions,
    ProgramProtocol, TreeOptions,
};
pub use parameter::{Kind, Parameter};
pub use spec::{EngineSpec, spec_words};
pub use summary::summary;
pub use version::{BENCH_SIGNATURE, version};
