//! The laws of the searches. One program: what is generic over a game is
//! compiled once for all of them.

mod agreement;
mod bare;
mod engine;
mod oracle;
mod plain;
mod runner;
mod threats;
mod toys;
mod tree;
