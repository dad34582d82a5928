//! The server as a program sees it: games, streams, hostile visitors, load.

mod access;
mod client;
mod disk_faults;
mod games;
mod hostile;
mod limits;
mod lines;
mod load;
mod matches;
mod matches_folder;
mod store;
