//! A file per verb.

pub mod analyse;
pub mod bench;
pub mod engines;
pub mod eval;
pub mod games;
pub mod moves;
pub mod offer;
pub mod perft;
pub mod play;
pub mod serve;
pub mod show;
pub mod tables;
pub mod versus;
