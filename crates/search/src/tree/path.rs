//! The way from the root to a leaf, and the way back up.
//!
//! On a shared tree, threads would spend most of their time waiting for each
//! other's cache lines if each simulation wrote to every node it came through.
//! So a thread that chooses a well-known child books several visits there at
//! once, walks that many times below it before it looks at the siblings again,
//! and hands in the results as one sum. A bundle is a small part of what the
//! child has already been visited, so that it moves nobody's choice, and bundles
//! lie within bundles: what is near the root is written rarely, and what is far
//! from it is in nobody else's hands at the moment. Alone, a bundle is one visit,
//! and every choice is made anew.
//!
//! Values are First's from the leaf to the root and are never turned on the way.

use games::Player;

use super::pool::{Node, ONE, Pool};
use super::proof::Proof;
use crate::SearchHints;

/// A bundle is at most this part of the visits that a node has.
const BUNDLE_SHARE: u32 = 64;
/// Simulations in a bundle at most.
const MAX_BUNDLE: u32 = 64;
/// Nodes with more visits than this need no virtual loss: one result in as many
/// moves nobody's choice.
const MAX_VIRTUAL_LOSS_VISITS: u32 = 256;

/// A node on the way down and the bundle of visits that is under way there.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    /// Who chose the node; nobody chose the root.
    chooser: Option<Player>,
    /// Simulations that are booked and still to come.
    remaining: u32,
    /// The results so far, in units of `ONE`, and what the virtual loss took off.
    sum: i64,
}

/// A way into the tree. It begins with the root, whose bundle never ends.
pub(super) struct Path<G> {
    steps: Vec<Step>,
    /// The positions of the first steps: of all that have more to come.
    positions: Vec<G>,
    /// Visits that the root is to get: all threads would write to it all the
    /// time, and nobody selects by it.
    root_visits: u32,
    /// Visits that one simulation counts for.
    weight: u32,
    /// What one simulation in flight counts for against whoever chose it.
    loss: i64,
}

impl<G: SearchHints> Path<G> {
    /// A path that has not left the root yet.
    pub fn new(root: &G, weight: u32, virtual_loss: bool) -> Path<G> {
        let root_step = Step { node: Node::ROOT, chooser: None, remaining: u32::MAX, sum: 0 };
        Path {
            steps: vec![root_step],
            positions: vec![root.clone()],
            root_visits: 0,
            weight,
            loss: if virtual_loss { ONE * i64::from(weight) } else { 0 },
        }
    }

    /// Plies from the root to here.
    pub fn depth(&self) -> usize {
        self.steps.len() - 1
    }

    /// The node reached.
    pub fn node(&self) -> Node {
        self.steps.last().expect("a path has a root").node
    }

    /// The position to go on from, where a bundle is under way.
    pub fn position(&self) -> &G {
        &self.positions[self.steps.len() - 1]
    }

    /// Goes on to a child, whose position `game` is, and books visits there: a
    /// bundle of them if `SHARED` and `bundled`, else one. Says how many visits
    /// the child had.
    #[inline]
    pub fn descend<const SHARED: bool>(
        &mut self,
        pool: &Pool,
        (node, mover): (Node, Player),
        bundled: bool,
        game: &G,
    ) -> u32 {
        let mut remaining = 1;
        if SHARED && bundled {
            let above = self.steps.last().expect("a path has a root").remaining;
            remaining =
                (pool.visits(node) / self.weight / BUNDLE_SHARE).clamp(1, MAX_BUNDLE).min(above);
            if remaining > 1 {
                self.positions.push(game.clone());
            }
        }
        let before = pool.add_visits::<SHARED>(node, remaining * self.weight);
        let mut sum = 0;
        if self.loss != 0 && before < MAX_VIRTUAL_LOSS_VISITS {
            sum = self.loss * i64::from(mover.sign()) * i64::from(remaining);
            pool.add_sum::<SHARED>(node, -sum);
        }
        self.steps.push(Step { node, chooser: Some(mover), remaining, sum });
        before
    }

    /// Takes a simulation's result back from here: adds it to all bundles on the
    /// way and hands in those that are complete. `total` is First's result times
    /// the weight; a proof replaces it, goes up as far as it proves parents, and
    /// ends their bundles. Says how many nodes the way had.
    #[inline]
    pub fn back_up<const SHARED: bool>(
        &mut self,
        pool: &Pool,
        mut total: i64,
        mut proof: Option<Proof>,
    ) -> usize {
        let nodes = self.steps.len();
        let mut complete = nodes;
        let mut below: Option<Player> = None;
        for (index, step) in self.steps.iter_mut().enumerate().rev() {
            if let Some(mover) = below.take() {
                proof = pool.deduce(step.node, mover);
            }
            let proven = proof.is_some();
            if let Some(proof) = proof.take() {
                total = i64::from(proof.for_first()) * ONE * i64::from(self.weight);
                pool.prove(step.node, proof, step.chooser);
                if index == 1 {
                    // Below the root a certain move needs no more visits; deeper
                    // down a draw still has to weigh in its parent's mean.
                    pool.exclude(step.node);
                }
                below = step.chooser;
            }
            step.sum += total;
            step.remaining -= 1;
            if step.remaining == 0 || proven {
                complete = index;
            }
        }
        self.root_visits += self.weight;
        self.flush_from::<SHARED>(pool, complete.max(1));
        nodes
    }

    /// Gives the bundles from a step on to their nodes, with what remains of
    /// them taken back.
    #[inline]
    fn flush_from<const SHARED: bool>(&mut self, pool: &Pool, from: usize) {
        for step in &self.steps[from..] {
            if step.remaining > 0 {
                pool.add_visits::<SHARED>(step.node, (step.remaining * self.weight).wrapping_neg());
            }
            pool.add_sum::<SHARED>(step.node, step.sum);
        }
        self.steps.truncate(from);
        self.positions.truncate(from);
    }

    /// Returns to the root, undoing what has not led to a result.
    pub fn return_to_root<const SHARED: bool>(&mut self, pool: &Pool) {
        self.flush_from::<SHARED>(pool, 1);
    }

    /// Returns to the root and gives it what it is to get.
    pub fn flush<const SHARED: bool>(&mut self, pool: &Pool) {
        self.return_to_root::<SHARED>(pool);
        let root = &mut self.steps[0];
        root.remaining = u32::MAX;
        pool.add_sum::<SHARED>(Node::ROOT, std::mem::take(&mut root.sum));
        pool.add_visits::<SHARED>(Node::ROOT, std::mem::take(&mut self.root_visits));
    }
}
