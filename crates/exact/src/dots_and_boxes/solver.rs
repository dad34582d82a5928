//! The solver as others use it: positions in, values, best moves and lines out.
//!
//! A value is found by asking the search whether it reaches one target after the
//! other: first an even score, then the neighbours of whatever bound the last
//! answer gave. An interrupted solve answers with the bounds reached so far.
//!
//! All threads answer the same question on one table, each ordering equal moves
//! in its own way, until the first has the answer. Most questions are answered
//! before a second thread would have started, so one begins alone.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use games::dots_and_boxes::Edge;
use search::SearchControl;

use super::board::{Board, BoardError, Position};
use super::bounds::Bounds;
use super::canonical::Keys;
use super::captures::settle;
use super::search::{Node, PATIENCE, Worker};
use super::table::TranspositionTable;

/// Nodes before other threads join.
const ALONE: u64 = 32 * PATIENCE;

/// How far a solve has come.
#[derive(Clone, Copy, Debug)]
pub struct SolveProgress {
    /// The mover's value of the position at hand lies here. It is the position
    /// asked about, or one after a move of it.
    pub bounds: Bounds,
    /// Quiet positions searched.
    pub nodes: u64,
    /// Time since the solve began.
    pub elapsed: Duration,
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Boxes that the mover will win minus those of the opponent, exactly or as
    /// far as the limits allowed.
    pub bounds: Bounds,
    /// What each undrawn edge is worth to the mover, in the same sense: by
    /// [`Solver::moves`] all exactly, by [`Solver::best`] so far that the best
    /// are known, by [`Solver::solve`] none.
    pub moves: Vec<(u32, Bounds)>,
    /// Quiet positions searched.
    pub nodes: u64,
    /// Time it took.
    pub elapsed: Duration,
}

impl Solution {
    /// The edges that keep the value, if the value is known.
    pub fn best(&self) -> Vec<u32> {
        let Some(value) = self.bounds.value() else { return Vec::new() };
        self.moves.iter().filter(|(_, bounds)| bounds.low >= value).map(|&(edge, _)| edge).collect()
    }
}

/// Solves positions of one board size. What it learns stays in its table.
pub struct Solver {
    board: Board,
    keys: Keys,
    table: TranspositionTable,
    threads: usize,
}

/// One call from outside: its limits and what it has used of them.
struct Run<'r> {
    threads: usize,
    control: &'r SearchControl<Edge>,
    progress: &'r mut dyn FnMut(&SolveProgress),
    begun: Instant,
    nodes: &'r AtomicU64,
    bounds: Bounds,
    halted: bool,
}

impl Run<'_> {
    /// Counts nodes, shows the progress, and says whether to stop.
    fn tick(&mut self) -> bool {
        let nodes = self.nodes.fetch_add(PATIENCE, Relaxed) + PATIENCE;
        let elapsed = self.begun.elapsed();
        let progress = SolveProgress { bounds: self.bounds, nodes, elapsed };
        (self.progress)(&progress);
        self.halted |= self.control.limits().nodes.is_some_and(|most| nodes >= most)
            || self.control.should_stop();
        self.halted
    }
}

impl Solver {
    /// A solver for boards of `rows` x `cols` boxes with a table of at most
    /// `table_mb` megabytes (at least one) for `threads` threads.
    ///
    /// Boards of more than [`super::MOST_EDGES`] edges must be prepared for a
    /// position before it can be solved.
    pub fn new(
        rows: usize,
        cols: usize,
        table_mb: usize,
        threads: usize,
    ) -> Result<Solver, BoardError> {
        let board = Board::new(rows, cols)?;
        let keys = Keys::new(&board, Position { h: 0, v: 0 })?;
        Ok(Solver {
            board,
            keys,
            table: TranspositionTable::new(table_mb),
            threads: threads.max(1),
        })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether a position can be solved without preparation.
    pub fn serves(&self, position: Position) -> bool {
        self.keys.serve(position)
    }

    /// Makes the solver ready for a position and all that follow from it. Does
    /// nothing if it is; else the table is cleared.
    pub fn prepare(&mut self, position: Position) -> Result<(), BoardError> {
        if !self.serves(position) {
            self.keys = Keys::new(&self.board, position)?;
            self.table.clear();
        }
        Ok(())
    }

    /// Takes the whole memory of the table at once, before a clock runs.
    pub fn warm_up(&mut self) {
        self.table.warm_up();
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The value of a position. One that the solver does not serve gets the
    /// bounds that need no search.
    pub fn solve(
        &self,
        position: Position,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Solution {
        self.run(self.threads, control, progress, |run| (self.value(run, position), Vec::new()))
    }

    /// The value of a position, where it matters most whether it reaches `aim`:
    /// that is asked first, so a solve that is cut short may still know. `aim`
    /// has the parity of the boxes that are open.
    ///
    /// A hand-out may reach it whatever the rest is worth, by keeping it or by giving it
    /// away. Which of the two is then asked before all others: without it there is a win
    /// and no move.
    pub(super) fn solve_towards(
        &self,
        position: Position,
        aim: i32,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Solution {
        self.run(self.threads, control, progress, |run| {
            let mut bounds = self.reach(run, position, Some(aim));
            let settled = settle(&self.board, position);
            if bounds.low >= aim && settled.handout > 0 {
                // The move that takes the last box of the hand-out leaves the rest to the
                // mover: this asks whether the mover reaches the aim there.
                self.reach(run, settled.rest, Some(aim - settled.gain - settled.handout));
                bounds = bounds.and(self.known(position));
            }
            let known = bounds.value().is_some() || run.halted;
            (if known { bounds } else { bounds.and(self.value(run, position)) }, Vec::new())
        })
    }

    /// Whether the mover can keep a hand-out or give it away.
    pub(super) fn offers_handout(&self, position: Position) -> bool {
        settle(&self.board, position).handout > 0
    }

    /// How many threads it may use.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Bounds of the mover's value that tell whether it reaches `target`, unless the
    /// limits are too tight, and the nodes searched for it, on the caller's thread alone:
    /// a proof asks several such questions at the same time.
    pub(super) fn decide(
        &self,
        position: Position,
        target: i32,
        control: &SearchControl<Edge>,
    ) -> (Bounds, u64) {
        let ask = |run: &mut Run| (self.reach(run, position, Some(target)), Vec::new());
        let solution = self.run(1, control, &mut |_: &SolveProgress| {}, ask);
        (solution.bounds, solution.nodes)
    }

    /// The value of a position and of every move.
    pub fn moves(
        &self,
        position: Position,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Solution {
        self.run(self.threads, control, progress, |run| {
            let bounds = self.value(run, position);
            let values = self.board.list(position).map(|edge| {
                let (after, taken) = self.play(position, edge);
                (edge, mover(self.value(run, after), taken))
            });
            (bounds, values.collect())
        })
    }

    /// The value of a position and all its best moves: of the others it is only
    /// asked whether they are as good.
    pub fn best(
        &self,
        position: Position,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Solution {
        self.run(self.threads, control, progress, |run| {
            let bounds = self.value(run, position);
            let target = bounds.value().unwrap_or(bounds.low);
            let values = self.board.list(position).map(|edge| {
                let (after, taken) = self.play(position, edge);
                (edge, self.move_bounds(run, after, taken, target))
            });
            (bounds, values.collect())
        })
    }

    /// A line of best play from a position whose value can be found within the
    /// limits, to the end of the game or as far as the limits allow.
    pub fn line(
        &self,
        position: Position,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<u32> {
        let mut line = Vec::new();
        self.run(self.threads, control, progress, |run| {
            let (mut here, mut bounds) = (position, self.value(run, position));
            while let Some(target) = bounds.value() {
                let Some(edge) = self.reaching(run, here, target) else { break };
                let (after, taken) = self.play(here, edge);
                line.push(edge);
                here = after;
                bounds = Bounds::exact(if taken > 0 { target - taken } else { -target });
            }
            (bounds, Vec::new())
        });
        line
    }

    /// A move that reaches a value which can be reached, unless the limits are too tight
    /// to find it.
    pub(super) fn move_reaching(
        &self,
        position: Position,
        value: i32,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Option<u32> {
        let mut best = None;
        self.run(self.threads, control, progress, |run| {
            best = self.reaching(run, position, value);
            (Bounds::exact(value), Vec::new())
        });
        best
    }

    /// A move that reaches `target`: the first one, so that what is played does not depend
    /// on what was searched before. Under a deadline that would be too much to ask, since
    /// all moves before it must be refuted: there it is one that the table knows, which
    /// has the proof that some move reaches the target.
    fn reaching(&self, run: &mut Run, position: Position, target: i32) -> Option<u32> {
        let timed = run.control.time().left().is_some();
        let known = self.board.list(position).filter(|_| timed).find(|&edge| {
            let (after, taken) = self.play(position, edge);
            mover(self.known(after), taken).low >= target
        });
        known.or_else(|| {
            self.board.list(position).find(|&edge| {
                let (after, taken) = self.play(position, edge);
                self.move_bounds(run, after, taken, target).low >= target
            })
        })
    }

    /// The mover's bounds by the table alone.
    fn known(&self, position: Position) -> Bounds {
        let settled = settle(&self.board, position);
        if !self.serves(settled.rest) {
            return Bounds::of_boxes(self.board.degrees(position).open());
        }
        settled.bounds(Node::known(&self.board, &self.keys, &self.table, settled.rest).bounds)
    }

    /// Sets up one call and sums it up.
    fn run(
        &self,
        threads: usize,
        control: &SearchControl<Edge>,
        progress: &mut impl FnMut(&SolveProgress),
        work: impl FnOnce(&mut Run) -> (Bounds, Vec<(u32, Bounds)>),
    ) -> Solution {
        let nodes = AtomicU64::new(0);
        let begun = Instant::now();
        let bounds = Bounds::of_boxes((self.board.rows() * self.board.cols()) as i32);
        let mut run =
            Run { threads, control, progress, begun, nodes: &nodes, bounds, halted: false };
        let (bounds, moves) = work(&mut run);
        Solution { bounds, moves, nodes: nodes.load(Relaxed), elapsed: begun.elapsed() }
    }

    /// The position after an edge and the boxes it takes.
    fn play(&self, position: Position, edge: u32) -> (Position, i32) {
        let edge = self.board.edge(edge);
        (position.without(edge), self.board.closes(position, edge))
    }

    /// Whether a move that leads to `after` and takes so many boxes reaches
    /// `target`, for the player who makes it.
    fn move_bounds(&self, run: &mut Run, after: Position, taken: i32, target: i32) -> Bounds {
        let target = if taken > 0 { target - taken } else { 2 - target };
        mover(self.reach(run, after, Some(target)), taken)
    }

    /// The mover's value.
    fn value(&self, run: &mut Run, position: Position) -> Bounds {
        self.reach(run, position, None)
    }

    /// The mover's bounds, known well enough to tell whether the value reaches
    /// `target`, or exactly if there is none.
    fn reach(&self, run: &mut Run, position: Position, target: Option<i32>) -> Bounds {
        let settled = settle(&self.board, position);
        if !self.serves(settled.rest) {
            return Bounds::of_boxes(self.board.degrees(position).open());
        }
        let mut node = Node::known(&self.board, &self.keys, &self.table, settled.rest);
        let guess = settled.gain + settled.handout + (node.bounds.high & 1);
        loop {
            let bounds = settled.bounds(node.bounds);
            run.bounds = bounds;
            let known = target.map_or(bounds.low == bounds.high, |target| bounds.decide(target));
            if known || run.halted {
                return bounds;
            }
            let target = target.unwrap_or(guess.clamp(bounds.low + 2, bounds.high));
            let question = settled.question(node.bounds, target);
            node.bounds = node.bounds.and(self.ask(run, &node, question));
        }
    }

    /// Puts a question to the search, on one thread and then on all.
    fn ask(&self, run: &mut Run, node: &Node, target: i32) -> Bounds {
        let alone = if run.threads == 1 { u64::MAX } else { ALONE };
        let mut reported = 0;
        let mut stop = || {
            reported += PATIENCE;
            run.tick() || reported >= alone
        };
        let mut worker = Worker::new(&self.board, &self.keys, &self.table, 0, &mut stop);
        let bounds = worker.decide(node, target);
        let unreported = worker.unreported();
        run.nodes.fetch_add(unreported, Relaxed);
        if bounds.decide(target) || run.halted {
            return bounds;
        }
        let answered = AtomicBool::new(false);
        let (answered, nodes) = (&answered, run.nodes);
        let search = |number: u64, stop: &mut dyn FnMut() -> bool| {
            let mut worker = Worker::new(&self.board, &self.keys, &self.table, number, stop);
            let bounds = worker.decide(node, target);
            nodes.fetch_add(worker.unreported(), Relaxed);
            answered.store(true, Relaxed);
            bounds
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..run.threads as u64)
                .map(|number| {
                    scope.spawn(move || {
                        search(number, &mut || {
                            nodes.fetch_add(PATIENCE, Relaxed);
                            answered.load(Relaxed)
                        })
                    })
                })
                .collect();
            let own = search(0, &mut || run.tick() || answered.load(Relaxed));
            others
                .into_iter()
                .map(|other| other.join().expect("a search does not panic"))
                .fold(own, Bounds::and)
        })
    }
}

/// The value of a move for the player who makes it, from that of the position after it
/// and the boxes taken: only a capture keeps the turn.
fn mover(after: Bounds, taken: i32) -> Bounds {
    if taken > 0 {
        Bounds { low: after.low + taken, high: after.high + taken }
    } else {
        after.turned()
    }
}
