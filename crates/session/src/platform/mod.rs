//! Games as the contest platform (SAU) writes and plays them: its letters for
//! moves ([`words`]) and a board that takes what it receives as a fact
//! ([`Board`]). Shared by the platform's protocol on both sides and by its save
//! files.

mod board;
pub mod words;

pub use board::{Board, Mark, Received, is_turn, legal_order};
