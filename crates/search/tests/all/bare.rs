//! A game with nothing but its rules, to search one without whatever the
//! searches know of it.

use std::hash::{DefaultHasher, Hash, Hasher};

use games::{Game, MoveList, Outcome, Player, SetupError};
use search::SearchHints;

/// The game inside, unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bare<G>(pub G);

impl<G: Game> Game for Bare<G> {
    type Move = G::Move;
    type Setup = G::Setup;

    fn start(setup: &G::Setup) -> Result<Self, SetupError> {
        G::start(setup).map(Bare)
    }

    fn setup(&self) -> G::Setup {
        self.0.setup()
    }

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    fn moves(&self, out: &mut MoveList<G::Move>) {
        self.0.moves(out);
    }

    fn play(&mut self, mv: G::Move) {
        self.0.play(mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn move_codes(&self) -> usize {
        self.0.move_codes()
    }

    fn lead(&self) -> i32 {
        self.0.lead()
    }

    fn history_outcome(&self, plies: u32, occurrences: u32) -> Option<Outcome> {
        self.0.history_outcome(plies, occurrences)
    }

    fn on_time(&self, player: Player) -> Outcome {
        self.0.on_time(player)
    }
}

impl<G: Game> SearchHints for Bare<G> {
    /// All that the position holds, counters included, so that a table never
    /// takes one position for another.
    fn table_key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}
