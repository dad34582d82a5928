//! The store of matches on a disk that fails: every write, truncation and sync of a
//! small match fails once, in each way, alone and with all that follow it. Then the
//! match is resumed on a disk that is well.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use arena::{Factory, GameResult, MatchConfig, Ply, RunError, RunOptions, Store, run};
use games::Record;
use search::{Engine, Limits, SearchControl, SearchInfo};
use storage::{DiskFault, DiskFaults};

use crate::stones::{Fault, Scripted, Stones, scripted_match};

fn options(rounds: u64) -> RunOptions {
    RunOptions { rounds, ..RunOptions::default() }
}

/// Plays what is missing of a match, and gives the pairs that were acknowledged.
fn play(
    path: &Path,
    rounds: u64,
    config: &MatchConfig,
    factory: &Factory<Stones>,
) -> (Vec<[GameResult; 2]>, Result<(), RunError>) {
    let mut acknowledged = Vec::new();
    let mut attempt = || {
        let mut store = Store::open(path)?;
        let stop = AtomicBool::new(false);
        run(config, &options(rounds), Arc::clone(factory), &mut store, &stop, |progress| {
            acknowledged.extend(progress.pair.cloned());
        })
        .map(drop)
    };
    let result = attempt();
    (acknowledged, result)
}

/// Lets every operation of a match fail in every way; gives how many were tried.
/// `check` is given the path after the fault, on a disk that is well, and the pairs
/// that had been acknowledged.
fn fail_everywhere(
    rounds: u64,
    config: &MatchConfig,
    make: impl Fn() -> Factory<Stones>,
    mut check: impl FnMut(&Path, &Factory<Stones>, &[[GameResult; 2]], &str),
) -> u64 {
    let mut tried = 0;
    for fault in DiskFault::ALL {
        for lasts in [false, true] {
            for at in 1.. {
                let folder = tempfile::TempDir::new().unwrap();
                let path = folder.path().join("matches.sqlite");
                let faults = DiskFaults::watch(folder.path());
                let factory = make();
                faults.arm(at, fault, lasts);
                let (acknowledged, result) = play(&path, rounds, config, &factory);
                let injected = faults.injected();
                faults.heal();
                let label = format!("{fault:?} at operation {at}, lasting: {lasts}");
                check(&path, &factory, &acknowledged, &label);
                if injected == 0 {
                    assert!(result.is_ok(), "{label}: {result:?}");
                    break;
                }
                if let Err(error) = result {
                    let said = error.to_string();
                    assert!(
                        said.contains("the disk is full") || said.contains("disk fails"),
                        "{said}"
                    );
                }
                tried += 1;
            }
        }
    }
    tried
}

#[test]
fn no_fault_of_the_disk_changes_a_match_by_counts() {
    const ROUNDS: u64 = 2;
    let (config, factory) = scripted_match(&[(Fault::None, 2), (Fault::None, 4)], 5);
    let mut undisturbed = Store::in_memory().unwrap();
    let stop = AtomicBool::new(false);
    run(&config, &options(ROUNDS), Arc::clone(&factory), &mut undisturbed, &stop, |_| {}).unwrap();
    let games = |store: &mut Store| -> Vec<GameResult> {
        let id = store.match_id(&config).unwrap();
        store.games(id).unwrap().iter().map(GameResult::untimed).collect()
    };
    let whole = games(&mut undisturbed);
    assert_eq!(whole.len(), 2 * ROUNDS as usize);
    let make = || Arc::clone(&factory);
    let tried = fail_everywhere(ROUNDS, &config, make, |path, factory, acknowledged, label| {
        let mut store = Store::open(path).unwrap_or_else(|error| panic!("{label}: {error}"));
        let id = store.match_id(&config).unwrap();
        let stored = store.games(id).unwrap();
        for game in acknowledged.iter().flatten() {
            assert!(stored.contains(game), "{label}: game {} is lost", game.index);
        }
        assert!(stored.len().is_multiple_of(2), "{label}: half a pair");
        drop(store);
        let (_, resumed) = play(path, ROUNDS, &config, factory);
        resumed.unwrap_or_else(|error| panic!("{label}: {error}"));
        assert!(games(&mut Store::open(path).unwrap()) == whole, "{label}: another match");
    });
    println!("{tried} faults of the disk in a match by counts");
    assert!(tried > 100, "{tried}");
}

/// Counts its searches.
struct Counting(Scripted, Arc<AtomicU64>);

impl Engine<Stones> for Counting {
    fn search(&mut self, record: &Record<Stones>, control: &SearchControl<u16>) -> SearchInfo<u16> {
        self.1.fetch_add(1, SeqCst);
        self.0.search(record, control)
    }

    fn new_game(&mut self, seed: u64) {
        self.0.new_game(seed);
    }

    /// So that it runs in the game's own thread.
    fn is_anytime(&self) -> bool {
        false
    }
}

#[test]
fn a_fault_of_the_disk_costs_a_match_by_time_one_move() {
    const ROUNDS: u64 = 1;
    let (mut config, _) = scripted_match(&[(Fault::None, 2), (Fault::None, 4)], 5);
    for engine in &mut config.engines {
        engine.limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    }
    let searches = Cell::new(Arc::new(AtomicU64::new(0)));
    let make = || -> Factory<Stones> {
        let counted = Arc::new(AtomicU64::new(0));
        searches.set(Arc::clone(&counted));
        Arc::new(move |_| {
            Ok(Box::new(Counting(Scripted::new(Fault::None, 1), Arc::clone(&counted))))
        })
    };
    let mut searched_again = 0;
    let tried = fail_everywhere(ROUNDS, &config, make, |path, factory, acknowledged, label| {
        let mut store = Store::open(path).unwrap_or_else(|error| panic!("{label}: {error}"));
        let id = store.match_id(&config).unwrap();
        let stored = store.games(id).unwrap();
        assert!(acknowledged.iter().flatten().all(|game| stored.contains(game)), "{label}");
        // What the journal has is played on. Times were measured, so equal plies are
        // the same plies.
        let mut journal: HashMap<u64, Vec<Ply>> = store.journal(id).unwrap();
        journal.extend(stored.into_iter().map(|game| (game.index, game.plies)));
        drop(store);
        let (_, resumed) = play(path, ROUNDS, &config, factory);
        resumed.unwrap_or_else(|error| panic!("{label}: {error}"));
        let mut store = Store::open(path).unwrap();
        let id = store.match_id(&config).unwrap();
        let games = store.games(id).unwrap();
        assert_eq!(games.len(), 2 * ROUNDS as usize, "{label}");
        for (index, plies) in journal {
            let all = &games[index as usize].plies;
            assert!(all.starts_with(&plies), "{label}: a ply of game {index} is lost");
        }
        let plies: u64 = games.iter().map(|game| game.plies.len() as u64).sum();
        let again = searches.take().load(SeqCst) - plies;
        assert!(again <= 1, "{label}: {again} moves were searched again");
        searched_again += again;
    });
    println!(
        "{tried} faults of the disk in a match by time, {searched_again} moves searched again"
    );
    assert!(tried > 200, "{tried}");
}
