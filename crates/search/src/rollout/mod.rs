//! Playing on from a leaf, to the end or to a judgement.
//!
//! A rollout looks at the rules and at `Knowledge`, never at the history: games
//! end by their counters alone. Its result is always First's.

mod policy;

use std::ops::ControlFlow;
use std::sync::Arc;

use games::{Game, Player, Rng};

pub use policy::Policy;

use crate::{Heuristic, Knowledge};

/// When a rollout stops before the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// After so many plies; 0 judges the leaf itself.
    Plies(u32),
    /// As soon as the evaluation says that it needs no more play
    /// (`Heuristic::settled`).
    Settled,
}

/// What a judgement in the middle of a game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Its sign, as if the game ended so. A zero goes to the player named here;
    /// to nobody, it is a draw.
    Sign {
        /// Who gets a zero. The 2025 Surakarta paper prints one side.
        zero: Option<Player>,
    },
    /// The expected result by the evaluation's own curve.
    Value,
}

/// A judgement in place of the rest of the game.
#[derive(Clone)]
pub struct Cut<G: Game> {
    /// When to stop.
    pub when: When,
    /// Who judges.
    pub heuristic: Arc<dyn Heuristic<G>>,
    /// What the judgement is worth.
    pub worth: Worth,
}

/// A way to play on.
#[derive(Clone)]
pub struct Rollout<G: Game> {
    /// How moves are chosen.
    pub policy: Policy,
    /// Where to stop, if not at the end.
    pub cut: Option<Cut<G>>,
}

impl<G: Game> Default for Rollout<G> {
    /// Uniformly random moves to the end of the game.
    fn default() -> Rollout<G> {
        Rollout { policy: Policy::Uniform, cut: None }
    }
}

impl<G: Game> Cut<G> {
    fn reached(&self, game: &G, plies: u32) -> bool {
        match self.when {
            When::Plies(most) => plies >= most,
            When::Settled => self.heuristic.settled(game),
        }
    }

    /// First's result by judgement, from -1 to 1.
    fn judge(&self, game: &G) -> f64 {
        match self.worth {
            Worth::Value => self.heuristic.expected(game),
            Worth::Sign { zero } => match self.heuristic.points(game).signum() {
                0 => f64::from(zero.map_or(0, Player::sign)),
                sign => f64::from(sign),
            },
        }
    }
}

impl<G: Knowledge> Rollout<G> {
    /// First's result of one rollout, from -1 to 1.
    pub fn play(&self, mut game: G, rng: &mut Rng) -> f64 {
        if self.policy == Policy::Prudent {
            match game.play_prudently(rng) {
                ControlFlow::Continue(end) => game = end,
                ControlFlow::Break(result) => return result,
            }
        }
        let Some(cut) = &self.cut else {
            if self.policy == Policy::Uniform {
                return f64::from(game.playout(rng).for_first());
            }
            while let Some(mv) = self.policy.choose(&game, rng) {
                game.play(mv);
            }
            return end(&game);
        };
        for plies in 0.. {
            if game.outcome().is_some() {
                break;
            }
            if cut.reached(&game, plies) {
                return cut.judge(&game);
            }
            match self.policy.choose(&game, rng) {
                Some(mv) => game.play(mv),
                None => break,
            }
        }
        end(&game)
    }
}

/// First's result of a game that is over.
fn end<G: Game>(game: &G) -> f64 {
    let outcome = game.outcome().expect("a position without moves has an outcome");
    f64::from(outcome.for_first())
}
