//! Simulations a second of plain UCT from the empty board: one thread, then two.

#[path = "../tests/all/plain.rs"]
mod plain;

use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, Record};
use plain::Plain;
use search::tree::{TreeSearch, TreeSettings};
use search::{Engine, Limits, SearchControl};

fn run<G: Game>(name: &str, setup: &str, sims: u64, threads: usize) -> f64 {
    let Ok(setup) = setup.parse() else { panic!("'{setup}' is no setup") };
    let record = Record::new(Plain(G::start(&setup).expect("a valid setup")));
    let settings = TreeSettings { threads, ..TreeSettings::default() };
    let mut engine = TreeSearch::new(settings, 1);
    let info = engine.search(&record, &SearchControl::new(Limits::sims(sims)));
    let rate = info.sims as f64 / info.elapsed.as_secs_f64();
    let used = engine.bytes_used() >> 20;
    println!(
        "{name}, {threads} threads: {rate:.0} sims/s, depth {}, {used} MB, win rate {:.4}",
        info.depth, info.win_rate
    );
    rate
}

fn main() {
    let mut words = std::env::args().skip(1);
    let sims = words.next().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let only = words.next();
    let wanted = |name: &str| only.as_ref().is_none_or(|only| name.starts_with(only.as_str()));
    let threads: usize = words.next().and_then(|n| n.parse().ok()).unwrap_or(2);
    let pair = |name: &str, run: &dyn Fn(usize) -> f64| {
        if wanted(name) {
            let one = run(1);
            if threads > 1 {
                println!("  {threads} threads: {:.2} times one", run(threads) / one);
            }
        }
    };
    pair("connect", &|n| run::<ConnectFour<u64>>("Connect Four 7x6", "7x6", sims, n));
    pair("surakarta", &|n| run::<Surakarta>("Surakarta", "", sims / 20, n));
    pair("dots", &|n| run::<DotsAndBoxes>("Dots and Boxes 5x5", "5x5", sims, n));
}
