//! What the tree says: root moves, lines, scores and the choice.

use std::sync::atomic::Ordering::Relaxed;

use games::{Player, Rng};

use super::pool::{LANES, Node, ONE, Pool};
use super::proof::Proof;
use super::settings::{FinalMove, TreeSettings};
use crate::{Line, Score, SearchHints, SearchInfo, Source};

/// A root move over all trees.
pub(super) struct RootMove {
    pub mv: u16,
    pub visits: u64,
    /// First's results added up, in units of `ONE`.
    pub sum: i64,
    pub proof: Proof,
    /// The tree that visited it most, and the move's node there.
    pool: usize,
    node: Node,
}

impl RootMove {
    /// The mean for `player`, from -1 to 1; exact if proven.
    fn mean(&self, player: Player) -> f64 {
        let first = if self.proof.is_known() {
            f64::from(self.proof.for_first())
        } else {
            self.sum as f64 / ONE as f64 / self.visits.max(1) as f64
        };
        first * f64::from(player.sign())
    }

    fn score(&self, player: Player) -> Score {
        if self.proof.is_known() {
            proven(self.proof, 1, player)
        } else {
            Score::Expected(self.mean(player))
        }
    }

    /// -1 for a proven loss, 1 for a proven win, 0 for all else.
    fn proven_result(&self, player: Player) -> i32 {
        self.proof.for_first() * player.sign()
    }
}

/// Certainty for `player`, `before` plies before the node that has it. The lines
/// that prove a draw say nothing about its length.
fn proven(proof: Proof, before: u32, player: Player) -> Score {
    let result = proof.for_first() * player.sign();
    Score::Proven { result, plies: (result != 0).then_some(proof.plies() + before) }
}

/// The root moves of all trees, the best first by the final choice's order.
pub(super) fn roots(pools: &[Pool], final_move: FinalMove, mover: Player) -> Vec<RootMove> {
    let mut roots: Vec<RootMove> = Vec::new();
    let mut most: Vec<u32> = Vec::new();
    for (index, pool) in pools.iter().enumerate() {
        for child in pool.children(Node::ROOT) {
            let (mv, visits) = (pool.mv(child), pool.visits(child));
            let place = match roots.iter().position(|root| root.mv == mv) {
                Some(place) => place,
                None => {
                    roots.push(RootMove {
                        mv,
                        visits: 0,
                        sum: 0,
                        proof: Proof::NONE,
                        pool: index,
                        node: child,
                    });
                    most.push(0);
                    roots.len() - 1
                }
            };
            let root = &mut roots[place];
            root.visits += u64::from(visits);
            root.sum += pool.sum(child);
            if pool.proof(child).is_known() {
                root.proof = pool.proof(child);
            }
            if visits > most[place] {
                (most[place], root.pool, root.node) = (visits, index, child);
            }
        }
    }
    roots.sort_by(|a, b| {
        let key = |root: &RootMove| {
            let result = root.proven_result(mover);
            let rank = if result == 0 { (0, 0) } else { root.proof.rank(mover) };
            (result, rank, root.visits > 0)
        };
        let by_mean = || b.mean(mover).total_cmp(&a.mean(mover));
        let by_visits = || b.visits.cmp(&a.visits);
        key(b).cmp(&key(a)).then_with(|| match final_move {
            FinalMove::Mean => by_mean().then_with(by_visits),
            _ => by_visits().then_with(by_mean),
        })
    });
    // A certain draw, which gets no visits any more, is better than any hope
    // below it.
    let draw =
        roots.iter().position(|root| root.proof.is_known() && root.proven_result(mover) == 0);
    if let Some(draw) = draw
        && roots[0].proven_result(mover) == 0
        && roots[0].mean(mover) <= 0.0
    {
        roots[..=draw].rotate_right(1);
    }
    roots
}

/// The root's proof, if one of the trees has it.
pub(super) fn root_proof(pools: &[Pool]) -> Option<Proof> {
    pools.iter().map(|pool| pool.proof(Node::ROOT)).find(|proof| proof.is_known())
}

/// The place of the move to play among `roots`, which are in order.
fn choose(roots: &[RootMove], final_move: FinalMove, mover: Player, rng: &mut Rng) -> usize {
    let FinalMove::Temperature(temperature) = final_move else { return 0 };
    if roots.is_empty() || roots[0].proven_result(mover) > 0 || temperature <= 0.0 {
        return 0;
    }
    let most = roots.iter().map(|root| root.visits).max().unwrap_or(0).max(1) as f64;
    let weights: Vec<f64> = roots
        .iter()
        .map(|root| match root.proven_result(mover) {
            -1 => 0.0,
            _ => (root.visits as f64 / most).powf(1.0 / temperature),
        })
        .collect();
    // All are 0 where every move is proven lost.
    rng.weighted(&weights).unwrap_or(0)
}

/// The best continuation from a node, by proofs, then visits, the first among
/// equals.
fn continuation<G: SearchHints>(pool: &Pool, mut node: Node, game: &G, pv: &mut Vec<G::Move>) {
    let mut game = game.clone();
    while let Some(next) = best_child(pool, node, game.to_move()) {
        let mv = G::Move::from(pool.mv(next));
        pv.push(mv);
        game.play(mv);
        node = next;
    }
}

/// One of these is asked for each root move every few milliseconds, so it goes
/// straight through the blocks.
pub(super) fn best_child(pool: &Pool, node: Node, mover: Player) -> Option<Node> {
    let blocks = pool.link(node).open()?;
    let first = blocks.start * LANES;
    let mut best = None;
    for (index, block) in pool.blocks(blocks).iter().enumerate() {
        for lane in 0..LANES {
            let visits = block.visits[lane].load(Relaxed);
            let proof = Proof(block.proof[lane].load(Relaxed));
            if proof == Proof::ABSENT || (visits == 0 && !proof.is_known()) {
                continue;
            }
            let certain = proof.for_first() != 0;
            let rank = if certain { proof.rank(mover) } else { (0, 0) };
            let key = (rank, visits);
            if best.is_none_or(|(top, _)| key > top) {
                best = Some((key, Node((first + index * LANES + lane) as u32)));
            }
        }
    }
    best.map(|(_, node)| node)
}

/// Fills in what the trees know: best move, score and lines.
pub(super) fn fill<G: SearchHints>(
    info: &mut SearchInfo<G::Move>,
    pools: &[Pool],
    settings: &TreeSettings,
    game: &G,
    rng: &mut Rng,
) {
    let mover = game.to_move();
    let mut roots = roots(pools, settings.final_move, mover);
    // Before any visit a policy knows best, and without one the guess stands.
    if roots.first().is_none_or(|root| root.visits == 0 && !root.proof.is_known()) {
        let prior = |root: &RootMove| pools[root.pool].prior(root.node);
        roots.sort_by(|a, b| prior(b).total_cmp(&prior(a)));
        if let Some(root) = roots.first().filter(|root| prior(root) > 0.0) {
            info.best = Some(G::Move::from(root.mv));
        }
        return;
    }
    info.lines = roots
        .iter()
        .map(|root| {
            let mv = G::Move::from(root.mv);
            let mut pv = vec![mv];
            continuation(&pools[root.pool], root.node, &game.after(mv), &mut pv);
            Line { mv, score: root.score(mover), visits: root.visits, pv }
        })
        .collect();
    let place = choose(&roots, settings.final_move, mover, rng);
    if let Some(best) = roots.get(place) {
        info.best = Some(G::Move::from(best.mv));
        info.score = best.score(mover);
        info.win_rate = (best.mean(mover) + 1.0) / 2.0;
    }
    if let Some(proof) = root_proof(pools) {
        info.score = proven(proof, 0, mover);
        info.win_rate = f64::from(proof.for_first() * mover.sign() + 1) / 2.0;
        info.source = Source::Solver;
    } else if let Score::Proven { result, .. } = info.score
        && result <= 0
    {
        // The best child is certain, the others are not: no more than a value.
        info.score = Score::Expected(f64::from(result));
    }
}
