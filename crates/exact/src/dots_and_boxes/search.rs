//! Null-window alpha-beta over quiet positions.
//!
//! The one question of this search is whether a position is worth at least
//! `target` to its mover; the answer is a pair of bounds that settles it. A move
//! leads to exactly one quiet position R, whether it is safe or gives boxes away
//! (see `captures`), and is worth `-(gain + |handout + V(R)|)`, so a question
//! about a move becomes one question about R, or two where the absolute value
//! has to be kept small on both sides. Nothing here is turned around by plies:
//! whose turn it is in R is part of that formula.
//!
//! The bounds of all successors are looked up before any of them is searched
//! (enhanced transposition cut-offs). Bounds stay true when the search is
//! interrupted, they are only wider then.
//!
//! Values have the parity of the number of boxes, so neighbouring targets are
//! two apart.

use arrayvec::ArrayVec;

use super::board::{Board, Position};
use super::canonical::{Keys, MOST_EDGES};
use super::quiet::{openings, safe_edges, value_without_joints};
use super::table::{Bounds, Table};

/// How often the outside world is asked whether to go on, in nodes.
const PATIENCE: u64 = 1024;

/// One searching thread.
pub(super) struct Worker<'a> {
    pub board: &'a Board,
    pub keys: &'a Keys,
    pub table: &'a Table,
    /// Quiet positions searched so far.
    pub nodes: u64,
    /// Asked every [`PATIENCE`] nodes; true ends the search.
    pub stop: &'a mut dyn FnMut(u64) -> bool,
    pub stopped: bool,
    /// How often each edge decided a position, weighted by what was below.
    pub history: [[u32; 64]; 2],
}

/// A position with what the table knows of it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    position: Position,
    key: u64,
    pub boxes: i32,
    pub bounds: Bounds,
}

/// A move: where it leads and what it costs.
#[derive(Clone, Copy)]
struct Move {
    node: Node,
    edge: Position,
    gain: i32,
    handout: i32,
    order: u32,
}

impl Move {
    /// The mover's value, from the successor's.
    #[inline]
    fn bounds(&self) -> Bounds {
        let Bounds { low, high } = self.node.bounds;
        if self.handout == 0 {
            return Bounds { low: -self.gain - high, high: -self.gain - low };
        }
        let (low, high) = (self.handout + low, self.handout + high);
        let most = low.abs().max(high.abs());
        let least = if low <= 0 && high >= 0 { low & 1 } else { low.abs().min(high.abs()) };
        Bounds { low: -self.gain - most, high: -self.gain - least }
    }

    /// What to ask about the successor to learn if the move reaches `target`.
    #[inline]
    fn question(&self, target: i32) -> i32 {
        let spare = -target - self.gain;
        if self.handout == 0 || self.node.bounds.high > spare - self.handout {
            spare - self.handout + 2
        } else {
            -spare - self.handout
        }
    }
}

impl<'a> Worker<'a> {
    /// A thread that knows nothing yet.
    pub fn new(
        board: &'a Board,
        keys: &'a Keys,
        table: &'a Table,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> Worker<'a> {
        Worker { board, keys, table, nodes: 0, stop, stopped: false, history: [[0; 64]; 2] }
    }

    /// A quiet position with what is known of it without search.
    #[inline]
    pub fn node(&self, position: Position) -> Node {
        let degrees = self.board.degrees(position);
        let boxes = degrees.open();
        if degrees.joints() == 0 {
            let value = value_without_joints(self.board, position, &degrees);
            return Node { position, key: 0, boxes, bounds: Bounds::exact(value) };
        }
        let key = self.keys.key(position);
        Node { position, key, boxes, bounds: self.table.probe(key, boxes) }
    }

    /// Bounds that tell whether the value for the mover reaches `target`, unless
    /// the search is stopped. `target` has the parity of the boxes.
    pub fn decide(&mut self, node: &Node, target: i32) -> Bounds {
        if node.bounds.decide(target) {
            return node.bounds;
        }
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes % PATIENCE == 0 && (self.stop)(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return node.bounds;
        }
        let mut moves = ArrayVec::<Move, { MOST_EDGES as usize }>::new();
        let mut found = Bounds { low: -node.boxes, high: -node.boxes };
        if self.moves(node, target, &mut moves, &mut found) {
            for i in 0..moves.len() {
                let next = (i + 1..moves.len()).fold(i, |best, j| {
                    if moves[j].order > moves[best].order { j } else { best }
                });
                moves.swap(i, next);
                let mv = &mut moves[i];
                let bounds = self.judge(mv, target);
                found.low = found.low.max(bounds.low);
                found.high = found.high.max(bounds.high);
                if found.low >= target {
                    self.reward(&moves[..=i], node.position);
                    break;
                }
            }
            if found.low >= target || self.stopped {
                found.high = node.boxes;
            }
        }
        let bounds = node.bounds.and(found);
        self.table.store(node.key, node.boxes, bounds, self.nodes - before);
        bounds
    }

    /// Searches a move until it is known whether it reaches `target`.
    fn judge(&mut self, mv: &mut Move, target: i32) -> Bounds {
        loop {
            let bounds = mv.bounds();
            if bounds.decide(target) || self.stopped {
                return bounds;
            }
            mv.node.bounds = self.decide(&mv.node, mv.question(target));
        }
    }

    /// Lists the moves that are worth a search and puts what the table knows of
    /// all moves into `found`. False if that decides the position.
    fn moves(
        &self,
        node: &Node,
        target: i32,
        moves: &mut ArrayVec<Move, { MOST_EDGES as usize }>,
        found: &mut Bounds,
    ) -> bool {
        let position = node.position;
        let degrees = self.board.degrees(position);
        let mut add = |edge: Position, gain: i32, handout: i32, rest: Position, order: u32| {
            let mv = Move { node: self.node(rest), edge, gain, handout, order };
            let bounds = mv.bounds();
            if bounds.high < target {
                // It cannot reach the target; it still counts for the bound.
                found.low = found.low.max(bounds.low);
                found.high = found.high.max(bounds.high);
                return true;
            }
            if bounds.low >= target {
                *found = Bounds { low: bounds.low, high: node.boxes };
                return false;
            }
            moves.push(mv);
            true
        };
        for opening in openings(self.board, position, &degrees) {
            let settled = opening.settled;
            if !add(opening.edge, settled.gain, settled.handout, settled.rest, 0) {
                return false;
            }
        }
        let safe = safe_edges(self.board, position, &degrees);
        let (mut h, mut v) = (safe.h & !self.keys.idle_corners(position), safe.v);
        while h | v != 0 {
            let edge = if h != 0 {
                Position { h: h & h.wrapping_neg(), v: 0 }
            } else {
                Position { h: 0, v: v & v.wrapping_neg() }
            };
            h ^= edge.h;
            v ^= edge.v;
            let order = 1 + self.history(edge);
            if !add(edge, 0, 0, position.without(edge), order) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn history(&self, edge: Position) -> u32 {
        if edge.h != 0 {
            self.history[0][edge.h.trailing_zeros() as usize]
        } else {
            self.history[1][edge.v.trailing_zeros() as usize]
        }
    }

    /// The last of the moves decided the position, the others before it did not.
    fn reward(&mut self, tried: &[Move], position: Position) {
        let edge = tried[tried.len() - 1].edge;
        let weight = position.edges() * position.edges() / 4;
        let entry = if edge.h != 0 {
            &mut self.history[0][edge.h.trailing_zeros() as usize]
        } else {
            &mut self.history[1][edge.v.trailing_zeros() as usize]
        };
        *entry += weight;
        if *entry > 1 << 24 {
            self.history.iter_mut().flatten().for_each(|entry| *entry /= 2);
        }
    }
}
