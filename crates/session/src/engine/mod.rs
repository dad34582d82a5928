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

pub use build::{assemble, build, evaluation, grow, resolve};
pub use family::{FAMILIES, Family, Preset};
pub use net::has_network;
pub use parameter::{Kind, Parameter};
pub use spec::EngineSpec;
