//! The reference: every subset of a position's edges by plain minimax, and tests
//! of each reduction against it.
//!
//! It knows no chains, captures or symmetries: a move is any undrawn edge,
//! a box is closed when its last edge is drawn, and the turn passes unless one
//! is.

use games::Rng;

use super::board::{Board, Position};
use super::bounds::Bounds;
use super::canonical::Keys;
use super::captures::settle;
use super::quiet::{chains, safe_edges, value_without_joints};
use super::solver::Solver;

/// The values of all positions that can follow from one.
struct Enumeration {
    board: Board,
    /// Numbers of the root's undrawn edges.
    edges: Vec<u32>,
    /// The mover's value by subset, bit i for the i-th of `edges`.
    values: Vec<i8>,
}

impl Enumeration {
    fn new(board: &Board, root: Position) -> Enumeration {
        let edges: Vec<u32> = board.list(root).collect();
        let (rows, cols) = (board.rows(), board.cols());
        let horizontal = (rows + 1) * cols;
        let subset = |wanted: [usize; 4]| {
            let place = |number: usize| edges.iter().position(|&edge| edge as usize == number);
            wanted.into_iter().filter_map(place).fold(0u32, |set, bit| set | 1 << bit)
        };
        let mut boxes_of = vec![Vec::new(); edges.len()];
        for r in 0..rows {
            for c in 0..cols {
                let left = horizontal + r * (cols + 1) + c;
                let sides = subset([r * cols + c, (r + 1) * cols + c, left, left + 1]);
                for (edge, boxes) in boxes_of.iter_mut().enumerate() {
                    if sides >> edge & 1 == 1 {
                        boxes.push(sides);
                    }
                }
            }
        }
        let mut values = vec![0i8; 1 << edges.len()];
        for set in 1..1u32 << edges.len() {
            let mut best = i8::MIN;
            let mut left = set;
            while left != 0 {
                let edge = left.trailing_zeros() as usize;
                left &= left - 1;
                let after = set & !(1 << edge);
                let taken =
                    boxes_of[edge].iter().filter(|&&sides| sides & after == 0).count() as i8;
                let rest = values[after as usize];
                best = best.max(if taken > 0 { taken + rest } else { -rest });
            }
            values[set as usize] = best;
        }
        Enumeration { board: board.clone(), edges, values }
    }

    fn position(&self, set: u32) -> Position {
        let mut position = self.board.start();
        for edge in 0..self.board.edges() {
            let place = self.edges.iter().position(|&other| other == edge);
            if place.is_none_or(|bit| set >> bit & 1 == 0) {
                position = position.without(self.board.edge(edge));
            }
        }
        position
    }

    fn value(&self, position: Position) -> i32 {
        let in_set = |(bit, &edge): (usize, &u32)| {
            if position.contains(self.board.edge(edge)) { 1u32 << bit } else { 0 }
        };
        let set: u32 = self.edges.iter().enumerate().map(in_set).sum();
        i32::from(self.values[set as usize])
    }
}

/// A position with so many undrawn edges: sometimes a uniformly random one,
/// sometimes after safe play, with longer chains.
fn random_position(board: &Board, left: u32, rng: &mut Rng) -> Position {
    let safe_play = rng.below(3) > 0;
    let mut position = board.start();
    while position.edges() > left {
        let degrees = board.degrees(position);
        let safe = safe_edges(board, position, &degrees);
        let choose =
            if safe_play && safe.edges() > 0 && degrees.one == 0 { safe } else { position };
        let edges: Vec<u32> = board.list(choose).collect();
        position = position.without(board.edge(edges[rng.below(edges.len())]));
    }
    position
}

const SIZES: [(usize, usize); 9] =
    [(5, 5), (3, 3), (2, 5), (4, 4), (3, 5), (1, 8), (7, 7), (2, 4), (6, 3)];

/// Calls `check` on random positions of many boards, and on random subsets of
/// each, with the reference beside it.
fn each_position(
    roots: u64,
    left: u32,
    subsets: usize,
    mut check: impl FnMut(&Enumeration, Position),
) {
    for seed in 0..roots {
        let mut rng = Rng::stream(0xd075, seed);
        let (rows, cols) = SIZES[seed as usize % SIZES.len()];
        let board = Board::new(rows, cols).unwrap();
        let left = left.min(board.edges()) - rng.below(4) as u32;
        let truth = Enumeration::new(&board, random_position(&board, left, &mut rng));
        for i in 0..=subsets {
            let all = (1u32 << truth.edges.len()) - 1;
            // Few of the root's edges are drawn, so that chains stay together.
            let drawn = (0..i % 7).fold(0, |set, _| set | 1 << rng.below(truth.edges.len()));
            check(&truth, truth.position(all & !drawn));
        }
    }
}

#[test]
fn settled_captures_keep_the_value() {
    let mut seen = [0; 5];
    each_position(180, 14, 60, |truth, position| {
        let settled = settle(&truth.board, position);
        assert_eq!(truth.board.degrees(settled.rest).one, 0);
        let rest = Bounds::exact(truth.value(settled.rest));
        let value = settled.bounds(rest).value();
        assert_eq!(value, Some(truth.value(position)), "{settled:?} of {position:?}");
        seen[settled.handout as usize] += usize::from(settled.rest != position);
    });
    assert!(seen[0] > 500 && seen[2] > 500 && seen[4] > 20, "{seen:?}");
}

#[test]
fn safe_moves_and_one_opening_for_each_chain_are_enough() {
    let mut seen = 0;
    each_position(180, 14, 60, |truth, position| {
        let board = &truth.board;
        let position = settle(board, position).rest;
        let degrees = board.degrees(position);
        if position.edges() == 0 {
            return;
        }
        let safe = board.list(safe_edges(board, position, &degrees));
        let by_safe = safe.map(|edge| -truth.value(position.without(board.edge(edge)))).max();
        let by_opening = chains(board, position, &degrees)
            .iter()
            .map(|chain| chain.opened(board, position, &degrees))
            .map(|settled| -settled.bounds(Bounds::exact(truth.value(settled.rest))).low)
            .max();
        assert_eq!(by_safe.max(by_opening), Some(truth.value(position)), "{position:?}");
        seen += usize::from(by_opening > by_safe);
    });
    assert!(seen > 500, "{seen}");
}

#[test]
fn theory_is_right_where_no_joint_is_left() {
    let mut seen = 0;
    each_position(270, 15, 60, |truth, position| {
        let position = settle(&truth.board, position).rest;
        let degrees = truth.board.degrees(position);
        if degrees.joints() == 0 {
            let value = value_without_joints(&truth.board, position, &degrees);
            assert_eq!(value, truth.value(position), "{position:?}");
            seen += usize::from(value != 0);
        }
    });
    assert!(seen > 300, "{seen}");
}

#[test]
fn cancelled_chains_make_no_difference() {
    let mut seen = 0;
    let mut check = |truth: &Enumeration, position: Position| {
        let position = settle(&truth.board, position).rest;
        let less = truth.board.cancelled(position, truth.board.degrees(position).two);
        if less != position {
            assert_eq!(truth.value(less), truth.value(position), "{position:?}");
            assert!(position.contains(less));
            seen += 1;
        }
    };
    each_position(180, 14, 60, &mut check);
    // Whole small boards meet every arrangement.
    for (rows, cols) in [(2, 2), (1, 4), (2, 3)] {
        let board = Board::new(rows, cols).unwrap();
        let truth = Enumeration::new(&board, board.start());
        for set in 0..1 << board.edges() {
            check(&truth, truth.position(set));
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn equal_keys_mean_equal_values() {
    for (rows, cols) in [(1, 4), (2, 2), (2, 3), (3, 2)] {
        let board = Board::new(rows, cols).unwrap();
        let truth = Enumeration::new(&board, board.start());
        let keys = Keys::new(&board, board.start()).unwrap();
        let mut known = std::collections::HashMap::new();
        let all = 1u32 << board.edges();
        for set in 0..all {
            let position = truth.position(set);
            let value = truth.value(position);
            assert_eq!(
                *known.entry(keys.images(keys.single_corners(position)).key()).or_insert(value),
                value,
                "{position:?}"
            );
        }
        let classes = known.len();
        let symmetries = if rows == cols { 8 } else { 4 };
        assert!(classes * symmetries / 3 < all as usize, "{classes} classes of {all} sets");
    }
}

/// The solver's value of a position and of each of its moves against the truth.
fn agrees(truth: &Enumeration, position: Position) {
    let mut solver = Solver::new(truth.board.rows(), truth.board.cols(), 1, 1).unwrap();
    solver.prepare(position).unwrap();
    let solution = solver.moves(position, &search::SearchControl::unlimited(), &mut |_| {});
    assert_eq!(solution.bounds.value(), Some(truth.value(position)), "{position:?}");
    for &(edge, bounds) in &solution.moves {
        let edge = truth.board.edge(edge);
        let after = truth.value(position.without(edge));
        let taken = truth.board.closes(position, edge);
        let value = if taken > 0 { taken + after } else { -after };
        assert_eq!(bounds.value(), Some(value), "{edge:?} in {position:?}");
    }
}

#[test]
fn the_solver_agrees_with_enumeration() {
    let mut positions = 0;
    // Most positions are small, because the reference doubles with each edge.
    for (roots, left, subsets) in [(150, 16, 12), (20, 18, 10), (1, 24, 10)] {
        each_position(roots, left, subsets, |truth, position| {
            agrees(truth, position);
            positions += 1;
        });
    }
    assert!(positions >= 2_000, "{positions}");
}

#[test]
#[ignore = "a minute: cargo xtask soak"]
fn the_solver_agrees_with_enumeration_of_up_to_24_edges() {
    let (mut positions, mut large) = (0, 0);
    each_position(200, 24, 10, |truth, position| {
        agrees(truth, position);
        positions += 1;
        large += u32::from(position.edges() >= 20);
    });
    assert!(positions >= 2_000 && large >= 1_000, "{positions}, {large} of 20 edges or more");
}
