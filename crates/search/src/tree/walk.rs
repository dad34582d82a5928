//! One thread's work on a tree, in three separate steps: gather leaves, judge
//! them, apply the judgements.
//!
//! A rollout is a batch of one; a network gathers many, kept apart by virtual
//! losses, before it is asked once.

use std::sync::atomic::AtomicBool;

use games::Dice;

use super::crew::Crew;
use super::observe::Observer;
use super::plot::Plot;
use super::pool::{LANES, Link, Node, ONE, Pool};
use super::proof::Proof;
use super::select::Rule;
use super::settings::{Judge, Settings};
use super::way::Way;
use crate::{Evaluation, Evaluator, Knowledge, Leaf};

/// What all threads of one search look at.
pub(super) struct Task<'a, G: Knowledge> {
    pub settings: &'a Settings<G>,
    pub rule: Rule,
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
    /// Whether leaves in flight count as lost for whoever chose them.
    pub virtual_loss: bool,
    /// Set when the search is to end.
    pub stop: &'a AtomicBool,
}

enum Arrival {
    /// Judge this leaf.
    Leaf,
    /// The value was certain and is already applied.
    Known,
    /// Somebody else is judging this leaf.
    Taken,
}

enum Judging<'a, G: Knowledge> {
    Rollout(&'a crate::rollout::Rollout<G>, Option<&'a Crew<G>>),
    Evaluator(Box<dyn Evaluator<G> + Send>),
}

/// One thread at work on one tree.
pub(super) struct Walker<'a, G: Knowledge> {
    pub(super) task: &'a Task<'a, G>,
    pub pool: &'a Pool,
    pub(super) plot: Plot,
    pub dice: Dice,
    judging: Judging<'a, G>,
    /// The leaves gathered, and the way to each; one way more for the way that
    /// is being walked.
    leaves: Vec<Leaf<G>>,
    ways: Vec<Way<G>>,
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

impl<'a, G: Knowledge> Walker<'a, G> {
    pub fn new(
        task: &'a Task<'a, G>,
        pool: &'a Pool,
        dice: Dice,
        crew: Option<&'a Crew<G>>,
    ) -> Walker<'a, G> {
        let judging = match &task.settings.judge {
            Judge::Rollout(rollout) => Judging::Rollout(rollout, crew),
            Judge::Evaluator { make, .. } => Judging::Evaluator(make()),
        };
        Walker {
            task,
            pool,
            plot: Plot::default(),
            dice,
            judging,
            leaves: Vec::new(),
            ways: Vec::new(),
            results: Vec::new(),
            keys: task.keys.clone(),
            sims: 0,
            nodes: 0,
            depth: 0,
        }
    }

    /// Gathers up to `most` leaves, judges and applies them; says how many ways
    /// were walked. None, if all leaves are in other threads' hands.
    pub fn simulate<const SHARED: bool, O: Observer<G>>(
        &mut self,
        most: usize,
        observer: &mut O,
    ) -> usize {
        let walked = self.gather::<SHARED, O>(most, observer);
        self.judge(observer);
        self.apply::<SHARED, O>(observer);
        self.sims += walked as u64 * u64::from(self.task.weight);
        walked
    }

    /// Hands in what is still under way. To be called when others look at it.
    pub fn settle<const SHARED: bool>(&mut self) {
        self.ways.iter_mut().for_each(|way| way.settle::<SHARED>(self.pool));
    }

    /// Gives unused memory back. To be called before the pool is tidied.
    pub fn leave(&mut self) {
        self.plot.give_back(self.pool);
    }

    fn gather<const SHARED: bool, O: Observer<G>>(
        &mut self,
        most: usize,
        observer: &mut O,
    ) -> usize {
        self.leaves.clear();
        for walked in 0..most {
            let slot = self.leaves.len();
            let task = self.task;
            if self.ways.len() == slot {
                self.ways.push(Way::new(&task.root, task.weight, task.virtual_loss));
            }
            let arrival = self.descend::<SHARED, O>(slot, observer);
            if let Arrival::Taken = arrival {
                return walked;
            }
        }
        most
    }

    /// Goes on down one of the ways to a leaf by the rule of selection, giving
    /// out visits.
    fn descend<const SHARED: bool, O: Observer<G>>(
        &mut self,
        slot: usize,
        observer: &mut O,
    ) -> Arrival {
        let task = self.task;
        let pool = self.pool;
        let by_rollout = matches!(self.judging, Judging::Rollout(..));
        let mut node = self.ways[slot].node();
        let mut game = self.ways[slot].position().clone();
        let mut last = match node {
            Node::ROOT => task.last,
            node => Some(G::Move::from(pool.mv(node))),
        };
        // Where a way goes on, or begins, is a node that may have children.
        let mut before = u32::MAX;
        if !task.keys.is_empty() {
            self.keys.truncate(task.keys.len() + self.ways[slot].depth());
        }
        let (nodes, arrival) = loop {
            let known = pool.proof(node);
            if known.is_known() {
                break (self.ways[slot].back_up::<SHARED>(pool, 0, Some(known)), Arrival::Known);
            }
            let mut link = pool.link(node);
            if link.open().is_none() {
                let foreseen = || (before == 0).then(|| self.foresee(&game, node)).flatten();
                let verdict = self.verdict(&game, self.ways[slot].depth());
                if let Some(proof) = verdict.or_else(foreseen) {
                    observer.proven(proof.for_first());
                    let total = i64::from(proof.for_first()) * ONE * i64::from(task.weight);
                    let proof = task.settings.proofs.then_some(proof);
                    break (self.ways[slot].back_up::<SHARED>(pool, total, proof), Arrival::Known);
                }
                let ripe = !by_rollout || before >= task.weight;
                let mine = ripe && pool.claim(node);
                if mine && let Some(proof) = self.ask_oracle(&game, node) {
                    pool.set_link(node, Link::LEAF);
                    observer.proven(proof.for_first());
                    break (
                        self.ways[slot].back_up::<SHARED>(pool, 0, Some(proof)),
                        Arrival::Known,
                    );
                }
                if mine && by_rollout {
                    link = self.expand(node, &game, &[], observer);
                } else if !mine && !by_rollout {
                    let nodes = self.ways[slot].depth() + 1;
                    self.ways[slot].return_to_root::<SHARED>(pool);
                    break (nodes, Arrival::Taken);
                }
            }
            let Some(groups) = link.open() else {
                self.leaves.push(Leaf { game, last });
                break (self.ways[slot].depth() + 1, Arrival::Leaf);
            };
            let mover = game.to_move();
            let first = groups.start * LANES;
            let Some(chosen) = task.rule.select(pool.run(groups), mover) else {
                // All children are lost: two threads proved the last ones at the
                // same moment and neither saw it.
                let proof = pool.deduce(node, mover).unwrap_or(Proof::new(Some(!mover), 0));
                break (self.ways[slot].back_up::<SHARED>(pool, 0, Some(proof)), Arrival::Known);
            };
            node = Node((first + chosen) as u32);
            let mv = G::Move::from(pool.mv(node));
            game.play(mv);
            before = self.ways[slot].go::<SHARED>(pool, (node, mover), by_rollout, &game);
            last = Some(mv);
            if !task.keys.is_empty() {
                self.keys.push(game.key());
            }
            observer.selected(mv, &game);
        };
        if !matches!(arrival, Arrival::Leaf | Arrival::Taken) {
            observer.backed_up(nodes);
        }
        self.nodes += nodes as u64;
        self.depth = self.depth.max(nodes as u32 - 1);
        arrival
    }

    /// Judges the leaves gathered: the one step that may take long.
    fn judge<O: Observer<G>>(&mut self, observer: &mut O) {
        if self.leaves.is_empty() {
            return;
        }
        match &mut self.judging {
            Judging::Evaluator(evaluator) => {
                evaluator.evaluate(&self.leaves, &mut self.results);
                assert_eq!(self.results.len(), self.leaves.len(), "one evaluation a leaf");
            }
            Judging::Rollout(rollout, crew) => {
                self.results.resize_with(self.leaves.len(), Evaluation::default);
                for (leaf, result) in self.leaves.iter().zip(&mut self.results) {
                    let rolls = self.task.settings.rollouts;
                    let total = match crew {
                        Some(crew) => crew.roll(&leaf.game, rollout, rolls, &mut self.dice),
                        None if rolls == 1 => rollout.play(leaf.game.clone(), &mut self.dice),
                        None => (0..rolls)
                            .map(|_| rollout.play(leaf.game.clone(), &mut self.dice))
                            .sum(),
                    };
                    result.value = (total / f64::from(self.task.weight)) as f32;
                }
            }
        }
        for result in &self.results {
            observer.judged(f64::from(result.value));
        }
    }

    /// Applies the judgements: children with their priors, values to the root.
    fn apply<const SHARED: bool, O: Observer<G>>(&mut self, observer: &mut O) {
        let evaluated = matches!(self.judging, Judging::Evaluator(_));
        for slot in 0..self.leaves.len() {
            let value = f64::from(self.results[slot].value);
            if evaluated {
                let policy = std::mem::take(&mut self.results[slot].policy);
                let game = self.leaves[slot].game.clone();
                self.expand(self.ways[slot].node(), &game, &policy, observer);
                self.results[slot].policy = policy;
            }
            let total = (value * ONE as f64 * f64::from(self.task.weight)).round() as i64;
            observer.backed_up(self.ways[slot].back_up::<SHARED>(self.pool, total, None));
        }
    }

    /// Visits that one leaf counts for.
    pub fn weight(&self) -> u64 {
        u64::from(self.task.weight)
    }

    /// Leaves that are judged together at most.
    pub fn batch(&self) -> usize {
        match &self.task.settings.judge {
            Judge::Rollout(_) => 1,
            Judge::Evaluator { batch, .. } => (*batch).max(1),
        }
    }

    /// Whether a full pool is to forget and go on.
    pub fn recycles(&self) -> bool {
        self.task.settings.recycle
    }
}
