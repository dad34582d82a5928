//! The laws of pairings, standings and the folder.

mod folder;
mod pairings;
mod standings;
