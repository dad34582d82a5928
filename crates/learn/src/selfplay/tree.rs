//! A small search tree in two vectors. Values are First's everywhere and are
//! negated at selection where Second moves.

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

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u32,
    mover: Player,
    /// First's value by the evaluator.
    value: f32,
}

/// One node, from its mover's viewpoint.
pub(super) struct NodeView<'a, M> {
    pub edges: &'a [Edge<M>],
    pub mover: Player,
    /// The mover's value by the evaluator.
    pub value: f32,
}

impl<M> NodeView<'_, M> {
    /// All visits of the children.
    pub fn visits(&self) -> u32 {
        self.edges.iter().map(|edge| edge.visits).sum()
    }
}

/// Where a descent from the root ended.
pub(super) enum Descent<G: Game> {
    /// At a leaf that must be evaluated.
    Leaf(Leaf<G>),
    /// At the end of the game, whose result is backed up already.
    Terminal,
}

/// A tree and the path of the current simulation.
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    path: Vec<u32>,
}

impl<G: Game> Tree<G> {
    pub fn new() -> Tree<G> {
        Tree { nodes: Vec::new(), edges: Vec::new(), path: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.path.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Makes the child of a root move the root and drops the rest; the tree is
    /// empty afterwards if the move was never expanded.
    pub fn reroot(&mut self, mv: G::Move) {
        self.path.clear();
        let edge = self.root_edges().iter().find(|edge| edge.mv == mv);
        let top = edge.map_or(NONE, |edge| edge.child);
        if top == NONE {
            return self.clear();
        }
        // Breadth first: a node's index is known when its parent is copied.
        let mut order = vec![top];
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            let Node { first, count, mover, value } = self.nodes[old as usize];
            nodes.push(Node { first: edges.len() as u32, count, mover, value });
            for edge in &self.edges[first as usize..(first + count) as usize] {
                let mut edge = edge.clone();
                if edge.child != NONE {
                    order.push(edge.child);
                    edge.child = order.len() as u32 - 1;
                }
                edges.push(edge);
            }
        }
        (self.nodes, self.edges) = (nodes, edges);
    }

    /// The root, which must be expanded already.
    pub fn root(&self) -> NodeView<'_, G::Move> {
        self.view(0)
    }

    /// The root's edges, whose priors may be changed.
    pub fn root_edges(&mut self) -> &mut [Edge<G::Move>] {
        let count = self.nodes[0].count as usize;
        &mut self.edges[..count]
    }

    fn view(&self, node: usize) -> NodeView<'_, G::Move> {
        let Node { first, count, mover, value } = self.nodes[node];
        let edges = &self.edges[first as usize..(first + count) as usize];
        NodeView { edges, mover, value: value * mover.sign() as f32 }
    }

    /// Descends from the root by edge `at_root`, then by `select`. `terminal` gives
    /// First's result where the game is over; it is given the positions' keys
    /// below the root.
    pub fn descend(
        &mut self,
        root: &G,
        at_root: usize,
        select: impl Fn(NodeView<G::Move>) -> usize,
        terminal: impl Fn(&G, &[u64]) -> Option<f32>,
    ) -> Descent<G> {
        let mut game = root.clone();
        let mut keys = Vec::with_capacity(16);
        let mut edge = at_root as u32;
        self.path.clear();
        loop {
            self.path.push(edge);
            let Edge { mv, child, .. } = self.edges[edge as usize];
            game.play(mv);
            keys.push(game.key());
            if child == NONE {
                // A terminal position stays a leaf and is scored at each visit.
                return match terminal(&game, &keys) {
                    Some(value) => {
                        self.backup(value);
                        Descent::Terminal
                    }
                    None => Descent::Leaf(Leaf { game, last: Some(mv) }),
                };
            }
            let chosen = select(self.view(child as usize)) as u32;
            edge = self.nodes[child as usize].first + chosen;
        }
    }

    /// Adds the node at the end of the current path (the root, if there is none
    /// yet) and backs up its value.
    pub fn expand(&mut self, game: &G, evaluation: Evaluation) {
        let node = self.nodes.len() as u32;
        if let Some(&edge) = self.path.last() {
            self.edges[edge as usize].child = node;
        }
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let uniform = 1.0 / moves.len().max(1) as f32;
        self.nodes.push(Node {
            first: self.edges.len() as u32,
            count: moves.len() as u32,
            mover: game.to_move(),
            value: evaluation.value,
        });
        self.edges.extend(moves.into_iter().enumerate().map(|(i, mv)| Edge {
            mv,
            prior: evaluation.policy.get(i).copied().unwrap_or(uniform),
            visits: 0,
            sum: 0.0,
            child: NONE,
        }));
        self.backup(evaluation.value);
    }

    fn backup(&mut self, value: f32) {
        for &edge in &self.path {
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.sum += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::connect_four::ConnectFour;

    /// Prior, visits and sum of each path below a node.
    fn paths(tree: &Tree<ConnectFour<u64>>, node: u32, path: &str, out: &mut Vec<String>) {
        let Node { first, count, .. } = tree.nodes[node as usize];
        for edge in &tree.edges[first as usize..(first + count) as usize] {
            let path = format!("{path} {:?}", edge.mv);
            out.push(format!("{path}: {} {} {}", edge.prior, edge.visits, edge.sum));
            if edge.child != NONE {
                paths(tree, edge.child, &path, out);
            }
        }
    }

    #[test]
    fn a_rerooted_tree_is_the_subtree_of_the_move() {
        let start = ConnectFour::<u64>::start(&"5x4".parse().unwrap()).unwrap();
        let mut rng = games::Rng::seeded(5);
        let mut tree = Tree::new();
        let mut game = Some(start);
        for i in 0..300 {
            if let Some(game) = game.take() {
                let value = (i % 7) as f32 / 7.0 - 0.5;
                tree.expand(&game, Evaluation { value, policy: Vec::new() });
            }
            let select = |view: NodeView<_>, rng: &mut games::Rng| rng.below(view.edges.len());
            let at_root = select(tree.root(), &mut rng);
            let inner = std::cell::RefCell::new(&mut rng);
            let descent = tree.descend(
                &start,
                at_root,
                |view| select(view, &mut inner.borrow_mut()),
                |game, _| game.outcome().map(|outcome| outcome.for_first() as f32),
            );
            if let Descent::Leaf(leaf) = descent {
                game = Some(leaf.game);
            }
        }
        let edges: Vec<_> = tree.root().edges.to_vec();
        for edge in edges {
            let mut want = Vec::new();
            paths(&tree, edge.child, "", &mut want);
            let mut kept =
                Tree { path: Vec::new(), nodes: tree.nodes.clone(), edges: tree.edges.clone() };
            kept.reroot(edge.mv);
            let mut got = Vec::new();
            paths(&kept, 0, "", &mut got);
            assert_eq!(got, want);
            // The first visit of a node is its own, the others are its moves'.
            assert_eq!(kept.root().visits() + 1, edge.visits);
        }
        let leaf = tree.edges.iter().position(|edge| edge.child == NONE);
        assert!(leaf.is_some(), "some move was never tried");
        let mut fresh = Tree::new();
        fresh.expand(&start, Evaluation { value: 0.0, policy: Vec::new() });
        let mv = fresh.root().edges[0].mv;
        fresh.reroot(mv);
        assert!(fresh.is_empty(), "the move was never expanded");
    }
}
