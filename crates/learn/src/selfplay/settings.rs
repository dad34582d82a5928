//! What can be chosen about self-play.

use serde::{Deserialize, Serialize};

/// How the moves at the root are searched, and what is learnt from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// Danihelka et al., Policy improvement by planning with Gumbel (2022): a few
    /// moves drawn by the policy, halved by their values; the policy improved by
    /// all values is learnt.
    Gumbel {
        /// Moves drawn.
        considered: usize,
    },
    /// AlphaZero's: PUCT from the root on, with noise there; the shares of the
    /// visits are learnt.
    Puct {
        /// The weight of exploration.
        c: f32,
        /// The share of noise in the root's policy.
        noise: f32,
    },
}

/// When a hopeless game is given up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resign {
    /// The mover's value, from -1 to 1, below which a move is hopeless.
    pub below: f32,
    /// Hopeless moves of its own in a row before a side gives up.
    pub moves: u32,
    /// The share of games that are played on all the same, so that a wrong
    /// habit of giving up is unlearnt.
    pub check: f64,
}

/// Everything that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Games at a time, which is the largest batch.
    pub games: usize,
    /// The root's search.
    pub root: Root,
    /// Simulations of a move that is learnt from.
    pub sims: u32,
    /// The share of moves that are played quickly and whose policy is not learnt
    /// from (Wu's playout cap randomisation, 2019).
    pub quick: f64,
    /// Simulations of such a move.
    pub quick_sims: u32,
    /// A game begins with up to so many random plies.
    pub random_plies: usize,
    /// Plies in which moves are drawn in proportion to visits (PUCT) or with
    /// their Gumbel noise; later ones are the best found.
    pub lively_plies: usize,
    /// Plies after which a game is ended and what it counts decides; 0 is never.
    pub longest: usize,
    /// Whether what a search found out below the move that is played helps the
    /// next one. Its visits count there under PUCT; under Gumbel, whose moves are
    /// drawn anew, they only make values better known.
    #[serde(default)]
    pub reuse: bool,
    /// Positions that a solver may visit to end a game with its exact result; 0
    /// asks nobody. A table costs nothing and needs 1.
    #[serde(default)]
    pub exact: u64,
    /// When a game is given up, if ever.
    pub resign: Option<Resign>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            games: 64,
            root: Root::Gumbel { considered: 8 },
            sims: 24,
            quick: 0.0,
            quick_sims: 12,
            random_plies: 12,
            lively_plies: 40,
            longest: 100,
            reuse: false,
            exact: 1,
            resign: Some(Resign { below: -0.94, moves: 4, check: 0.1 }),
        }
    }
}

impl Settings {
    /// The 2020 paper's: 1,600 simulations, c = 2, temperature 1, no resignation,
    /// games played to their end.
    pub fn paper_002() -> Settings {
        Settings {
            root: Root::Puct { c: 2.0, noise: 0.0 },
            sims: 1600,
            quick: 0.0,
            random_plies: 0,
            lively_plies: usize::MAX,
            longest: 0,
            exact: 0,
            resign: None,
            ..Settings::default()
        }
    }
}
