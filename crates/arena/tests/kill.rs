//! A match killed at random moments and resumed is the undisturbed match, game
//! for game.
//!
//! This program is its own victim: called with a store's path it plays there and
//! prints a line for each pair; called without, it starts itself that way and
//! kills it. It has no test harness, because a harness can't be called so.

mod stones;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena::{Factory, GameResult, MatchConfig, RunOptions, Store, run};
use games::Rng;
use stones::{Fault, Stones, scripted_match};

const KILLS: u64 = 20;
const ROUNDS: u64 = 150;
const VICTIM: &str = "--victim";

fn subject(fault: Fault) -> (MatchConfig, Factory<Stones>) {
    let (mut config, factory) = scripted_match(&[(fault, 2), (fault, 6)], 31);
    config.engines.iter_mut().for_each(|engine| engine.spec = "scripted".into());
    (config, factory)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().position(|argument| argument == VICTIM) {
        Some(at) => victim(Path::new(&arguments[at + 1])),
        None => executioner(),
    }
}

fn victim(path: &Path) {
    let (config, factory) = subject(Fault::Slow(Duration::from_millis(1)));
    let mut store = Store::open(path).unwrap();
    let stop = AtomicBool::new(false);
    let options = RunOptions { rounds: ROUNDS, concurrency: 2, ..RunOptions::default() };
    run(&config, &options, factory, &mut store, &stop, &mut |progress| {
        println!("{}", progress.stored);
    })
    .unwrap();
}

fn games(store: &mut Store, config: &MatchConfig) -> Vec<GameResult> {
    let id = store.match_id(config).unwrap();
    store.games(id).unwrap().iter().map(GameResult::untimed).collect()
}

fn executioner() {
    let (config, factory) = subject(Fault::None);
    let mut undisturbed = Store::in_memory().unwrap();
    let stop = AtomicBool::new(false);
    let options = RunOptions { rounds: ROUNDS, ..RunOptions::default() };
    run(&config, &options, factory, &mut undisturbed, &stop, &mut |_| {}).unwrap();

    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("killing at moments by seed {seed}");
    let mut rng = Rng::seeded(seed);
    let mut kept = 0;
    for kill in 0..=KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg(VICTIM)
            .arg(&path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let stored = |line: Option<std::io::Result<String>>| -> u64 {
            line.expect("the victim speaks").unwrap().parse().unwrap()
        };
        // It goes on from what it had, and one killed again at once too.
        let found = stored(lines.next());
        assert!(found >= kept, "{found} pairs of {kept} are left after kill {kill}");
        if kill == KILLS {
            assert!(found > 0 && found < ROUNDS, "{found} pairs before the last run");
            lines.for_each(drop);
            assert!(child.wait().unwrap().success());
            break;
        }
        if rng.below(4) > 0 {
            kept = stored(lines.next());
        }
        thread::sleep(Duration::from_micros(rng.below(15_000) as u64));
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut store = Store::open(&path).unwrap();
    let (resumed, whole) = (games(&mut store, &config), games(&mut undisturbed, &config));
    assert_eq!(resumed.len(), 2 * ROUNDS as usize);
    assert!(resumed == whole, "the resumed match differs from the undisturbed one");
    println!("{KILLS} kills, {} games: equal", resumed.len());
}
