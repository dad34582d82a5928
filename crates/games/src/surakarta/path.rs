//! The path of a capture over the circuits, for display.
//!
//! Walks the circuits slot by slot. Slow and plain on purpose: the rules use
//! `rings`.

use super::geometry::{CIRCUITS, Point};
use super::{Move, Surakarta};

impl Surakarta {
    /// The points that a capture passes, from its start to its target, both
    /// included: the shortest path that is free. `None` if the move is no capture
    /// on this board for either side. A point may occur twice; the path goes over
    /// an arc where a point follows that is no neighbour on the same line.
    pub fn capture_path(&self, mv: Move) -> Option<Vec<Point>> {
        let mover = self.at(mv.from)?;
        if self.at(mv.to) != Some(!mover) {
            return None;
        }
        let mut best: Option<Vec<Point>> = None;
        for circuit in &CIRCUITS {
            for start in (0..24).filter(|&slot| circuit[slot] == mv.from) {
                for ahead in [1, 23] {
                    let path = self.walk(circuit, start, ahead, mv.to);
                    best = match (best, path) {
                        (Some(a), Some(b)) => Some(if b.len() < a.len() { b } else { a }),
                        (a, b) => a.or(b),
                    };
                }
            }
        }
        best
    }

    /// Every path over at least one arc that a piece could travel: up to the first
    /// piece it meets, that included if it is an enemy, or once round to itself.
    /// Empty if no piece stands there.
    pub fn free_paths(&self, from: Point) -> Vec<Vec<Point>> {
        let Some(mover) = self.at(from) else { return Vec::new() };
        let mut paths = Vec::new();
        for circuit in &CIRCUITS {
            for start in (0..24).filter(|&slot| circuit[slot] == from) {
                for ahead in [1, 23] {
                    let mut path = vec![from];
                    let (mut slot, mut over_arc) = (start, false);
                    for _ in 0..24 {
                        let next = (slot + ahead) % 24;
                        let arc = slot / 6 != next / 6;
                        slot = next;
                        let point = circuit[slot];
                        let met = self.at(point).filter(|_| point != from);
                        // An enemy before the first arc is in the way; one's own
                        // piece always is.
                        if met.is_some_and(|met| met == mover || !(over_arc || arc)) {
                            break;
                        }
                        over_arc |= arc;
                        path.push(point);
                        if met.is_some() {
                            break;
                        }
                    }
                    if over_arc {
                        paths.push(path);
                    }
                }
            }
        }
        paths
    }

    /// Walks from a slot, `ahead` slots at a time (1, or 23 for backwards), to
    /// the first piece met after an arc.
    fn walk(
        &self,
        circuit: &[Point; 24],
        start: usize,
        ahead: usize,
        target: Point,
    ) -> Option<Vec<Point>> {
        let mut path = vec![circuit[start]];
        let (mut slot, mut over_arc) = (start, false);
        for _ in 1..24 {
            let next = (slot + ahead) % 24;
            over_arc |= slot / 6 != next / 6;
            slot = next;
            let point = circuit[slot];
            path.push(point);
            if point == target && over_arc {
                return Some(path);
            }
            if point != circuit[start] && self.at(point).is_some() {
                return None;
            }
        }
        None
    }
}
