//! What can be known for certain, as the searches ask for it.

use std::sync::atomic::{AtomicBool, Ordering};

use games::{Game, Player};

use crate::Source;

/// How much work a probe may do. A table lookup needs none of it.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Positions a solver may visit.
    pub nodes: u64,
    /// Set by another thread when the answer is no longer wanted.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// Whether the answer is no longer wanted.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What is certain about a position with best play by both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<M> {
    /// Who wins; nobody if it is a draw.
    pub winner: Option<Player>,
    /// First's score in the game's own unit: what is left to gain of boxes in
    /// Dots and Boxes, the published score in Connect Four, the sign in
    /// Surakarta.
    pub score: i32,
    /// Plies to the end or to the next capture, where known.
    pub plies: Option<u32>,
    /// A best move, where the oracle knows one.
    pub best: Option<M>,
    /// Who says so.
    pub source: Source,
}

/// Knows some positions for certain: a solver or a table.
pub trait Oracle<G: Game>: Send + Sync {
    /// The truth about a position, if it can be had within the budget.
    fn probe(&self, game: &G, budget: &Budget) -> Option<Verdict<G::Move>>;
}
