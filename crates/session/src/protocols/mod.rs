//! Other people's programs: protocols in both directions.
//!
//! The engine's side of a protocol is a [`Talk`]: a value that hears lines and
//! answers with acts, tested as text in, text out. A [`Table`] joins it to an
//! engine in another thread and to the pipes. [`serve`] tells the protocol from
//! the first line and the game from the arguments or the program's name.
//!
//! The other side drives an outside program as an engine, `program protocol=ugi
//! command="./other --flag"` in a spec.
//!
//! No protocol here trusts the other side: garbage is passed over or answered
//! with a word of complaint where the protocol has one, and the game goes on.

pub mod course;
mod drops;
mod gtp;
mod lines;
mod mind;
mod process;
pub mod sau;
mod serve;
mod table;
mod talk;
mod ugi;
mod ugi_client;

pub use gtp::Gtp;
pub use lines::{LONGEST, next_line};
pub use process::{Process, Silence};
pub use serve::{Protocol, Service, serve};
pub use table::{Log, Table};
pub use talk::{Act, Order, Talk};
pub use ugi::{Dialect, Ugi};
pub use ugi_client::UgiClient;
