//! How long the published positions take: no book, one thread, a table of 64 MB
//! that is cleared for each. The hard sets are cut to what a benchmark can wait
//! for; each iteration solves the first positions of its set.

use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use exact::connect_four::{Position, Solver, Standard};

fn published(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/connect-four");
    let mut group = c.benchmark_group("connect four");
    group.sample_size(10);
    let sets = [
        ("L3_R1", 1000),
        ("L2_R1", 1000),
        ("L2_R2", 200),
        ("L1_R1", 500),
        ("L1_R2", 20),
        ("L1_R3", 2),
    ];
    for (set, first) in sets {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("Test_{set}"))) else {
            println!("the published set {set} is not here, so it is not measured");
            continue;
        };
        let moves = text.lines().take(first).filter_map(|line| line.split_whitespace().next());
        let positions: Vec<Position> =
            moves.map(|moves| Position::parse(&Standard, moves).expect("legal moves")).collect();
        let mut solver = Solver::new(64, 1);
        let mut solve_all = || {
            let before = solver.nodes();
            for position in &positions {
                solver.clear();
                solver.score(position);
            }
            solver.nodes() - before
        };
        println!("{set}: {} nodes a position", solve_all() / positions.len() as u64);
        group.bench_function(format!("{set}, first {first}"), |b| b.iter(&mut solve_all));
    }
    group.finish();
}

criterion_group!(benches, published);
criterion_main!(benches);
