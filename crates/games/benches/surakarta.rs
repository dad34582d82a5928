//! The speed of Surakarta: leaves a second in perft, random games a second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::surakarta::{Setup, Surakarta};
use games::{Game, Rng, perft};
use std::hint::black_box;
use std::time::Duration;

fn surakarta(c: &mut Criterion) {
    let start = Surakarta::start(&Setup::default()).expect("the default setup is valid");
    let mut group = c.benchmark_group("surakarta");
    group.sample_size(10).measurement_time(Duration::from_secs(4));

    // Elements are leaves: the last ply is counted, not played.
    group.throughput(Throughput::Elements(58_479_230));
    group.bench_function("perft 6", |b| b.iter(|| perft(black_box(&start), 6)));

    // Elements are whole games.
    const GAMES: u64 = 10_000;
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("random games", |b| {
        let mut rng = Rng::seeded(1);
        b.iter(|| (0..GAMES).map(|_| start.playout(&mut rng).for_first()).sum::<i32>())
    });
    group.finish();
}

criterion_group!(benches, surakarta);
criterion_main!(benches);
