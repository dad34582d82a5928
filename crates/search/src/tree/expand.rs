//! What becomes of a leaf before it is evaluated: the end of the game, an oracle's
//! certain result, or children.

use games::MoveList;

use super::observer::Observer;
use super::pool::{LANES, Link, Node};
use super::proof::Proof;
use super::settings::{Expand, Selection, TreeSettings};
use super::worker::Worker;
use crate::{SearchHints, Variant};

impl<G: SearchHints> Worker<'_, G> {
    /// How the rules end the game here, by position or by history. A node has
    /// one history, so this is as certain as the rest.
    pub(super) fn terminal(&self, game: &G, depth: usize) -> Option<Proof> {
        let outcome = game.outcome().or_else(|| {
            let key = *self.keys.last()?;
            if depth == 0 {
                return None;
            }
            let times = self.keys.iter().filter(|&&other| other == key).count() as u32;
            game.history_outcome(self.context.plies + depth as u32, times)
        })?;
        Some(Proof::new(outcome.winner, 0))
    }

    /// What `SearchHints` sees coming at a node that no worker has seen yet.
    pub(super) fn static_result(&self, game: &G, node: Node) -> Option<Proof> {
        let settings = self.context.settings;
        if !settings.proofs || !settings.prune_children || node == Node::ROOT {
            return None;
        }
        let forced = || {
            let (_, plies) =
                (settings.threats > 0).then(|| game.forced_win(settings.threats))??;
            Some((game.to_move(), plies))
        };
        let result = game.static_result().or_else(forced);
        result.map(|(winner, plies)| Proof::new(Some(winner), plies))
    }

    /// A forced win at a node that has been visited so often before: the more visits
    /// it has, the longer the row of threats that is looked for.
    pub(super) fn forced_win(&self, game: &G, node: Node, visits: u32) -> Option<Proof> {
        let settings = self.context.settings;
        let due = visits >= TreeSettings::THREATS_AGAIN
            && visits.is_power_of_two()
            && visits.trailing_zeros().is_multiple_of(2);
        if !due || !settings.proofs || settings.threats == 0 || node == Node::ROOT {
            return None;
        }
        let factor = visits / TreeSettings::THREATS_AGAIN * 4;
        let (_, plies) = game.forced_win(settings.threats.saturating_mul(factor))?;
        Some(Proof::new(Some(game.to_move()), plies))
    }

    pub(super) fn ask_oracle(&self, game: &G, node: Node) -> Option<Proof> {
        let settings = self.context.settings;
        // At the root a result without a move to play would be of no use.
        if !settings.proofs || node == Node::ROOT {
            return None;
        }
        let end = self.context.oracle?.probe(game, 0)?;
        Some(Proof::new(end.winner, end.plies.unwrap_or(0)))
    }

    /// Gives a claimed node its children. A leaf again, if there is no room.
    pub(super) fn expand<O: Observer<G>>(
        &mut self,
        node: Node,
        game: &G,
        policy: &[f32],
        observer: &mut O,
    ) -> Link {
        let settings = self.context.settings;
        let mut list = MoveList::new();
        match settings.prune_children && policy.is_empty() {
            true => game.candidates(&mut list),
            false => game.moves(&mut list),
        }
        let Some(blocks) = self.allocator.take(self.pool, list.len()) else {
            self.pool.set_link(node, Link::LEAF);
            return Link::LEAF;
        };
        let mut children: MoveList<(G::Move, f32)> = match settings.selection {
            Selection::Ucb1 { .. } => list.iter().map(|&mv| (mv, 0.0)).collect(),
            Selection::Puct { .. } if policy.len() == list.len() => {
                list.iter().copied().zip(policy.iter().copied()).collect()
            }
            Selection::Puct { .. } => {
                let mut weights = MoveList::new();
                game.priors(&list, &mut weights);
                let total: f32 = weights.iter().sum();
                list.iter().copied().zip(weights.iter().map(|w| w / total)).collect()
            }
        };
        match settings.expand {
            Expand::One => {}
            Expand::All => {
                for i in (1..children.len()).rev() {
                    children.swap(i, self.rng.below(i + 1));
                }
            }
            Expand::Necessary => {
                let forced = game.forced_move();
                children.sort_by_key(|&(mv, _)| {
                    (Some(mv) != forced, std::cmp::Reverse(game.weight(mv, Variant::Correct)))
                });
            }
        }
        let link = Link::to(blocks.start, blocks.len());
        for (block, index) in self.pool.blocks(blocks).iter().zip(0..) {
            for lane in 0..LANES {
                match children.get(index * LANES + lane) {
                    Some(&(mv, prior)) => block.occupy(lane, mv.into(), prior),
                    None => block.vacate(lane),
                }
            }
        }
        self.pool.set_link(node, link);
        observer.expanded(children.len());
        link
    }
}
