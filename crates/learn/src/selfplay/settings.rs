//! The settings of self-play. Their names in `settings.json` and in
//! `boyi train --set` are those of the first version, so that old training runs
//! resume.

use games::Rng;
use serde::{Deserialize, Serialize};

use crate::encode::Encode;

/// Separates the random numbers of boards from those of games.
const BOARD_SEED: u64 = 0xb0a2d;

/// How the root is searched, and which policy becomes the training target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootSearch {
    /// Danihelka et al., Policy improvement by planning with Gumbel (2022): a few
    /// moves sampled from the policy, reduced by sequential halving. The target is
    /// the improved policy.
    Gumbel {
        /// Moves sampled.
        considered: usize,
    },
    /// AlphaZero's PUCT, with Dirichlet noise at the root. The target is the
    /// distribution of visits.
    Puct {
        /// The exploration constant.
        c: f32,
        /// The share of noise in the root's policy.
        noise: f32,
    },
}

/// When a lost game is resigned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resign {
    /// The mover's value, from -1 to 1, below which a position counts as lost.
    pub below: f32,
    /// A side resigns after this many consecutive lost moves of its own.
    pub moves: u32,
    /// The share of games that never resign, so that false resignations show in
    /// the training data.
    pub check: f64,
}

/// Everything that can be set about self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlaySettings {
    /// Games played at a time, which is the largest batch.
    pub games: usize,
    /// The search at the root.
    pub root: RootSearch,
    /// Simulations of a full search, whose policy is a training target.
    pub sims: u32,
    /// The share of moves that get a fast search, whose policy is no training
    /// target (Wu's playout cap randomisation, 2019).
    #[serde(rename = "quick")]
    pub fast: f64,
    /// Simulations of a fast search.
    #[serde(rename = "quick_sims")]
    pub fast_sims: u32,
    /// A game begins with up to this many random plies.
    pub random_plies: usize,
    /// Plies in which moves are sampled by visits (PUCT) or with their Gumbel
    /// noise; later plies play the best move found.
    #[serde(rename = "lively_plies")]
    pub exploring_plies: usize,
    /// Plies after which a game is adjudicated by its lead; 0 is never.
    #[serde(rename = "longest")]
    pub max_plies: usize,
    /// Whether the subtree of the played move is kept for the next search. Its
    /// visits count towards the simulations under PUCT; under Gumbel, whose moves
    /// are sampled anew, they only improve the values.
    #[serde(default)]
    pub reuse: bool,
    /// Nodes that an oracle may visit to adjudicate a game with its exact result;
    /// 0 asks no oracle. A table lookup needs 1.
    #[serde(default)]
    pub exact: u64,
    /// When a game is resigned, if ever.
    pub resign: Option<Resign>,
    /// Which boards games are played on.
    #[serde(default)]
    pub boards: BoardChoice,
}

/// Which boards the games of a run are played on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardChoice {
    /// All on the run's.
    #[default]
    Same,
    /// Each on one that its id draws ([`Encode::training_setup`]).
    Random,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            games: 64,
            root: RootSearch::Gumbel { considered: 8 },
            sims: 24,
            fast: 0.0,
            fast_sims: 12,
            random_plies: 12,
            exploring_plies: 40,
            max_plies: 100,
            reuse: false,
            exact: 1,
            resign: Some(Resign { below: -0.94, moves: 4, check: 0.1 }),
            boards: BoardChoice::Same,
        }
    }
}

impl SelfPlaySettings {
    /// Where game `id` of a run with this seed starts: at `start`, or on a board drawn
    /// for it. A game without several boards has no other start.
    pub(crate) fn start<G: Encode>(&self, start: &G, seed: u64, id: u64) -> G {
        let draw = || G::training_setup(&mut Rng::stream(seed ^ BOARD_SEED, id));
        match self.boards {
            BoardChoice::Same => start.clone(),
            BoardChoice::Random => draw().map_or_else(
                || start.clone(),
                |setup| G::start(&setup).expect("a drawn setup is valid"),
            ),
        }
    }

    /// The 2020 paper's: 1,600 simulations, c = 2, temperature 1, no resignation,
    /// games played to their end.
    pub fn paper_002() -> SelfPlaySettings {
        SelfPlaySettings {
            root: RootSearch::Puct { c: 2.0, noise: 0.0 },
            sims: 1600,
            fast: 0.0,
            random_plies: 0,
            exploring_plies: usize::MAX,
            max_plies: 0,
            exact: 0,
            resign: None,
            ..SelfPlaySettings::default()
        }
    }
}
