//! What a search may know of a game beyond its rules, in one small trait and
//! one file per game.

use games::{Game, MoveList};

pub mod loony;

/// A game with the little extra that searches ask for. The defaults know
/// nothing, so a new game can be searched before anyone has thought about it.
pub trait Knowledge: Game {
    /// Appends the legal moves that change the balance at once (a capture, a
    /// closed box): quiescence and capture-first rollouts look at these.
    fn forcing(&self, _out: &mut MoveList<Self::Move>) {}

    /// A move that needs no search: it wins at once, or it is the only one that
    /// does not lose at once.
    fn obvious(&self) -> Option<Self::Move> {
        None
    }

    /// A weight for a legal move in weighted rollouts and in the order of
    /// expansion; larger is likelier. At least 1.
    fn weight(&self, _mv: Self::Move) -> u32 {
        1
    }
}

/// One part of an evaluation, as `boyi eval` prints it.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What is counted.
    pub name: &'static str,
    /// First's and Second's count, before the weight.
    pub counts: [f64; 2],
    /// What one of it is worth.
    pub weight: f64,
}

/// A quick judgement of a position that is not over, without search.
pub trait Heuristic<G: Game>: Send + Sync {
    /// First's advantage, in hundredths of the game's unit (a piece, a box).
    /// Stays within +-20,000.
    fn points(&self, game: &G) -> i32;

    /// The advantage that corresponds to a winning chance of about 73%: the
    /// scale of the logistic curve from points to an expected result.
    fn scale(&self) -> f64;

    /// What the points are made of, for people.
    fn parts(&self, game: &G) -> Vec<Part>;

    /// First's expected result, from -1 to 1, by the logistic curve.
    fn expected(&self, game: &G) -> f64 {
        (f64::from(self.points(game)) / self.scale() / 2.0).tanh()
    }
}
