//! Random games and perft of Connect Four on one core. One element is a game or
//! a leaf, so criterion prints games and leaves a second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::connect_four::{ConnectFour, U192, Word};
use games::{Game, Rng, perft};
use std::hint::black_box;

/// Random games in one measurement, so that the caches are warm.
const GAMES: u64 = 1000;

fn playouts<W: Word>(c: &mut Criterion, board: &str) {
    let start = ConnectFour::<W>::start(&board.parse().unwrap()).unwrap();
    let mut group = c.benchmark_group("connect-four/playout");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function(format!("{board} in {} bits", W::BITS), |b| {
        let mut rng = Rng::seeded(1);
        b.iter(|| (0..GAMES).map(|_| black_box(start).playout(&mut rng).for_first()).sum::<i32>());
    });
}

fn leaves<W: Word>(c: &mut Criterion, board: &str, depth: u32) {
    let start = ConnectFour::<W>::start(&board.parse().unwrap()).unwrap();
    let mut group = c.benchmark_group("connect-four/perft");
    group.throughput(Throughput::Elements(perft(&start, depth)));
    group.bench_function(format!("{board} depth {depth} in {} bits", W::BITS), |b| {
        b.iter(|| perft(black_box(&start), depth));
    });
}

fn connect_four(c: &mut Criterion) {
    playouts::<u64>(c, "7x6");
    playouts::<u128>(c, "9x9");
    playouts::<u128>(c, "10x10");
    playouts::<u128>(c, "11x10 hole=3,4");
    playouts::<U192>(c, "12x12 hole=3,4");
    leaves::<u64>(c, "7x6", 7);
    leaves::<u128>(c, "11x10 hole=3,4", 6);
    leaves::<U192>(c, "12x12", 6);
}

criterion_group!(benches, connect_four);
criterion_main!(benches);
