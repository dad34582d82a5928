//! One thread's work on a tree, in three separate steps: gather leaves, judge
//! them, apply the judgements.
//!
//! A rollout is a batch of one; a network gathers many, kept apart by virtual
//! losses, before it is asked once.

use games::Rng;

use super::allocator::LocalAllocator;
use super::leaf_parallel::LeafParallel;
use super::observer::Observer;
use super::path::Path;
use super::pool::{LANES, Link, Node, ONE, Pool};
use super::proof::Proof;
use super::select::Selector;
use super::settings::{LeafEvaluator, TreeSettings};
use crate::{Evaluation, Evaluator, Leaf, Oracle, SearchHints};

/// What all threads of one search look at.
pub(super) struct TreeContext<'a, G: SearchHints> {
    pub settings: &'a TreeSettings,
    pub evaluator: &'a LeafEvaluator<G>,
    pub oracle: Option<&'a dyn Oracle<G>>,
    pub selector: Selector,
    pub root: G,
    /// The move that led to the root.
    pub last: Option<G::Move>,
    /// Plies before the root.
    pub plies: u32,
    /// The keys of the record's positions, the root's included; empty if history
    /// is not looked at.
    pub keys: Vec<u64>,
    /// Visits that one leaf counts for.
    pub weight: u32,
    /// Whether leaves in flight count as lost for the player who chose them.
    pub virtual_loss: bool,
}

enum Descent {
    /// This leaf is to be evaluated.
    Leaf,
    /// The value was certain and is already applied.
    Proven,
    /// Another thread is evaluating this leaf.
    Collision,
}

enum ActiveEvaluator<'a, G: SearchHints> {
    Rollout(&'a crate::rollout::Rollout<G>, Option<&'a LeafParallel<G>>),
    Evaluator(Box<dyn Evaluator<G> + Send>),
}

/// One thread at work on one tree.
pub(super) struct Worker<'a, G: SearchHints> {
    pub(super) context: &'a TreeContext<'a, G>,
    pub pool: &'a Pool,
    pub(super) allocator: LocalAllocator,
    pub rng: Rng,
    evaluator: ActiveEvaluator<'a, G>,
    /// The leaves gathered, and the way to each; one way more for the way that
    /// is being simulated.
    leaves: Vec<Leaf<G>>,
    paths: Vec<Path<G>>,
    results: Vec<Evaluation>,
    /// The keys of the positions from the record's first to the one reached.
    pub(super) keys: Vec<u64>,
    /// Visits given out by this thread.
    pub sims: u64,
    /// Positions visited in the tree by this thread.
    pub nodes: u64,
    /// Longest way so far, in plies.
    pub depth: u32,
}

impl<'a, G: SearchHints> Worker<'a, G> {
    pub fn new(
        context: &'a TreeContext<'a, G>,
        pool: &'a Pool,
        rng: Rng,
        leaf_parallel: Option<&'a LeafParallel<G>>,
    ) -> Worker<'a, G> {
        let evaluator = match context.evaluator {
            LeafEvaluator::Rollout(rollout) => ActiveEvaluator::Rollout(rollout, leaf_parallel),
            LeafEvaluator::Evaluator { make, .. } => ActiveEvaluator::Evaluator(make()),
        };
        Worker {
            context,
            pool,
            allocator: LocalAllocator::default(),
            rng,
            evaluator,
            leaves: Vec::new(),
            paths: Vec::new(),
            results: Vec::new(),
            keys: context.keys.clone(),
            sims: 0,
            nodes: 0,
            depth: 0,
        }
    }

    /// Gathers up to `most` leaves, judges and applies them; says how many paths
    /// were simulated. None, if all leaves are in other threads' hands.
    pub fn simulate<const SHARED: bool, O: Observer<G>>(
        &mut self,
        most: usize,
        observer: &mut O,
    ) -> usize {
        let simulated = self.gather::<SHARED, O>(most, observer);
        self.evaluate(observer);
        self.apply::<SHARED, O>(observer);
        self.sims += simulated as u64 * u64::from(self.context.weight);
        simulated
    }

    /// Adds the visits that are still under way. To be called when others read the tree.
    pub fn flush<const SHARED: bool>(&mut self) {
        self.paths.iter_mut().for_each(|path| path.flush::<SHARED>(self.pool));
    }

    /// Gives unused memory back. To be called before the pool is tidied.
    pub fn release_memory(&mut self) {
        self.allocator.give_back(self.pool);
    }

    fn gather<const SHARED: bool, O: Observer<G>>(
        &mut self,
        most: usize,
        observer: &mut O,
    ) -> usize {
        self.leaves.clear();
        for simulated in 0..most {
            let slot = self.leaves.len();
            let context = self.context;
            if self.paths.len() == slot {
                self.paths.push(Path::new(&context.root, context.weight, context.virtual_loss));
            }
            let descent = self.descend::<SHARED, O>(slot, observer);
            if let Descent::Collision = descent {
                return simulated;
            }
        }
        most
    }

    /// Goes on down one of the paths to a leaf by the rule of selection, giving
    /// out visits.
    fn descend<const SHARED: bool, O: Observer<G>>(
        &mut self,
        slot: usize,
        observer: &mut O,
    ) -> Descent {
        let context = self.context;
        let pool = self.pool;
        let by_rollout = matches!(self.evaluator, ActiveEvaluator::Rollout(..));
        let mut node = self.paths[slot].node();
        let mut game = self.paths[slot].position().clone();
        let mut last = match node {
            Node::ROOT => context.last,
            node => Some(G::Move::from(pool.mv(node))),
        };
        // Where a way goes on, or begins, is a node that may have children.
        let mut before = u32::MAX;
        if !context.keys.is_empty() {
            self.keys.truncate(context.keys.len() + self.paths[slot].depth());
        }
        let (nodes, descent) = loop {
            let known = pool.proof(node);
            if known.is_known() {
                break (self.paths[slot].back_up::<SHARED>(pool, 0, Some(known)), Descent::Proven);
            }
            let mut link = pool.link(node);
            if link.open().is_none() {
                let static_result =
                    || (before == 0).then(|| self.static_result(&game, node)).flatten();
                let end = self.terminal(&game, self.paths[slot].depth());
                if let Some(proof) = end.or_else(static_result) {
                    observer.proven(proof.for_first());
                    let total = i64::from(proof.for_first()) * ONE * i64::from(context.weight);
                    let proof = context.settings.proofs.then_some(proof);
                    break (
                        self.paths[slot].back_up::<SHARED>(pool, total, proof),
                        Descent::Proven,
                    );
                }
                let visited = !by_rollout || before >= context.weight;
                let claimed = visited && pool.claim(node);
                if claimed && let Some(proof) = self.ask_oracle(&game, node) {
                    pool.set_link(node, Link::LEAF);
                    observer.proven(proof.for_first());
                    break (
                        self.paths[slot].back_up::<SHARED>(pool, 0, Some(proof)),
                        Descent::Proven,
                    );
                }
                if claimed && by_rollout {
                    link = self.expand(node, &game, &[], observer);
                } else if !claimed && !by_rollout {
                    let nodes = self.paths[slot].depth() + 1;
                    self.paths[slot].return_to_root::<SHARED>(pool);
                    break (nodes, Descent::Collision);
                }
            }
            if let Some(proof) = self.forced_win(&game, node, before) {
                observer.proven(proof.for_first());
                let total = i64::from(proof.for_first()) * ONE * i64::from(context.weight);
                break (
                    self.paths[slot].back_up::<SHARED>(pool, total, Some(proof)),
                    Descent::Proven,
                );
            }
            let Some(blocks) = link.open() else {
                self.leaves.push(Leaf { game, last });
                break (self.paths[slot].depth() + 1, Descent::Leaf);
            };
            let mover = game.to_move();
            let first = blocks.start * LANES;
            let Some(chosen) = context.selector.select(pool.blocks(blocks), mover) else {
                // All children are lost: two threads proved the last ones at the
                // same moment and neither saw it.
                let proof = pool.deduce(node, mover).unwrap_or(Proof::new(Some(!mover), 0));
                break (self.paths[slot].back_up::<SHARED>(pool, 0, Some(proof)), Descent::Proven);
            };
            node = Node((first + chosen) as u32);
            let mv = G::Move::from(pool.mv(node));
            game.play(mv);
            before = self.paths[slot].descend::<SHARED>(pool, (node, mover), by_rollout, &game);
            last = Some(mv);
            if !context.keys.is_empty() {
                self.keys.push(game.key());
            }
            observer.selected(mv, &game);
        };
        if !matches!(descent, Descent::Leaf | Descent::Collision) {
            observer.backed_up(nodes);
        }
        self.nodes += nodes as u64;
        self.depth = self.depth.max(nodes as u32 - 1);
        descent
    }

    /// Judges the leaves gathered: the one step that may take long.
    fn evaluate<O: Observer<G>>(&mut self, observer: &mut O) {
        if self.leaves.is_empty() {
            return;
        }
        match &mut self.evaluator {
            ActiveEvaluator::Evaluator(evaluator) => {
                evaluator.evaluate(&self.leaves, &mut self.results);
                assert_eq!(self.results.len(), self.leaves.len(), "one evaluation a leaf");
            }
            ActiveEvaluator::Rollout(rollout, leaf_parallel) => {
                self.results.resize_with(self.leaves.len(), Evaluation::default);
                for (leaf, result) in self.leaves.iter().zip(&mut self.results) {
                    let rollouts = self.context.settings.rollouts;
                    let total = match leaf_parallel {
                        Some(leaf_parallel) => {
                            leaf_parallel.play(&leaf.game, rollout, rollouts, &mut self.rng)
                        }
                        None if rollouts == 1 => rollout.play(leaf.game.clone(), &mut self.rng),
                        None => (0..rollouts)
                            .map(|_| rollout.play(leaf.game.clone(), &mut self.rng))
                            .sum(),
                    };
                    result.value = (total / f64::from(self.context.weight)) as f32;
                }
            }
        }
        for result in &self.results {
            observer.evaluated(f64::from(result.value));
        }
    }

    /// Applies the judgements: children with their priors, values to the root.
    fn apply<const SHARED: bool, O: Observer<G>>(&mut self, observer: &mut O) {
        let evaluated = matches!(self.evaluator, ActiveEvaluator::Evaluator(_));
        for slot in 0..self.leaves.len() {
            let value = f64::from(self.results[slot].value);
            if evaluated {
                let policy = std::mem::take(&mut self.results[slot].policy);
                let game = self.leaves[slot].game.clone();
                self.expand(self.paths[slot].node(), &game, &policy, observer);
                self.results[slot].policy = policy;
            }
            let total = (value * ONE as f64 * f64::from(self.context.weight)).round() as i64;
            observer.backed_up(self.paths[slot].back_up::<SHARED>(self.pool, total, None));
        }
    }

    /// Visits that one leaf counts for.
    pub fn weight(&self) -> u64 {
        u64::from(self.context.weight)
    }

    /// Leaves that are evaluated together at most.
    pub fn batch(&self) -> usize {
        match self.context.evaluator {
            LeafEvaluator::Rollout(_) => 1,
            LeafEvaluator::Evaluator { batch, .. } => (*batch).max(1),
        }
    }

    /// Whether a full pool is to forget and go on.
    pub fn recycles(&self) -> bool {
        self.context.settings.recycle
    }
}
