//! What local training does works in a fleet: a gate, and an oracle that
//! adjudicates games.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;

use fleet::{Broker, BrokerOptions, WorkerOptions};
use games::dots_and_boxes::DotsAndBoxes;
use games::{Game, Player};
use learn::replay::Shards;
use learn::selfplay::{Adjudicator, SelfPlaySettings};
use learn::train::{TrainProgress, TrainSettings};
use search::{Oracle, Source, Verdict};

use crate::testbed::{GAME, StopOnDrop, can_test, settings, start, start_broker, trainer, wait};

/// Runs a trainer and a worker until `enough` says so of the worker's log; gives
/// the trainer's progress and that log.
fn run_fleet(
    folder: &Path,
    settings: TrainSettings,
    oracle: Option<Arc<dyn Oracle<DotsAndBoxes>>>,
    enough: impl Fn(&[String]) -> bool,
) -> (TrainProgress, Vec<String>) {
    let (_broker, url) = start_broker(folder, &[]);
    let options = BrokerOptions { url, run: "test".to_owned(), ..Default::default() };
    let connect = || Broker::connect(&options).expect("a connection");
    let adjudicator = Adjudicator::new(oracle);
    let (stop, log) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let mut trainer = trainer(&folder.join("run"), settings);
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| {
            let _stop = StopOnDrop(&stop);
            let log = &mut |line: &str| println!("{line}");
            fleet::run_trainer(
                &connect(),
                GAME.to_owned(),
                &mut trainer,
                &adjudicator,
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
            let options =
                WorkerOptions { adjudicator: adjudicator.clone(), ..WorkerOptions::new(1, true) };
            let log = |line: &str| log.lock().expect("no panic").push(line.to_owned());
            let settings = &config.settings;
            fleet::run_worker(&broker, &start(), settings, &options, &stop, &log).expect("play");
        });
        wait("the fleet", || enough(&log.lock().expect("no panic")).then_some(()));
    });
    (trainer.progress, log.into_inner().expect("no panic"))
}

/// The lines about new weights.
fn weights(log: &[String]) -> Vec<&String> {
    log.iter().filter(|line| line.starts_with("weights: ")).collect()
}

#[test]
fn a_gate_decides_which_weights_the_fleet_plays_with() {
    if !can_test() {
        return;
    }
    let gated = |gate| TrainSettings {
        gate: Some(gate),
        match_pairs: 1,
        checkpoint_minutes: 0.005,
        ..settings()
    };
    let checkpoints = |folder: &Path| {
        let files = std::fs::read_dir(folder.join("run/checkpoints")).expect("a folder");
        files.filter(|file| !format!("{file:?}").contains(".part")).count()
    };
    // No score reaches 1.1: the fleet plays with the first weights to the end.
    let place = tempfile::tempdir().expect("a folder");
    let (progress, log) = run_fleet(place.path(), gated(1.1), None, |log| {
        log.len() > 20 && checkpoints(place.path()) > 2
    });
    assert_eq!(weights(&log).len(), 1, "{log:?}");
    assert!(weights(&log)[0].contains(" 0 steps "), "{log:?}");
    assert!(progress.steps > 0 && progress.curve.len() > 1, "{progress:?}");
    assert_eq!(progress.accepted, Some(0));

    // Every score reaches 0: each checkpoint is published.
    let place = tempfile::tempdir().expect("a folder");
    let (progress, log) = run_fleet(place.path(), gated(0.0), None, |log| weights(log).len() > 2);
    assert!(!weights(&log)[2].contains(" 0 steps "), "{log:?}");
    let last = progress.curve.last().expect("a checkpoint");
    assert_eq!(progress.accepted, Some(last.steps));
}

/// Knows that Second wins as soon as six lines are drawn.
struct SixLines;

impl Oracle<DotsAndBoxes> for SixLines {
    fn probe(
        &self,
        game: &DotsAndBoxes,
        nodes: u64,
    ) -> Option<Verdict<<DotsAndBoxes as Game>::Move>> {
        assert_eq!(nodes, 7);
        let winner = Some(Player::Second);
        let verdict =
            Verdict { winner, score: -1, plies: None, best: None, source: Source::Solver };
        (game.drawn().count_ones() >= 6).then_some(verdict)
    }
}

#[test]
fn an_oracle_adjudicates_the_games_of_a_fleet() {
    if !can_test() {
        return;
    }
    let selfplay = SelfPlaySettings { exact: 7, random_plies: 3, ..settings().selfplay };
    let place = tempfile::tempdir().expect("a folder");
    let oracle: Arc<dyn Oracle<DotsAndBoxes>> = Arc::new(SixLines);
    let chosen = TrainSettings { selfplay, ..settings() };
    run_fleet(place.path(), chosen, Some(oracle), |log| log.len() > 40);
    let shards = Shards::open(&place.path().join("run/games")).expect("shards");
    let numbers = shards.numbers().expect("numbers");
    let games: Vec<_> =
        numbers.into_iter().flat_map(|number| shards.read(number).expect("a shard")).collect();
    assert!(games.len() > 20);
    assert!(games.iter().all(|game| (game.plies.len(), game.result) == (6, -1)));
}
