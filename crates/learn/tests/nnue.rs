//! Runs of `learn::nnue`, of a few positions.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use games::Game;
use games::surakarta::Surakarta;
use learn::nnue::{NnueEnd, NnueSettings, START, Sample, fit, read_shard, run, write_shard};
use search::alpha_beta::AlphaBetaSettings;
use search::nnue::{Patterns, read};
use search::{Evaluated, Heuristic};

fn settings() -> NnueSettings {
    NnueSettings {
        positions: vec![400, 300],
        nodes: 30,
        passes: 2.0,
        batch_size: 64,
        ..NnueSettings::default()
    }
}

#[test]
fn an_interrupted_run_ends_with_the_same_network() {
    let (whole, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let search = AlphaBetaSettings::default();
    let on = AtomicBool::new(false);
    let end = run::<Surakarta>(whole.path(), &settings(), &search, &on, |_: &str| {});
    assert_eq!(end.unwrap(), NnueEnd::Finished);
    // One that is stopped after each shard, and once while it trains.
    let mut stops = 0;
    loop {
        let stop = AtomicBool::new(false);
        let end = run::<Surakarta>(part.path(), &settings(), &search, &stop, |line: &str| {
            stop.fetch_or(line.contains("shard") || stops == 1, Relaxed);
        });
        match end.unwrap() {
            NnueEnd::Stopped => stops += 1,
            NnueEnd::Finished => break,
        }
    }
    assert_eq!(stops, 3);
    let net = |folder: &Path| fs::read(folder.join("net.nnue")).unwrap();
    // The history names the seconds that it took.
    let [a, b] = [whole.path(), part.path()].map(|path| read::<Surakarta>(&net(path)).unwrap().0);
    assert_eq!(a, b);
    let eval = Surakarta::read_evaluation(&net(whole.path())).unwrap();
    let start = Surakarta::start(&Default::default()).unwrap();
    assert!(eval.evaluate(&start).abs() < 200);
}

#[test]
fn a_run_goes_on_from_weights() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (search, on) = (AlphaBetaSettings::default(), AtomicBool::new(false));
    let one = NnueSettings { positions: vec![400], ..settings() };
    run::<Surakarta>(first.path(), &one, &search, &on, |_: &str| {}).unwrap();
    let before = fs::read(first.path().join("net.nnue")).unwrap();
    fs::write(second.path().join(START), &before).unwrap();
    // A rate of next to nothing leaves them as they are, whatever the games were.
    let still = NnueSettings { warm_start: true, rate: 1e-9, ..one };
    run::<Surakarta>(second.path(), &still, &search, &on, |_: &str| {}).unwrap();
    let after = fs::read(second.path().join("net.nnue")).unwrap();
    let [before, after] = [before, after].map(|bytes| read::<Surakarta>(&bytes).unwrap().0);
    assert_eq!(before, after);
}

#[test]
fn shards_come_back_and_damage_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shard");
    let start = Surakarta::start(&Default::default()).unwrap();
    let samples: Vec<Sample> = (0..100)
        .map(|i| Sample { words: start.pack(), chance: i * 600, result: (i % 3) as u8 })
        .collect();
    write_shard(&path, &samples).unwrap();
    assert_eq!(read_shard(&path).unwrap(), samples);
    let mut bytes = fs::read(&path).unwrap();
    for at in [0, 9, bytes.len() - 1] {
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(read_shard(&path).is_err());
        bytes[at] ^= 1;
    }
}

#[test]
fn weights_come_back_and_damage_is_seen() {
    let start = Surakarta::start(&Default::default()).unwrap();
    let samples = [Sample { words: start.pack(), chance: 40_000, result: 2 }];
    let settings = NnueSettings { passes: 10.0, batch_size: 1, ..settings() };
    let report = fit::<Surakarta>(&samples, &[], &settings, None, |_: &str| {}, || false);
    let network = report.unwrap().unwrap().network;
    let description = search::nnue::Description {
        features: Surakarta::FEATURES.to_owned(),
        history: "ten steps\non one position".to_owned(),
    };
    let bytes = search::nnue::write(&network, &description);
    assert_eq!(read::<Surakarta>(&bytes).unwrap(), (network, description));
    for at in [0, 9, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(read::<Surakarta>(&damaged).is_err(), "byte {at}");
    }
    for length in [0, 7, 8, 30, bytes.len() - 8] {
        assert!(read::<Surakarta>(&bytes[..length]).is_err(), "{length} bytes");
    }
}
