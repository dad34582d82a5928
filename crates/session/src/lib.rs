//! The one place where types are erased.
//!
//! Everything below this room is generic over a [`Game`](games::Game);
//! everything above it speaks strings. A line of text names a game with its
//! setup ([`GameSpec`]); [`GameSpec::visit`] picks the concrete type once, for a
//! whole task, so that nothing inside the task pays for the choice.

pub mod book;
mod cpu;
mod drawing;
pub mod engine;
mod game;
pub mod platform;
pub mod program;
pub mod row;
pub mod rows;
mod session;

pub use cpu::cpu_time;
pub use drawing::{BoardView, Drawn, Geometry, MoveView, Place, View, fields, mark};
pub use engine::EngineSpec;
pub use game::{GameSpec, GameVisitor, Playable};
pub use row::GameRow;
pub use rows::ROWS;
pub use session::{EngineHandle, ErasedEngine, ErasedGame, Poll, Session, open};
