//! One thread's way through the tree, in three separate steps: gather leaves,
//! judge them, apply the judgements.
//!
//! A rollout is a batch of one; a network gathers many, kept apart by virtual
//! losses, before it is asked once. Values are First's from the leaf to the root
//! and are never turned on the way.

use std::sync::atomic::AtomicBool;

use games::{Dice, MoveList, Player};

use super::crew::Crew;
use super::observe::Observer;
use super::pool::{LANES, Link, Node, ONE, Pool};
use super::proof::Proof;
use super::select::Rule;
use super::settings::{Expand, Judge, Selection, Settings};
use crate::{Budget, Evaluation, Evaluator, Form, Knowledge, Leaf};

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

/// A node on the way down, who chose it (nobody chose the root) and what the
/// virtual loss took off its sum.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    chooser: Option<Player>,
    lost: i64,
}

/// Nodes with more visits than this need no virtual loss: one result in as many
/// moves nobody's choice, and the busiest nodes are the ones that all threads
/// write to.
const BUSY: u32 = 256;

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
    task: &'a Task<'a, G>,
    pub pool: &'a Pool,
    pub dice: Dice,
    judging: Judging<'a, G>,
    /// The leaves gathered, and the way to each; one way more for the way that
    /// is being walked.
    leaves: Vec<Leaf<G>>,
    ways: Vec<Vec<Step>>,
    results: Vec<Evaluation>,
    keys: Vec<u64>,
    /// What the root is to get: all threads would write to it all the time, and
    /// nobody selects by it.
    root_sum: i64,
    root_visits: u32,
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
            dice,
            judging,
            leaves: Vec::new(),
            ways: vec![Vec::new()],
            results: Vec::new(),
            keys: task.keys.clone(),
            root_sum: 0,
            root_visits: 0,
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

    /// Gives the root what it is to get. To be called when others look at it.
    pub fn settle(&mut self) {
        self.pool.add_sum::<true>(Node::ROOT, std::mem::take(&mut self.root_sum));
        self.pool.add_visits::<true>(Node::ROOT, std::mem::take(&mut self.root_visits));
    }

    fn gather<const SHARED: bool, O: Observer<G>>(
        &mut self,
        most: usize,
        observer: &mut O,
    ) -> usize {
        self.leaves.clear();
        for walked in 0..most {
            if self.ways.len() == self.leaves.len() {
                self.ways.push(Vec::new());
            }
            match self.descend::<SHARED, O>(observer) {
                Arrival::Leaf | Arrival::Known => {}
                Arrival::Taken => return walked,
            }
        }
        most
    }

    /// Goes down to a leaf by the rule of selection, giving out visits.
    fn descend<const SHARED: bool, O: Observer<G>>(&mut self, observer: &mut O) -> Arrival {
        let task = self.task;
        let proofs = task.settings.proofs;
        let loss = self.loss();
        let mut way = std::mem::take(&mut self.ways[self.leaves.len()]);
        way.clear();
        self.keys.truncate(task.keys.len());
        let mut game = task.root.clone();
        let mut last = task.last;
        let mut node = Node::ROOT;
        let mut before = 0;
        way.push(Step { node, chooser: None, lost: 0 });
        let arrival = loop {
            let known = self.pool.proof(node);
            if known.is_known() {
                self.back_up::<SHARED, O>(&way, 0, Some(known), observer);
                break Arrival::Known;
            }
            let mut link = self.pool.link(node);
            if link.open().is_none() {
                if let Some(proof) = self.verdict(&game, way.len() - 1) {
                    observer.proven(proof.for_first());
                    let total = i64::from(proof.for_first()) * ONE * i64::from(task.weight);
                    self.back_up::<SHARED, O>(&way, total, proofs.then_some(proof), observer);
                    break Arrival::Known;
                }
                let ripe = match self.judging {
                    Judging::Rollout(..) => before >= task.weight || node == Node::ROOT,
                    Judging::Evaluator(_) => true,
                };
                let mine = ripe && self.pool.claim(node);
                if mine && let Some(proof) = self.ask_oracle(&game, node) {
                    self.pool.set_link(node, Link::LEAF);
                    observer.proven(proof.for_first());
                    self.back_up::<SHARED, O>(&way, 0, Some(proof), observer);
                    break Arrival::Known;
                }
                match self.judging {
                    Judging::Evaluator(_) if !mine => {
                        self.take_back::<SHARED>(&way);
                        break Arrival::Taken;
                    }
                    Judging::Rollout(..) if mine => {
                        link = self.expand(node, &game, &[], observer);
                    }
                    _ => {}
                }
            }
            let Some(groups) = link.open() else {
                self.leaves.push(Leaf { game, last });
                break Arrival::Leaf;
            };
            let mover = game.to_move();
            let first = groups.start * LANES;
            let Some(chosen) = task.rule.select(self.pool.run(groups), mover) else {
                // All children are lost: two threads proved the last ones at the
                // same moment and neither saw it.
                let proof = self.pool.deduce(node, mover).unwrap_or(Proof::new(Some(!mover), 0));
                self.back_up::<SHARED, O>(&way, 0, Some(proof), observer);
                break Arrival::Known;
            };
            node = Node((first + chosen) as u32);
            before = self.pool.add_visits::<SHARED>(node, task.weight);
            let lost = if before < BUSY { loss * i64::from(mover.sign()) } else { 0 };
            if lost != 0 {
                self.pool.add_sum::<SHARED>(node, -lost);
            }
            way.push(Step { node, chooser: Some(mover), lost });
            let mv = G::Move::from(self.pool.mv(node));
            game.play(mv);
            last = Some(mv);
            if !task.keys.is_empty() {
                self.keys.push(game.key());
            }
            observer.selected(mv, &game);
        };
        self.nodes += way.len() as u64;
        self.depth = self.depth.max(way.len() as u32 - 1);
        let slot = match arrival {
            Arrival::Leaf => self.leaves.len() - 1,
            _ => self.leaves.len(),
        };
        self.ways[slot] = way;
        arrival
    }

    /// How the rules end the game here, by position or by history. A node has
    /// one history, so this is as certain as the rest.
    fn verdict(&self, game: &G, depth: usize) -> Option<Proof> {
        let outcome = game.outcome().or_else(|| {
            let key = *self.keys.last()?;
            if depth == 0 {
                return None;
            }
            let times = self.keys.iter().filter(|&&other| other == key).count() as u32;
            game.by_history(self.task.plies + depth as u32, times)
        })?;
        Some(Proof::new(outcome.winner, 0))
    }

    fn ask_oracle(&self, game: &G, node: Node) -> Option<Proof> {
        let settings = self.task.settings;
        // At the root a result without a move to play would be of no use.
        if !settings.proofs || node == Node::ROOT {
            return None;
        }
        let budget = Budget { nodes: settings.oracle_nodes, stop: Some(self.task.stop) };
        let verdict = settings.oracle.as_ref()?.probe(game, &budget)?;
        Some(Proof::new(verdict.winner, verdict.plies.unwrap_or(0)))
    }

    /// Gives a claimed node its children. A leaf again, if there is no room.
    fn expand<O: Observer<G>>(
        &mut self,
        node: Node,
        game: &G,
        policy: &[f32],
        observer: &mut O,
    ) -> Link {
        let settings = self.task.settings;
        let mut list = MoveList::new();
        match if settings.narrow && policy.is_empty() { game.obvious() } else { None } {
            Some(mv) => list.push(mv),
            None => game.moves(&mut list),
        }
        let Some(groups) = self.pool.take(list.len()) else {
            self.pool.set_link(node, Link::LEAF);
            return Link::LEAF;
        };
        let mut born: MoveList<(G::Move, f32)> = match settings.selection {
            Selection::Ucb1 { .. } => list.iter().map(|&mv| (mv, 0.0)).collect(),
            Selection::Puct { .. } if policy.len() == list.len() => {
                list.iter().copied().zip(policy.iter().copied()).collect()
            }
            Selection::Puct { .. } => {
                let weights: MoveList<f32> =
                    list.iter().map(|&mv| game.weight(mv, Form::Correct) as f32).collect();
                let total: f32 = weights.iter().sum();
                list.iter().copied().zip(weights.iter().map(|w| w / total)).collect()
            }
        };
        match settings.expand {
            Expand::One => {}
            Expand::All => {
                for i in (1..born.len()).rev() {
                    born.swap(i, self.dice.below(i + 1));
                }
            }
            Expand::Necessary => {
                let obvious = game.obvious();
                born.sort_by_key(|&(mv, _)| {
                    (Some(mv) != obvious, std::cmp::Reverse(game.weight(mv, Form::Correct)))
                });
            }
        }
        let link = Link::to(groups.start, groups.len());
        for (group, block) in self.pool.run(groups).iter().zip(0..) {
            for lane in 0..LANES {
                match born.get(block * LANES + lane) {
                    Some(&(mv, prior)) => group.occupy(lane, mv.into(), prior),
                    None => group.vacate(lane),
                }
            }
        }
        self.pool.set_link(node, link);
        observer.expanded(born.len());
        link
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
            let way = std::mem::take(&mut self.ways[slot]);
            let value = f64::from(self.results[slot].value);
            if evaluated {
                let node = way.last().expect("a way has a root").node;
                let policy = std::mem::take(&mut self.results[slot].policy);
                let game = self.leaves[slot].game.clone();
                self.expand(node, &game, &policy, observer);
                self.results[slot].policy = policy;
            }
            let total = (value * ONE as f64 * f64::from(self.task.weight)).round() as i64;
            self.back_up::<SHARED, O>(&way, total, None, observer);
            self.ways[slot] = way;
        }
    }

    /// Adds a result to every node of a way and takes the virtual losses off.
    /// `total` is First's result times the weight; a proof replaces it, and goes
    /// up as far as it proves parents.
    fn back_up<const SHARED: bool, O: Observer<G>>(
        &mut self,
        way: &[Step],
        mut total: i64,
        mut proof: Option<Proof>,
        observer: &mut O,
    ) {
        let mut below: Option<Step> = None;
        for &step in way.iter().rev() {
            if let Some(child) = below.take() {
                let mover = child.chooser.expect("only the root is chosen by nobody");
                proof = self.pool.deduce(step.node, mover);
            }
            if let Some(proof) = proof.take() {
                total = i64::from(proof.for_first()) * ONE * i64::from(self.task.weight);
                self.pool.prove(step.node, proof, step.chooser);
                if way.get(1).is_some_and(|child| child.node == step.node) {
                    // Below the root a certain move needs no more visits; deeper
                    // down a draw still has to weigh in its parent's mean.
                    self.pool.exclude(step.node);
                }
                below = Some(step);
            }
            if step.chooser.is_some() {
                self.pool.add_sum::<SHARED>(step.node, total + step.lost);
            } else {
                self.root_sum += total;
                self.root_visits += self.task.weight;
            }
        }
        observer.backed_up(way.len());
    }

    /// Undoes a way that led nowhere.
    fn take_back<const SHARED: bool>(&self, way: &[Step]) {
        for step in &way[1..] {
            self.pool.add_visits::<SHARED>(step.node, self.task.weight.wrapping_neg());
            self.pool.add_sum::<SHARED>(step.node, step.lost);
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

    fn loss(&self) -> i64 {
        if self.task.virtual_loss { ONE * i64::from(self.task.weight) } else { 0 }
    }
}
