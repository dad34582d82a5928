//! How fast Dots and Boxes is solved: whole boards, and 5 x 5 from the middle
//! game on. Each solve starts with an empty table. The node counts printed first
//! do not depend on the machine.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use exact::dots_and_boxes::{Position, Solution, Solver};
use games::dots_and_boxes::{DotsAndBoxes, Edge, Setup, edges_of};
use games::{Game, Rng};
use search::SearchControl;

fn solve(solver: &Solver, position: Position) -> Solution {
    solver.solve(position, &SearchControl::unlimited(), &mut |_| {})
}

fn fresh(rows: usize, cols: usize) -> Solver {
    Solver::new(rows, cols, 64, 1).expect("a size that can be solved")
}

/// A 5 x 5 position that careful players reach: safe moves as long as there are
/// any.
fn careful(left: usize, seed: u64) -> Position {
    let mut rng = Rng::stream(36, seed);
    let mut game = DotsAndBoxes::start(&Setup::default()).expect("the default board");
    while game.count_moves() > left {
        let safe = game.safe();
        let from = if safe == 0 { game.undrawn() } else { safe };
        let edges: Vec<Edge> = edges_of(from).collect();
        game.play(edges[rng.below(edges.len())]);
    }
    fresh(5, 5).board().position(game.drawn()).expect("its own board")
}

fn whole_boards(c: &mut Criterion) {
    for (rows, cols) in [(3, 3), (2, 5), (3, 4)] {
        let solution = solve(&fresh(rows, cols), fresh(rows, cols).board().start());
        println!("{rows}x{cols}: {} nodes, {:.2?}", solution.nodes, solution.elapsed);
        c.bench_function(&format!("{rows}x{cols}"), |b| {
            b.iter_batched_ref(
                || fresh(rows, cols),
                |solver| black_box(solve(solver, solver.board().start())),
                BatchSize::PerIteration,
            );
        });
    }
}

fn middle_games(c: &mut Criterion) {
    for (left, count) in [(32, 20), (36, 20), (38, 10)] {
        let positions: Vec<Position> = (0..count).map(|seed| careful(left, seed)).collect();
        let each = || positions.iter().map(|&position| solve(&fresh(5, 5), position));
        let nodes: u64 = each().map(|solution| solution.nodes).sum();
        let slowest = each().map(|solution| solution.elapsed).max().unwrap_or_default();
        println!(
            "5x5, {left} edges left: {} nodes on average, slowest {slowest:.2?}",
            nodes / count
        );
        let mut next = 0;
        c.bench_function(&format!("5x5 {left} edges left"), |b| {
            b.iter_batched_ref(
                || {
                    next = (next + 1) % positions.len();
                    (fresh(5, 5), positions[next])
                },
                |(solver, position)| black_box(solve(solver, *position)),
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = whole_boards, middle_games
}
criterion_main!(benches);
