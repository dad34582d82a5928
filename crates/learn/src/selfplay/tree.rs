//! A small tree in two vectors. Values are First's everywhere and are turned at
//! selection by who moves there.

use games::{Game, MoveList, Player};
use search::{Evaluation, Leaf};

/// No child yet.
const NONE: u32 = u32::MAX;

/// A move from a node.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    pub mv: M,
    pub prior: f32,
    pub visits: u32,
    /// First's results added up.
    pub sum: f32,
    child: u32,
}

impl<M> Edge<M> {
    /// The mean result for `mover`, from -1 to 1.
    pub fn mean(&self, mover: Player) -> Option<f32> {
        (self.visits > 0).then(|| self.sum / self.visits as f32 * mover.sign() as f32)
    }
}

#[derive(Clone, Debug)]
struct Node {
    first: u32,
    count: u32,
    mover: Player,
    /// First's value by the evaluator.
    value: f32,
}

/// What stands at one node, from its mover's side.
pub(super) struct View<'a, M> {
    pub edges: &'a [Edge<M>],
    pub mover: Player,
    /// The mover's value by the evaluator.
    pub value: f32,
}

impl<M> View<'_, M> {
    /// All visits of the children.
    pub fn visits(&self) -> u32 {
        self.edges.iter().map(|edge| edge.visits).sum()
    }
}

/// What a way down the tree came to.
pub(super) enum Arrival<G: Game> {
    /// This leaf is to be judged.
    Leaf(Leaf<G>),
    /// The game was over there, and its result is applied.
    Over,
}

/// A tree and the way that is being walked in it.
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    way: Vec<u32>,
}

impl<G: Game> Tree<G> {
    pub fn new() -> Tree<G> {
        Tree { nodes: Vec::new(), edges: Vec::new(), way: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.way.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The root, which must be judged already.
    pub fn root(&self) -> View<'_, G::Move> {
        self.view(0)
    }

    /// Lets the root's priors be changed.
    pub fn root_edges(&mut self) -> &mut [Edge<G::Move>] {
        let count = self.nodes[0].count as usize;
        &mut self.edges[..count]
    }

    fn view(&self, node: usize) -> View<'_, G::Move> {
        let Node { first, count, mover, value } = self.nodes[node];
        let edges = &self.edges[first as usize..(first + count) as usize];
        View { edges, mover, value: value * mover.sign() as f32 }
    }

    /// Walks down from the root by edge `at_root`, then by `choose`. `over` says
    /// how the game ended at a new position, for First; it is given the
    /// positions' keys below the root.
    pub fn descend(
        &mut self,
        root: &G,
        at_root: usize,
        choose: impl Fn(View<G::Move>) -> usize,
        over: impl Fn(&G, &[u64]) -> Option<f32>,
    ) -> Arrival<G> {
        let mut game = root.clone();
        let mut keys = Vec::with_capacity(16);
        let mut edge = at_root as u32;
        self.way.clear();
        loop {
            self.way.push(edge);
            let Edge { mv, child, .. } = self.edges[edge as usize];
            game.play(mv);
            keys.push(game.key());
            if child == NONE {
                // An ended game stays a leaf, and is asked again each time.
                return match over(&game, &keys) {
                    Some(value) => {
                        self.back_up(value);
                        Arrival::Over
                    }
                    None => Arrival::Leaf(Leaf { game, last: Some(mv) }),
                };
            }
            let chosen = choose(self.view(child as usize)) as u32;
            edge = self.nodes[child as usize].first + chosen;
        }
    }

    /// Adds the node that the last way led to (the root, if there is none yet)
    /// and its value to the way.
    pub fn grow(&mut self, game: &G, evaluation: Evaluation) {
        let node = self.nodes.len() as u32;
        if let Some(&edge) = self.way.last() {
            self.edges[edge as usize].child = node;
        }
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let even = 1.0 / moves.len().max(1) as f32;
        self.nodes.push(Node {
            first: self.edges.len() as u32,
            count: moves.len() as u32,
            mover: game.to_move(),
            value: evaluation.value,
        });
        self.edges.extend(moves.into_iter().enumerate().map(|(i, mv)| Edge {
            mv,
            prior: evaluation.policy.get(i).copied().unwrap_or(even),
            visits: 0,
            sum: 0.0,
            child: NONE,
        }));
        self.back_up(evaluation.value);
    }

    fn back_up(&mut self, value: f32) {
        for &edge in &self.way {
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.sum += value;
        }
    }
}
