//! The engine's side of the protocols that other programs speak.
//!
//! A protocol is a [`Talk`]: a value that hears lines and answers with acts,
//! tested as text in, text out. A [`Table`] joins it to an engine in another
//! thread and to the pipes. [`serve`] tells the protocol from the first line and
//! the game from the arguments or the program's name.
//!
//! The client's side, which drives an outside program as an engine, is
//! [`session::program`].
//!
//! No protocol here trusts the other side: garbage is passed over or answered
//! with a word of complaint where the protocol has one, and the game goes on.

pub mod course;
mod gtp;
mod mind;
pub mod sau;
mod serve;
mod table;
mod talk;
mod ugi;

pub use gtp::Gtp;
pub use serve::{Protocol, Service, serve};
pub use table::{Log, Table};
pub use talk::{Act, Order, Talk};
pub use ugi::{Dialect, Ugi};
