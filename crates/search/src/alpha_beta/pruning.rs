//! What is not searched, or less deep: reductions and the prunings by the static
//! evaluation. All may err, so all are switches, and none acts on the principal
//! variation or against a proven loss.
//!
//! The techniques are computer chess's: reverse futility (static null move),
//! null move, futility, late move pruning and late move reductions. Margins are in
//! hundredths of the game's unit for each ply of depth.

use super::move_picker::HISTORY;
use super::search::{Search, Stopped};
use super::window::{self, MATE_BOUND, Turn, Value, Window};
use crate::{Heuristic, SearchHints};

/// Late move reductions begin with this move and this depth.
const LATE: usize = 3;
const DEEP: u32 = 3;

/// The deepest nodes that the evaluation alone may cut off, or whose moves are left
/// out.
const SHALLOW: u32 = 8;

/// Null move: at least this depth, and so much less deep.
const NULL_DEPTH: u32 = 2;
const NULL_REDUCTION: u32 = 3;

impl<G: SearchHints, H: Heuristic<G>> Search<'_, G, H> {
    /// The mover's static evaluation of a node that may be pruned; `None` where
    /// nothing prunes by it.
    pub(super) fn node_evaluation(&self, game: &G, window: Window) -> Option<Value> {
        let settings = self.settings;
        let used = settings.null_move
            || settings.reverse_futility > 0
            || settings.futility > 0
            || settings.late_pruning > 0;
        let may_prune = used && window.is_scout() && window.beta.abs() < MATE_BOUND;
        may_prune.then(|| self.evaluate(game))
    }

    /// The mover's static evaluation.
    pub(super) fn evaluate(&self, game: &G) -> Value {
        window::evaluated(self.context.heuristic.evaluate(game), game.to_move())
    }

    /// The value of a node whose evaluation is so far above beta that it would stay
    /// there.
    #[inline]
    pub(super) fn reverse_futility(
        &mut self,
        evaluation: Value,
        window: Window,
        depth: u32,
    ) -> Option<Value> {
        let margin = self.settings.reverse_futility * depth as Value;
        if margin == 0 || depth > SHALLOW || !window.cuts(evaluation - margin) {
            return None;
        }
        self.horizon += 1;
        Some(evaluation - margin)
    }

    /// The value of a node that stays above beta even if its mover passes.
    pub(super) fn null_move(
        &mut self,
        game: &G,
        key: u64,
        evaluation: Value,
        window: Window,
        depth: u32,
        ply: usize,
    ) -> Result<Option<Value>, Stopped> {
        let may_pass = self.settings.null_move
            && depth >= NULL_DEPTH
            && window.cuts(evaluation)
            && self.null_ply.is_none_or(|last| last + 1 != ply);
        let Some(passed) = (if may_pass { game.null_move() } else { None }) else {
            return Ok(None);
        };
        let turn = Turn::between(game.to_move(), passed.to_move());
        let less = NULL_REDUCTION + depth / 4 + ((evaluation - window.beta) / 150).min(2) as u32;
        let before = self.null_ply.replace(ply);
        self.path.push(key);
        let value = self.node(&passed, turn.window(window), depth.saturating_sub(less), ply + 1)?;
        self.path.pop();
        self.null_ply = before;
        let value = turn.value(value);
        if !window.cuts(value) {
            return Ok(None);
        }
        // A pass is no move, so what it proves is no proof.
        self.horizon += 1;
        Ok(Some(if value >= MATE_BOUND { window.beta } else { value }))
    }

    /// A bound of the quiet moves if they are left out, of a node with this evaluation
    /// where `tried` moves were searched.
    pub(super) fn prune_quiets(
        &self,
        evaluation: Value,
        window: Window,
        depth: u32,
        tried: usize,
    ) -> Option<Value> {
        let settings = self.settings;
        if depth > SHALLOW || tried == 0 {
            return None;
        }
        let reach = evaluation + settings.futility * depth as Value;
        if settings.futility > 0 && reach <= window.alpha {
            return Some(reach);
        }
        let most = settings.late_pruning + depth * depth;
        (settings.late_pruning > 0 && tried as u32 >= most).then_some(-MATE_BOUND)
    }

    /// How much less deep the `tried`-th move is searched first.
    pub(super) fn reduction(&self, depth: u32, tried: usize, history: i32) -> u32 {
        let settings = self.settings;
        if !settings.reductions || depth < DEEP || tried < LATE {
            return 0;
        }
        let mut less = if settings.reduction_divisor > 0.0 {
            let logarithms = f64::from(depth).ln() * (tried as f64).ln();
            logarithms / settings.reduction_divisor
        } else {
            f64::from(1 + u32::from(tried >= 4 * LATE) + u32::from(depth >= 2 * DEEP))
        };
        if settings.history_reductions {
            less -= 2.0 * f64::from(history) / f64::from(HISTORY);
        }
        (less.max(0.0) as u32).min(depth - 2)
    }
}
