//! What can be chosen about the tree search. The papers differ in nearly all of
//! it, so nearly all of it is a setting; the defaults are the plain correct UCT.

use std::sync::Arc;

use games::Game;

use crate::Evaluator;
use crate::rollout::Rollout;

/// The formula that chooses among children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// v + c sqrt(2 ln(sum of the siblings' visits) / visits), v being the
    /// child's mean for the mover on the [`Reward`] scale.
    Ucb1 {
        /// The weight of exploration.
        c: f32,
    },
    /// v + c P sqrt(sum of the siblings' visits) / (1 + visits), P being the
    /// policy's weight for the child: an evaluator's, else by
    /// `SearchHints::weight`.
    Puct {
        /// The weight of exploration.
        c: f32,
    },
}

/// The scale of values against which `c` is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// Win 1, draw 1/2, loss 0.
    ZeroOne,
    /// Wins minus losses over visits.
    PlusMinus,
}

/// What an unvisited child counts for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fpu {
    /// It comes before every visited one.
    Infinite,
    /// It is taken for a child with this mean for the mover, from -1 to 1, and
    /// in UCB1 with one visit.
    Absolute(f32),
    /// It is taken for a child with the mean of its visited siblings for the
    /// mover, less this much on the scale from -1 to 1: what a policy has not
    /// led to yet is probably a little worse.
    Reduction(f32),
}

/// In which order a node's children are tried for the first time. A node gets
/// its children when it is visited for the second time (for the first time, if
/// an evaluator gives a policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expand {
    /// All children enter at once, none before another: in random order.
    All,
    /// One child at a time, in the game's order.
    One,
    /// One child at a time, the most necessary first: `SearchHints::forced_move`, then
    /// the greatest `SearchHints::weight`.
    Necessary,
}

/// Which root move is played in the end. With [`TreeSettings::proofs`] a proven win
/// always is, and a proven loss never while there is another move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FinalMove {
    /// The best mean.
    Mean,
    /// The most visits.
    Visits,
    /// By chance, with probability proportional to visits^(1/temperature).
    Temperature(f64),
}

/// What several threads do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// All work on one tree, kept apart by virtual losses.
    Tree,
    /// Each grows a tree of its own; visits and values of the root moves are
    /// added up.
    Root,
    /// One grows the tree; at each leaf all play rollouts, which count as that
    /// many visits.
    Leaf,
}

/// Makes an evaluator for each thread that needs one.
pub type MakeEvaluator<G> = Arc<dyn Fn() -> Box<dyn Evaluator<G> + Send> + Send + Sync>;

/// How a leaf gets its value.
#[derive(Clone)]
pub enum LeafEvaluator<G: Game> {
    /// By playing on.
    Rollout(Rollout<G>),
    /// By an evaluator, which is given up to `batch` leaves at a time and may
    /// also give a policy.
    Evaluator {
        /// Makes one for each thread.
        make: MakeEvaluator<G>,
        /// Leaves gathered before they are evaluated, at least 1.
        batch: usize,
    },
}

impl<G: Game> Default for LeafEvaluator<G> {
    /// Uniformly random rollouts.
    fn default() -> LeafEvaluator<G> {
        LeafEvaluator::Rollout(Rollout::default())
    }
}

/// What a tree search does. Plain data: a spec fills it in. How leaves are
/// evaluated belongs to a game, so it is given apart
/// ([`TreeSearch::with_evaluator`](super::TreeSearch::with_evaluator)).
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSettings {
    /// The formula.
    pub selection: Selection,
    /// The scale of values in the formula.
    pub reward: Reward,
    /// What an unvisited child counts for in the formula.
    pub fpu: Fpu,
    /// The order in which children are first tried.
    pub expand: Expand,
    /// Rollouts at each leaf and thread, each counted as a visit; at least 1.
    pub rollouts: u32,
    /// Which move is played.
    pub final_move: FinalMove,
    /// Whether certain results travel up the tree.
    pub proofs: bool,
    /// Whether `SearchHints::forced_move` is played without search.
    pub tactics: bool,
    /// Whether a node gets only the children that `SearchHints::candidates` names,
    /// and none where `SearchHints::static_result` sees the end ([`TreeSettings::proofs`]).
    pub prune_children: bool,
    /// Positions that `SearchHints::forced_win` may look at in a new node, and
    /// [`TreeSettings::ROOT_THREATS`] times as many at the root; more in a node that is
    /// visited often; 0 for none. Needs [`TreeSettings::proofs`].
    pub threats: u32,
    /// Whether `Game::history_outcome` is asked in the tree (rollouts never do).
    pub history: bool,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// Whether a full pool forgets its least visited part and goes on growing;
    /// else the tree stays as it is and only its statistics grow.
    pub recycle: bool,
    /// Threads, at least 1.
    pub threads: usize,
    /// What several threads do.
    pub parallel: Parallel,
    /// Megabytes (2^20 bytes) for all trees together.
    pub memory: usize,
    /// Simulations a move at most, beside the limits of each search.
    pub sims: Option<u64>,
}

impl TreeSettings {
    /// See [`TreeSettings::threats`].
    pub const ROOT_THREATS: u32 = 256;
    /// A node with so many visits, a power of four, is searched for threats again, for
    /// four times as many positions, and again with every fourfold number.
    pub(super) const THREATS_AGAIN: u32 = 64;
}

impl Default for TreeSettings {
    fn default() -> TreeSettings {
        TreeSettings {
            selection: Selection::Ucb1 { c: 0.7 },
            reward: Reward::ZeroOne,
            fpu: Fpu::Infinite,
            expand: Expand::All,
            rollouts: 1,
            final_move: FinalMove::Visits,
            proofs: true,
            tactics: true,
            prune_children: true,
            threats: 32,
            history: true,
            reuse: true,
            recycle: true,
            threads: 1,
            parallel: Parallel::Tree,
            memory: 256,
            sims: None,
        }
    }
}
