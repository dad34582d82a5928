//! A match killed at random moments and resumed: games limited by simulations are
//! those of the undisturbed match, and games limited by time lose only the moves
//! that were being searched.
//!
//! This program is its own victim: called with a store's path it plays there and
//! prints what it does; called without, it starts itself that way and kills it. It
//! has no test harness, because a harness can't be called so.

mod stones;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena::{Factory, GameResult, MatchConfig, RunOptions, Store, run};
use games::Rng;
use search::Limits;
use stones::{Fault, PRINT_SEARCHES, SEARCH, Stones, scripted_match};

const KILLS: u64 = 20;
const ROUNDS: u64 = 150;
const VICTIM: &str = "--victim";
const TIMED_VICTIM: &str = "--timed-victim";
const TIMED_KILLS: u64 = 15;
const TIMED_ROUNDS: u64 = 2;
const CONCURRENCY: usize = 2;

fn subject(fault: Fault) -> (MatchConfig, Factory<Stones>) {
    let (mut config, factory) = scripted_match(&[(fault, 2), (fault, 6)], 31);
    config.engines.iter_mut().for_each(|engine| engine.spec = "scripted".into());
    (config, factory)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let path_after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        Some(Path::new(&arguments[at + 1]))
    };
    if let Some(path) = path_after(VICTIM) {
        victim(path);
    } else if let Some(path) = path_after(TIMED_VICTIM) {
        timed_victim(path);
    } else {
        kill_games_by_simulations();
        kill_games_by_time();
    }
}

fn start(victim: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .arg(victim)
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn rng() -> Rng {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("killing at moments by seed {seed}");
    Rng::seeded(seed)
}

fn victim(path: &Path) {
    let (config, factory) = subject(Fault::Slow(Duration::from_millis(1)));
    let mut store = Store::open(path).unwrap();
    let stop = AtomicBool::new(false);
    let options = RunOptions { rounds: ROUNDS, concurrency: CONCURRENCY, ..RunOptions::default() };
    run(&config, &options, factory, &mut store, &stop, |progress| {
        println!("{}", progress.stored);
    })
    .unwrap();
}

fn games(store: &mut Store, config: &MatchConfig) -> Vec<GameResult> {
    let id = store.match_id(config).unwrap();
    store.games(id).unwrap().iter().map(GameResult::untimed).collect()
}

fn kill_games_by_simulations() {
    let (config, factory) = subject(Fault::None);
    let mut undisturbed = Store::in_memory().unwrap();
    let stop = AtomicBool::new(false);
    let options = RunOptions { rounds: ROUNDS, ..RunOptions::default() };
    run(&config, &options, factory, &mut undisturbed, &stop, |_| {}).unwrap();

    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut rng = rng();
    let mut kept = 0;
    for kill in 0..=KILLS {
        let mut child = start(VICTIM, &path);
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

/// Long games of slow moves, with far more time than they need.
fn timed_subject() -> (MatchConfig, Factory<Stones>) {
    let (mut config, factory) = subject(Fault::Slow(Duration::from_millis(10)));
    config.setup = "120".into();
    for engine in &mut config.engines {
        engine.limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    }
    (config, factory)
}

fn timed_victim(path: &Path) {
    let (config, factory) = timed_subject();
    PRINT_SEARCHES.store(true, Ordering::Relaxed);
    let mut store = Store::open(path).unwrap();
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { rounds: TIMED_ROUNDS, concurrency: CONCURRENCY, ..RunOptions::default() };
    run(&config, &options, factory, &mut store, &stop, |_| ()).unwrap();
}

fn kill_games_by_time() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut rng = rng();
    let (config, _) = timed_subject();
    let searches = |child: &mut Child| {
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.map_while(Result::ok).filter(|line| line == SEARCH).count() as u64
    };
    let (mut searched, mut journaled) = (0, Vec::new());
    for _ in 0..TIMED_KILLS {
        let mut child = start(TIMED_VICTIM, &path);
        thread::sleep(Duration::from_millis(20 + rng.below(100) as u64));
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        child.kill().unwrap();
        searched += searches(&mut child);
        child.wait().unwrap();
        let mut store = Store::open(&path).unwrap();
        let id = store.match_id(&config).unwrap();
        journaled.extend(store.journal(id).unwrap());
    }
    let mut child = start(TIMED_VICTIM, &path);
    searched += searches(&mut child);
    assert!(child.wait().unwrap().success());
    let mut store = Store::open(&path).unwrap();
    let id = store.match_id(&config).unwrap();
    let games = store.games(id).unwrap();
    assert_eq!(games.len(), 2 * TIMED_ROUNDS as usize);
    assert!(store.journal(id).unwrap().is_empty() && store.halves(id).unwrap().is_empty());
    // Times were measured, so equal plies are the same plies.
    assert!(!journaled.is_empty());
    for (index, plies) in journaled {
        let game = &games[index as usize];
        assert!(game.plies.starts_with(&plies), "a journaled ply of game {index} was lost");
    }
    let plies: u64 = games.iter().map(|game| game.plies.len() as u64).sum();
    let lost = searched - plies;
    assert!(lost <= TIMED_KILLS * CONCURRENCY as u64, "{lost} moves were searched again");
    println!("{TIMED_KILLS} kills, {plies} plies in {} games, {lost} searched again", games.len());
}
