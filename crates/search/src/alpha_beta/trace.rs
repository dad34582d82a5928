//! The tree of a plain alpha-beta search with its windows and cut-offs, for
//! teaching. A recursion of its own, so that the fast search does not carry it.

use games::{MoveList, Player};

use super::window::{self, Turn, Value, Window};
use crate::{Heuristic, SearchHints};

/// Why the search of a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The game is over here.
    End,
    /// The depth is reached; the value is the evaluation.
    Leaf,
    /// All moves were searched. The value is exact if it lies inside the window,
    /// and an upper bound if it does not exceed alpha.
    All,
    /// A beta cut-off: the value is a lower bound, and so many moves were not
    /// searched.
    Cut {
        /// Moves that were not searched.
        skipped: usize,
    },
}

/// A position of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceNode<M> {
    /// The move that led here; none at the root.
    pub mv: Option<M>,
    /// Who moves here.
    pub mover: Player,
    /// The window on arrival. The mover's.
    pub window: Window,
    /// The value found. The mover's.
    pub value: Value,
    /// Why its search ended.
    pub kind: NodeKind,
    /// Positions visited from here on, this one included.
    pub nodes: u64,
    /// The moves searched, in order; empty beyond the depth shown.
    pub children: Vec<TraceNode<M>>,
}

/// Searches `depth` plies from `game`, moves in the game's own order, and keeps
/// the tree down to `shown` plies. It visits exactly the positions that
/// [`super::AlphaBetaSettings::plain`] visits with ties that go to the first move.
pub fn trace<G: SearchHints>(
    game: &G,
    heuristic: &impl Heuristic<G>,
    depth: u32,
    shown: u32,
) -> TraceNode<G::Move> {
    grow(game, heuristic, None, Window::FULL, depth, shown, 0)
}

fn grow<G: SearchHints>(
    game: &G,
    heuristic: &impl Heuristic<G>,
    mv: Option<G::Move>,
    window: Window,
    depth: u32,
    shown: u32,
    ply: usize,
) -> TraceNode<G::Move> {
    let mover = game.to_move();
    let mut node = TraceNode {
        mv,
        mover,
        window,
        value: 0,
        kind: NodeKind::All,
        nodes: 1,
        children: Vec::new(),
    };
    if let Some(outcome) = game.outcome() {
        node.value = window::terminal(outcome, mover, ply);
        node.kind = NodeKind::End;
        return node;
    }
    if depth == 0 {
        node.value = window::evaluated(heuristic.evaluate(game), mover);
        node.kind = NodeKind::Leaf;
        return node;
    }
    let mut list = MoveList::new();
    game.moves(&mut list);
    let mut rest = window;
    node.value = Window::FULL.alpha;
    for (index, &mv) in list.iter().enumerate() {
        let next = game.after(mv);
        let turn = Turn::between(mover, next.to_move());
        let below = shown.saturating_sub(1);
        let child = grow(&next, heuristic, Some(mv), turn.window(rest), depth - 1, below, ply + 1);
        let value = turn.value(child.value);
        node.nodes += child.nodes;
        if shown > 0 {
            node.children.push(child);
        }
        node.value = node.value.max(value);
        rest.raise(value);
        if rest.cuts(value) {
            node.kind = NodeKind::Cut { skipped: list.len() - 1 - index };
            break;
        }
    }
    node
}
