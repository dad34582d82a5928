//! One move's search, as a machine that asks for leaves to be judged.
//!
//! Under [`Root::Gumbel`] the root follows sequential halving and inner nodes
//! approach the improved policy; under [`Root::Puct`] all nodes follow PUCT.

use games::{Game, Rng};
use search::{Evaluation, Leaf};

use super::settings::Root;
use super::tree::{Arrival, Tree, View};

/// How much values weigh against logits: c_visit and c_scale of the paper.
const SCALE: (f32, f32) = (50.0, 1.0);

/// What a search found.
pub(super) struct Found<M> {
    /// The move to play.
    pub best: M,
    /// For each legal move, in the game's order, how likely it should be.
    pub policy: Vec<f32>,
    /// First's expected result.
    pub value: f32,
    /// How far the policy is from what was thought before the search, in nats.
    pub surprise: f32,
}

/// The search for one move.
pub(super) struct Search<G: Game> {
    tree: Tree<G>,
    root: Option<(G, Option<G::Move>)>,
    waiting: Option<G>,
    kind: Root,
    sims: u32,
    done: u32,
    /// Under Gumbel: a draw for each root move, and how often the moves that the
    /// next simulation chooses from have been visited.
    draws: Vec<f32>,
    plan: Vec<u32>,
    /// For each root move, its share before any noise, and the visits that an
    /// earlier search made.
    before: Vec<(f32, u32)>,
}

impl<G: Game> Search<G> {
    pub fn new(kind: Root) -> Search<G> {
        Search {
            tree: Tree::new(),
            root: None,
            waiting: None,
            kind,
            sims: 0,
            done: 0,
            draws: Vec::new(),
            plan: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Begins with another position, which must not be over. With `reuse` it is
    /// the one after `last` was played at the position before, and what was
    /// found out about it then still stands.
    pub fn begin(&mut self, game: G, last: Option<G::Move>, sims: u32, reuse: bool, rng: &mut Rng) {
        match last.filter(|_| reuse && !self.tree.is_empty()) {
            Some(mv) => self.tree.keep(mv),
            None => self.tree.clear(),
        }
        self.root = Some((game, last));
        self.waiting = None;
        (self.sims, self.done) = (sims.max(1), 0);
        if !self.tree.is_empty() {
            self.prepare(rng);
            if let Root::Puct { .. } = self.kind {
                // Visits are visits, whenever they were made; one at least is new.
                self.done = self.tree.root().visits().min(self.sims - 1);
            }
        }
    }

    /// The next leaf to be judged; `None` when the search is over. `over` says
    /// how the game ended at a position, for First, given the keys from the root
    /// to it.
    pub fn next(&mut self, over: impl Fn(&G, &[u64]) -> Option<f32>) -> Option<Leaf<G>> {
        let (game, last) = self.root.as_ref().expect("the search has begun");
        if self.tree.is_empty() {
            self.waiting = Some(game.clone());
            return Some(Leaf { game: game.clone(), last: *last });
        }
        while self.done < self.sims {
            self.done += 1;
            let root = self.tree.root();
            let kind = self.kind;
            let at_root = match kind {
                Root::Gumbel { .. } => self.halve(&root),
                Root::Puct { c, .. } => puct(&root, c),
            };
            let choose = |view: View<G::Move>| match kind {
                Root::Gumbel { .. } => approach(&view),
                Root::Puct { c, .. } => puct(&view, c),
            };
            if let Arrival::Leaf(leaf) = self.tree.descend(game, at_root, choose, &over) {
                self.waiting = Some(leaf.game.clone());
                return Some(leaf);
            }
        }
        None
    }

    /// Takes the judgement of the leaf that was asked for last.
    pub fn apply(&mut self, evaluation: Evaluation, rng: &mut Rng) {
        let game = self.waiting.take().expect("a leaf was asked for");
        let is_root = self.tree.is_empty();
        self.tree.grow(&game, evaluation);
        if is_root {
            self.prepare(rng);
        }
    }

    fn prepare(&mut self, rng: &mut Rng) {
        self.before.clear();
        self.before.extend(self.tree.root().edges.iter().map(|edge| (edge.prior, edge.visits)));
        match self.kind {
            Root::Gumbel { considered } => {
                let edges = self.tree.root().edges.len();
                self.draws.clear();
                self.draws.extend((0..edges).map(|_| gumbel(rng)));
                self.plan = plan(considered.min(edges), self.sims);
            }
            Root::Puct { noise, .. } if noise > 0.0 => {
                let edges = self.tree.root_edges();
                let noises = dirichlet(10.0 / edges.len() as f64, edges.len(), rng);
                for (edge, extra) in edges.iter_mut().zip(noises) {
                    edge.prior = edge.prior * (1.0 - noise) + extra * noise;
                }
            }
            Root::Puct { .. } => {}
        }
    }

    /// The root move that sequential halving looks at next.
    fn halve(&self, root: &View<G::Move>) -> usize {
        let visits = self.plan[self.done as usize - 1];
        let scores = improved(root);
        let lively = |i: &usize| self.new_visits(root, *i) == visits;
        best((0..root.edges.len()).filter(lively).map(|i| (i, scores[i] + self.draws[i])))
            // A plan never asks for visits that no move has.
            .unwrap_or(0)
    }

    /// The visits of a root move by this search.
    fn new_visits(&self, root: &View<G::Move>, i: usize) -> u32 {
        root.edges[i].visits - self.before[i].1
    }

    /// What was found. A `lively` choice follows the noise or the visits.
    pub fn found(&self, lively: bool, rng: &mut Rng) -> Found<G::Move> {
        let root = self.tree.root();
        // Halving has spent this search's visits on the best.
        let count = |i: usize| match self.kind {
            Root::Gumbel { .. } => self.new_visits(&root, i),
            Root::Puct { .. } => root.edges[i].visits,
        };
        let most = (0..root.edges.len()).map(count).max().unwrap_or(0);
        let busiest = (0..root.edges.len()).filter(|&i| count(i) == most);
        let (policy, chosen) = match self.kind {
            Root::Gumbel { .. } => {
                let scores = improved(&root);
                let noise = |i: usize| if lively { self.draws[i] } else { 0.0 };
                let chosen = best(busiest.map(|i| (i, scores[i] + noise(i))));
                (softmax(&scores), chosen)
            }
            Root::Puct { .. } => {
                let all = root.visits().max(1) as f32;
                let shares: Vec<f32> =
                    root.edges.iter().map(|edge| edge.visits as f32 / all).collect();
                let chosen = match lively {
                    true => Some(draw(&shares, rng)),
                    false => {
                        best(busiest.map(|i| (i, root.edges[i].mean(root.mover).unwrap_or(-1.0))))
                    }
                };
                (shares, chosen)
            }
        };
        let mixed = mixed_value(&root);
        let mean = |i: usize| root.edges[i].mean(root.mover).unwrap_or(mixed);
        let value: f32 = policy.iter().enumerate().map(|(i, share)| share * mean(i)).sum();
        let surprise = policy.iter().zip(&self.before).map(|(&share, &(prior, _))| match share {
            0.0 => 0.0,
            share => share * (share / prior.max(1e-8)).ln(),
        });
        Found {
            surprise: surprise.sum::<f32>().max(0.0),
            best: root.edges[chosen.expect("the root has moves")].mv,
            policy,
            value: (value * root.mover.sign() as f32).clamp(-1.0, 1.0),
        }
    }
}

/// The index with the highest score, the first among equals.
fn best(scores: impl Iterator<Item = (usize, f32)>) -> Option<usize> {
    let higher = |a: (usize, f32), b: (usize, f32)| if b.1 > a.1 { b } else { a };
    scores.reduce(higher).map(|(i, _)| i)
}

/// Q + c P sqrt(sum N) / (1 + N), where Q is 0 before the first visit.
fn puct<M>(view: &View<M>, c: f32) -> usize {
    let root = (view.visits().max(1) as f32).sqrt();
    let score = |edge: &super::tree::Edge<M>| {
        edge.mean(view.mover).unwrap_or(0.0) + c * edge.prior * root / (1.0 + edge.visits as f32)
    };
    best(view.edges.iter().map(score).enumerate()).unwrap_or(0)
}

/// The move whose share of visits falls most behind the improved policy.
fn approach<M>(view: &View<M>) -> usize {
    let policy = softmax(&improved(view));
    let all = 1.0 + view.visits() as f32;
    let lack = |(i, share): (usize, f32)| (i, share - view.edges[i].visits as f32 / all);
    best(policy.into_iter().enumerate().map(lack)).unwrap_or(0)
}

/// Logits plus what the values say; unvisited moves count as the mixed value.
fn improved<M>(view: &View<M>) -> Vec<f32> {
    let mixed = mixed_value(view);
    let most = view.edges.iter().map(|edge| edge.visits).max().unwrap_or(0) as f32;
    let weight = (SCALE.0 + most) * SCALE.1 / 2.0;
    let score = |edge: &super::tree::Edge<M>| {
        edge.prior.max(1e-8).ln() + weight * edge.mean(view.mover).unwrap_or(mixed)
    };
    view.edges.iter().map(score).collect()
}

/// The mover's value: the evaluator's and the visited moves' together.
fn mixed_value<M>(view: &View<M>) -> f32 {
    let (mut shares, mut sum, mut visits) = (0.0, 0.0, 0.0);
    for edge in view.edges {
        if let Some(mean) = edge.mean(view.mover) {
            let prior = edge.prior.max(1e-8);
            shares += prior;
            sum += prior * mean;
            visits += edge.visits as f32;
        }
    }
    if visits == 0.0 { view.value } else { (view.value + visits * sum / shares) / (1.0 + visits) }
}

fn softmax(scores: &[f32]) -> Vec<f32> {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut weights: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// An index drawn in proportion to the shares.
fn draw(shares: &[f32], rng: &mut Rng) -> usize {
    let mut ticket = rng.unit() as f32 * shares.iter().sum::<f32>();
    for (i, share) in shares.iter().enumerate() {
        ticket -= share;
        if ticket < 0.0 {
            return i;
        }
    }
    best(shares.iter().copied().enumerate()).unwrap_or(0)
}

/// Sequential halving, written as a list: simulation i chooses among the moves
/// with so many visits. At first the best `moves` moves get an equal share of
/// the simulations, then the better half of them, and so on.
fn plan(moves: usize, sims: u32) -> Vec<u32> {
    let sims = sims as usize;
    if moves < 2 {
        return (0..sims as u32).collect();
    }
    let rounds = moves.next_power_of_two().ilog2() as usize;
    let (mut list, mut left, mut visits) = (Vec::with_capacity(sims), moves, 0);
    while list.len() < sims {
        for _ in 0..(sims / (rounds * left)).max(1) {
            list.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2);
    }
    list.truncate(sims);
    list
}

fn gumbel(rng: &mut Rng) -> f32 {
    // 1 - u is never nought; a tiny number keeps the outer logarithm finite.
    let inner = -(1.0 - rng.unit()).ln();
    -(inner.max(1e-12).ln()) as f32
}

/// A draw from the symmetric Dirichlet distribution.
fn dirichlet(alpha: f64, count: usize, rng: &mut Rng) -> Vec<f32> {
    let draws: Vec<f64> = (0..count).map(|_| gamma(alpha, rng).max(1e-300)).collect();
    let sum: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| (draw / sum) as f32).collect()
}

/// A draw from the gamma distribution (Marsaglia and Tsang, 2000).
fn gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        return gamma(alpha + 1.0, rng) * (1.0 - rng.unit()).powf(1.0 / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    loop {
        let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
        let x = radius * (std::f64::consts::TAU * rng.unit()).cos();
        let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
        if v > 0.0 && (1.0 - rng.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_halves_and_never_asks_for_more_than_there_are() {
        for moves in 1..40 {
            for sims in 1..100 {
                let plan = plan(moves, sims);
                assert_eq!(plan.len(), sims as usize);
                let mut visits = vec![0; moves];
                for wanted in plan {
                    let i = visits.iter().position(|&v| v == wanted);
                    visits[i.expect("a move has so many visits")] += 1;
                }
                assert!(visits.is_sorted_by(|a, b| a >= b), "{moves} {sims} {visits:?}");
            }
        }
        assert_eq!(plan(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn draws_have_their_means() {
        let mut rng = Rng::seeded(3);
        let n = 20_000;
        let mean = (0..n).map(|_| f64::from(gumbel(&mut rng))).sum::<f64>() / f64::from(n);
        assert!((mean - 0.5772).abs() < 0.03, "{mean}");
        for alpha in [0.3, 2.5] {
            let mean = (0..n).map(|_| gamma(alpha, &mut rng)).sum::<f64>() / f64::from(n);
            assert!((mean - alpha).abs() < 0.05, "{alpha}: {mean}");
        }
        let shares = dirichlet(0.25, 40, &mut rng);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
