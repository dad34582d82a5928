//! The alpha-beta of the 2012 paper, as it is printed.
//!
//! Two slips make it wrong: the window goes down as (beta, alpha) without a
//! change of sign, and the evaluation is always First's minus Second's although
//! the value is negated on the way up. From two plies on, the children of a full
//! window get an empty one, cut off at their first move and all look equally
//! bad, so the first root move is played. It is kept to show what that costs,
//! and no part of the right search depends on it.
//!
//! The page leaves open what a finished game is worth ("Eval()"); here it is a
//! win for First or Second on the same scale. It assumes that the turn passes.

use games::Player;

use super::move_picker::MovePicker;
use super::search::{Search, Stopped};
use super::window::{self, Value, Window};
use crate::{Heuristic, SearchHints};

impl<G: SearchHints, H: Heuristic<G>> Search<'_, G, H> {
    /// Plays out the printed algorithm at the root.
    pub fn paper_2012(&mut self, depth: u32) {
        let Window { mut alpha, beta } = Window::FULL;
        for index in 0..self.moves.len() {
            let child = self.root.after(self.moves[index].mv);
            let Ok(value) = self.paper_2012_node(&child, depth - 1, beta, alpha) else { return };
            let value = -value;
            if value > alpha {
                alpha = value;
                self.moves[index].value = value;
                self.moves[..=index].rotate_right(1);
            }
            if value >= beta {
                break;
            }
        }
        self.depth = depth;
    }

    fn paper_2012_node(
        &mut self,
        game: &G,
        depth: u32,
        mut alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        self.visit()?;
        let first = Player::First;
        if let Some(outcome) = game.outcome() {
            return Ok(window::terminal(outcome, first, 0));
        }
        if depth == 0 {
            return Ok(window::evaluated(self.context.heuristic.evaluate(game), first));
        }
        let bonus = self.context.bonus;
        let mut picker = MovePicker::new(game, 0, None, self.settings, bonus, &self.history);
        while let Some(candidate) = picker.next(game, &self.history) {
            let child = game.after(candidate.mv);
            let value = -self.paper_2012_node(&child, depth - 1, beta, alpha)?;
            if value > alpha {
                alpha = value;
            }
            if value >= beta {
                break;
            }
        }
        Ok(alpha)
    }
}
