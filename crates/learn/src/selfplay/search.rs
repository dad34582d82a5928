//! The search of one move, as a state machine that asks for leaves to be
//! evaluated.
//!
//! Under [`RootSearch::Gumbel`] the root is searched by sequential halving and
//! inner nodes follow the improved policy; under [`RootSearch::Puct`] all nodes
//! follow PUCT.

use games::{Game, Rng};
use search::{Evaluation, Leaf};

use super::settings::RootSearch;
use super::tree::{Descent, Edge, NodeView, Tree};
use crate::net::softmax;

/// c_visit of the Gumbel paper: how much values weigh against logits.
const C_VISIT: f32 = 50.0;
/// c_scale of the Gumbel paper.
const C_SCALE: f32 = 1.0;
/// The smallest prior, so that its logarithm is finite.
const MIN_PRIOR: f32 = 1e-8;

/// The result of a search.
pub(super) struct SearchResult<M> {
    /// The move to play.
    pub best: M,
    /// The policy target: each legal move's probability, in the game's order.
    pub policy: Vec<f32>,
    /// First's expected result.
    pub value: f32,
    /// The divergence of the policy from the priors, in nats.
    pub surprise: f32,
}

/// The search for one move.
pub(super) struct Search<G: Game> {
    tree: Tree<G>,
    root: Option<(G, Option<G::Move>)>,
    /// The leaf that is being evaluated.
    pending: Option<G>,
    kind: RootSearch,
    sims: u32,
    done: u32,
    /// Under Gumbel: the noise of each root move.
    noise: Vec<f32>,
    /// Under Gumbel: simulation i chooses among the moves with `schedule[i]`
    /// visits.
    schedule: Vec<u32>,
    /// For each root move, its prior without noise and the visits of earlier
    /// searches.
    before: Vec<(f32, u32)>,
}

impl<G: Game> Search<G> {
    pub fn new(kind: RootSearch) -> Search<G> {
        Search {
            tree: Tree::new(),
            root: None,
            pending: None,
            kind,
            sims: 0,
            done: 0,
            noise: Vec::new(),
            schedule: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Starts the search of a position, which must not be terminal. With `reuse` it
    /// is the one after `last` was played at the previous root, and its subtree is
    /// kept.
    pub fn start(&mut self, game: G, last: Option<G::Move>, sims: u32, reuse: bool, rng: &mut Rng) {
        match last.filter(|_| reuse && !self.tree.is_empty()) {
            Some(mv) => self.tree.reroot(mv),
            None => self.tree.clear(),
        }
        self.root = Some((game, last));
        self.pending = None;
        (self.sims, self.done) = (sims.max(1), 0);
        if !self.tree.is_empty() {
            self.prepare_root(rng);
            if let RootSearch::Puct { .. } = self.kind {
                // Visits of the kept subtree count; at least one simulation is new.
                self.done = self.tree.root().visits().min(self.sims - 1);
            }
        }
    }

    /// The next leaf to evaluate; `None` when the search is complete. `terminal`
    /// gives First's result where the game is over, given the keys from the root.
    pub fn next(&mut self, terminal: impl Fn(&G, &[u64]) -> Option<f32>) -> Option<Leaf<G>> {
        let (game, last) = self.root.as_ref().expect("the search was started");
        if self.tree.is_empty() {
            self.pending = Some(game.clone());
            return Some(Leaf { game: game.clone(), last: *last });
        }
        while self.done < self.sims {
            self.done += 1;
            let root = self.tree.root();
            let kind = self.kind;
            let at_root = match kind {
                RootSearch::Gumbel { .. } => self.sequential_halving(&root),
                RootSearch::Puct { c, .. } => puct(&root, c),
            };
            let select = |view: NodeView<G::Move>| match kind {
                RootSearch::Gumbel { .. } => follow_improved(&view),
                RootSearch::Puct { c, .. } => puct(&view, c),
            };
            if let Descent::Leaf(leaf) = self.tree.descend(game, at_root, select, &terminal) {
                self.pending = Some(leaf.game.clone());
                return Some(leaf);
            }
        }
        None
    }

    /// Applies the evaluation of the leaf that [`Search::next`] gave last.
    pub fn apply(&mut self, evaluation: Evaluation, rng: &mut Rng) {
        let game = self.pending.take().expect("a leaf is pending");
        let is_root = self.tree.is_empty();
        self.tree.expand(&game, evaluation);
        if is_root {
            self.prepare_root(rng);
        }
    }

    fn prepare_root(&mut self, rng: &mut Rng) {
        self.before.clear();
        self.before.extend(self.tree.root().edges.iter().map(|edge| (edge.prior, edge.visits)));
        match self.kind {
            RootSearch::Gumbel { considered } => {
                let edges = self.tree.root().edges.len();
                self.noise.clear();
                self.noise.extend((0..edges).map(|_| gumbel(rng)));
                self.schedule = halving_schedule(considered.min(edges), self.sims);
            }
            RootSearch::Puct { noise, .. } if noise > 0.0 => {
                let edges = self.tree.root_edges();
                let sample = dirichlet(10.0 / edges.len() as f64, edges.len(), rng);
                for (edge, sampled) in edges.iter_mut().zip(sample) {
                    edge.prior = edge.prior * (1.0 - noise) + sampled * noise;
                }
            }
            RootSearch::Puct { .. } => {}
        }
    }

    /// The root move of the next simulation under sequential halving.
    fn sequential_halving(&self, root: &NodeView<G::Move>) -> usize {
        let visits = self.schedule[self.done as usize - 1];
        let logits = improved_logits(root);
        let candidate = |i: &usize| self.new_visits(root, *i) == visits;
        argmax((0..root.edges.len()).filter(candidate).map(|i| (i, logits[i] + self.noise[i])))
            // The schedule asks only for visits that some move has.
            .unwrap_or(0)
    }

    /// The visits of a root move by this search.
    fn new_visits(&self, root: &NodeView<G::Move>, i: usize) -> u32 {
        root.edges[i].visits - self.before[i].1
    }

    /// The result. When `exploring`, the move is sampled by visits (PUCT) or keeps
    /// its Gumbel noise.
    pub fn result(&self, exploring: bool, rng: &mut Rng) -> SearchResult<G::Move> {
        let root = self.tree.root();
        // Sequential halving spends a search's visits on its best moves.
        let visits = |i: usize| match self.kind {
            RootSearch::Gumbel { .. } => self.new_visits(&root, i),
            RootSearch::Puct { .. } => root.edges[i].visits,
        };
        let most = (0..root.edges.len()).map(visits).max().unwrap_or(0);
        let most_visited = (0..root.edges.len()).filter(|&i| visits(i) == most);
        let (policy, chosen) = match self.kind {
            RootSearch::Gumbel { .. } => {
                let logits = improved_logits(&root);
                let noise = |i: usize| if exploring { self.noise[i] } else { 0.0 };
                let chosen = argmax(most_visited.map(|i| (i, logits[i] + noise(i))));
                (softmax(logits.iter().copied()), chosen)
            }
            RootSearch::Puct { .. } => {
                let visits: Vec<f64> = root.edges.iter().map(|edge| edge.visits.into()).collect();
                let all = root.visits().max(1) as f32;
                let policy: Vec<f32> = visits.iter().map(|&visits| visits as f32 / all).collect();
                let mean = |i: usize| root.edges[i].mean(root.mover).unwrap_or(-1.0);
                let chosen = match exploring {
                    true => rng.weighted(&visits),
                    false => argmax(most_visited.map(|i| (i, mean(i)))),
                };
                (policy, chosen)
            }
        };
        let mixed = mixed_value(&root);
        let mean = |i: usize| root.edges[i].mean(root.mover).unwrap_or(mixed);
        let value: f32 = policy.iter().enumerate().map(|(i, p)| p * mean(i)).sum();
        let divergence = policy.iter().zip(&self.before).map(|(&p, &(prior, _))| match p {
            0.0 => 0.0,
            p => p * (p / prior.max(MIN_PRIOR)).ln(),
        });
        SearchResult {
            surprise: divergence.sum::<f32>().max(0.0),
            best: root.edges[chosen.expect("the root has moves")].mv,
            policy,
            value: (value * root.mover.sign() as f32).clamp(-1.0, 1.0),
        }
    }
}

/// The index of the highest score, the first among equals.
fn argmax(scores: impl Iterator<Item = (usize, f32)>) -> Option<usize> {
    let higher = |a: (usize, f32), b: (usize, f32)| if b.1 > a.1 { b } else { a };
    scores.reduce(higher).map(|(i, _)| i)
}

/// Q + c P sqrt(sum N) / (1 + N), where Q is 0 before the first visit.
fn puct<M>(view: &NodeView<M>, c: f32) -> usize {
    let root = (view.visits().max(1) as f32).sqrt();
    let score = |edge: &Edge<M>| {
        edge.mean(view.mover).unwrap_or(0.0) + c * edge.prior * root / (1.0 + edge.visits as f32)
    };
    argmax(view.edges.iter().map(score).enumerate()).unwrap_or(0)
}

/// The move whose share of visits falls most behind the improved policy.
fn follow_improved<M>(view: &NodeView<M>) -> usize {
    let policy = softmax(improved_logits(view).into_iter());
    let all = 1.0 + view.visits() as f32;
    let lack = |(i, p): (usize, f32)| (i, p - view.edges[i].visits as f32 / all);
    argmax(policy.into_iter().enumerate().map(lack)).unwrap_or(0)
}

/// Logits plus the transformed values; unvisited moves have the mixed value.
fn improved_logits<M>(view: &NodeView<M>) -> Vec<f32> {
    let mixed = mixed_value(view);
    let most = view.edges.iter().map(|edge| edge.visits).max().unwrap_or(0) as f32;
    // Half of the paper's, whose values go from 0 to 1; ours go from -1 to 1.
    let weight = (C_VISIT + most) * C_SCALE / 2.0;
    let logit = |edge: &Edge<M>| {
        edge.prior.max(MIN_PRIOR).ln() + weight * edge.mean(view.mover).unwrap_or(mixed)
    };
    view.edges.iter().map(logit).collect()
}

/// The mover's value: the evaluator's and that of the visited moves together.
fn mixed_value<M>(view: &NodeView<M>) -> f32 {
    let (mut priors, mut sum, mut visits) = (0.0, 0.0, 0.0);
    for edge in view.edges {
        if let Some(mean) = edge.mean(view.mover) {
            let prior = edge.prior.max(MIN_PRIOR);
            priors += prior;
            sum += prior * mean;
            visits += edge.visits as f32;
        }
    }
    if visits == 0.0 { view.value } else { (view.value + visits * sum / priors) / (1.0 + visits) }
}

/// Sequential halving as a list: simulation i chooses among the moves with so
/// many visits. At first the best `moves` moves get an equal number of
/// simulations, then the better half of them, and so on.
fn halving_schedule(moves: usize, sims: u32) -> Vec<u32> {
    let sims = sims as usize;
    if moves < 2 {
        return (0..sims as u32).collect();
    }
    let rounds = moves.next_power_of_two().ilog2() as usize;
    let (mut schedule, mut left, mut visits) = (Vec::with_capacity(sims), moves, 0);
    while schedule.len() < sims {
        for _ in 0..(sims / (rounds * left)).max(1) {
            schedule.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2);
    }
    schedule.truncate(sims);
    schedule
}

/// A sample of the standard Gumbel distribution.
fn gumbel(rng: &mut Rng) -> f32 {
    // 1 - u is never 0; the lower bound keeps the outer logarithm finite.
    let inner = -(1.0 - rng.unit()).ln();
    -(inner.max(1e-12).ln()) as f32
}

/// A sample of the symmetric Dirichlet distribution.
fn dirichlet(alpha: f64, count: usize, rng: &mut Rng) -> Vec<f32> {
    let samples: Vec<f64> = (0..count).map(|_| gamma(alpha, rng).max(1e-300)).collect();
    let sum: f64 = samples.iter().sum();
    samples.into_iter().map(|sample| (sample / sum) as f32).collect()
}

/// A sample of the gamma distribution (Marsaglia and Tsang, 2000).
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
    fn a_halving_schedule_halves_and_asks_only_for_visits_that_a_move_has() {
        for moves in 1..40 {
            for sims in 1..100 {
                let schedule = halving_schedule(moves, sims);
                assert_eq!(schedule.len(), sims as usize);
                let mut visits = vec![0; moves];
                for wanted in schedule {
                    let i = visits.iter().position(|&v| v == wanted);
                    visits[i.expect("a move has so many visits")] += 1;
                }
                assert!(visits.is_sorted_by(|a, b| a >= b), "{moves} {sims} {visits:?}");
            }
        }
        assert_eq!(halving_schedule(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn samples_have_the_means_of_their_distributions() {
        let mut rng = Rng::seeded(3);
        let n = 20_000;
        let mean = (0..n).map(|_| f64::from(gumbel(&mut rng))).sum::<f64>() / f64::from(n);
        assert!((mean - 0.5772).abs() < 0.03, "{mean}");
        for alpha in [0.3, 2.5] {
            let mean = (0..n).map(|_| gamma(alpha, &mut rng)).sum::<f64>() / f64::from(n);
            assert!((mean - alpha).abs() < 0.05, "{alpha}: {mean}");
        }
        let noise = dirichlet(0.25, 40, &mut rng);
        assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
