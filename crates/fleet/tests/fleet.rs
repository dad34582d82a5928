//! A fleet on one machine, every role a process of its own that is killed once.
//!
//! The roles are this test program again, which [`role`] turns into one of them
//! when it finds itself asked for by the environment. The broker is Debian's
//! package nats-server; BOYI_NO_BROKER=1 leaves this test out.

mod scene;

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;

use fleet::{Access, Fleet, Work};
use games::Rng;
use learn::replay::Shards;
use learn::train::{Folder, Trainer};
use scene::{GAME, Process, broker, can_test, settings, start, wait};

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
    let access = Access { url, run: "test".to_owned(), ..Access::default() };
    let fleet = Fleet::connect(&access).expect("a broker");
    let tell = |line: &str| println!("{line}");
    if role == "trainer" {
        let run = folder.join("run");
        let mut trainer = match Folder::open(&run) {
            Ok((found, _, settings)) => Trainer::resume(found, start(), settings),
            Err(_) => {
                let made = Folder::create(&run, GAME, &settings()).expect("a folder");
                Trainer::begin(made, start(), settings())
            }
        }
        .expect("a trainer");
        fleet::train(&fleet, GAME.to_owned(), &mut trainer, QUEUE, &STOP, &mut |line| tell(line))
            .expect("training");
        return;
    }
    let Some(plan) = fleet.plan(&STOP).expect("a plan") else { return };
    assert_eq!(plan.game, GAME);
    let work = Work { threads: 1, alone: role == "alone" };
    match role.as_str() {
        "evaluator" => fleet::judge(&fleet, &start(), 1, &STOP, &tell),
        _ => fleet::play(&fleet, &start(), &plan.settings, work, &STOP, &tell),
    }
    .expect("work");
}

struct Scene {
    folder: PathBuf,
    url: String,
}

impl Scene {
    fn begin(&self, role: &str, before: Vec<PathBuf>) -> Process {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "role", "--nocapture"]);
        command.env("FLEET_ROLE", role).env("FLEET_FOLDER", &self.folder);
        command.env("FLEET_URL", &self.url);
        let log = self.folder.join(format!("{role}-{}.log", before.len()));
        let mut process = Process::new(command, log);
        process.logs.splice(0..0, before);
        process
    }
}

/// The numbers of the games that a worker says are confirmed.
fn confirmed(said: &str) -> HashSet<u64> {
    let numbers = said.lines().filter_map(|line| line.strip_prefix("game "));
    numbers.filter_map(|number| u64::from_str_radix(number, 16).ok()).collect()
}

fn weights(said: &str) -> usize {
    said.lines().filter(|line| line.starts_with("weights: ")).count()
}

/// The trainer's reports, and whether the last one tells of an empty queue.
fn reports(said: &str) -> (usize, bool) {
    let reports: Vec<&str> = said.lines().filter(|line| line.ends_with(" waiting")).collect();
    (reports.len(), reports.last().is_some_and(|line| line.ends_with(", 0 waiting")))
}

#[test]
fn every_game_arrives_once_though_every_role_is_killed() {
    if !can_test() {
        return;
    }
    let folder = scene::folder("fleet");
    let (mut broker, url) = broker(&folder, &[]);
    let scene = Scene { folder: folder.clone(), url };
    let roles = ["trainer", "evaluator", "worker", "alone"];
    let mut all = roles.map(|role| scene.begin(role, Vec::new()));
    let games =
        |all: &[Process; 4]| -> [usize; 2] { [2, 3].map(|i| confirmed(&all[i].said()).len()) };
    wait("games of both workers", || games(&all).iter().all(|&n| n > 5).then_some(()));

    // Each is killed at some moment, in some order.
    let mut rng = Rng::seeded(std::process::id().into());
    let mut order = [0, 1, 2, 3];
    (1..4).for_each(|i| order.swap(i, rng.below(i + 1)));
    for i in order {
        sleep(Duration::from_millis(rng.below(1500) as u64));
        all[i].kill();
        if roles[i] == "trainer" {
            // Nobody takes games: the workers come to a halt.
            let halted = |process: &Process| process.said().contains("the queue takes no game");
            wait("workers to be held up", || (halted(&all[2]) && halted(&all[3])).then_some(()));
        }
        let logs = std::mem::take(&mut all[i].logs);
        let before = logs.iter().map(|log| fs::read_to_string(log).expect("a log"));
        let before = weights(&before.collect::<String>());
        all[i] = scene.begin(roles[i], logs);
        let now = games(&all);
        wait("play to go on", || {
            let more = games(&all);
            (more[0] > now[0] + 3 && more[1] > now[1] + 3).then_some(())
        });
        if roles[i] != "trainer" {
            wait("weights after a restart, and newer ones", || {
                (weights(&all[i].said()) >= before + 2).then_some(())
            });
        }
    }

    // No more games; those confirmed reach the trainer.
    all[2].kill();
    all[3].kill();
    let confirmed: HashSet<u64> = [2, 3].iter().flat_map(|&i| confirmed(&all[i].said())).collect();
    // The report after the next is surely a later one than the last game.
    let (before, _) = reports(&all[0].said());
    wait("the last games", || {
        let (count, empty) = reports(&all[0].said());
        (count > before + 1 && empty).then_some(())
    });
    fs::write(folder.join("stop"), "").expect("a file");
    wait("the trainer to end", || all[0].child.try_wait().expect("a process"));
    let shards = Shards::open(&folder.join("run/games")).expect("shards");
    let mut seen = HashSet::new();
    for number in shards.numbers().expect("numbers") {
        for played in shards.read(number).expect("a shard") {
            assert!(seen.insert(played.id), "game {:016x} was counted twice", played.id);
            assert_eq!(played.check(&start()), Ok(()));
        }
    }
    let lost: Vec<_> = confirmed.difference(&seen).collect();
    assert!(lost.is_empty(), "lost: {lost:x?}");
    assert!(confirmed.len() > 20);
    println!("{} games, order {order:?}", seen.len());
    broker.kill();
    fs::remove_dir_all(&folder).expect("our folder");
}
