//! The moves of a position while it is searched: what each leads to, what the
//! table knows of it, and its place in the order.

use arrayvec::ArrayVec;

use super::board::Position;
use super::bounds::Bounds;
use super::canonical::MOST_EDGES;
use super::captures::Settled;
use super::search::Node;
use super::table::Table;

/// A move: what the opponent makes of it and where it leads. Half a cache line,
/// because most moves are only looked at and sorted.
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

    /// What the opponent makes of it.
    #[inline]
    pub fn settled(&self) -> Settled {
        Settled { gain: self.gain.into(), handout: self.handout.into(), rest: self.position }
    }

    /// Where it leads.
    #[inline]
    pub fn node(&self) -> Node {
        let bounds = Bounds { low: self.low.into(), high: self.high.into() };
        Node { position: self.position, key: self.key, boxes: self.boxes.into(), bounds }
    }
}

/// How many moves are made between the request for a move's memory and the look
/// at it.
const LAG: usize = 4;

/// The moves that may reach a target. What the table knows of each is looked up
/// some time after it is made, so that the memory arrives meanwhile: waiting for
/// it took half of the time before.
pub(super) struct Moves<'t> {
    table: &'t Table,
    target: i32,
    /// First those worth a search, then what is left of those already looked at,
    /// then the others.
    list: ArrayVec<Move, { MOST_EDGES as usize }>,
    kept: usize,
    seen: usize,
    /// What is known of the moves that need no search.
    pub found: Bounds,
}

impl<'t> Moves<'t> {
    /// No moves yet of a position with so many boxes.
    #[inline]
    pub fn new(table: &'t Table, boxes: i32, target: i32) -> Moves<'t> {
        let found = Bounds::exact(-boxes);
        Moves { table, target, list: ArrayVec::new(), kept: 0, seen: 0, found }
    }

    /// Adds a move. False if one is known to reach the target.
    #[inline(always)]
    pub fn add(&mut self, settled: &Settled, child: &Node, order: u16) -> bool {
        self.table.fetch(child.key);
        self.list.push(Move::new(settled, child, order));
        self.list.len() <= self.seen + LAG || self.look()
    }

    /// Takes note of a move that cannot reach the target, if it cannot.
    #[inline]
    pub fn dismiss(&mut self, bounds: Bounds) -> bool {
        let hopeless = bounds.high < self.target;
        if hopeless {
            self.found = self.found.or(bounds);
        }
        hopeless
    }

    /// Looks at the next move. False if it is known to reach the target.
    #[inline(always)]
    fn look(&mut self) -> bool {
        let mut mv = self.list[self.seen];
        self.seen += 1;
        let mut node = mv.node();
        node.look_up(self.table);
        let bounds = mv.settled().bounds(node.bounds).turned();
        if bounds.decide(self.target) {
            self.found = self.found.or(bounds);
            return bounds.low < self.target;
        }
        (mv.low, mv.high) = (node.bounds.low as i8, node.bounds.high as i8);
        mv.order |= promise(bounds.high);
        self.list[self.kept] = mv;
        self.kept += 1;
        true
    }

    /// Looks at all others. False if one is known to reach the target.
    #[inline]
    pub fn look_at_rest(&mut self) -> bool {
        while self.seen < self.list.len() {
            if !self.look() {
                return false;
            }
        }
        self.list.truncate(self.kept);
        true
    }

    /// Those worth a search, best first, once all have been looked at.
    #[inline]
    pub fn in_order(&mut self) -> &[Move] {
        self.list.sort_unstable_by_key(|mv| std::cmp::Reverse(mv.order));
        &self.list
    }
}

/// The order of a safe move, which comes before all others: by how many boxes it
/// has beside it, how many of them lie in the middle, how many links to chains it
/// makes, and a whim. Between the first bit and the others there is room for
/// [`promise`].
#[inline]
pub(super) fn safe_order(beside: u32, inner: u32, chained: u32, whim: u32) -> u16 {
    (1 << 15 | (beside - 1) << 8 | inner << 6 | chained << 3 | whim) as u16
}

/// The part of a move's order that puts those first of which less can be hoped.
#[inline]
fn promise(high: i32) -> u16 {
    ((63 - (high + 64) / 2) as u16) << 9
}
