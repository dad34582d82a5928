//! Null-window alpha-beta over quiet positions.
//!
//! The one question of this search is whether a position is worth at least
//! `target` to its mover; the answer is a pair of bounds that settles it. A move
//! leads to exactly one quiet position, whether it is safe or gives boxes away
//! (see `captures`), so a question about a move becomes one question about that
//! position, or two where a hand-out is kept. Nothing is turned around by plies:
//! who moves in the successor is part of [`Settled`].
//!
//! The bounds of all successors are looked up before any of them is searched
//! (enhanced transposition cut-offs). Safe moves come first. Among them, those
//! that were searched before and promised little: what is known of them makes
//! the rest cheap, and 4 x 4 takes a quarter fewer nodes. Then those that bring
//! more boxes closer to two edges, and edges in the middle of the board before
//! its border: that halved the nodes of 3 x 4 against counting boxes of two edges
//! alone. Histories, the parity of long chains, the number of safe moves left and
//! a short search of every move before the long ones were worse; killer moves
//! good for some boards and bad for others.
//!
//! Bounds stay true when the search is interrupted, they are only wider then.
//! Values have the parity of the number of boxes, so neighbouring targets are
//! two apart.

use arrayvec::ArrayVec;

use super::board::{Board, Position};
use super::bounds::Bounds;
use super::canonical::{Keys, MOST_EDGES};
use super::captures::Settled;
use super::quiet::{openings, safe_edges, value_without_joints};
use super::table::Table;

/// How often the outside world is asked whether to go on, in nodes.
pub(super) const PATIENCE: u64 = 1024;

/// One searching thread.
pub(super) struct Worker<'a> {
    board: &'a Board,
    keys: &'a Keys,
    table: &'a Table,
    /// Which of the threads: each orders equal moves in its own way.
    number: u64,
    /// Told of every [`PATIENCE`] nodes searched; true ends the search.
    stop: &'a mut dyn FnMut() -> bool,
    stopped: bool,
    nodes: u64,
}

/// A quiet position with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    position: Position,
    key: u64,
    boxes: i32,
    /// The mover's value.
    pub bounds: Bounds,
}

/// A move: what the opponent makes of it and where it leads. Half a cache line,
/// because most moves are only looked at and sorted.
#[derive(Clone, Copy)]
struct Move {
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

    #[inline]
    fn settled(&self) -> Settled {
        Settled { gain: self.gain.into(), handout: self.handout.into(), rest: self.position }
    }

    #[inline]
    fn node(&self) -> Node {
        let bounds = Bounds { low: self.low.into(), high: self.high.into() };
        Node { position: self.position, key: self.key, boxes: self.boxes.into(), bounds }
    }
}

type Moves = ArrayVec<Move, { MOST_EDGES as usize }>;

impl Node {
    /// A quiet position, as far as it can be judged without the table; `key`
    /// makes its key.
    #[inline]
    fn new(board: &Board, position: Position, key: impl FnOnce(Position) -> u64) -> Node {
        let degrees = board.degrees(position);
        let position = board.cancelled(position, degrees.two);
        let degrees = board.degrees(position);
        let boxes = degrees.open();
        if degrees.joints() == 0 {
            let value = value_without_joints(board, position, &degrees);
            return Node { position, key: 0, boxes, bounds: Bounds::exact(value) };
        }
        Node { position, key: key(position), boxes, bounds: Bounds::of_boxes(boxes) }
    }

    /// A quiet position with what is known of it.
    pub fn known(board: &Board, keys: &Keys, table: &Table, position: Position) -> Node {
        let position = keys.single_corners(position);
        let mut node = Node::new(board, position, |position| keys.images(position).key());
        node.look_up(table);
        node
    }

    /// Adds what the table knows.
    #[inline]
    fn look_up(&mut self, table: &Table) {
        if self.bounds.low < self.bounds.high {
            self.bounds = table.probe(self.key, self.boxes);
        }
    }
}

impl<'a> Worker<'a> {
    pub fn new(
        board: &'a Board,
        keys: &'a Keys,
        table: &'a Table,
        number: u64,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Worker<'a> {
        Worker { board, keys, table, number, stop, stopped: false, nodes: 0 }
    }

    /// Nodes searched that `stop` has not been told of.
    pub fn untold(&self) -> u64 {
        self.nodes % PATIENCE
    }

    /// Bounds that tell whether the value for the mover reaches `target`, unless
    /// the search is stopped. `target` has the parity of the boxes.
    pub fn decide(&mut self, node: &Node, target: i32) -> Bounds {
        if node.bounds.decide(target) {
            return node.bounds;
        }
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) {
            self.table.hear(PATIENCE);
            self.stopped |= (self.stop)();
        }
        if self.stopped {
            return node.bounds;
        }
        let mut moves = Moves::new();
        let mut found = Bounds { low: -node.boxes, high: -node.boxes };
        if self.moves(node, target, &mut moves, &mut found) {
            moves.sort_unstable_by_key(|mv| std::cmp::Reverse(mv.order));
            for mv in &moves {
                let bounds = self.judge(mv, target);
                found = found.or(bounds);
                if found.low >= target {
                    // The moves after this one might be better still.
                    found.high = node.boxes;
                    break;
                }
            }
        }
        let bounds = node.bounds.and(found);
        self.table.store(node.key, node.boxes, bounds, self.nodes - before);
        bounds
    }

    /// Searches a move until it is known whether it reaches `target`, for whoever
    /// makes it.
    fn judge(&mut self, mv: &Move, target: i32) -> Bounds {
        let (settled, mut node) = (mv.settled(), mv.node());
        loop {
            let bounds = settled.bounds(node.bounds).turned();
            if bounds.decide(target) || self.stopped {
                return bounds;
            }
            // The move reaches its target if the opponent fails to reach the next
            // value above its reverse.
            node.bounds = self.decide(&node, settled.question(node.bounds, 2 - target));
        }
    }

    /// Lists the moves that are worth a search, and puts what the table knows of
    /// the others into `found`. False if that decides the position.
    fn moves(&self, node: &Node, target: i32, moves: &mut Moves, found: &mut Bounds) -> bool {
        self.list(node, target, moves, found);
        let mut decided = false;
        moves.retain(|mv| {
            if decided {
                return false;
            }
            let mut node = mv.node();
            node.look_up(self.table);
            let bounds = mv.settled().bounds(node.bounds).turned();
            if !bounds.decide(target) {
                (mv.low, mv.high) = (node.bounds.low as i8, node.bounds.high as i8);
                mv.order |= promise(bounds.high);
                return true;
            }
            *found = found.or(bounds);
            decided = bounds.low >= target;
            false
        });
        if decided {
            found.high = node.boxes;
        }
        !decided
    }

    /// Lists all moves that may reach `target`. The table is asked only
    /// afterwards, so that its memory arrives while the other moves are made:
    /// waiting for it took half of the time before.
    fn list(&self, node: &Node, target: i32, moves: &mut Moves, found: &mut Bounds) {
        let position = node.position;
        let degrees = self.board.degrees(position);
        let images = self.keys.images(position);
        let mut add = |settled: Settled, order: u16| {
            let node = Node::new(self.board, settled.rest, |rest| {
                self.keys.without(images, position.without(rest)).key()
            });
            self.table.fetch(node.key);
            moves.push(Move::new(&settled, &node, order));
        };
        let safe = safe_edges(self.board, position, &degrees);
        let tried = Position { h: safe.h & !self.keys.idle_corners(position), v: safe.v };
        for edge in tried.single_edges() {
            let beside = edge.h | edge.h >> self.board.stride | edge.v | edge.v >> 1;
            let count = |boxes: u64| (beside & boxes).count_ones() as u16;
            // Boxes of three edges become boxes of two, those of four, of three.
            let closer = 2 * count(degrees.three) + count(degrees.four);
            let order = SAFE | closer << 6 | count(self.board.inner) << 4 | self.whim(edge);
            add(Settled { gain: 0, handout: 0, rest: position.without(edge) }, order);
        }
        for settled in openings(self.board, position, &degrees) {
            // Often a chain gives too much away, whatever the rest is worth: no
            // need to ask the table, which costs most of the time.
            let rest = Bounds::of_boxes(node.boxes - settled.gain - settled.handout);
            let bounds = settled.bounds(rest).turned();
            if bounds.high < target {
                *found = found.or(bounds);
            } else {
                add(settled, 0);
            }
        }
    }

    /// Something between 0 and 15 for an edge, different in each thread, so that
    /// threads look at different things first; 0 in the first one.
    #[inline]
    fn whim(&self, edge: Position) -> u16 {
        if self.number == 0 { 0 } else { (games::mix(edge.h ^ self.number, edge.v) & 15) as u16 }
    }
}

/// The part of a move's order that puts safe moves first.
const SAFE: u16 = 1 << 15;

/// The part of a move's order that puts those first of which less can be hoped.
#[inline]
fn promise(high: i32) -> u16 {
    ((63 - (high + 64) / 2) as u16) << 9
}
