//! How a rollout chooses its moves.

use games::{MoveList, Rng};

use crate::{Form, Knowledge};

/// How a rollout chooses its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// All moves alike.
    #[default]
    Uniform,
    /// A forcing move (a capture, a closed box) if there is one, else any; all
    /// alike within each kind.
    ForcingFirst,
    /// By `Knowledge::play_prudently` as far as that goes, then as the one above.
    Prudent,
    /// In proportion to `Knowledge::weight` (the 2025 Connect Four report).
    Weighted(Form),
}

impl Policy {
    /// A move by this policy; `None` when the game is over.
    #[inline]
    pub fn choose<G: Knowledge>(self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        match self {
            Policy::Uniform => game.random_move(rng),
            Policy::ForcingFirst | Policy::Prudent => {
                let mut list = MoveList::new();
                game.forcing(&mut list);
                match list.len() {
                    0 => game.random_move(rng),
                    n => Some(list[rng.below(n)]),
                }
            }
            Policy::Weighted(form) => weighted(game, form, rng),
        }
    }
}

fn weighted<G: Knowledge>(game: &G, form: Form, rng: &mut Rng) -> Option<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let weights: MoveList<u32> = list.iter().map(|&mv| game.weight(mv, form)).collect();
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
