//! What a tree search asks about its leaves: a rollout, an evaluation or a
//! network behind one small trait.

use games::Game;

/// A position to be evaluated, with the move that led to it (the 2020 paper's
/// planes need it).
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The position.
    pub game: G,
    /// The move that led here, if any.
    pub last: Option<G::Move>,
}

/// The judgement of one leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// First's expected result, from -1 to 1.
    pub value: f32,
    /// A weight for each legal move in the order of `Game::moves`, adding up to
    /// 1; empty if all are alike.
    pub policy: Vec<f32>,
}

/// Judges leaves in batches. Gathering leaves and applying results is the
/// tree's work.
pub trait Evaluator<G: Game> {
    /// Clears `out` and fills it with one evaluation for each leaf of `batch`.
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>);
}
