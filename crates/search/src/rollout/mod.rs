//! Rollouts: playing on from a leaf, to the end or to a static evaluation.
//!
//! A rollout uses the rules and `SearchHints`, never the history: games end by
//! their counters alone. Its result is always First's.

mod policy;

use std::ops::ControlFlow;
use std::sync::Arc;

use games::{Game, Player, Rng};

pub use policy::Policy;

use crate::{Heuristic, SearchHints};

/// When a rollout stops before the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutoffAt {
    /// After so many plies; 0 evaluates the leaf itself.
    Plies(u32),
    /// As soon as the evaluation is reliable (`Heuristic::is_quiet`).
    Quiet,
}

/// The result that an evaluation in the middle of a game counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutoffValue {
    /// Its sign, as if the game ended so. A zero counts as a win of this player, or
    /// as a draw.
    Sign {
        /// Who wins a zero. The 2025 Surakarta paper prints one side.
        zero: Option<Player>,
    },
    /// The expected result by the evaluation's own curve.
    Expected,
}

/// A static evaluation in place of the rest of the game.
#[derive(Clone)]
pub struct Cutoff<G: Game> {
    /// When to stop.
    pub at: CutoffAt,
    /// The evaluation.
    pub heuristic: Arc<dyn Heuristic<G>>,
    /// The result that it counts as.
    pub value: CutoffValue,
}

/// How a leaf is played out.
///
/// ```
/// use games::connect_four::{ConnectFour, Setup};
/// use games::{Rng, Text};
/// use search::rollout::{Policy, Rollout};
///
/// let game = ConnectFour::<u64>::parse(&Setup::default(), "112233").unwrap();
/// let mut rng = Rng::seeded(1);
/// let mean = |policy| {
///     let rollout = Rollout { policy, cutoff: None };
///     (0..200).map(|_| rollout.play(game, &mut rng)).sum::<f64>() / 200.0
/// };
/// // First can complete a four: the rollouts with knowledge always do.
/// let [uniform, noisy_first, safe] = [Policy::Uniform, Policy::NoisyFirst, Policy::Safe].map(mean);
/// assert!(uniform < 1.0 && noisy_first == 1.0 && safe == 1.0);
/// ```
#[derive(Clone)]
pub struct Rollout<G: Game> {
    /// How moves are chosen.
    pub policy: Policy,
    /// Where to stop, if not at the end.
    pub cutoff: Option<Cutoff<G>>,
}

impl<G: Game> Default for Rollout<G> {
    /// Uniformly random moves to the end of the game.
    fn default() -> Rollout<G> {
        Rollout { policy: Policy::Uniform, cutoff: None }
    }
}

impl<G: Game> Cutoff<G> {
    fn reached(&self, game: &G, plies: u32) -> bool {
        match self.at {
            CutoffAt::Plies(most) => plies >= most,
            CutoffAt::Quiet => self.heuristic.is_quiet(game),
        }
    }

    /// First's result by the evaluation, from -1 to 1.
    fn value(&self, game: &G) -> f64 {
        match self.value {
            CutoffValue::Expected => self.heuristic.expected(game),
            CutoffValue::Sign { zero } => match self.heuristic.evaluate(game).signum() {
                0 => f64::from(zero.map_or(0, Player::sign)),
                sign => f64::from(sign),
            },
        }
    }
}

impl<G: SearchHints> Rollout<G> {
    /// First's result of one rollout, from -1 to 1.
    pub fn play(&self, mut game: G, rng: &mut Rng) -> f64 {
        if self.policy == Policy::Safe {
            match game.safe_playout(rng) {
                ControlFlow::Continue(end) => game = end,
                ControlFlow::Break(result) => return result,
            }
        }
        let Some(cutoff) = &self.cutoff else {
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
            if cutoff.reached(&game, plies) {
                return cutoff.value(&game);
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
