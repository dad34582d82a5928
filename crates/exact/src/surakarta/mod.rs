//! Surakarta endgame tables: the exact value of every placement of few pieces.
//!
//! [`Tables::build`] solves all placements up to a number of pieces by retrograde
//! analysis, reduced by the eight symmetries, and writes a file for each material;
//! [`Tables::open`] maps them, [`Tables::position_value`] probes them, [`verify`] checks
//! every value against its successors. A table belongs to one stall rule and is
//! used only by setups that agree with it.

mod class;
mod engine;
mod file;
mod parallel;
mod probe;
mod retrograde;
mod solve;
mod subsets;
mod tables;
mod value;
mod verify;

pub use class::{Material, Placement};
pub use engine::{SHIPPED_PIECES, TableEngine, open_or_shipped};
pub use file::FileError;
pub use games::surakarta::Move;
pub use parallel::Workers;
pub use tables::{BuildError, BuildProgress, MOST_PIECES, Tables, default_folder, estimate};
pub use value::{Distance, Value};
pub use verify::{Counts, verify};
