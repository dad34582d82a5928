//! Tuning against opponents whose strength is known: the optimum is found, and a
//! study that was interrupted ends where the undisturbed one does.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arena::statistics::optimum;
use arena::tune::{Parameter, Spsa, Sweep, Trial, TrialRunner, pair};
use arena::{MatchConfig, RunError, Store};
use games::Rng;

use crate::stones::Fault;

/// A pair against an even opponent, by a strength that falls off from a peak.
fn coin(trial: &Trial, chance: f64) -> Result<Option<[i32; 2]>, RunError> {
    let mut rng = Rng::seeded(trial.seed);
    Ok(Some([0, 1].map(|_| if rng.unit() < chance { 1 } else { -1 })))
}

fn sweep() -> Sweep {
    Sweep {
        subject: "coins".into(),
        parameter: "c".into(),
        values: (0..=8).map(|i| f64::from(i) / 8.0).collect(),
        seed: 3,
    }
}

fn peaked(trial: &Trial) -> Result<Option<[i32; 2]>, RunError> {
    coin(trial, 0.8 - (trial.parameters[0] - 0.3).powi(2))
}

#[test]
fn a_sweep_finds_the_best_value_in_any_concurrency_and_resumes() {
    let never = AtomicBool::new(false);
    let whole = |concurrency| {
        let runner = TrialRunner { play: &peaked, concurrency, stop: &never };
        sweep().run(400, &runner, &mut Store::in_memory().unwrap(), |_| {}).unwrap()
    };
    let swept = whole(1);
    assert!(swept.finished && swept == whole(2));
    let best = optimum(&swept.samples, 2, 200, 1).unwrap();
    assert!(best.interval.0 <= 0.3 && 0.3 <= best.interval.1, "{best:?}");
    assert!((best.x - 0.3).abs() < 0.1);

    let mut store = Store::in_memory().unwrap();
    let played = AtomicU64::new(0);
    for last in [7, 100, 101, 2500] {
        let stop = AtomicBool::new(false);
        let play = |trial: &Trial| {
            stop.store(played.fetch_add(1, Ordering::Relaxed) + 1 >= last, Ordering::Relaxed);
            peaked(trial)
        };
        let runner = TrialRunner { play: &play, concurrency: 2, stop: &stop };
        let part = sweep().run(400, &runner, &mut store, |_| {}).unwrap();
        assert!(!part.finished);
        let counts: Vec<u64> = part.samples.iter().map(|sample| sample.count()).collect();
        assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 2, "{counts:?}");
    }
    let play = |trial: &Trial| {
        played.fetch_add(1, Ordering::Relaxed);
        peaked(trial)
    };
    let runner = TrialRunner { play: &play, concurrency: 2, stop: &never };
    assert_eq!(sweep().run(400, &runner, &mut store, |_| {}).unwrap(), swept);
    assert_eq!(played.load(Ordering::Relaxed), 9 * 400, "nothing is played twice");
}

#[test]
fn what_is_stored_can_be_read_while_another_run_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let (never, stopped) = (AtomicBool::new(false), AtomicBool::new(true));
    let mut writing = Store::open(&path).unwrap();
    let runner = TrialRunner { play: &peaked, concurrency: 1, stop: &never };
    let played = sweep().run(4, &runner, &mut writing, |_| {}).unwrap();
    let mut reading = Store::open(&path).unwrap();
    let locked = sweep().run(8, &runner, &mut reading, |_| {});
    assert!(locked.is_err(), "one run at a time plays");
    let reader = TrialRunner { play: &peaked, concurrency: 1, stop: &stopped };
    assert_eq!(sweep().run(4, &reader, &mut reading, |_| {}).unwrap(), played);
}

fn spsa() -> Spsa {
    let parameter = |name: &str, start: f64| Parameter {
        name: name.into(),
        start,
        low: -10.0,
        high: 10.0,
        step: 1.0,
    };
    Spsa {
        subject: "coins".into(),
        parameters: vec![parameter("a", 6.0), parameter("b", -5.0)],
        iterations: 600,
        pairs: 2,
        rate: 0.1,
        seed: 8,
    }
}

/// The nearer to (1, 2), the stronger.
fn duel(trial: &Trial) -> Result<Option<[i32; 2]>, RunError> {
    let far = |v: &[f64]| (v[0] - 1.0).powi(2) + (v[1] - 2.0).powi(2);
    let edge = far(trial.against.as_ref().unwrap()) - far(&trial.parameters);
    coin(trial, 1.0 / (1.0 + (-edge / 5.0).exp()))
}

#[test]
fn spsa_comes_near_the_optimum_in_any_concurrency_and_resumes() {
    let never = AtomicBool::new(false);
    let runner = |concurrency| TrialRunner { play: &duel, concurrency, stop: &never };
    let whole = |concurrency| {
        let mut store = Store::in_memory().unwrap();
        spsa().run(&runner(concurrency), &mut store, |_, _| {}).unwrap()
    };
    let course = whole(1);
    assert!(course.finished && course.values.len() == 601);
    let end = &course.values[600];
    assert!((end[0] - 1.0).abs() < 1.0 && (end[1] - 2.0).abs() < 1.0, "{end:?}");
    assert_eq!(course, whole(2));

    let mut store = Store::in_memory().unwrap();
    for last in [3, 50, 333] {
        let stop = AtomicBool::new(false);
        let part = spsa()
            .run(&TrialRunner { stop: &stop, ..runner(1) }, &mut store, |k, _| {
                stop.store(k >= last, Ordering::Relaxed);
            })
            .unwrap();
        assert!(!part.finished);
        assert_eq!(part.values[..], course.values[..part.values.len()]);
    }
    assert_eq!(spsa().run(&runner(2), &mut store, |_, _| {}).unwrap(), course);
}

#[test]
fn a_fault_of_the_closure_ends_the_study() {
    let never = AtomicBool::new(false);
    let play = |_: &Trial| Err(RunError::Config("no such parameter".into()));
    let runner = TrialRunner { play: &play, concurrency: 2, stop: &never };
    let mut store = Store::in_memory().unwrap();
    assert!(sweep().run(4, &runner, &mut store, |_| {}).is_err());
    assert!(spsa().run(&runner, &mut store, |_, _| {}).is_err());
    let wrong = Sweep { values: vec![f64::NAN], ..sweep() };
    assert!(wrong.run(4, &runner, &mut store, |_| {}).is_err());
    let wrong = Spsa { rate: 0.0, ..spsa() };
    assert!(wrong.run(&runner, &mut store, |_, _| {}).is_err());
}

#[test]
fn trials_can_be_real_games() {
    let never = AtomicBool::new(false);
    let play = |trial: &Trial| {
        let sims = trial.parameters[0] as u64;
        let (config, factory) =
            crate::stones::scripted_match(&[(Fault::None, sims), (Fault::None, 2)], 0);
        pair(&MatchConfig { seed: trial.seed, ..config }, factory, None, &never)
    };
    let sweep = Sweep { values: vec![1.0, 40.0], parameter: "sims".into(), ..sweep() };
    let runner = TrialRunner { play: &play, concurrency: 2, stop: &never };
    let swept = sweep.run(60, &runner, &mut Store::in_memory().unwrap(), |_| {}).unwrap();
    assert!(swept.samples[1].score() > swept.samples[0].score() + 0.1, "{swept:?}");
}
