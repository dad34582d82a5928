//! How a rollout chooses its moves.

use games::{MoveList, Rng};

use crate::{SearchHints, Variant};

/// How a rollout chooses its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// All moves with the same probability.
    #[default]
    Uniform,
    /// A noisy move (a capture, a closed box) if there is one, else any; uniformly
    /// within each kind.
    NoisyFirst,
    /// By `SearchHints::safe_playout` as far as that goes, then as the one above.
    Safe,
    /// In proportion to `SearchHints::weight` (the 2025 Connect Four report).
    Weighted(Variant),
}

impl Policy {
    /// A move by this policy; `None` when the game is over.
    #[inline]
    pub fn choose<G: SearchHints>(self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        match self {
            Policy::Uniform => game.random_move(rng),
            Policy::NoisyFirst | Policy::Safe => {
                let mut list = MoveList::new();
                game.noisy_moves(&mut list);
                match list.len() {
                    0 => game.random_move(rng),
                    n => Some(list[rng.below(n)]),
                }
            }
            Policy::Weighted(variant) => weighted(game, variant, rng),
        }
    }
}

fn weighted<G: SearchHints>(game: &G, variant: Variant, rng: &mut Rng) -> Option<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let weights: MoveList<u32> = list.iter().map(|&mv| game.weight(mv, variant)).collect();
    let total: u32 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut ticket = rng.below(total as usize) as u32;
    for (&mv, &weight) in list.iter().zip(&weights) {
        if ticket < weight {
            return Some(mv);
        }
        ticket -= weight;
    }
    unreachable!("the ticket is below the sum of the weights")
}
