//! How fast Dots and Boxes is: perft, whole random games, single moves.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::dots_and_boxes::{DotsAndBoxes, Setup};
use games::{Game, Rng, perft};
use std::hint::black_box;

fn dots_and_boxes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dots-and-boxes");
    for setup in [Setup::new(3, 3), Setup::new(5, 5), Setup::new(7, 7)] {
        let start = DotsAndBoxes::start(&setup).expect("the board exists");
        let size = format!("{}x{}", setup.rows, setup.columns);
        group.throughput(Throughput::Elements(1));
        let mut rng = Rng::seeded(1);
        group.bench_function(format!("{size}/playout"), |b| {
            b.iter(|| black_box(start).playout(&mut rng));
        });
        group.bench_function(format!("{size}/playout move by move"), |b| {
            b.iter(|| {
                let mut game = black_box(start);
                while let Some(edge) = game.random_move(&mut rng) {
                    game.play(edge);
                }
                game.outcome()
            });
        });
        group.throughput(Throughput::Elements(perft(&start, 4)));
        group.bench_function(format!("{size}/perft 4"), |b| b.iter(|| perft(black_box(&start), 4)));
    }
    group.finish();
}

criterion_group!(benches, dots_and_boxes);
criterion_main!(benches);
