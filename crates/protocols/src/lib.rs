//! The engine's side of the protocols that other programs speak.
//!
//! A protocol is a [`ProtocolHandler`]: a value that is given lines and answers with
//! [`Action`]s, tested as text in, text out. A [`ProtocolRunner`] joins it to an
//! engine and to the pipes. [`serve`] tells the protocol from the first line and
//! the game from the arguments or the program's name.
//!
//! ```
//! use protocols::{Dialect, Log, ProtocolRunner, Ugi};
//! use session::EngineSpec;
//!
//! let engine: EngineSpec = "uct memory=1".parse()?;
//! let handler = Ugi::new(Dialect::Ugi, &"connect-four".parse()?, engine.clone(), 1);
//! let mut runner = ProtocolRunner::new(handler, engine, 1, Log(None));
//! assert_eq!(runner.exchange("isready"), ["readyok"]);
//! let answer = runner.exchange("go sims 100");
//! assert!(answer.last().unwrap().starts_with("bestmove "));
//! # Ok::<(), games::TextError>(())
//! ```
//!
//! The client's side, which drives an outside program as an engine, is
//! [`session::program`].
//!
//! No protocol here trusts the other side: garbage is passed over or answered
//! with a word of complaint where the protocol has one, and the game goes on.

pub mod course;
mod gtp;
mod handler;
mod runner;
pub mod sau;
mod search_worker;
mod serve;
mod ugi;

pub use gtp::Gtp;
pub use handler::{Action, ProtocolHandler, SearchRequest};
pub use runner::{Log, ProtocolRunner};
pub use serve::{Protocol, Service, serve};
pub use session::program::Dialect;
pub use ugi::Ugi;
