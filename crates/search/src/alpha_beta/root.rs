//! The root: iteration after iteration, each one ply deeper, with the best move
//! of the last one first. At every moment the first root move is the answer.

use super::search::{Search, Stopped};
use super::window::{MATE_BOUND, MAX_PLY, Turn, Value, WIN, Window};
use crate::{Heuristic, SearchHints, Stability};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The root mover's, from the iteration `depth`.
    pub value: Value,
    /// The last iteration that found its value and not only a bound; 0 for none.
    pub depth: u32,
    /// Positions visited below it so far.
    pub nodes: u64,
    /// The line that begins with it.
    pub pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    /// Nothing is known of it.
    pub fn new(mv: M) -> RootMove<M> {
        RootMove { mv, value: 0, depth: 0, nodes: 0, pv: vec![mv] }
    }
}

impl<G: SearchHints, H: Heuristic<G>> Search<'_, G, H> {
    /// Searches from `first` plies on, up to `last`, until it is stopped or
    /// knows enough.
    pub fn deepen(&mut self, first: u32, last: u32) {
        let mut stability = Stability::default();
        for depth in first..=last.min(MAX_DEPTH) {
            let horizon = self.horizon;
            let Ok(value) = self.iterate(depth) else { break };
            self.depth = depth;
            self.complete = self.horizon == horizon;
            if self.report().is_err() {
                break;
            }
            stability.note(self.moves[0].mv.into(), self.expected(value));
            // A win or loss within the depth is the shortest: deeper says the same.
            let lines = self.settings.lines.clamp(1, self.moves.len());
            let decided = self.moves[..lines]
                .iter()
                .all(|one| one.value.abs() > MATE_BOUND && (WIN - one.value.abs()) as u32 <= depth);
            let settled = self.main.as_ref().is_some_and(|main| {
                let time = main.control.time();
                let only = self.moves.len() == 1 && time.on_clock();
                only || time.soft_expired(stability.factor())
            });
            if decided || self.complete || settled {
                break;
            }
        }
        self.path.rewind();
    }

    /// One iteration: around the last value first, wider where that fails.
    fn iterate(&mut self, depth: u32) -> Result<Value, Stopped> {
        let margin = self.settings.aspiration;
        let mut window = Window::FULL;
        let mut reach = [margin, margin];
        let last = self.moves[0].value;
        if margin > 0 && self.settings.lines <= 1 && self.depth >= 3 && last.abs() < MATE_BOUND {
            window = Window::around(last, margin);
        }
        loop {
            let value = self.root(depth, window)?;
            let full = Window::FULL;
            if value <= window.alpha && window.alpha > full.alpha {
                reach[0] = reach[0].saturating_mul(4);
                window.alpha = if reach[0] > 2000 { full.alpha } else { value - reach[0] };
            } else if window.cuts(value) && window.beta < full.beta {
                reach[1] = reach[1].saturating_mul(4);
                window.beta = if reach[1] > 2000 { full.beta } else { value + reach[1] };
            } else {
                return Ok(value);
            }
            window.alpha = window.alpha.max(full.alpha);
            window.beta = window.beta.min(full.beta);
        }
    }

    /// The value of the root, for its mover. Root moves whose value is found
    /// come to the front, best first; the others keep their order behind.
    fn root(&mut self, depth: u32, asked: Window) -> Result<Value, Stopped> {
        let root = self.root.clone();
        let wanted = self.settings.lines.max(1);
        let mut best = -WIN;
        let mut found = 0;
        for index in 0..self.moves.len() {
            let mut window = asked;
            if found >= wanted {
                // The next line must beat the last of those wanted.
                window.raise(self.moves[wanted - 1].value);
            }
            let mv = self.moves[index].mv;
            let child = root.after(mv);
            let turn = Turn::between(root.to_move(), child.to_move());
            let nodes = self.nodes();
            let tried = if found < wanted { 0 } else { index };
            let value = self.pvs(&child, turn, window, depth - 1, 0, tried, 0)?;
            best = best.max(value);
            let below = self.nodes() - nodes;
            let one = &mut self.moves[index];
            one.nodes += below;
            if value <= window.alpha {
                continue;
            }
            one.value = value;
            one.depth = depth;
            one.pv.truncate(1);
            if !window.cuts(value) {
                one.pv.extend_from_slice(&self.pv[1]);
            }
            let place = self.moves[..found].iter().position(|other| value > other.value);
            self.moves[place.unwrap_or(found)..=index].rotate_right(1);
            found += 1;
            if asked.cuts(value) {
                break;
            }
        }
        Ok(best)
    }
}
