//! Weights on disk: a round trip, and an error for every damaged or foreign file.

use std::fs;

use games::Rng;
use learn::net::{ModelInfo, Network, WeightsError, load, save};

use crate::{network, small};

fn sample() -> (Network<f32>, ModelInfo) {
    let architecture = small(6, 7);
    let history = vec!["100 games".to_owned(), "200 games".to_owned()];
    let info =
        ModelInfo { architecture, game: "connect-four 7x6".to_owned(), encoding: 3, history };
    (network(architecture, 41), info)
}

#[test]
fn a_saved_network_is_loaded_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let (net, info) = sample();
    fs::write(&path, "an older file").unwrap();
    save(&path, &net, &info).unwrap();
    let (loaded, read) = load(&path).unwrap();
    assert_eq!(read, info);
    for (a, b) in net.tensors.iter().zip(loaded.tensors.iter()) {
        assert_eq!((&a.name, &a.shape, &a.value), (&b.name, &b.shape, &b.value));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside the file");
}

#[test]
fn damaged_and_foreign_files_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    assert!(matches!(load(&path), Err(WeightsError::Io { .. })));
    let (net, info) = sample();
    save(&path, &net, &info).unwrap();
    let whole = fs::read(&path).unwrap();
    let answer = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        load(&path).map(|_| ())
    };
    for cut in [0, 7, 8, 100, whole.len() / 2, whole.len() - 1] {
        assert!(matches!(answer(&whole[..cut]), Err(WeightsError::Damaged { .. })), "{cut}");
    }
    assert!(matches!(answer(b"PK\x03\x04 something else"), Err(WeightsError::Damaged { .. })));
    // A number that is no number.
    let mut bytes = whole.clone();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(answer(&bytes), Err(WeightsError::Damaged { .. })));
    // Other words of the same length in the header.
    let replaced = |from: &str, to: &str| {
        let at = whole.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
        let mut bytes = whole.clone();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    for (from, to) in [
        ("boyi-network-1", "boyi-network-9"),
        ("\\\"blocks\\\":1", "\\\"blocks\\\":2"),
        ("\\\"channels\\\":9", "\\\"channels\\\":8"),
        ("\\\"moves\\\":11", "\\\"moves\\\":00"),
        ("stem.conv", "stem.c0nv"),
    ] {
        assert!(matches!(answer(&replaced(from, to)), Err(WeightsError::Foreign { .. })), "{to}");
    }
    // Whatever is hit in the header, there is an answer.
    let mut rng = Rng::seeded(42);
    for _ in 0..300 {
        let mut bytes = whole.clone();
        let at = rng.below(1500);
        bytes[at] ^= 1 << rng.below(8);
        let _ = answer(&bytes);
    }
    assert!(answer(&whole).is_ok());
}
