//! Null-window alpha-beta over quiet positions.
//!
//! The search decides whether the value of a position reaches `target` for its
//! mover; the result is a pair of bounds that decides it. A move leads to exactly
//! one quiet position, whether it is safe or gives boxes away (see `captures`), so
//! the question about a move becomes one question about that position, or two
//! where a hand-out is kept. Values are not negated by plies: who moves in the
//! successor is part of [`Settled`].
//!
//! The table is probed for all successors before any of them is searched
//! (enhanced transposition cut-offs). Safe moves come first. Among them, those
//! that were searched before and have a low upper bound: their entries make the
//! rest cheap, and 4 x 4 takes a quarter fewer nodes. Then edges between two
//! boxes before those of the border, the middle of the board first (that halves
//! the nodes of 3 x 4), and of equal ones those that make chains longer (3% fewer
//! nodes). Tried and worse: more boxes of two edges, more long chains of the right
//! parity, fewer safe moves left, history counts, learned edge weights and a short
//! search of every move before the long ones; killer moves help on some boards and
//! hurt on others. A known winning move first, from a search before, saves a fifth of
//! the nodes of 3 x 4 and from a tenth to a half of three positions of 5 x 5. Keys of
//! the graph of joints and chain lengths, which many positions share, do not pay: if
//! each node is looked up by them too, 1.7 times fewer of 5 x 5's and 2.4 times fewer of
//! 3 x 4's nodes are expanded, but those that are looked up become 18% and 26% fewer
//! only, and each needs such a key, which costs as much as a node. With the nodes of 26
//! edges and more alone it is 8%: what is shared lies near the leaves.
//!
//! Where the nodes are, by one question of 333,000 nodes about a position of 5 x 5
//! with 40 edges left: half of them are cut off by the table alone, 6% have no safe
//! move and 77% have one to six, so bounds for positions without safe moves can save
//! little. Where a searched move cuts off, it is the first one in 70% of the nodes, and
//! a chain that is opened in 19%. The last good move of each position, kept beside the
//! table and searched first, changes nothing (926,213 nodes of 3 x 4, and 1,476,931 in
//! place of 1,478,688 on average of 16 positions with 40 edges left).
//!
//! What a smaller tree would need was measured on 5 x 5 after strong play (questions:
//! is it worth its value, is it worth two more). Every position below 8 positions with
//! 36 edges left was solved; proofs that choose among all winning moves the one of the
//! smallest proof tree have 3.0 times fewer nodes, 2.4 times on 12 with 34 edges. An
//! order can hardly gain more, and proof-number search gains none of it: depth-first, in
//! the best of seven settings, it visits 1.7 times as many nodes on 10 positions with 36
//! edges if the numbers begin with an estimate by the safe moves left; if they begin with
//! 1, 2.9 (maxima) to 4.4 times (sums) on 12 positions with 34 edges. Static bounds do
//! not help either: in the 315,000 nodes of 5 positions with 36 edges, true values lie
//! four boxes or more beyond what the target asks in 62%, but even the extremes of all
//! positions with equal numbers of boxes, joints, chains and safe moves would decide 3%.
//! Below 6 such positions there are 1.7 times fewer graphs than positions, and 3.0 times
//! fewer if all long chains count as equal: a transfer of bounds between chain lengths
//! may gain about that, before its keys are paid for. What makes the tree large are short
//! chains given away: a path has 2.0 to 3.0 of them on average, and 1 to 7% of the nodes
//! have none (four questions, 40 edges). They cannot be left out: of the positions with
//! a safe move below 8 with 34 edges, 15% keep their value by such a chain alone. Asking
//! first about giving the hand-out away changes nothing (0.2%), nor does opening chains
//! from the shortest on. An order by a weighted sum of the safe moves, short and long
//! chains and joints that a move leaves, their parities and the table's bounds, 58 weights
//! fitted by random search, and opening one of several equal chains alone (which is done
//! now, see `quiet`) saved together 19% on 12 positions with 38 edges that were not fitted
//! (but later ones of the same games were) and 23% on two with 40 of other games (geometric
//! means): too little for so many numbers.
//!
//! Bounds stay true when the search is interrupted, they are only wider then.
//! Values have the parity of the number of boxes, so neighbouring targets are
//! two apart.

use super::board::{Board, Degrees, Position};
use super::bounds::Bounds;
use super::canonical::Keys;
use super::captures::Settled;
use super::moves::{Move, Moves, safe_order};
use super::quiet::{chains, safe_edges, value_without_joints};
use super::table::{TranspositionTable, mix};

/// How often the outside world is asked whether to go on, in nodes.
pub(super) const PATIENCE: u64 = 1024;

/// One searching thread.
pub(super) struct Worker<'a> {
    board: &'a Board,
    keys: &'a Keys,
    table: &'a TranspositionTable,
    /// The index of the thread: each breaks ties in its own way.
    number: u64,
    /// Called every [`PATIENCE`] nodes searched; true ends the search.
    stop: &'a mut dyn FnMut() -> bool,
    stopped: bool,
    nodes: u64,
}

/// A quiet position with its bounds.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub position: Position,
    /// For the table.
    pub key: u64,
    /// How many are open.
    pub boxes: i32,
    /// The mover's value.
    pub bounds: Bounds,
}

impl Node {
    /// A quiet position with boxes of these degrees and its static bounds; `key`
    /// makes its key.
    #[inline(always)]
    fn new(
        board: &Board,
        position: Position,
        mut degrees: Degrees,
        key: impl FnOnce(Position) -> u64,
    ) -> Node {
        let cancelled = board.cancelled(position, degrees.two);
        if cancelled != position {
            degrees = board.degrees(cancelled);
        }
        let (position, boxes) = (cancelled, degrees.open());
        if degrees.joints() == 0 {
            let value = value_without_joints(board, position, &degrees);
            return Node { position, key: 0, boxes, bounds: Bounds::exact(value) };
        }
        Node { position, key: mix(key(position)), boxes, bounds: Bounds::of_boxes(boxes) }
    }

    /// A quiet position with its bounds from the table.
    pub fn known(
        board: &Board,
        keys: &Keys,
        table: &TranspositionTable,
        position: Position,
    ) -> Node {
        let mut node = Node::reduced(board, keys, position);
        node.look_up(table);
        node
    }

    /// A quiet position with its static bounds.
    pub fn reduced(board: &Board, keys: &Keys, position: Position) -> Node {
        let position = keys.single_corners(position);
        let key = |position| keys.images(position).key();
        Node::new(board, position, board.degrees(position), key)
    }

    /// Adds the bounds of the table.
    #[inline]
    pub fn look_up(&mut self, table: &TranspositionTable) {
        if self.bounds.low < self.bounds.high {
            self.bounds = table.probe(self.key, self.boxes);
        }
    }
}

impl<'a> Worker<'a> {
    pub fn new(
        board: &'a Board,
        keys: &'a Keys,
        table: &'a TranspositionTable,
        number: u64,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Worker<'a> {
        Worker { board, keys, table, number, stop, stopped: false, nodes: 0 }
    }

    /// Nodes searched since the last call of `stop`.
    pub fn unreported(&self) -> u64 {
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
            self.table.count_nodes(PATIENCE);
            self.stopped |= (self.stop)();
        }
        if self.stopped {
            return node.bounds;
        }
        let mut moves = Moves::new(self.table, node.boxes, target);
        let open = self.list(node, &mut moves) && moves.probe_rest();
        let mut found = moves.found;
        if open {
            // Also after a stop: the bounds of all moves are in what is stored below.
            for mv in moves.in_order() {
                found = found.or(self.decide_move(mv, target));
                if found.low >= target {
                    break;
                }
            }
        }
        if found.low >= target {
            // The moves that were not searched might be better still.
            found.high = node.boxes;
        }
        let bounds = node.bounds.and(found);
        self.table.store(node.key, node.boxes, bounds, self.nodes - before);
        bounds
    }

    /// Searches a move until it is known whether it reaches `target`, for the player
    /// who makes it.
    fn decide_move(&mut self, mv: &Move, target: i32) -> Bounds {
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

    /// Lists the moves that may reach the target, until one is known to: then
    /// false.
    #[inline]
    fn list(&self, node: &Node, moves: &mut Moves) -> bool {
        let (board, keys, position) = (self.board, self.keys, node.position);
        let degrees = board.degrees(position);
        let images = keys.images(position);
        let key = |rest| keys.without(images, position.without(rest)).key();
        let safe = safe_edges(board, position, &degrees);
        let tried = Position { h: safe.h & !keys.idle_corners(position), v: safe.v };
        // Those that bring two boxes down to two edges cut off most often, then
        // those that bring one: so they are probed first.
        let two = board.between(tried, degrees.three, degrees.three);
        let one = board.touching(tried, degrees.three).without(two);
        let none = tried.without(two).without(one);
        for group in [two, one, none] {
            for edge in group.single_edges() {
                let beside = board.beside(edge);
                let new = beside & degrees.three;
                let chained = board.between(position, new, degrees.two).edges();
                let inner = (beside & board.inner).count_ones();
                let tie_break = self.tie_break(edge);
                let order = safe_order(beside.count_ones(), inner, chained, tie_break);
                let settled = Settled { gain: 0, handout: 0, rest: position.without(edge) };
                let child = Node::new(board, settled.rest, degrees.with_edges_removed(beside), key);
                if !moves.add(&settled, &child, order) {
                    return false;
                }
            }
        }
        for chain in &chains(board, position, &degrees) {
            let settled = chain.opened(board, position, &degrees);
            // Often a chain gives too much away, whatever the rest is worth: no
            // need to probe the table, which costs most of the time.
            let rest = Bounds::of_boxes(node.boxes - settled.gain - settled.handout);
            if moves.dismiss(settled.bounds(rest).turned()) {
                continue;
            }
            let child = Node::new(board, settled.rest, board.degrees(settled.rest), key);
            if !moves.add(&settled, &child, 0) {
                return false;
            }
        }
        true
    }

    /// A number from 0 to 7 for an edge, different in each thread, so that threads
    /// search different moves first; 0 in the first one.
    #[inline]
    fn tie_break(&self, edge: Position) -> u32 {
        if self.number == 0 { 0 } else { (games::mix(edge.h ^ self.number, edge.v) & 7) as u32 }
    }
}
