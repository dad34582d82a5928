//! Callbacks for the steps of a simulation.

use games::Game;

/// Receives the steps of a simulation. The search is monomorphised over its
/// observer, so that none (`()`) costs nothing.
pub trait Observer<G: Game> {
    /// A child was selected; `position` is the one after `mv`.
    fn selected(&mut self, _mv: G::Move, _position: &G) {}
    /// The node reached so far got this many children.
    fn expanded(&mut self, _children: usize) {}
    /// A leaf was evaluated: First's result, from -1 to 1.
    fn evaluated(&mut self, _value: f64) {}
    /// The leaf's result is certain: First's, 1, 0 or -1.
    fn proven(&mut self, _result: i32) {}
    /// The result was added to `nodes` nodes, from the leaf to the root.
    fn backed_up(&mut self, _nodes: usize) {}
}

impl<G: Game> Observer<G> for () {}
