//! Runs of `learn::nnue`, of a few positions.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use std::sync::Arc;

use games::surakarta::{Move, Surakarta};
use games::{Game, Player as Side, Rng};
use learn::Encode;
use learn::net::{ModelInfo, Network, save};
use learn::nnue::{
    NnueEnd, NnueSettings, Player, START, Sample, TEACHER, fit, read_shard, run, write_shard,
};
use search::alpha_beta::AlphaBetaSettings;
use search::nnue::{Patterns, read};
use search::{Evaluated, Heuristic, Oracle, Source, Verdict};

/// The plain search, with no tables.
fn player() -> Player<Surakarta> {
    Player { search: AlphaBetaSettings::default(), oracle: None }
}

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
    let player = player();
    let on = AtomicBool::new(false);
    let end = run::<Surakarta>(whole.path(), &settings(), &player, &on, |_: &str| {});
    assert_eq!(end.unwrap(), NnueEnd::Finished);
    // One that is stopped after each shard, and once while it trains.
    let mut stops = 0;
    loop {
        let stop = AtomicBool::new(false);
        let end = run::<Surakarta>(part.path(), &settings(), &player, &stop, |line: &str| {
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
    let (player, on) = (player(), AtomicBool::new(false));
    let one = NnueSettings { positions: vec![400], ..settings() };
    run::<Surakarta>(first.path(), &one, &player, &on, |_: &str| {}).unwrap();
    let before = fs::read(first.path().join("net.nnue")).unwrap();
    fs::write(second.path().join(START), &before).unwrap();
    // A rate of next to nothing leaves them as they are, whatever the games were.
    let still = NnueSettings { warm_start: true, rate: 1e-9, ..one };
    run::<Surakarta>(second.path(), &still, &player, &on, |_: &str| {}).unwrap();
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

/// Says that the side with more pieces wins where fewer than this are left.
struct FewPieces(u32);

impl Oracle<Surakarta> for FewPieces {
    fn probe(&self, game: &Surakarta, _: u64) -> Option<Verdict<Move>> {
        let [first, second] = game.boards().map(u64::count_ones);
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Side::First),
        };
        let verdict = Verdict {
            winner,
            score: winner.map_or(0, Side::sign),
            plies: None,
            best: None,
            source: Source::Table,
        };
        (first + second < self.0).then_some(verdict)
    }
}

/// The samples of the first generation of a run, with its pieces.
fn first_samples(folder: &Path, player: &Player<Surakarta>) -> Vec<(Sample, [u32; 2])> {
    let one = NnueSettings { positions: vec![1_000], ..settings() };
    let on = AtomicBool::new(false);
    run(folder, &one, player, &on, |_: &str| {}).unwrap();
    let samples = read_shard(&folder.join("positions").join("00-0000.zst")).unwrap();
    let pieces = |sample: &Sample| sample.words.map(|word| (word & ((1 << 36) - 1)).count_ones());
    samples.iter().map(|sample| (*sample, pieces(sample))).collect()
}

#[test]
fn a_game_ends_with_the_exact_result_where_it_is_known() {
    const KNOWN: u32 = 21;
    let folder = tempfile::tempdir().unwrap();
    let player = Player { oracle: Some(Arc::new(FewPieces(KNOWN))), ..player() };
    let samples = first_samples(folder.path(), &player);
    let mut ends = 0;
    for (index, (sample, [own, other])) in samples.iter().enumerate() {
        if own + other >= KNOWN {
            continue;
        }
        ends += 1;
        let result = 1 + (own.cmp(other) as i8);
        assert_eq!(i16::from(sample.result), i16::from(result));
        assert_eq!(f64::from(sample.chance), (f64::from(result) / 2.0 * 65_535.0).round());
        // The next position is of another game.
        if let Some((_, [own, other])) = samples.get(index + 1) {
            assert!(own + other >= KNOWN);
        }
    }
    assert!(ends > 3, "only {ends} games came to few pieces");
}

#[test]
fn a_teacher_labels_the_first_generation_and_leaves_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let start = Surakarta::start(&Default::default()).unwrap();
    let mut rng = Rng::seeded(1);
    let mut network = Network::new(start.shape().architecture(), || rng.unit());
    // Without weights in its last layer every position is even.
    for tensor in network.tensors.iter_mut().filter(|one| one.name.starts_with("value.dense")) {
        tensor.value.fill(0.0);
    }
    let info = ModelInfo {
        architecture: *network.architecture(),
        game: start.kind(),
        encoding: Surakarta::VERSION,
        history: Vec::new(),
    };
    save(&folder.path().join(TEACHER), &network, &info).unwrap();
    let player = Player { oracle: Some(Arc::new(FewPieces(21))), ..player() };
    let samples = first_samples(folder.path(), &player);
    let (mut known, mut taught) = (0, 0);
    for (sample, [own, other]) in samples {
        if own + other < 21 {
            known += 1;
            assert_ne!((sample.chance, own == other), (32_768, false));
        } else {
            taught += 1;
            assert_eq!(sample.chance, 32_768);
        }
    }
    assert!(taught > 100 && known > 3, "{taught} by the teacher, {known} exactly");
}
