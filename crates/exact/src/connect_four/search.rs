//! The search of one null window: is the score above alpha or not?
//!
//! A position is first resolved without search, if that is possible: forced moves
//! are played out, the static bounds are compared with the window, and the table
//! is probed. All children of a node are resolved before any of them is searched
//! (an enhanced transposition cut-off that also covers the static bounds), so each
//! position is probed once, and only those that stay open are entered and counted
//! as nodes.
//!
//! Early in the game, where a wrong first child costs millions of nodes, every
//! child is first searched for a few nodes only, which finds a cheap refutation
//! whatever the move ordering says. What these probes find stays in the table.
//!
//! Values are bounds for the player to move: above alpha they are lower bounds,
//! otherwise upper bounds, and they may lie beyond the window ("fail soft").

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrayvec::ArrayVec;
use games::connect_four::Word;

use super::bounds;
use super::order::MoveOrder;
use super::position::{Position, completions};
use super::shape::Shape;
use super::table::{Entry, Place, TranspositionTable};

/// Nodes between two calls of `observer`.
const REPORT_INTERVAL: u64 = 1 << 11;
/// Nodes between two checks of `halt`.
const HALT_INTERVAL: u64 = 1 << 5;
/// Children are probed for so many nodes each, early in the game.
const PROBE_NODES: u64 = 20;

/// Children are probed while so many cells are empty. On 7 x 6 the empty board takes
/// 79 M nodes with it, 118 M without; the first 16 positions of the published set L1_R3
/// 3.0 M instead of 4.1 M each. From 24 empty cells on, it makes positions of the middle
/// game slower by a tenth or more; on boards beyond 64 bits, those with 50 cells by a
/// third.
#[inline(always)]
fn probe_min_empty<S: Shape>(shape: &S) -> i32 {
    if shape.bits() <= 64 { 28 } else { 56 }
}

/// A position whose mover can't win at once, with the other player's threats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<W> {
    position: Position<W>,
    theirs: W,
}

impl<W: Word> Node<W> {
    /// The node of a position whose mover can't win at once.
    pub fn new(shape: &impl Shape<Word = W>, position: Position<W>) -> Node<W> {
        let empty = position.empty(shape);
        let theirs = completions(shape, position.other(shape)) & empty;
        Node { position, theirs }
    }

    /// The mover's threats after a stone on this cell.
    #[inline(always)]
    fn threats_after(&self, shape: &impl Shape<Word = W>, cell: W) -> W {
        completions(shape, self.position.own | cell) & self.position.empty(shape) & !cell
    }

    #[inline(always)]
    fn play(&self, shape: &impl Shape<Word = W>, cell: W, threats: W) -> Node<W> {
        Node { position: self.position.play(shape, cell), theirs: threats }
    }
}

/// A position that could not be resolved, at the end of its forced moves.
#[derive(Clone, Copy, Debug)]
struct Open<W> {
    node: Node<W>,
    /// The window, for the player to move here.
    alpha: i32,
    /// +1 if the player to move here is the one to move before the forced moves,
    /// -1 otherwise.
    sign: i32,
    /// The moves that don't lose at once; at least two.
    moves: W,
    /// The cell of the last stone.
    last: usize,
    place: Place<W>,
    /// Whether `place` belongs to the mirror image.
    turned: bool,
}

/// A child of a node on its way to being searched.
#[derive(Clone, Copy, Debug)]
struct Child<W> {
    open: Open<W>,
    cell: W,
    order: i32,
}

/// One thread's search over a shared table.
pub(super) struct Search<'a, S: Shape> {
    pub shape: &'a S,
    pub table: &'a TranspositionTable<S>,
    pub order: &'a mut MoveOrder<S::Word>,
    /// Set from outside to end this search.
    pub halt: &'a AtomicBool,
    /// Called every few thousand nodes with the nodes so far; may set `halt`.
    pub observer: &'a mut dyn FnMut(u64),
    /// Nodes entered.
    pub nodes: u64,
    /// Entries written.
    pub stored: u64,
    /// Halts when so many entries are written: the table should grow.
    pub room: u64,
    /// Gives up after so many nodes.
    pub limit: u64,
    /// Whether the search gave up, and its value means nothing.
    pub halted: bool,
}

impl<S: Shape> Search<'_, S> {
    /// Whether the score of `node` is above `alpha`, as a bound of it.
    pub fn run(&mut self, node: Node<S::Word>, alpha: i32) -> i32 {
        match self.resolve(node, alpha, 0) {
            Err(value) => value,
            Ok(open) => self.value(&open),
        }
    }

    /// A bound of the score of an open position, for the player to move before
    /// its forced moves. The table is probed first: the search of a sibling may
    /// have decided it, or found its best move.
    #[inline(always)]
    fn value(&mut self, open: &Open<S::Word>) -> i32 {
        let known = self.table.get(open.place);
        let decided = known.and_then(|known| known.decides(open.alpha));
        open.sign * decided.unwrap_or_else(|| self.search(open, known))
    }

    /// Plays out forced moves and compares the static bounds with the window: a
    /// bound that decides it, or the open position.
    #[inline(always)]
    fn resolve(
        &self,
        mut node: Node<S::Word>,
        mut alpha: i32,
        mut last: usize,
    ) -> Result<Open<S::Word>, i32> {
        let shape = self.shape;
        let mut sign = 1;
        loop {
            let left = shape.cells() - node.position.stones(shape);
            let playable = node.position.playable(shape);
            let must = playable & node.theirs;
            let mut moves = playable & !shape.below(node.theirs);
            if !must.is_empty() {
                moves = moves & must;
            }
            if moves.is_empty() || must.has_two() {
                return Err(sign * -(left / 2));
            }
            // With nothing lost at once, two empty cells are a draw.
            if left <= 2 {
                return Err(0);
            }
            let (lower, upper) = (-((left - 2) / 2), (left - 1) / 2);
            if upper <= alpha {
                return Err(sign * upper);
            }
            if lower > alpha {
                return Err(sign * lower);
            }
            if let Some(bound) = bounds::follow_up_bound(shape, &node.position, node.theirs, alpha)
            {
                return Err(sign * bound);
            }
            let rival = if alpha >= 0 { node.position.own } else { node.position.other(shape) };
            if !bounds::can_win(shape, rival, node.position.empty(shape)) {
                return Err(0);
            }
            if moves.has_two() {
                if wins_with_second(shape, &node, moves) {
                    return Err(sign * ((left - 1) / 2));
                }
                if (left - 3) / 2 <= alpha {
                    return Err(sign * ((left - 3) / 2));
                }
                let (key, turned) = node.position.key(shape);
                let place = self.table.place(key);
                return Ok(Open { node, alpha, sign, moves, last, place, turned });
            }
            let threats = node.threats_after(shape, moves);
            node = node.play(shape, moves, threats);
            last = moves.lowest() as usize;
            alpha = -alpha - 1;
            sign = -sign;
        }
    }

    /// A bound of the score of an open position for its mover.
    fn search(&mut self, open: &Open<S::Word>, known: Option<Entry>) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT_INTERVAL) {
            (self.observer)(self.nodes);
        }
        if self.nodes >= self.limit
            || self.nodes.is_multiple_of(HALT_INTERVAL) && self.halt.load(Relaxed)
        {
            self.halted = true;
            return 0;
        }
        let shape = self.shape;
        let Open { node, alpha, last, .. } = *open;
        let left = shape.cells() - node.position.stones(shape);
        let side = (left & 1) as usize;
        let playable = node.position.playable(shape);
        let mut best = i32::MIN;

        let mut children: ArrayVec<Child<S::Word>, 12> = ArrayVec::new();
        for cell in open.moves.singles() {
            let threats = node.threats_after(shape, cell);
            let next = playable & !cell | shape.above(cell);
            match self.resolve(node.play(shape, cell, threats), -alpha - 1, cell.lowest() as usize)
            {
                Err(value) if -value > alpha => return -value,
                Err(value) => best = best.max(-value),
                Ok(open) => {
                    self.table.prefetch(open.place);
                    let order = self.order.score(shape, side, last, cell, threats, next);
                    children.push(Child { open, cell, order });
                }
            }
        }

        let hint = known.map_or(u32::MAX, |known| known.column_in(shape, open.turned));
        let mut i = 0;
        while i < children.len() {
            let child = &mut children[i];
            let known = self.table.get(child.open.place);
            if let Some(value) = known.and_then(|known| known.decides(child.open.alpha)) {
                let value = -child.open.sign * value;
                if value > alpha {
                    return value;
                }
                best = best.max(value);
                children.swap_remove(i);
                continue;
            }
            if shape.column_of(child.cell) == hint {
                child.order = i32::MAX;
            }
            i += 1;
        }

        let before = self.nodes;
        let mut column = if hint == u32::MAX { 0 } else { hint };
        if left >= probe_min_empty(shape) && children.len() > 1 {
            let (value, cell) = self.probe_children(open, &mut children, side);
            if self.halted {
                return 0;
            }
            if value > best {
                (best, column) = (value, shape.column_of(cell));
            }
            if best > alpha {
                children.clear();
            }
        }
        for i in 0..children.len() {
            let top = (i..children.len()).max_by_key(|&j| children[j].order).expect("not empty");
            children.swap(i, top);
            let Child { open: next, cell, .. } = children[i];
            let value = -self.value(&next);
            if self.halted {
                return 0;
            }
            if value > best {
                best = value;
                column = shape.column_of(cell);
                if value > alpha {
                    let tried = children[..i].iter().map(|child| child.cell);
                    self.order.update(side, open.last, cell, tried);
                    break;
                }
            }
        }

        let mut now =
            known.unwrap_or(Entry { lower: -((left - 2) / 2), upper: (left - 3) / 2, column: 0 });
        if best > alpha {
            now.lower = now.lower.max(best);
        } else {
            now.upper = now.upper.min(best);
        }
        now.column = if open.turned { shape.columns() - 1 - column } else { column };
        self.table.put(open.place, now, self.nodes - before);
        self.stored += 1;
        if self.stored >= self.room {
            self.halt.store(true, Relaxed);
        }
        best
    }

    /// Searches each child for a few nodes, until one refutes; keeps those that
    /// stay open. Gives the best of the others, as a bound for the mover, and
    /// its cell. Only open ones count as tried: the lost ones cost nothing.
    fn probe_children(
        &mut self,
        open: &Open<S::Word>,
        children: &mut ArrayVec<Child<S::Word>, 12>,
        side: usize,
    ) -> (i32, S::Word) {
        children.sort_unstable_by_key(|child| -child.order);
        let limit = self.limit;
        let mut best = (i32::MIN, S::Word::default());
        let mut i = 0;
        while i < children.len() {
            let Child { open: next, cell, .. } = children[i];
            self.limit = limit.min(self.nodes + PROBE_NODES);
            let value = -self.value(&next);
            self.limit = limit;
            if self.halted {
                if self.nodes >= limit || self.halt.load(Relaxed) {
                    break;
                }
                self.halted = false;
                i += 1;
                continue;
            }
            if value > best.0 {
                best = (value, cell);
                if value > open.alpha {
                    let tried = children[..i].iter().map(|child| child.cell);
                    self.order.update(side, open.last, cell, tried);
                    break;
                }
            }
            children.remove(i);
        }
        best
    }
}

/// Whether the mover wins with the second stone from here: after the first the
/// opponent must stop two threats, or one with another above it, or has only
/// cells below threats left. Before any move is looked at, all of them together
/// must make that many threats.
#[inline(always)]
fn wins_with_second<S: Shape>(shape: &S, node: &Node<S::Word>, moves: S::Word) -> bool {
    let playable = node.position.playable(shape);
    let most = completions(shape, node.position.own | moves) & node.position.empty(shape);
    let near = most & (playable | shape.above(playable));
    let under = shape.below(most);
    let free = playable & !under;
    let few = !near.has_two() && (near & under).is_empty();
    if few && free.has_two() {
        return false;
    }
    for cell in moves.singles() {
        let threats = node.threats_after(shape, cell);
        let next = playable & !cell | shape.above(cell);
        let now = threats & next;
        let answers = if now.is_empty() { next } else { now };
        if (answers & !shape.below(threats)).is_empty() || now.has_two() {
            return true;
        }
    }
    false
}

impl Entry {
    /// The bound that is on one side of the window, if there is one.
    #[inline(always)]
    fn decides(&self, alpha: i32) -> Option<i32> {
        if self.lower > alpha {
            Some(self.lower)
        } else if self.upper <= alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The best column on the board whose mirror image the key may be of.
    #[inline(always)]
    pub fn column_in<S: Shape>(&self, shape: &S, turned: bool) -> u32 {
        if turned { shape.columns() - 1 - self.column } else { self.column }
    }
}
