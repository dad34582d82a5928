//! A file per verb.

pub mod bench;
pub mod games;
pub mod moves;
pub mod offer;
pub mod perft;
pub mod play;
pub mod serve;
pub mod show;
