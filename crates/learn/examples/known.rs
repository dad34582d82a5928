//! What a network knows of a small board's exact values after so many steps of
//! self-play, under settings given as JSON: how the defaults were chosen.
//!
//! `cargo run --release -p learn --example known -- STEPS SEEDS [SETTING=JSON]...`

#[path = "../tests/known/mod.rs"]
mod known;

use known::{educate, examine, known, settings, start};
use learn::Judge;
use learn::train::{Folder, Settings, Trainer};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
    let (steps, seeds): (u64, u64) = (number(), number());
    let changes: Vec<String> = arguments.collect();
    let mut whole = serde_json::to_value(settings()).expect("plain data");
    for change in &changes {
        let (name, value) = change.split_once('=').expect("SETTING=JSON");
        let place = name.split('.').fold(&mut whole, |value, name| &mut value[name]);
        *place = serde_json::from_str(value).expect("JSON");
    }
    let chosen: Settings = serde_json::from_value(whole).expect("settings");
    let known = known(400);
    for seed in 1..=seeds {
        let chosen = Settings { seed, ..chosen.clone() };
        let path = std::env::temp_dir().join(format!("boyi-known-{}-{seed}", std::process::id()));
        let folder = Folder::create(&path, "connect-four 4x4", &chosen).expect("a folder");
        let mut trainer = Trainer::begin(folder, start(), chosen).expect("a trainer");
        let mut judge = Judge::new(trainer.network(), 1 << 12);
        let mut judged = 0;
        let mut line = String::new();
        for part in 1..=4 {
            educate(&mut trainer, &mut judge, steps * part / 4);
            judged += judge.take_tally().judged;
            let (good, miss) = examine(&mut judge, &known);
            judge.take_tally();
            line += &format!(" {good:.3}/{miss:.3}");
        }
        let games = trainer.progress.games;
        println!("{changes:?} seed {seed}:{line}, {games} games, {judged} judged");
        std::fs::remove_dir_all(&path).expect("our folder");
    }
}
