//! How much of a small board's exact values a network has learnt after so many
//! steps of self-play, under settings given as JSON: how the defaults were chosen.
//!
//! `cargo run --release -p learn --example known_values -- STEPS SEEDS [SETTING=JSON]...`

#[path = "../tests/small_board/mod.rs"]
mod small_board;

use learn::NetworkEvaluator;
use learn::train::{RunConfig, RunFolder, TrainSettings, Trainer};
use small_board::{accuracy, settings, solved_positions, start, train};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
    let (steps, seeds): (u64, u64) = (number(), number());
    let changes: Vec<String> = arguments.collect();
    let mut json = serde_json::to_value(settings()).expect("settings are plain data");
    for change in &changes {
        let (name, value) = change.split_once('=').expect("SETTING=JSON");
        let place = name.split('.').fold(&mut json, |value, name| &mut value[name]);
        *place = serde_json::from_str(value).expect("JSON");
    }
    let changed: TrainSettings = serde_json::from_value(json).expect("settings");
    let solved = solved_positions(400);
    for seed in 1..=seeds {
        let settings = TrainSettings { seed, ..changed.clone() };
        let config = RunConfig { game: "connect-four 4x4".to_owned(), settings };
        let place = tempfile::tempdir().expect("a folder");
        let folder = RunFolder::create(place.path(), &config).expect("a folder");
        let mut trainer = Trainer::open(folder, start(), config.settings).expect("a trainer");
        let mut evaluator = NetworkEvaluator::new(trainer.network(), 1 << 12);
        let mut evaluated = 0;
        let mut line = String::new();
        for part in 1..=4 {
            train(&mut trainer, &mut evaluator, steps * part / 4);
            evaluated += evaluator.take_stats().evaluated;
            let (policy, error) = accuracy(&mut evaluator, &solved);
            evaluator.take_stats();
            line += &format!(" {policy:.3}/{error:.3}");
        }
        let games = trainer.progress.games;
        println!("{changes:?} seed {seed}:{line}, {games} games, {evaluated} evaluated");
    }
}
