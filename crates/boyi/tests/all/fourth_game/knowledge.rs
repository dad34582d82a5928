//! What a search may know of Kalah: what would be
//! `crates/search/src/knowledge/kalah.rs`.

use games::{Game, MoveList, Player};
use search::knowledge::Term;
use search::{Evaluated, Heuristic, SearchHints};

use super::rules::{Kalah, Pit};

impl SearchHints for Kalah {
    /// Moves that fill the own store by more than the seed that passes it.
    fn noisy_moves(&self, out: &mut MoveList<Pit>) {
        let store = |game: &Kalah| game.score(self.to_move());
        let mut all = MoveList::new();
        self.moves(&mut all);
        out.extend(all.into_iter().filter(|&pit| store(&self.after(pit)) > store(self) + 1));
    }
}

/// Seeds in the stores.
#[derive(Clone, Copy, Debug)]
pub struct Stores;

impl Heuristic<Kalah> for Stores {
    fn evaluate(&self, game: &Kalah) -> i32 {
        100 * game.lead()
    }

    fn scale(&self) -> f64 {
        300.0
    }

    fn terms(&self, game: &Kalah) -> Vec<Term> {
        let counts = Player::BOTH.map(|player| f64::from(game.score(player)));
        vec![Term { name: "seeds in the store", counts, weight: 1.0 }]
    }
}

impl Evaluated for Kalah {
    type Eval = Stores;

    const EVALUATIONS: &'static [(&'static str, &'static str)] =
        &[("stores", "seeds in the stores")];

    fn evaluation(name: &str) -> Option<Stores> {
        (name == "stores").then_some(Stores)
    }
}

exact::no_exact_knowledge!(Kalah);
