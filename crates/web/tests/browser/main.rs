//! The page in a real Chromium, used as a person uses it.

#[path = "../server/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../server/hall.rs"]
mod hall;

mod access;
mod arena;
mod contest;
mod driver;
mod open;
mod play;
mod study;
