//! The moves of a position while it is searched: the position after each, its
//! bounds from the table, and its place in the move order.

use arrayvec::ArrayVec;

use super::board::Position;
use super::bounds::Bounds;
use super::canonical::MOST_EDGES;
use super::captures::Settled;
use super::search::Node;
use super::table::TranspositionTable;

/// A move, the captures that follow it and the quiet position after them. Half a
/// cache line, because most moves are only probed and sorted.
#[derive(Clone, Copy)]
pub(super) struct Move {
    position: Position,
    key: u64,
    order: u16,
    boxes: i8,
    low: i8,
    high: i8,
    gain: i8,
    handout: i8,
}

impl Move {
    #[inline]
    fn new(settled: &Settled, node: &Node, order: u16) -> Move {
        Move {
            position: node.position,
            key: node.key,
            order,
            boxes: node.boxes as i8,
            low: node.bounds.low as i8,
            high: node.bounds.high as i8,
            gain: settled.gain as i8,
            handout: settled.handout as i8,
        }
    }

    /// The opponent's captures after it.
    #[inline]
    pub fn settled(&self) -> Settled {
        Settled { gain: self.gain.into(), handout: self.handout.into(), rest: self.position }
    }

    /// The quiet position after it.
    #[inline]
    pub fn node(&self) -> Node {
        let bounds = Bounds { low: self.low.into(), high: self.high.into() };
        Node { position: self.position, key: self.key, boxes: self.boxes.into(), bounds }
    }
}

/// How many moves are generated between the prefetch of a move's entry and its
/// probe.
const PREFETCH_DISTANCE: usize = 4;

/// The moves that may reach a target. Each is probed in the table some moves after
/// it was generated, so that the prefetch is done by then: waiting for memory took
/// half of the time before.
pub(super) struct Moves<'t> {
    table: &'t TranspositionTable,
    target: i32,
    /// First those to search, then leftovers of those already probed, then the
    /// others.
    list: ArrayVec<Move, { MOST_EDGES as usize }>,
    kept: usize,
    probed: usize,
    /// The bounds of the moves that need no search.
    pub found: Bounds,
}

impl<'t> Moves<'t> {
    /// No moves yet of a position with so many boxes.
    #[inline]
    pub fn new(table: &'t TranspositionTable, boxes: i32, target: i32) -> Moves<'t> {
        let found = Bounds::exact(-boxes);
        Moves { table, target, list: ArrayVec::new(), kept: 0, probed: 0, found }
    }

    /// Adds a move. False if one is known to reach the target.
    #[inline(always)]
    pub fn add(&mut self, settled: &Settled, child: &Node, order: u16) -> bool {
        self.table.prefetch(child.key);
        self.list.push(Move::new(settled, child, order));
        self.list.len() <= self.probed + PREFETCH_DISTANCE || self.probe_next()
    }

    /// Skips a move that cannot reach the target; true if it cannot.
    #[inline]
    pub fn dismiss(&mut self, bounds: Bounds) -> bool {
        let fails_low = bounds.high < self.target;
        if fails_low {
            self.found = self.found.or(bounds);
        }
        fails_low
    }

    /// Probes the next move. False if it is known to reach the target.
    #[inline(always)]
    fn probe_next(&mut self) -> bool {
        let mut mv = self.list[self.probed];
        self.probed += 1;
        let mut node = mv.node();
        node.look_up(self.table);
        let bounds = mv.settled().bounds(node.bounds).turned();
        if bounds.decide(self.target) {
            self.found = self.found.or(bounds);
            return bounds.low < self.target;
        }
        (mv.low, mv.high) = (node.bounds.low as i8, node.bounds.high as i8);
        mv.order |= low_first(bounds.high);
        self.list[self.kept] = mv;
        self.kept += 1;
        true
    }

    /// Probes all others. False if one is known to reach the target.
    #[inline]
    pub fn probe_rest(&mut self) -> bool {
        while self.probed < self.list.len() {
            if !self.probe_next() {
                return false;
            }
        }
        self.list.truncate(self.kept);
        true
    }

    /// Those to search, best first, once all have been probed.
    #[inline]
    pub fn in_order(&mut self) -> &[Move] {
        self.list.sort_unstable_by_key(|mv| std::cmp::Reverse(mv.order));
        &self.list
    }
}

/// The order of a safe move, which comes before all others: by how many boxes it
/// has beside it, how many of them lie in the middle, how many links to chains it
/// makes, and a tie-break. The bits between the first and the others are those of
/// [`low_first`].
#[inline]
pub(super) fn safe_order(beside: u32, inner: u32, chained: u32, tie_break: u32) -> u16 {
    (1 << 15 | (beside - 1) << 8 | inner << 6 | chained << 3 | tie_break) as u16
}

/// The part of a move's order that puts those with a lower upper bound first.
#[inline]
fn low_first(high: i32) -> u16 {
    ((63 - (high + 64) / 2) as u16) << 9
}
