//! The program as users, contest platforms and power cuts meet it, in one test
//! program.

mod book;
mod cli;
#[cfg(unix)]
mod course;
mod event;
mod fleet_match;
mod fourth_game;
mod kill;
mod laboratory;
mod platform;
#[cfg(unix)]
mod programs;
mod protocols;
mod serve;
mod smoke;
mod train;
