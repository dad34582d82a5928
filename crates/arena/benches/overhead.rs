//! What the arena itself costs: a thousand short games by engines that hardly
//! think, into a store on disk. Everything but their thinking is overhead.

#[path = "../tests/stones/mod.rs"]
mod stones;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use arena::{RunOptions, Store, run};
use stones::{Fault, scripted_match};

fn main() {
    for concurrency in [1, 2] {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("overhead.db");
        let (config, factory) = scripted_match(&[(Fault::None, 1), (Fault::None, 1)], 1);
        let mut store = Store::open(&path).unwrap();
        let stop = AtomicBool::new(false);
        let options = RunOptions { rounds: 500, concurrency, ..RunOptions::default() };
        let (mut thought, mut plies) = (0, 0);
        let begun = Instant::now();
        run(&config, &options, factory, &mut store, &stop, |progress| {
            for ply in progress.pair.into_iter().flatten().flat_map(|game| &game.plies) {
                thought += ply.micros;
                plies += 1;
            }
        })
        .unwrap();
        let wall = begun.elapsed().as_secs_f64() * 1e3;
        let thought = thought as f64 / 1e3;
        println!(
            "1000 games, {plies} plies, {concurrency} at a time: {wall:.0} ms, of which {thought:.0} ms \
             thinking; {:.3} ms of overhead a game",
            (wall * concurrency as f64 - thought) / 1000.0
        );
    }
}
