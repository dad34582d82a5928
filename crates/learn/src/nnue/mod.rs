//! Training of the small network that alpha-beta evaluates with
//! ([`search::nnue`]).
//!
//! A run goes through generations. Each plays games against itself with a few
//! hundred nodes a move, from random openings, and keeps every position with what
//! the search thought of it and how the game ended; then a network is trained on
//! the newest generations, from random weights or on from the network before, which
//! evaluates for the next one. The first generation plays with the game's own default
//! evaluation, so nothing has to be there before, or with weights that are; a residual
//! network may label its positions in place of the search.
//!
//! | file | what |
//! | --- | --- |
//! | `settings` | what can be chosen |
//! | `sample` | a position with its labels, and shards of them on disk |
//! | `play` | games that give samples |
//! | `quiet` | which positions a network is trained on |
//! | `model` | the network in floating point: gradients, Adam, rounding to integers |
//! | `fit` | the training of a model on samples |
//! | `run` | the folder of a run, generation after generation |
//!
//! A run is resumed from its folder: a shard depends on the settings, its number
//! and the network of its generation only, and a network on its shards; each file
//! appears when it is whole. So a run that was interrupted ends like any other.

mod fit;
mod model;
mod play;
mod quiet;
mod run;
mod sample;
mod settings;

pub use fit::{FitReport, fit};
pub use model::Model;
pub use play::Player;
pub use quiet::is_quiet;
pub use run::{NnueEnd, NnueError, START, TEACHER, run};
pub use sample::{Sample, read_shard, write_shard};
pub use settings::{NnueConfig, NnueSettings};
