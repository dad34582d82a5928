//! Surakarta endgame tables: the truth about every placement of few pieces.
//!
//! [`Tables::build`] solves all placements up to a number of pieces backwards,
//! folded by the eight symmetries, and writes a file for each material;
//! [`Tables::open`] maps them, [`Tables::judge`] asks them, [`verify`] checks
//! every value against its successors. A table belongs to one stall rule and is
//! used only by setups that agree with it.

mod chunks;
mod class;
mod file;
mod probe;
mod retrograde;
mod subsets;
mod tables;
mod value;
mod verify;

pub use chunks::Workers;
pub use class::{Material, Placement};
pub use file::FileError;
pub use games::surakarta::Move;
pub use tables::{BuildError, MOST_PIECES, Progress, Tables, default_folder, estimate};
pub use value::{Distance, Value};
pub use verify::{Counts, verify};
