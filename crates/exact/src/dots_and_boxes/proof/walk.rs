//! The search that a proof and its check both are.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Lines, Proof, Proven};
use crate::dots_and_boxes::board::Position;
use crate::dots_and_boxes::bounds::Bounds;
use crate::dots_and_boxes::captures::Settled;
use crate::dots_and_boxes::search::Node;

/// What all searches of a proof know.
pub(super) struct Known {
    lines: Lines,
    /// Bounds of positions above the lines.
    above: HashMap<Position, Bounds>,
}

impl Known {
    pub fn new(lines: Lines) -> Known {
        Known { lines, above: HashMap::new() }
    }

    pub fn into_lines(known: Mutex<Known>) -> Lines {
        known.into_inner().unwrap_or_else(PoisonError::into_inner).lines
    }
}

/// In which order a search, one of several, looks at moves that must all be refuted.
#[derive(Clone, Copy)]
pub(super) struct RefutationOrder {
    pub number: usize,
    pub of: usize,
}

impl RefutationOrder {
    /// The order of a search alone.
    pub const FIRST: RefutationOrder = RefutationOrder { number: 0, of: 1 };

    /// Every other search goes backwards, and they begin at different places.
    fn arrange<T>(self, moves: &mut [T]) {
        if self.number % 2 == 1 {
            moves.reverse();
        }
        moves.rotate_left(moves.len() * (self.number / 2 * 2) / self.of);
    }
}

/// One search from the start. Where the lines leave a question open, `ask` may
/// answer it with bounds and the nodes they took; else it ends there.
pub(super) struct Walk<'p, A> {
    proof: &'p Proof,
    known: &'p Mutex<Known>,
    order: RefutationOrder,
    ask: A,
    ended: bool,
    /// For each position on the path, the moves that are done and all of them.
    path: Vec<(usize, usize)>,
    /// The bounds of the start, and how many questions about it are answered.
    start: Bounds,
    answered: usize,
}

impl<'p, A: FnMut(Position, i32, &Proven) -> Option<(Bounds, u64)>> Walk<'p, A> {
    pub fn new(
        proof: &'p Proof,
        known: &'p Mutex<Known>,
        order: RefutationOrder,
        ask: A,
    ) -> Walk<'p, A> {
        let start = Bounds::of_boxes((proof.board.rows() * proof.board.cols()) as i32);
        Walk { proof, known, order, ask, ended: false, path: Vec::new(), start, answered: 0 }
    }

    fn known(&self) -> MutexGuard<'p, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches until the value of the start is known or a question stays open.
    pub fn root(mut self) -> Proven {
        let node = self.proof.node(self.proof.board.start());
        self.start = node.bounds;
        while self.start.low < self.start.high && !self.ended {
            let target = (node.boxes & 1).clamp(self.start.low + 2, self.start.high);
            let node = Node { bounds: self.start, ..node };
            self.start = self.start.and(self.decide(&node, target));
            self.answered += 1;
        }
        self.proven()
    }

    fn proven(&self) -> Proven {
        let (lines, nodes) = {
            let lines = &self.known().lines;
            (lines.bounds.len(), lines.nodes)
        };
        let known = self.start.value().is_some();
        let share = if known { 1.0 } else { self.share() };
        Proven { bounds: self.start, lines, nodes, share }
    }

    /// The share of the proof before the path, if the first question is answered by
    /// yes and the second by no. Where a player fails, all moves are searched; where
    /// one succeeds, the first is taken for the one that does.
    fn share(&self) -> f64 {
        let second = usize::from(self.is_second());
        let (mut share, mut width) = (0.0, 1.0);
        for &(done, all) in self.path.iter().skip(1 - second).step_by(2) {
            share += width * done as f64 / all as f64;
            width /= all as f64;
        }
        (second as f64 + share) / 2.0
    }

    /// Whether the question is that which the start fails, and not the one that it
    /// reaches.
    fn is_second(&self) -> bool {
        self.start.low + self.start.high > 0 || self.answered > 1
    }

    /// Whether all moves of the position at the end of the path are likely to fail.
    fn is_refuted(&self) -> bool {
        self.path.len().is_multiple_of(2) == self.is_second()
    }

    fn decide(&mut self, node: &Node, target: i32) -> Bounds {
        if self.proof.has_line(node.position) {
            let proven = self.proven();
            let answer = (self.ask)(node.position, target, &proven);
            let added = answer
                .filter(|&(bounds, nodes)| self.known().lines.add(node.position, bounds, nodes));
            return match added {
                Some((bounds, _)) => node.bounds.and(bounds),
                // Lines that contradict each other prove nothing.
                None => {
                    self.ended = true;
                    node.bounds
                }
            };
        }
        let mut moves: Vec<(Settled, Node)> = Vec::new();
        let mut found = Bounds::exact(-node.boxes);
        for settled in self.proof.moves(node) {
            let mut rest = self.proof.node(settled.rest);
            self.look_up(&mut rest);
            let bounds = settled.bounds(rest.bounds).turned();
            if bounds.decide(target) {
                found = found.or(bounds);
            } else {
                moves.push((settled, rest));
            }
        }
        if self.is_refuted() {
            self.order.arrange(&mut moves);
        }
        let all = moves.len();
        for (done, (settled, mut rest)) in moves.into_iter().enumerate() {
            if found.low >= target || self.ended {
                break;
            }
            let bounds = loop {
                self.look_up(&mut rest);
                let bounds = settled.bounds(rest.bounds).turned();
                if bounds.decide(target) || self.ended {
                    break bounds;
                }
                self.path.push((done, all));
                rest.bounds = self.decide(&rest, settled.question(rest.bounds, 2 - target));
                if !self.ended {
                    self.path.pop();
                }
            };
            found = found.or(bounds);
        }
        if found.low >= target || self.ended {
            // The moves that were not searched might be better still.
            found.high = node.boxes;
        }
        let bounds = node.bounds.and(found);
        let mut known = self.known();
        let above = known.above.entry(node.position).or_insert(bounds);
        *above = above.and(bounds);
        *above
    }

    /// Adds what is known of a position.
    fn look_up(&self, node: &mut Node) {
        let Known { lines, above } = &*self.known();
        let known = if self.proof.has_line(node.position) { &lines.bounds } else { above };
        if let Some(&bounds) = known.get(&node.position) {
            node.bounds = node.bounds.and(bounds);
        }
    }
}
