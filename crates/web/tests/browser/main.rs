//! The page in a real Chromium, used as a person uses it.

#[path = "../server/client.rs"]
#[allow(dead_code)]
mod client;

mod access;
mod contest;
mod driver;
mod play;
mod study;
