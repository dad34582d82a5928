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

pub(crate) use build::{assemble, grow};
pub use build::{build, evaluation, resolve};
pub use family::{FAMILIES, Family};
pub use net::has_network;
pub use parameter::{Kind, Parameter};
pub use spec::EngineSpec;
