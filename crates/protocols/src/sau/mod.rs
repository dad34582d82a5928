//! The contest platform (SAU Game Platform, for Windows), the engine's side, for
//! Surakarta and Dots and Boxes.
//!
//! | in | out |
//! | --- | --- |
//! | `name?` | `name X` |
//! | `new black` (moves first), `new white` | `move ...` if black |
//! | `move ...` | `move ...` |
//! | `error`: the last move was refused | `move ...`, another one |
//! | `end [black\|white]`, `quit` | |
//!
//! The platform tells neither the game nor the time, shows what an engine writes
//! to its error output as if it were said, and its judge allows captures from the
//! corners in Surakarta. So the game comes from the program's name or a file
//! beside it ([`SauSettings`]), the engine keeps its own clock, says nothing but
//! these words, and takes what it receives as a fact ([`session::platform`]).

mod engine;
mod settings;

pub use engine::Sau;
pub use settings::SauSettings;
