//! Games in disguise: with no knowledge beside the rules, and with a lie about
//! whose turn it is.

#![allow(dead_code, reason = "an example uses only a part")]

use games::{Game, MoveList, Outcome, Player, Rng, SetupError};
use search::SearchHints;

/// A game about which nothing is known but its rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plain<G>(pub G);

/// A game that claims that the turn passes at every ply. A search that believes it
/// turns values at every ply, which is wrong where turns repeat; the rules and
/// the outcomes are the true ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternating<G> {
    pub game: G,
    pub claimed: Player,
}

macro_rules! disguise {
    ($name:ident, $game:tt, $wrap:expr, |$this:ident| $mover:expr, |$after:ident| $then:expr) => {
        impl<G: Game> Game for $name<G> {
            type Move = G::Move;
            type Setup = G::Setup;
            fn start(setup: &G::Setup) -> Result<Self, SetupError> {
                G::start(setup).map($wrap)
            }
            fn setup(&self) -> G::Setup {
                self.$game.setup()
            }
            fn to_move(&self) -> Player {
                let $this = self;
                $mover
            }
            fn moves(&self, out: &mut MoveList<G::Move>) {
                self.$game.moves(out);
            }
            fn play(&mut self, mv: G::Move) {
                self.$game.play(mv);
                let $after = self;
                $then
            }
            fn outcome(&self) -> Option<Outcome> {
                self.$game.outcome()
            }
            fn key(&self) -> u64 {
                self.$game.key()
            }
            fn move_codes(&self) -> usize {
                self.$game.move_codes()
            }
            fn lead(&self) -> i32 {
                self.$game.lead()
            }
            fn history_outcome(&self, plies: u32, occurrences: u32) -> Option<Outcome> {
                self.$game.history_outcome(plies, occurrences)
            }
            fn random_move(&self, rng: &mut Rng) -> Option<G::Move> {
                self.$game.random_move(rng)
            }
            fn playout(self, rng: &mut Rng) -> Outcome {
                self.$game.playout(rng)
            }
        }
        impl<G: Game> SearchHints for $name<G> {}
    };
}

disguise!(Plain, 0, Plain, |this| this.0.to_move(), |_after| {});
disguise!(
    Alternating,
    game,
    |game: G| Alternating { claimed: game.to_move(), game },
    |this| this.claimed,
    |after| after.claimed = !after.claimed
);
