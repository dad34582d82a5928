//! Singular extensions and multi-cut (Anantharaman, Campbell and Hsu 1990; Björnsson
//! and Marsland 2001): how much better than all other moves is the one that the table
//! knows?
//!
//! A search of the same node without that move, half as deep, asks whether anything else
//! comes near its value. If nothing does, everything hangs on it, and it is searched a ply
//! deeper. If the others alone reach beta, another move would very likely cut off too, and
//! the node is cut off at once.

use super::search::{Search, Stopped};
use super::table::{Bound, Entry};
use super::window::{HISTORY_WIN, Value, Window};
use crate::{Heuristic, SearchHints};

/// How much shallower than the node an entry may be to be trusted.
const ENTRY_DEPTH: u32 = 3;

/// How far below the entry's value the others must stay, in hundredths of the game's unit
/// for each ply of depth.
const MARGIN: Value = 2;

/// What is known of the table's move among all moves of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singular {
    /// Nothing, or others are as good.
    No,
    /// Nothing else comes near it.
    Extend,
    /// Others reach beta without it: the value of the node.
    Cut(Value),
}

impl<G: SearchHints, H: Heuristic<G>> Search<'_, G, H> {
    /// Whether the move of the table's entry for this node is singular. Not asked of a node
    /// that is searched without a move, where the question is being answered.
    pub(super) fn singular(
        &mut self,
        game: &G,
        entry: Option<&Entry>,
        window: Window,
        depth: u32,
        ply: usize,
    ) -> Result<Singular, Stopped> {
        let least = self.settings.singular;
        // Twice as deep as the iteration at most, so that extensions end.
        if least == 0 || depth < least || ply == 0 || ply > 2 * self.depth as usize {
            return Ok(Singular::No);
        }
        let Some((entry, code)) = entry.and_then(|entry| Some((entry, entry.best?))) else {
            return Ok(Singular::No);
        };
        let value = Value::from(entry.value);
        if entry.bound == Bound::Upper
            || u32::from(entry.depth) + ENTRY_DEPTH < depth
            || value.abs() >= HISTORY_WIN
            || !game.is_legal(code.into())
        {
            return Ok(Singular::No);
        }
        let target = value - MARGIN * depth as Value;
        self.excluded = Some(code);
        let others = self.node(game, Window::new(target - 1, target), (depth - 1) / 2, ply)?;
        if others < target {
            return Ok(Singular::Extend);
        }
        if window.is_scout() && window.cuts(target) {
            // By a shallower search, so it is no proof.
            self.horizon += 1;
            return Ok(Singular::Cut(target));
        }
        Ok(Singular::No)
    }
}
