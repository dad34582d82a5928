//! Making room: what is kept slides to the front of the pool.
//!
//! A pass from front to back marks all that can be reached, and a second one
//! moves it, in order, to where the number of marked blocks before it says. The
//! first one is repeated for what it finds behind itself: parents lie before
//! their children, but for a few that threads took at the same time. The order
//! stays. No second pool, no free list, no node visited twice.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

use super::pool::{LANES, Link, Node, Pool};

/// Groups handled between two looks at the clock: well under a millisecond.
const SLICE: usize = 4096;

impl Pool {
    /// Keeps what lies below `root`, which becomes the root, as far as nodes
    /// have at least `visits` visits; the others become leaves and keep their
    /// statistics. If `poll` breaks, the pool is left empty.
    ///
    /// No other thread may work on the pool meanwhile.
    pub fn compact(
        &self,
        root: Node,
        visits: u32,
        poll: &mut impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let moved = self.slide(root, visits, poll);
        if moved.is_break() {
            self.clear();
        }
        moved
    }

    fn slide(
        &self,
        root: Node,
        visits: u32,
        poll: &mut impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let used = self.used();
        let mut kept = BitSet::new(used);
        self.block(0).copy_lane(0, self.block(root.block()), root.lane());
        self.block(0).prior[0].store(0, Relaxed);
        kept.set(0);
        let mut seen = BitSet::new(used);
        while let Some(word) = kept.first_beyond(&seen) {
            for index in word * 64..used {
                if index % SLICE == SLICE - 1 {
                    poll()?;
                }
                if !kept.has(index) || seen.has(index) {
                    continue;
                }
                seen.set(index);
                let block = self.block(index);
                // The root has no siblings.
                for lane in 0..if index == 0 { 1 } else { LANES } {
                    let Some(run) = Link(block.link[lane].load(Relaxed)).open() else { continue };
                    if block.visits[lane].load(Relaxed) >= visits {
                        run.for_each(|child| kept.set(child));
                    } else {
                        block.link[lane].store(Link::LEAF.0, Relaxed);
                    }
                }
            }
        }
        kept.count();
        for index in 0..used {
            if index % SLICE == SLICE - 1 {
                poll()?;
            }
            if !kept.has(index) {
                continue;
            }
            let (from, to) = (self.block(index), self.block(kept.rank(index)));
            for lane in 0..LANES {
                let link = match Link(from.link[lane].load(Relaxed)).open() {
                    Some(run) => Link::to(kept.rank(run.start), run.len()),
                    None => Link::LEAF,
                };
                to.copy_lane(lane, from, lane);
                to.link[lane].store(link.0, Relaxed);
            }
        }
        self.set_used(kept.rank(used));
        ControlFlow::Continue(())
    }

    /// Forgets the least visited half or more of a full pool.
    pub fn prune(&self, poll: &mut impl FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        // Groups by the power of two of their parent's visits. A parent has at
        // least its children's visits, so cutting by visits cuts whole branches.
        let mut sizes = [0usize; 33];
        for index in 0..self.used() {
            if index % SLICE == SLICE - 1 {
                poll()?;
            }
            let block = self.block(index);
            for lane in 0..LANES {
                if let Some(run) = Link(block.link[lane].load(Relaxed)).open() {
                    let visits = block.visits[lane].load(Relaxed);
                    sizes[(32 - visits.leading_zeros()) as usize] += run.len();
                }
            }
        }
        let mut room = self.capacity() / 2;
        let mut power = 32;
        while power > 0 && sizes[power] <= room {
            room -= sizes[power];
            power -= 1;
        }
        // The root's own children always stay.
        let most = self.visits(Node::ROOT);
        self.compact(Node::ROOT, 1u32.checked_shl(power as u32).unwrap_or(most).min(most), poll)
    }
}

/// A bit for each block, and how many are set before each word.
struct BitSet {
    bits: Vec<u64>,
    before: Vec<u32>,
}

impl BitSet {
    fn new(len: usize) -> BitSet {
        // One word more, so that the rank of the end exists.
        BitSet { bits: vec![0; len / 64 + 1], before: Vec::new() }
    }

    fn set(&mut self, index: usize) {
        self.bits[index / 64] |= 1 << (index % 64);
    }

    fn has(&self, index: usize) -> bool {
        self.bits[index / 64] >> (index % 64) & 1 != 0
    }

    /// The first word in which something is set that is not set in `other`.
    fn first_beyond(&self, other: &BitSet) -> Option<usize> {
        self.bits.iter().zip(&other.bits).position(|(own, other)| own & !other != 0)
    }

    fn count(&mut self) {
        let mut sum = 0;
        for word in &self.bits {
            self.before.push(sum);
            sum += word.count_ones();
        }
    }

    /// How many are set before `index`.
    fn rank(&self, index: usize) -> usize {
        let below = self.bits[index / 64] & ((1 << (index % 64)) - 1);
        self.before[index / 64] as usize + below.count_ones() as usize
    }
}
