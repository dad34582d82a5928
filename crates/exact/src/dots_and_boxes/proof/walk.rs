//! The search that a proof and its check both are.

use std::collections::HashMap;

use super::{Proof, Proven};
use crate::dots_and_boxes::board::Position;
use crate::dots_and_boxes::bounds::Bounds;
use crate::dots_and_boxes::captures::Settled;
use crate::dots_and_boxes::search::Node;

/// One search from the start. Where the lines leave a question open, `ask` may
/// answer it with bounds and the nodes they took; else it ends there.
pub(super) struct Walk<'p, A> {
    proof: &'p mut Proof,
    ask: A,
    /// Bounds of positions above the lines.
    known: HashMap<Position, Bounds>,
    ended: bool,
    /// For each position on the path, the moves that are done and all of them.
    path: Vec<(usize, usize)>,
    /// The bounds of the start, and how many questions about it are answered.
    start: Bounds,
    answered: usize,
}

impl<A: FnMut(Position, i32, &Proven) -> Option<(Bounds, u64)>> Walk<'_, A> {
    pub fn new(proof: &mut Proof, ask: A) -> Walk<'_, A> {
        let start = Bounds::of_boxes((proof.board.rows() * proof.board.cols()) as i32);
        let (known, path) = (HashMap::new(), Vec::new());
        Walk { proof, ask, known, ended: false, path, start, answered: 0 }
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
        let (lines, nodes) = (self.proof.lines.len(), self.proof.nodes);
        let known = self.start.value().is_some();
        let share = if known { 1.0 } else { self.share() };
        Proven { bounds: self.start, lines, nodes, share }
    }

    /// The share of the proof before the path, if the first question is answered by
    /// yes and the second by no. Where a player fails, all moves are searched; where
    /// one succeeds, the first is taken for the one that does.
    fn share(&self) -> f64 {
        let second = usize::from(self.start.low + self.start.high > 0 || self.answered > 1);
        let (mut share, mut width) = (0.0, 1.0);
        for &(done, all) in self.path.iter().skip(1 - second).step_by(2) {
            share += width * done as f64 / all as f64;
            width /= all as f64;
        }
        (second as f64 + share) / 2.0
    }

    fn decide(&mut self, node: &Node, target: i32) -> Bounds {
        if self.proof.has_line(node.position) {
            let proven = self.proven();
            let answer = (self.ask)(node.position, target, &proven);
            let added = answer.map(|(bounds, nodes)| {
                self.proof.add(node.position, bounds, nodes).map(|()| bounds)
            });
            return match added {
                Some(Ok(bounds)) => node.bounds.and(bounds),
                // Lines that contradict each other prove nothing.
                _ => {
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
        self.known.insert(node.position, bounds);
        bounds
    }

    /// Adds what is known of a position.
    fn look_up(&self, node: &mut Node) {
        let lines = &self.proof.lines;
        let known = if self.proof.has_line(node.position) { lines } else { &self.known };
        if let Some(&bounds) = known.get(&node.position) {
            node.bounds = node.bounds.and(bounds);
        }
    }
}
