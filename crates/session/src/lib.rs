//! The one place where types are erased.
//!
//! Everything below this crate is generic over a [`Game`](games::Game);
//! everything above it uses text. A line of text names a game with its setup
//! ([`GameSpec`]); [`GameSpec::visit`] picks the concrete type once, for a whole
//! task, so that nothing inside the task pays for the choice.
//!
//! ```
//! use search::Limits;
//!
//! let mut game = session::open(&"connect-four".parse()?);
//! game.play("112233")?;
//! let mut engine = game.engine(&"alpha-beta".parse()?, 1)?;
//! let moves = game.moves();
//! engine.set(None, &moves.iter().map(String::as_str).collect::<Vec<_>>())?;
//! let info = engine.search(&Limits { depth: Some(3), ..Limits::default() }, None);
//! assert_eq!(info.best.as_deref(), Some("4"), "four in a row");
//! # Ok::<(), games::TextError>(())
//! ```

mod actions;
mod batch;
pub mod book;
mod cpu;
mod drawing;
pub mod engine;
mod exact_moves;
mod facts;
mod game;
pub mod machine;
pub mod platform;
pub mod program;
pub mod review;
pub mod row;
pub mod rows;
mod session;

pub use actions::Actions;
pub use batch::{ErasedBatch, GameBatch, LabelRequest, Labels, StepBuffers};
pub use cpu::cpu_time;
pub use drawing::{
    BoardView, Drawn, EditedBoard, Geometry, MoveView, Place, Trail, View, fields, mark,
};
pub use engine::EngineSpec;
pub use exact_moves::{BookMove, ExactMove, ExactMoves};
pub use facts::{Explained, Fact};
pub use game::{GameSpec, GameVisitor, Playable};
pub use row::GameRow;
pub use rows::ROWS;
pub use session::{EngineHandle, ErasedEngine, ErasedGame, Poll, Session, open};
