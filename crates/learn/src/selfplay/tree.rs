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

#[derive(Clone, Copy, Debug)]
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

    /// Keeps what lies below a move of the root, which becomes the root, and
    /// forgets the rest; everything, if nothing lies there.
    pub fn keep(&mut self, mv: G::Move) {
        self.way.clear();
        let edge = self.root_edges().iter().find(|edge| edge.mv == mv);
        let top = edge.map_or(NONE, |edge| edge.child);
        if top == NONE {
            return self.clear();
        }
        // Breadth first: a node's place is known when its parent is moved.
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

#[cfg(test)]
mod tests {
    use super::*;
    use games::connect_four::ConnectFour;

    /// What a tree says below its root: each way's visits and sum.
    fn ways(tree: &Tree<ConnectFour<u64>>, node: u32, way: &str, out: &mut Vec<String>) {
        let Node { first, count, .. } = tree.nodes[node as usize];
        for edge in &tree.edges[first as usize..(first + count) as usize] {
            let way = format!("{way} {:?}", edge.mv);
            out.push(format!("{way}: {} {} {}", edge.prior, edge.visits, edge.sum));
            if edge.child != NONE {
                ways(tree, edge.child, &way, out);
            }
        }
    }

    #[test]
    fn what_is_kept_is_what_lay_below_the_move() {
        let start = ConnectFour::<u64>::start(&"5x4".parse().unwrap()).unwrap();
        let mut rng = games::Rng::seeded(5);
        let mut tree = Tree::new();
        let mut game = Some(start);
        for i in 0..300 {
            if let Some(game) = game.take() {
                let value = (i % 7) as f32 / 7.0 - 0.5;
                tree.grow(&game, Evaluation { value, policy: Vec::new() });
            }
            let choose = |view: View<_>, rng: &mut games::Rng| rng.below(view.edges.len());
            let at_root = choose(tree.root(), &mut rng);
            let inner = std::cell::RefCell::new(&mut rng);
            let arrival = tree.descend(
                &start,
                at_root,
                |view| choose(view, &mut inner.borrow_mut()),
                |game, _| game.outcome().map(|outcome| outcome.for_first() as f32),
            );
            if let Arrival::Leaf(leaf) = arrival {
                game = Some(leaf.game);
            }
        }
        let edges: Vec<_> = tree.root().edges.to_vec();
        for edge in edges {
            let mut want = Vec::new();
            ways(&tree, edge.child, "", &mut want);
            let mut kept =
                Tree { way: Vec::new(), nodes: tree.nodes.clone(), edges: tree.edges.clone() };
            kept.keep(edge.mv);
            let mut got = Vec::new();
            ways(&kept, 0, "", &mut got);
            assert_eq!(got, want);
            // The first visit of a node is its own, the others are its moves'.
            assert_eq!(kept.root().visits() + 1, edge.visits);
        }
        let leaf = tree.edges.iter().position(|edge| edge.child == NONE);
        assert!(leaf.is_some(), "some move was never tried");
        let mut fresh = Tree::new();
        fresh.grow(&start, Evaluation { value: 0.0, policy: Vec::new() });
        let mv = fresh.root().edges[0].mv;
        fresh.keep(mv);
        assert!(fresh.is_empty(), "nothing lay there");
    }
}
