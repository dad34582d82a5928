//! Exact knowledge as the searches ask for it at their nodes.

use std::convert::Infallible;

use games::{Game, Player, Record};

use crate::{SearchInfo, Source};

/// The exact value of a position with best play by both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<M> {
    /// Who wins; `None` if it is a draw.
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

/// Knows some positions exactly: a solver or a table.
pub trait Oracle<G: Game>: Send + Sync {
    /// The exact value of a position, if it can be had by visiting at most so
    /// many positions. A table lookup needs none of them.
    fn probe(&self, game: &G, nodes: u64) -> Option<Verdict<G::Move>>;

    /// What to play in a game whose position a lookup knows. Results alone are not
    /// enough to win: every other move may keep a win without coming nearer to it.
    fn best_move(&self, _record: &Record<G>) -> Option<SearchInfo<G::Move>> {
        None
    }
}

/// The oracle of a game that has none.
impl<G: Game> Oracle<G> for Infallible {
    fn probe(&self, _game: &G, _nodes: u64) -> Option<Verdict<G::Move>> {
        match *self {}
    }
}
