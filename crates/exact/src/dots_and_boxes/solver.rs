//! The solver as others use it: positions in, exact values and best moves out.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::board::{Board, BoardError, Position};
use super::canonical::Keys;
use super::captures::settle;
use super::search::Worker;
use super::table::{Bounds, Table};

/// When to give up. Several limits hold together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Quiet positions to search.
    pub nodes: Option<u64>,
    /// Time to spend.
    pub time: Option<Duration>,
    /// Set by another thread when the answer is no longer wanted.
    pub stop: Option<&'a AtomicBool>,
}

/// How far a solve has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The mover's value lies here.
    pub bounds: Bounds,
    /// Quiet positions searched.
    pub nodes: u64,
    /// Time since the solve began.
    pub elapsed: Duration,
}

/// What was found out.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    /// Boxes that the mover will win minus those of the opponent, exactly or as
    /// far as the limits allowed.
    pub bounds: Bounds,
    /// Quiet positions searched.
    pub nodes: u64,
    /// Time it took.
    pub elapsed: Duration,
}

/// Solves positions of one board size. What it learns stays in its table.
pub struct Solver {
    board: Board,
    keys: Keys,
    table: Table,
    threads: usize,
}

impl Solver {
    /// A solver for boards of `rows` x `cols` boxes with a table of at most so
    /// many megabytes, for `threads` threads.
    pub fn new(
        rows: usize,
        cols: usize,
        table_mb: usize,
        threads: usize,
    ) -> Result<Solver, BoardError> {
        let board = Board::new(rows, cols)?;
        let nothing = Position { h: 0, v: 0 };
        let keys = Keys::new(&board, nothing)?;
        Ok(Solver { board, keys, table: Table::new(table_mb), threads: threads.max(1) })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Solves a position.
    pub fn solve(
        &mut self,
        position: Position,
        limits: &Limits,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Solution, BoardError> {
        let begun = Instant::now();
        let mut stop = |nodes: u64| {
            limits.nodes.is_some_and(|most| nodes >= most)
                || limits.stop.is_some_and(|stop| stop.load(Relaxed))
                || limits.time.is_some_and(|time| begun.elapsed() >= time)
        };
        let settled = settle(&self.board, position);
        let mut worker = Worker::new(&self.board, &self.keys, &self.table, &mut stop);
        let mut node = worker.node(settled.rest);
        let mut lo_known = node.bounds;
        while lo_known.low < lo_known.high && !worker.stopped {
            let mid = (lo_known.low + lo_known.high).div_euclid(2);
            let target = if (mid - lo_known.low) % 2 == 0 { mid } else { mid + 1 };
            let target = if target == lo_known.low { target + 2 } else { target };
            lo_known = worker.decide(&node, target).and(lo_known);
            node = worker.node(settled.rest);
            node.bounds = node.bounds.and(lo_known);
            eprintln!("{lo_known:?} {} {:?}", worker.nodes, begun.elapsed());
        }
        let nodes = worker.nodes;
        Ok(Solution {
            bounds: Bounds { low: settled.value(lo_known.low), high: settled.value(lo_known.high) },
            nodes,
            elapsed: begun.elapsed(),
        })
    }
}
