//! A file per verb.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod course;
pub mod course_player;
pub mod engine;
pub mod engines;
pub mod eval;
pub mod export;
pub mod fleet;
pub mod games;
pub mod match_cmd;
pub mod menu;
pub mod moves;
pub mod perft;
pub mod play;
pub mod record;
pub mod reproduce;
pub mod serve;
pub mod show;
pub mod solve;
pub mod store;
pub mod tables;
pub mod train;
pub mod tune;
