//! Outside programs as engines: `program protocol=ugi command="./other --flag"`
//! in a spec.
//!
//! A client starts the program, tells it the game and takes its answer. It trusts
//! nothing: a program that dies, falls silent or cheats gives a
//! [`Fault`](search::Fault) in place of a move. The engine's side of the same
//! protocols is in the crate `protocols`.

mod dialect;
mod gtp;
mod lines;
mod process;
mod sau;
mod ugi;

pub use dialect::{Dialect, centipawns, expected_result};
pub use gtp::GtpClient;
pub(crate) use gtp::gtp_name;
pub use lines::{LONGEST, next_line};
pub(crate) use process::words as command_words;
pub use process::{Process, ReadError};
pub use sau::SauClient;
pub use ugi::UgiClient;
pub(crate) use ugi::id_name;
