//! The one place where values change sides.
//!
//! Inside the search every value belongs to the player to move at its node. A
//! child's value is negated only if the turn passed; when the same player moves
//! again, window and value are passed on as they are. Nothing else in the search
//! negates a value.

use games::{Outcome, Player};

/// A value for some player, in hundredths of the game's unit. See [`WIN`] for
/// the scale beyond evaluations.
pub type Value = i32;

/// A game won at the root itself; a win in n plies is worth `WIN - n`, so that
/// shorter wins are better and longer losses too.
pub const WIN: Value = 30_000;

/// Values beyond this are proven wins (or, below its negative, losses): the line
/// was searched to the end of the game.
pub const MATE_BOUND: Value = 25_000;

/// A win by the history (repetition, a cap of plies). It is better than every
/// evaluation but no proof, because the same position reached by another path need
/// not end the game.
pub const HISTORY_WIN: Value = 22_000;

/// A win by an oracle, less the plies that it takes: certain, but not searched to
/// the end.
pub const ORACLE_WIN: Value = 24_500;

/// The largest evaluation.
pub const MAX_EVAL: Value = 20_000;

/// The number of plies a line can have. Keeps `WIN - ply` above [`MATE_BOUND`] and
/// the recursion within a thread's stack; longer than any game but Surakarta's.
pub const MAX_PLY: usize = 160;

/// The search window: at or below `alpha` the mover has something as good
/// elsewhere, from `beta` on the opponent avoids this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The mover's lower bound, for the mover.
    pub alpha: Value,
    /// The opponent's bound, for the mover.
    pub beta: Value,
}

impl Window {
    /// The full window.
    pub const FULL: Window = Window { alpha: -WIN - 1, beta: WIN + 1 };

    /// From `alpha` to `beta`, both excluded.
    #[inline]
    pub fn new(alpha: Value, beta: Value) -> Window {
        debug_assert!(alpha < beta);
        Window { alpha, beta }
    }

    /// The null window above alpha.
    #[inline]
    pub fn scout(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// Whether this is a null window.
    #[inline]
    pub fn is_scout(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Around `value`, `margin` to each side, within the full window.
    pub fn around(value: Value, margin: Value) -> Window {
        let full = Window::FULL;
        Window::new((value - margin).max(full.alpha), (value + margin).min(full.beta))
    }

    /// Takes `value` as the new alpha if it is better. True if it was.
    #[inline]
    pub fn raise(&mut self, value: Value) -> bool {
        let better = value > self.alpha;
        if better {
            self.alpha = value;
        }
        better
    }

    /// Whether a value causes a beta cut-off.
    #[inline]
    pub fn cuts(self, value: Value) -> bool {
        value >= self.beta
    }
}

/// Whether a move gave the turn to the other player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The other player moves next.
    Passed,
    /// The same player moves again.
    Kept,
}

impl Turn {
    /// From the mover before a move to the mover after it.
    #[inline]
    pub fn between(before: Player, after: Player) -> Turn {
        if before == after { Turn::Kept } else { Turn::Passed }
    }

    /// The parent's window as the child's mover sees it.
    #[inline]
    pub fn window(self, window: Window) -> Window {
        match self {
            Turn::Passed => Window { alpha: -window.beta, beta: -window.alpha },
            Turn::Kept => window,
        }
    }

    /// The child's value as the parent's mover sees it.
    #[inline]
    pub fn value(self, value: Value) -> Value {
        match self {
            Turn::Passed => -value,
            Turn::Kept => value,
        }
    }
}

/// An evaluation of First's as the mover's value.
#[inline]
pub fn evaluated(points: i32, mover: Player) -> Value {
    points.clamp(-MAX_EVAL, MAX_EVAL) * mover.sign()
}

/// A game that ended at `ply` plies from the root, for the player who would
/// move there.
#[inline]
pub fn terminal(outcome: Outcome, mover: Player, ply: usize) -> Value {
    outcome.for_first() * mover.sign() * (WIN - ply as Value)
}

/// A game that its history ended, for the player who would move.
#[inline]
pub fn history_result(outcome: Outcome, mover: Player) -> Value {
    outcome.for_first() * mover.sign() * HISTORY_WIN
}

/// A result that an oracle knows, `plies` away from a node at `ply`, for the
/// player who moves there.
#[inline]
pub fn oracle_result(winner: Option<Player>, plies: u32, mover: Player, ply: usize) -> Value {
    winner.map_or(0, Player::sign)
        * mover.sign()
        * (ORACLE_WIN - plies.min(200) as Value - ply as Value)
}

/// A value counted from the root as one counted from the node at `ply`: the
/// form in which a table can keep it, since other paths lead there too.
#[inline]
pub fn from_node(value: Value, ply: usize) -> Value {
    if value.abs() > MATE_BOUND { value + value.signum() * ply as Value } else { value }
}

/// The inverse of [`from_node`].
#[inline]
pub fn from_root(value: Value, ply: usize) -> Value {
    if value.abs() > MATE_BOUND { value - value.signum() * ply as Value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_turns_only_with_the_turn() {
        let window = Window::new(-3, 8);
        assert_eq!(Turn::Passed.window(window), Window::new(-8, 3));
        assert_eq!(Turn::Kept.window(window), window);
        for turn in [Turn::Passed, Turn::Kept] {
            assert_eq!(turn.window(turn.window(window)), window);
            for value in -10..10 {
                // What cuts at the child is not better at the parent, or the
                // other way round, by whether the turn passed.
                let child = turn.window(window);
                match turn {
                    Turn::Passed => {
                        assert_eq!(child.cuts(value), turn.value(value) <= window.alpha);
                    }
                    Turn::Kept => assert_eq!(child.cuts(value), window.cuts(value)),
                }
            }
        }
    }

    #[test]
    fn distances_survive_the_table() {
        for value in [WIN - 7, -(WIN - 7), 0, HISTORY_WIN, -MAX_EVAL, 123] {
            assert_eq!(from_root(from_node(value, 5), 5), value);
        }
        assert_eq!(from_node(WIN - 7, 5), WIN - 2, "won two plies after the node");
        assert!(WIN - MAX_PLY as Value > MATE_BOUND + MAX_PLY as Value);
    }
}
