//! The search of one null window: is the score above alpha or not?

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::bounds;
use super::position::{Position, completions};
use super::shape::Shape;
use super::table::{Known, Table};

/// A position with the threats of both players, which no immediate win of the
/// player to move is among.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub position: Position,
    /// Threats of the player to move.
    pub mine: u64,
    /// Threats of the other player.
    pub theirs: u64,
}

impl Node {
    pub fn new<S: Shape>(shape: &S, position: Position) -> Node {
        let empty = position.empty(shape);
        Node {
            position,
            mine: completions(shape, position.own) & empty,
            theirs: completions(shape, position.other(shape)) & empty,
        }
    }

    #[inline(always)]
    fn play<S: Shape>(&self, shape: &S, cell: u64, threats: u64) -> Node {
        Node { position: self.position.play(shape, cell), mine: self.theirs & !cell, theirs: threats }
    }

    /// The mover's threats after a stone on this cell.
    #[inline(always)]
    fn threats_after<S: Shape>(&self, shape: &S, cell: u64) -> u64 {
        completions(shape, self.position.own | cell) & self.position.empty(shape) & !cell
    }
}

#[derive(Clone, Copy)]
struct Child {
    node: Node,
    cell: u64,
    order: i32,
}

pub(super) struct Search<'a, S> {
    pub shape: S,
    pub table: &'a Table<S>,
    pub nodes: u64,
    pub forced: u64,
    pub stored: u64,
    pub stop: &'a AtomicBool,
    pub history: [[i32; 64]; 2],
    pub opt: [i32; 16],
}

impl<'a, S: Shape> Search<'a, S> {
    /// A bound of the score of `node` for its mover: at most `alpha` and an upper
    /// bound, or more and a lower bound.
    pub fn search(&mut self, mut node: Node, mut alpha: i32) -> i32 {
        let shape = self.shape;
        let cells = shape.cells();
        let mut sign = 1;
        self.nodes += 1;
        let (moves, stones) = loop {
            let position = &node.position;
            let stones = position.stones(&shape);
            let playable = position.playable(&shape);
            let must = playable & node.theirs;
            let mut moves = playable & !shape.below(node.theirs);
            if must != 0 {
                moves &= must;
            }
            if moves == 0 || must & must.wrapping_sub(1) != 0 {
                return sign * -((cells - stones) / 2);
            }
            if stones >= cells - 2 {
                return 0;
            }
            let upper = (cells - 1 - stones) / 2;
            if upper <= alpha {
                return sign * upper;
            }
            let lower = -((cells - 2 - stones) / 2);
            if lower > alpha {
                return sign * lower;
            }
            if moves & (moves - 1) != 0 {
                break (moves, stones);
            }
            self.forced += 1;
            let threats = node.threats_after(&shape, moves);
            node = node.play(&shape, moves, threats);
            alpha = -alpha - 1;
            sign = -sign;
        };
        let position = node.position;
        let upper = (cells - 1 - stones) / 2;

        // static bounds
        if self.opt[0] & 1 != 0 {
            if let Some(bound) = bounds::answered(&shape, &position, node.theirs)
                && bound <= alpha
            {
                return sign * bound;
            }
        }
        if self.opt[0] & 2 != 0 {
            let empty = position.empty(&shape);
            if alpha >= 0 {
                if !bounds::can_win(&shape, position.own, empty) {
                    return 0;
                }
            } else if !bounds::can_win(&shape, position.other(&shape), empty) {
                return 0;
            }
        }

        let (key, turned) = position.key(&shape);
        let place = self.table.place(key);
        self.table.prefetch(place);

        let side = (stones & 1) as usize;
        let mut children: [Child; 12] = [Child { node, cell: 0, order: 0 }; 12];
        let mut count = 0;
        let mut rest = moves;
        let playable = position.playable(&shape);
        let good = if stones & 1 == 0 { !shape.even() } else { shape.even() };
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let threats = node.threats_after(&shape, cell);
            let next = playable & !cell | shape.above(cell);
            let now = threats & next;
            if now & now.wrapping_sub(1) != 0 || shape.above(now) & threats != 0 {
                return sign * upper;
            }
            let child = node.play(&shape, cell, threats);
            if self.opt[0] & 4 != 0 && stones < self.opt[5]
                && let Some(bound) = bounds::answered(&shape, &child.position, child.theirs)
                && now == 0
                && -bound > alpha
            {
                return sign * -bound;
            }
            let order = self.opt[1] * threats.count_ones() as i32
                + self.opt[2] * (threats & good).count_ones() as i32
                + self.opt[3] * self.history[side][cell.trailing_zeros() as usize];
            children[count] = Child { node: child, cell, order };
            count += 1;
        }

        let mut known = Known { lower: -((cells - 2 - stones) / 2), upper, column: 0 };
        if let Some(found) = self.table.get(place) {
            if found.lower > alpha {
                return sign * found.lower;
            }
            if found.upper <= alpha {
                return sign * found.upper;
            }
            known = found;
            let column = if turned { shape.columns() - 1 - found.column } else { found.column };
            for child in &mut children[..count] {
                if shape.column_of(child.cell) == column {
                    child.order += 1 << 20;
                }
            }
        }
        if stones < self.opt[4] {
            for child in &children[..count] {
                let (key, _) = child.node.position.key(&shape);
                self.table.prefetch(self.table.place(key));
            }
            for child in &children[..count] {
                let (key, _) = child.node.position.key(&shape);
                if let Some(found) = self.table.get(self.table.place(key))
                    && -found.upper > alpha
                {
                    return sign * -found.upper;
                }
            }
        }

        let before = self.nodes;
        let mut best = i32::MIN;
        let mut best_column = 0;
        for i in 0..count {
            let mut top = i;
            for j in i + 1..count {
                if children[j].order > children[top].order {
                    top = j;
                }
            }
            children.swap(i, top);
            let child = children[i];
            let value = -self.search(child.node, -alpha - 1);
            if self.stop.load(Relaxed) {
                return 0;
            }
            if value > best {
                best = value;
                best_column = shape.column_of(child.cell);
                if value > alpha {
                    for earlier in &children[..i] {
                        self.history[side][earlier.cell.trailing_zeros() as usize] -= 1;
                    }
                    self.history[side][child.cell.trailing_zeros() as usize] += i as i32;
                    break;
                }
            }
        }
        if best > alpha {
            known.lower = known.lower.max(best);
        } else {
            known.upper = known.upper.min(best);
        }
        known.column = if turned { shape.columns() - 1 - best_column } else { best_column };
        self.table.put(place, known, self.nodes - before);
        self.stored += 1;
        sign * best
    }
}
