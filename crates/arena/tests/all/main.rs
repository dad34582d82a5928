//! Matches from outside, in one program.

mod matches;
mod real_games;
#[path = "../stones/mod.rs"]
mod stones;
mod store;
mod tuning;
