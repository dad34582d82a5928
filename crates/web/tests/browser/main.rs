//! The page in a real Chromium, used as a person uses it.

#[path = "../server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../server/matches_folder.rs"]
mod matches_folder;

mod access;
mod analysis;
mod arena;
mod axe;
mod contest;
mod driver;
mod editor;
mod events;
mod every_page;
mod games;
mod latency;
mod learn;
mod lines;
mod matches;
mod open;
mod pictures;
mod play;
mod pool;
mod seats;
mod study;
