//! One window, searched by all threads.
//!
//! The threads of a solver search the same window over one table, each with its
//! own taste in the order of moves; the first to finish decides. Which window
//! that is, and what follows from the answer, is the solver's business.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use games::connect_four::Column;
use search::SearchControl;

use super::position::Position;
use super::search::{Node, Search};
use super::shape::Shape;
use super::solver::{Bounds, SolveProgress, Solver};

/// A search of no more nodes is over before a second thread has begun.
pub(super) const SHORT: u64 = 32768;

/// How the search of a window ended.
pub(super) enum Window {
    /// With a bound on one side of the window.
    Value(i32),
    /// By order.
    Stopped,
    /// With its nodes used up.
    Limit,
}

impl<S: Shape> Solver<S> {
    /// Searches one window with all threads, until `limit` nodes in all.
    pub(super) fn window(
        &mut self,
        position: &Position<S::Word>,
        alpha: i32,
        bounds: Bounds,
        limit: u64,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Window {
        let node = Node::new(&self.shape, *position);
        let short = limit.saturating_sub(self.nodes) <= SHORT;
        let threads = if short { 1 } else { self.orders.len() };
        loop {
            let allowance = limit.saturating_sub(self.nodes);
            let halt = AtomicBool::new(false);
            let nodes = AtomicU64::new(self.nodes);
            let mut stopped = false;
            let room = match self.table.is_full_size() {
                true => u64::MAX,
                false => {
                    (self.table.capacity() as u64 / 2).saturating_sub(self.stored) / threads as u64
                }
            };
            let (mine, helpers) = self.orders[..threads].split_first_mut().expect("at least one");
            let (shape, table) = (&self.shape, &self.table);
            let run = |order, observer: &mut dyn FnMut(u64)| {
                let mut search = Search {
                    shape,
                    table,
                    order,
                    halt: &halt,
                    observer,
                    nodes: 0,
                    stored: 0,
                    room,
                    limit: allowance,
                    halted: false,
                };
                let value = S::run(&mut search, node, alpha);
                halt.store(true, Relaxed);
                ((!search.halted).then_some(value), search.nodes, search.stored)
            };
            let mut counted = 0;
            let mut observer = |now: u64| {
                nodes.fetch_add(now - std::mem::replace(&mut counted, now), Relaxed);
                let now = nodes.load(Relaxed);
                progress(&SolveProgress { bounds, nodes: now });
                stopped |= control.should_stop();
                if stopped || now >= limit {
                    halt.store(true, Relaxed);
                }
            };
            let results: Vec<_> = std::thread::scope(|scope| {
                let helpers: Vec<_> = helpers
                    .iter_mut()
                    .map(|order| {
                        let (nodes, run) = (&nodes, &run);
                        scope.spawn(move || {
                            let mut counted = 0;
                            run(order, &mut |now| {
                                nodes
                                    .fetch_add(now - std::mem::replace(&mut counted, now), Relaxed);
                            })
                        })
                    })
                    .collect();
                let mut results = vec![run(mine, &mut observer)];
                results.extend(
                    helpers.into_iter().map(|h| h.join().expect("a helper does not panic")),
                );
                results
            });
            self.nodes += results.iter().map(|result| result.1).sum::<u64>();
            self.stored += results.iter().map(|result| result.2).sum::<u64>();
            if let Some(value) = results.iter().find_map(|result| result.0) {
                return Window::Value(value);
            }
            if stopped {
                return Window::Stopped;
            }
            if self.nodes >= limit {
                return Window::Limit;
            }
            // Only the table ended the search.
            self.table.grow();
        }
    }
}
