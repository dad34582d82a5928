//! The path from the root to a leaf, and backpropagation.
//!
//! On a shared tree, threads would spend most of their time waiting for each
//! other's cache lines if each simulation wrote to every node of its path. So a
//! thread that selects a child with many visits adds several visits there at once,
//! runs that many simulations below it before it selects among the siblings again,
//! and adds the results as one sum. Such a bundle is a small part of the visits
//! that the child already has, so that it does not change other threads' selection.
//! Bundles are nested: nodes near the root are written rarely, and nodes far from
//! it are seldom used by another thread at the same time. With one thread a bundle
//! is one visit, and every simulation selects anew from the root.
//!
//! Values are First's from the leaf to the root and are never negated on the path.

use games::Player;

use super::pool::{Node, ONE, Pool};
use super::proof::Proof;
use crate::SearchHints;

/// A bundle is at most this part of the visits that a node has.
const BUNDLE_SHARE: u32 = 64;
/// Simulations in a bundle at most.
const MAX_BUNDLE: u32 = 64;
/// Nodes with more visits than this need no virtual loss: one result in as many
/// does not change the selection.
const MAX_VIRTUAL_LOSS_VISITS: u32 = 256;

/// A node of the path and the bundle of visits in flight there.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    /// The player who selected the node; `None` at the root.
    chooser: Option<Player>,
    /// Simulations of the bundle that are still to come.
    remaining: u32,
    /// The results so far, in units of `ONE`, and what the virtual loss subtracted.
    sum: i64,
}

/// A path into the tree. It begins with the root, whose bundle never ends.
pub(super) struct Path<G> {
    steps: Vec<Step>,
    /// The positions of the first steps: of all whose bundle is not complete.
    positions: Vec<G>,
    /// Visits to be added to the root: all threads would write to it all the time,
    /// and no selection reads them.
    root_visits: u32,
    /// Visits that one simulation counts for.
    weight: u32,
    /// What one simulation in flight counts against the player who selected it.
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

    /// The position to continue from, where a bundle is in flight.
    pub fn position(&self) -> &G {
        &self.positions[self.steps.len() - 1]
    }

    /// Descends to a child, whose position `game` is, and adds visits there: a
    /// bundle of them if `SHARED` and `bundled`, else one. Returns how many visits
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

    /// Backs up a simulation's result: adds it to all bundles of the path and
    /// flushes those that are complete. `total` is First's result times the weight;
    /// a proof replaces it, goes up as far as it proves parents, and ends their
    /// bundles. Returns how many nodes the path had.
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
                    // At the root a proven move needs no more visits; deeper down
                    // a draw still has to count in its parent's mean.
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

    /// Adds the bundles from a step on to their nodes and takes their unused visits
    /// back.
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

    /// Returns to the root and adds its visits and results.
    pub fn flush<const SHARED: bool>(&mut self, pool: &Pool) {
        self.return_to_root::<SHARED>(pool);
        let root = &mut self.steps[0];
        root.remaining = u32::MAX;
        pool.add_sum::<SHARED>(Node::ROOT, std::mem::take(&mut root.sum));
        pool.add_visits::<SHARED>(Node::ROOT, std::mem::take(&mut self.root_visits));
    }
}
