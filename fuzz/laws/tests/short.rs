//! A short run of every law on mutated inputs, the same in every run.

use fuzz_laws::LAWS;
use games::Rng;
use session::ROWS;

const ROUNDS: usize = 20_000;

/// Pieces that parsers look at.
const WORDS: &[&str] = &[
    "/",
    " ",
    ",",
    "=",
    "x",
    "b",
    "w",
    "o",
    "#",
    "-",
    "0",
    "9",
    "99999999999999999999",
    "é",
    "first",
    "\0",
    "\n",
];

fn mutate(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    let end = at + rng.below(bytes.len() - at + 1);
    match rng.below(7) {
        0 => drop(bytes.drain(at..end)),
        1 => bytes.insert(at, rng.bits() as u8),
        2 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        3 => drop(bytes.splice(at..at, other.iter().copied())),
        4 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        5 if at < bytes.len() => {
            let from = rng.below(bytes.len());
            bytes.swap(at, from);
        }
        _ => drop(bytes.splice(at..at, WORDS[rng.below(WORDS.len())].bytes())),
    }
    bytes.truncate(512);
}

#[test]
fn every_law_holds_on_mutated_inputs() {
    for (number, law) in LAWS.iter().enumerate() {
        let seeds = law.inputs();
        for seed in &seeds {
            (law.check)(seed.as_bytes());
        }
        let mut rng = Rng::stream(0xf022, number as u64);
        // A law about every game gets a share for each of them.
        let games = if seeds.len() > law.seeds.len() { ROWS.len() } else { 1 };
        for _ in 0..ROUNDS * games {
            let mut bytes = seeds[rng.below(seeds.len())].as_bytes().to_vec();
            let other = seeds[rng.below(seeds.len())].as_bytes();
            for _ in 0..=rng.below(4) {
                mutate(&mut bytes, other, &mut rng);
            }
            (law.check)(&bytes);
        }
    }
}

#[test]
fn every_law_has_a_fuzz_target_and_none_is_left_over() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz_targets");
    let mut targets: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut laws: Vec<String> = LAWS.iter().map(|law| law.name.to_owned()).collect();
    targets.sort();
    laws.sort();
    assert_eq!(targets, laws);
}
