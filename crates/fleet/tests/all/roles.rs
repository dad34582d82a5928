//! A fleet on one machine, every role a process of its own that is killed once.
//!
//! The processes are this test program again: [`role`] runs one of the roles if
//! the environment asks for it.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;

use fleet::{Broker, BrokerOptions, WorkerOptions};
use games::Rng;
use learn::replay::Shards;
use learn::selfplay::Adjudicator;

use crate::testbed::{GAME, Process, can_test, settings, start, start_broker, trainer, wait};

/// A queue so short that a trainer's absence is felt.
const QUEUE: u32 = 12;

/// Not a test of its own: one process of the fleet.
#[test]
fn role() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let Ok(role) = std::env::var("FLEET_ROLE") else { return };
    let folder = PathBuf::from(std::env::var("FLEET_FOLDER").expect("a folder"));
    let url = std::env::var("FLEET_URL").expect("an address");
    let stop = folder.join("stop");
    std::thread::spawn(move || {
        while !stop.exists() {
            sleep(Duration::from_millis(50));
        }
        STOP.store(true, Relaxed);
    });
    let options = BrokerOptions { url, run: "test".to_owned(), ..Default::default() };
    let broker = Broker::connect(&options).expect("a broker");
    let log = |line: &str| println!("{line}");
    if role == "trainer" {
        let mut trainer = trainer(&folder.join("run"), settings());
        let game = GAME.to_owned();
        fleet::run_trainer(
            &broker,
            game,
            &mut trainer,
            &Adjudicator::none(),
            QUEUE,
            &STOP,
            &mut |line| log(line),
        )
        .expect("training");
        return;
    }
    let Some(config) = broker.run_config(&STOP).expect("a configuration") else { return };
    assert_eq!(config.game, GAME);
    let options = WorkerOptions::new(1, role == "alone");
    match role.as_str() {
        "evaluator" => fleet::run_evaluator(&broker, &start(), 1, &STOP, &log),
        _ => fleet::run_worker(&broker, &start(), &config.settings, &options, &STOP, &log),
    }
    .expect("work");
}

struct Fleet {
    folder: PathBuf,
    url: String,
}

impl Fleet {
    fn start(&self, role: &str, before: Vec<PathBuf>) -> Process {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "roles::role", "--nocapture"]);
        command.env("FLEET_ROLE", role).env("FLEET_FOLDER", &self.folder);
        command.env("FLEET_URL", &self.url);
        let log = self.folder.join(format!("{role}-{}.log", before.len()));
        let mut process = Process::new(command, log);
        process.logs.splice(0..0, before);
        process
    }
}

/// The ids of the games that a worker logged as confirmed.
fn confirmed(output: &str) -> HashSet<u64> {
    let numbers = output.lines().filter_map(|line| line.strip_prefix("game "));
    numbers.filter_map(|number| u64::from_str_radix(number, 16).ok()).collect()
}

fn weights(output: &str) -> usize {
    output.lines().filter(|line| line.starts_with("weights: ")).count()
}

/// The number of the trainer's reports, and whether the last one has an empty queue.
fn reports(output: &str) -> (usize, bool) {
    let reports: Vec<&str> = output.lines().filter(|line| line.ends_with(" waiting")).collect();
    (reports.len(), reports.last().is_some_and(|line| line.ends_with(", 0 waiting")))
}

#[test]
fn every_game_arrives_once_though_every_role_is_killed() {
    if !can_test() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let (mut broker, url) = start_broker(folder, &[]);
    let fleet = Fleet { folder: folder.to_owned(), url };
    let roles = ["trainer", "evaluator", "worker", "alone"];
    let mut all = roles.map(|role| fleet.start(role, Vec::new()));
    let games =
        |all: &[Process; 4]| -> [usize; 2] { [2, 3].map(|i| confirmed(&all[i].output()).len()) };
    wait("games of both workers", || games(&all).iter().all(|&n| n > 5).then_some(()));

    // Each is killed at some moment, in some order.
    let mut rng = Rng::seeded(std::process::id().into());
    let mut order = [0, 1, 2, 3];
    (1..4).for_each(|i| order.swap(i, rng.below(i + 1)));
    for i in order {
        sleep(Duration::from_millis(rng.below(1500) as u64));
        all[i].kill();
        if roles[i] == "trainer" {
            // No game is received: the workers come to a halt.
            let halted = |process: &Process| process.output().contains("the queue takes no game");
            wait("workers to be held up", || (halted(&all[2]) && halted(&all[3])).then_some(()));
        }
        let logs = std::mem::take(&mut all[i].logs);
        let before = logs.iter().map(|log| fs::read_to_string(log).expect("a log"));
        let before = weights(&before.collect::<String>());
        all[i] = fleet.start(roles[i], logs);
        let now = games(&all);
        wait("play to go on", || {
            let more = games(&all);
            (more[0] > now[0] + 3 && more[1] > now[1] + 3).then_some(())
        });
        if roles[i] != "trainer" {
            wait("weights after a restart, and newer ones", || {
                (weights(&all[i].output()) >= before + 2).then_some(())
            });
        }
    }

    // No more games; those confirmed reach the trainer.
    all[2].kill();
    all[3].kill();
    let confirmed: HashSet<u64> =
        [2, 3].iter().flat_map(|&i| confirmed(&all[i].output())).collect();
    // The report after the next is surely a later one than the last game.
    let (before, _) = reports(&all[0].output());
    wait("the last games", || {
        let (count, empty) = reports(&all[0].output());
        (count > before + 1 && empty).then_some(())
    });
    fs::write(folder.join("stop"), "").expect("a file");
    wait("the trainer to end", || all[0].child.try_wait().expect("a process"));
    let shards = Shards::open(&folder.join("run/games")).expect("shards");
    let mut seen = HashSet::new();
    for number in shards.numbers().expect("numbers") {
        for game in shards.read(number).expect("a shard") {
            assert!(seen.insert(game.id), "game {:016x} was counted twice", game.id);
            assert_eq!(game.check(&start()), Ok(()));
        }
    }
    let lost: Vec<_> = confirmed.difference(&seen).collect();
    assert!(lost.is_empty(), "lost: {lost:x?}");
    assert!(confirmed.len() > 20);
    println!("{} games, order {order:?}", seen.len());
    broker.kill();
}
