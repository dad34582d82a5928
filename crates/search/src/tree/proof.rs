//! Proven results of nodes, and how they are backed up.
//!
//! After Winands, Björnsson and Saito (Monte-Carlo Tree Search Solver, 2008),
//! with draws and with repeated turns: a child's result is seen by the player who
//! moves at the parent, whether or not the turn passes.

use std::sync::atomic::Ordering::Relaxed;

use games::Player;

use super::pool::{EXCLUDED, LANES, Node, Pool};

/// A proven result, and in how many plies it comes by the lines that proved it:
/// two bits of result, 14 bits of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(pub u16);

impl Proof {
    /// Nothing is proven.
    pub const NONE: Proof = Proof(0);
    /// Marks a lane that has no move.
    pub const ABSENT: Proof = Proof(u16::MAX);
    const MOST_PLIES: u32 = (1 << 14) - 2;

    /// `winner` wins (`None`: a draw) in `plies` plies.
    pub fn new(winner: Option<Player>, plies: u32) -> Proof {
        let result = match winner {
            Some(Player::First) => 1,
            Some(Player::Second) => 2,
            None => 3,
        };
        Proof((plies.min(Proof::MOST_PLIES) as u16) << 2 | result)
    }

    #[inline]
    pub fn is_known(self) -> bool {
        self != Proof::NONE
    }

    /// First's result: 1, 0 or -1; 0 also where nothing is known.
    #[inline]
    pub fn for_first(self) -> i32 {
        match self.0 & 3 {
            1 => 1,
            2 => -1,
            _ => 0,
        }
    }

    pub fn plies(self) -> u32 {
        u32::from(self.0 >> 2)
    }

    fn winner(self) -> Option<Player> {
        match self.for_first() {
            1 => Some(Player::First),
            -1 => Some(Player::Second),
            _ => None,
        }
    }
}

impl Pool {
    /// Stores that a node is proven, once; `parent_mover` is who moved into it, if
    /// it is not the root. A child that loses for that player is never selected
    /// again. False if it was proven already.
    pub fn prove(&self, node: Node, proof: Proof, parent_mover: Option<Player>) -> bool {
        // The proof comes first: a thread that finds all children excluded reads
        // their proofs.
        let known = &self.block(node.block()).proof[node.lane()];
        let new = known.compare_exchange(Proof::NONE.0, proof.0, Relaxed, Relaxed).is_ok();
        if let Some(mover) = parent_mover
            && proof.for_first() * mover.sign() < 0
        {
            self.exclude(node);
        }
        new
    }

    /// Excludes a node from selection.
    pub fn exclude(&self, node: Node) {
        self.block(node.block()).prior[node.lane()].store(EXCLUDED, Relaxed);
    }

    /// What a node's children prove about it when `mover` moves there: a win by
    /// one winning child, else the best result once all children are proven.
    /// Wins are counted by the shortest proven line, losses by the longest.
    pub fn deduce(&self, node: Node, mover: Player) -> Option<Proof> {
        let mut best: Option<Proof> = None;
        let mut open = false;
        for block in self.blocks(self.link(node).open()?) {
            for lane in 0..LANES {
                let proof = Proof(block.proof[lane].load(Relaxed));
                if proof == Proof::NONE {
                    open = true;
                } else if proof != Proof::ABSENT
                    && best.is_none_or(|best| proof.rank(mover) > best.rank(mover))
                {
                    best = Some(proof);
                }
            }
        }
        let best = best?;
        let wins = best.for_first() * mover.sign() > 0;
        (wins || !open).then(|| Proof::new(best.winner(), best.plies() + 1))
    }
}

impl Proof {
    /// Orders proven results for `player`: by result, then quick wins and slow
    /// losses.
    pub fn rank(self, player: Player) -> (i32, i32) {
        let result = self.for_first() * player.sign();
        let plies = self.plies() as i32;
        (result, if result > 0 { -plies } else { plies })
    }
}
