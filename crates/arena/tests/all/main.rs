//! Matches from outside, in one program.

mod disk_faults;
mod matches;
mod real_games;
mod statistics;
#[path = "../stones/mod.rs"]
mod stones;
mod store;
mod tuning;
