//! A broker that forgets what it has confirmed: it is killed, and its store is
//! replaced by an older copy, as a power failure does before its files are synced.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread::{self, sleep};
use std::time::Duration;
use std::{fs, io};

use fleet::{Broker, BrokerOptions, WorkerOptions};
use games::Rng;
use learn::replay::Shards;
use learn::selfplay::Adjudicator;

use crate::testbed::{
    GAME, StopOnDrop, can_test, settings, start, start_broker, start_broker_at, trainer, wait,
};

#[test]
fn no_game_is_lost_or_counted_twice_though_the_broker_forgets() {
    rounds(3);
}

/// `cargo xtask soak` runs this one.
#[test]
#[ignore = "takes ten minutes"]
fn no_game_is_lost_or_counted_twice_though_the_broker_forgets_often() {
    rounds(100);
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

/// The ids in the lines of a log that begin with a word.
fn ids(log: &Mutex<Vec<String>>, word: &str) -> HashSet<u64> {
    let log = log.lock().expect("no panic");
    let numbers = log.iter().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    numbers.filter_map(|number| u64::from_str_radix(number, 16).ok()).collect()
}

fn rounds(count: usize) {
    if !can_test() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let (mut broker, url) = start_broker(folder, &[]);
    let port = url.rsplit(':').next().expect("a port").to_owned();
    let options = BrokerOptions { url, run: "test".to_owned(), ..Default::default() };
    let connect = || Broker::connect(&options).expect("a connection");
    let (stop, log) = (AtomicBool::new(false), Mutex::new(Vec::<String>::new()));
    let mut trainer = trainer(&folder.join("run"), settings());
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| {
            let _stop = StopOnDrop(&stop);
            let log = &mut |line: &str| println!("{line}");
            fleet::run_trainer(
                &connect(),
                GAME.to_owned(),
                &mut trainer,
                &Adjudicator::none(),
                32,
                &stop,
                log,
            )
            .expect("training");
        });
        scope.spawn(|| {
            let _stop = StopOnDrop(&stop);
            let broker = connect();
            let config = broker.run_config(&stop).expect("a configuration").expect("no stop");
            let patience = Duration::from_secs(5);
            let options = WorkerOptions { patience, ..WorkerOptions::new(1, true) };
            let log = |line: &str| log.lock().expect("no panic").push(line.to_owned());
            fleet::run_worker(&broker, &start(), &config.settings, &options, &stop, &log)
                .expect("play");
        });
        let mut rng = Rng::seeded(std::process::id().into());
        let (store, copied) = (folder.join("broker"), folder.join("copy"));
        for round in 0..count {
            let before = ids(&log, "game").len();
            wait("games", || (ids(&log, "game").len() > before + 5).then_some(()));
            // Held up for the moment of the copy, so that it is of one moment.
            let signal = |name: &str| {
                let id = broker.child.id().to_string();
                Command::new("kill").args([name, &id]).status().expect("a signal");
            };
            signal("-STOP");
            let _ = fs::remove_dir_all(&copied);
            copy(&store, &copied).expect("a copy");
            signal("-CONT");
            sleep(Duration::from_millis(200 + rng.below(2000) as u64));
            broker.kill();
            fs::remove_dir_all(&store).expect("a store");
            copy(&copied, &store).expect("a copy");
            (broker, _) = start_broker_at(folder, &port, &[]);
            println!(
                "round {round}: {} games, {} written",
                ids(&log, "game").len(),
                ids(&log, "written").len()
            );
        }
        let confirmed = ids(&log, "game");
        wait("all receipts", || ids(&log, "written").is_superset(&confirmed).then_some(()));
    });
    let shards = Shards::open(&folder.join("run/games")).expect("shards");
    let mut seen = HashSet::new();
    for number in shards.numbers().expect("numbers") {
        for game in shards.read(number).expect("a shard") {
            assert!(seen.insert(game.id), "game {:016x} was counted twice", game.id);
        }
    }
    let written = ids(&log, "written");
    assert!(written.is_subset(&seen), "a receipt for a game that is not on disk");
    assert!(written.len() > 5 * count);
    assert_eq!(trainer.progress.games, seen.len() as u64);
    println!("{count} rounds, {} games", seen.len());
}
