//! Training works: on a solved board a fresh network learns the exact values, an
//! interrupted run continues as if it had not been, and old folders resume.

mod small_board;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use files::faults::{Fault, inject};
use games::connect_four::{ConnectFour, U192};
use games::dots_and_boxes::DotsAndBoxes;
use games::{Game, Rng};
use learn::net::{ModelInfo, Network};
use learn::replay::Shards;
use learn::selfplay::{
    Adjudicator, BoardChoice, SelfPlaySettings, TrainingGame, Verifier, Worker, random_game,
};
use learn::train::{
    Actors, RunConfig, RunEnd, RunFolder, TrainError, TrainSettings, Trainer, read_metrics, run,
    run_local,
};
use learn::{Encode, NetworkEvaluator};
use search::{Evaluator, Leaf};
use small_board::{Small, accuracy, settings, solved_positions, start, train};
use tempfile::TempDir;

const GAME: &str = "connect-four 4x4";

/// A trainer in a folder of its own.
struct Run {
    trainer: Trainer<Small>,
    place: TempDir,
}

impl Run {
    fn new() -> Run {
        Run::with(settings())
    }

    fn with(settings: TrainSettings) -> Run {
        let place = tempfile::tempdir().unwrap();
        let config = RunConfig { game: GAME.to_owned(), settings };
        let folder = RunFolder::create(place.path(), &config).unwrap();
        Run { trainer: Trainer::open(folder, start(), config.settings).unwrap(), place }
    }

    fn reopen(&self) -> Result<Trainer<Small>, TrainError> {
        let (folder, config) = RunFolder::open(self.place.path()).unwrap();
        assert_eq!(config.game, GAME);
        Trainer::open(folder, start(), config.settings)
    }
}

fn weights<G: Encode>(trainer: &Trainer<G>) -> Vec<u32> {
    let tensors = trainer.network().tensors.iter();
    tensors.flat_map(|tensor| &tensor.value).map(|x| x.to_bits()).collect()
}

/// The network's policy and value error against exact values, before and after some
/// training steps on its own games.
fn learning(steps: u64) -> [(f32, f32); 2] {
    let solved = solved_positions(150);
    let mut run = Run::new();
    let mut evaluator = NetworkEvaluator::new(run.trainer.network(), 1 << 12);
    let before = accuracy(&mut evaluator, &solved);
    train(&mut run.trainer, &mut evaluator, steps);
    let after = accuracy(&mut evaluator, &solved);
    println!("after {steps} steps: policy and error {before:.2?} -> {after:.2?}");
    [before, after]
}

#[test]
fn a_network_begins_to_learn_the_values_of_a_small_board() {
    let [(policy_before, error_before), (policy, error)] = learning(2000);
    assert!(policy > policy_before + 0.15, "{policy_before} -> {policy}");
    assert!(error < 0.9 * error_before, "{error_before} -> {error}");
}

#[test]
#[ignore = "a minute of training, run by soak"]
fn a_network_learns_the_values_of_a_small_board() {
    let [(policy_before, error_before), (policy, error)] = learning(6000);
    assert!(policy > 0.75 && policy > policy_before + 0.25, "{policy_before} -> {policy}");
    assert!(error < 0.14 && error < 0.6 * error_before, "{error_before} -> {error}");
}

#[test]
fn an_interrupted_run_continues_as_if_it_had_not_been() {
    let mut evaluator = NetworkEvaluator::new(Run::new().trainer.network(), 1 << 10);
    let mut worker = Worker::new(start(), settings().selfplay, 3, 0, 1);
    let mut games = Vec::new();
    while games.len() < 60 {
        games.extend(worker.step(&mut evaluator));
    }
    let feed = |trainer: &mut Trainer<Small>, games: &[TrainingGame]| {
        for game in games {
            trainer.add_game(game.clone()).unwrap();
            while trainer.step().is_some() {}
        }
    };
    let mut whole = Run::new();
    feed(&mut whole.trainer, &games);

    let mut broken = Run::new();
    feed(&mut broken.trainer, &games[..30]);
    broken.trainer.save().unwrap();
    // Steps after the state was saved are lost with the process; games that
    // reached the disk are not.
    feed(&mut broken.trainer, &games[30..45]);
    broken.trainer.flush_games().unwrap();
    let mut again = broken.reopen().unwrap();
    assert_eq!(again.progress.games, 45);
    while again.step().is_some() {}
    feed(&mut again, &games[45..]);
    assert_eq!(again.progress, {
        let mut progress = whole.trainer.progress.clone();
        progress.shards = again.progress.shards;
        progress
    });
    assert_eq!(again.buffered(), whole.trainer.buffered());

    // Without games in between, the weights are the same bit for bit.
    let mut exact = Run::new();
    feed(&mut exact.trainer, &games[..30]);
    exact.trainer.save().unwrap();
    let mut again = exact.reopen().unwrap();
    assert_eq!(weights(&again), weights(&exact.trainer));
    feed(&mut again, &games[30..]);
    assert_eq!(weights(&again), weights(&whole.trainer));
    assert_eq!(again.progress.steps, whole.trainer.progress.steps);
}

#[test]
fn a_folder_is_not_overwritten_and_a_damaged_state_is_an_error() {
    let mut run = Run::new();
    let config = RunConfig { game: GAME.to_owned(), settings: settings() };
    let error = RunFolder::create(run.place.path(), &config).unwrap_err();
    assert!(error.to_string().contains("--resume"), "{error}");
    run.trainer.save().unwrap();
    let path = run.trainer.folder.state();
    let whole = fs::read(&path).unwrap();
    for bytes in [&whole[..whole.len() / 2], b"not at all", &[]] {
        fs::write(&path, bytes).unwrap();
        let error = run.reopen().err().unwrap().to_string();
        assert!(error.contains("damaged"), "{error}");
    }
    let nowhere = run.place.path().join("nothing");
    assert!(RunFolder::open(&nowhere).unwrap_err().to_string().contains("no training run"));
}

/// Whether a folder, or one in it, has a partial file.
fn has_partial(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        path.extension().is_some_and(|end| end == "part") || path.is_dir() && has_partial(&path)
    })
}

#[test]
fn whatever_write_fails_what_was_written_before_is_kept() {
    let settings = TrainSettings { blocks: 1, channels: 8, batch_size: 8, ..settings() };
    let config = RunConfig { game: GAME.to_owned(), settings };
    let games: Vec<TrainingGame> = (0..6).map(|id| random_game(&start(), 1, id)).collect();
    let mut faults = 0;
    for fault in [Fault::DiskFull, Fault::Crash] {
        for k in 0.. {
            let place = tempfile::tempdir().unwrap();
            let mut written = 0;
            let mut small_run = || -> Result<(), TrainError> {
                let folder = RunFolder::create(place.path(), &config)?;
                let mut trainer = Trainer::open(folder, start(), config.settings.clone())?;
                for (i, game) in games.iter().enumerate() {
                    trainer.add_game(game.clone())?;
                    if i % 2 == 1 {
                        trainer.flush_games()?;
                        written = i + 1;
                        while trainer.step().is_some() {}
                        trainer.save()?;
                    }
                }
                Ok(())
            };
            let injected = inject(k, fault);
            let ended = small_run();
            let reached = injected.end();
            assert_eq!(ended.is_err(), reached, "{fault:?} at {k}");
            assert!(fault == Fault::Crash || !has_partial(place.path()), "{k}");

            let (folder, config) = RunFolder::open(place.path()).unwrap_or_else(|_| {
                assert_eq!(written, 0);
                (RunFolder::create(place.path(), &config).unwrap(), config.clone())
            });
            let trainer = Trainer::open(folder, start(), config.settings).unwrap();
            assert!(!has_partial(place.path()));
            assert!(trainer.progress.games >= written as u64, "{fault:?} at {k}");
            let shards = Shards::open(&trainer.folder.games()).unwrap();
            let read: Vec<TrainingGame> = shards
                .numbers()
                .unwrap()
                .into_iter()
                .flat_map(|number| shards.read(number).unwrap())
                .collect();
            assert!(read.len() >= written && read == games[..read.len()], "{fault:?} at {k}");
            if !reached {
                break;
            }
            faults += 1;
        }
    }
    println!("{faults} faults injected");
    assert!(faults > 60, "{faults}");
}

/// Copies a folder and the folders in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// `tests/data/first-version-run` was written by the first version of
/// `boyi train`.
#[test]
fn a_folder_of_the_first_version_resumes() {
    let place = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/first-version-run");
    copy(&data, place.path());
    let (folder, mut config) = RunFolder::open(place.path()).unwrap();
    assert_eq!(config.game, "dots-and-boxes 1x2");
    assert_eq!((config.settings.batch_size, config.settings.max_games), (16, 150));
    assert_eq!(config.settings.milestones, [40]);
    let rows = read_metrics(&folder).unwrap();
    assert_eq!((rows[0].games, rows[0].steps), (150, 32));
    assert_eq!(rows[0].learning_rate, 0.001999996396586139);

    config.settings.max_games = 200;
    let start = DotsAndBoxes::start(&"1x2".parse().unwrap()).unwrap();
    let mut trainer = Trainer::open(folder, start, config.settings).unwrap();
    assert!(trainer.progress.warmed_up);
    assert_eq!((trainer.progress.games, trainer.progress.steps), (150, 32));
    assert_eq!((trainer.progress.shards, trainer.progress.curve.len()), (2, 2));
    let before = weights(&trainer);
    let end = run_local(&mut trainer, &Adjudicator::none(), &AtomicBool::new(false), &mut |_| ());
    assert_eq!(end.unwrap(), RunEnd::Finished);
    assert!(trainer.progress.games >= 200 && trainer.progress.steps > 32);
    assert_eq!(trainer.progress.curve.len(), 3);
    assert_ne!(weights(&trainer), before);
}

/// Gives the games it was made of, and keeps what is published.
struct Script {
    games: std::vec::IntoIter<TrainingGame>,
    published: Vec<Vec<f32>>,
    unflushed: usize,
}

impl Script {
    fn new(games: u64) -> Script {
        let games: Vec<TrainingGame> = (0..games).map(|id| random_game(&start(), 5, id)).collect();
        Script { games: games.into_iter(), published: Vec::new(), unflushed: 0 }
    }
}

impl Actors for &mut Script {
    type Error = TrainError;

    fn publish(&mut self, network: &Network<f32>, _: &ModelInfo) -> Result<(), TrainError> {
        self.published.push(network.tensors.iter().flat_map(|t| t.value.clone()).collect());
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<TrainingGame>, TrainError> {
        let game = self.games.next();
        self.unflushed += usize::from(game.is_some());
        Ok(game)
    }

    fn wants_flush(&self) -> bool {
        self.unflushed >= 10
    }

    fn flushed(&mut self) {
        self.unflushed = 0;
    }
}

/// Settings under which each game calls for a step and is followed by a
/// checkpoint.
fn gated(gate: Option<f64>) -> TrainSettings {
    TrainSettings {
        random_games: 0,
        ratio: learn::train::TrainRatio::PerGame(1.0),
        checkpoint_minutes: 0.0,
        match_pairs: 1,
        max_games: 8,
        gate,
        ..settings()
    }
}

#[test]
fn a_gate_decides_which_weights_are_published() {
    let stop = AtomicBool::new(false);
    for (gate, published) in [(1.1, 1), (0.0, 9)] {
        let mut run_of_gate = Run::with(gated(Some(gate)));
        let trainer = &mut run_of_gate.trainer;
        let initial = trainer.network().tensors.iter().flat_map(|t| t.value.clone());
        let initial: Vec<f32> = initial.collect();
        let mut script = Script::new(8);
        let end = run(trainer, &mut &mut script, &stop, &mut |line| println!("{line}"));
        assert_eq!(end.unwrap(), RunEnd::Finished);
        assert_eq!(script.published.len(), published, "gate {gate}");
        assert_eq!(script.published[0], initial);
        assert_eq!(trainer.progress.curve.len(), 9);
        let accepted = if published == 1 { 0 } else { trainer.progress.steps };
        assert_eq!(trainer.progress.accepted, Some(accepted));

        // A resumed run plays with the accepted weights, not with the newest.
        let mut again = run_of_gate.reopen().unwrap();
        again.settings.max_games = 9;
        let mut script_again = Script::new(0);
        stop.store(true, Relaxed);
        run(&mut again, &mut &mut script_again, &stop, &mut |_| ()).unwrap();
        stop.store(false, Relaxed);
        assert_eq!(script_again.published, [script.published.pop().unwrap()]);
    }
}

#[test]
fn games_are_written_when_their_source_asks_for_it() {
    let settings = TrainSettings { max_games: 25, checkpoint_minutes: 60.0, ..gated(None) };
    let mut written = Run::with(settings);
    let mut script = Script::new(25);
    run(&mut written.trainer, &mut &mut script, &AtomicBool::new(false), &mut |_| ()).unwrap();
    assert_eq!(script.unflushed, 0);
    // After 10, after 20 and at the end.
    assert_eq!(written.trainer.progress.shards, 3);
}

/// Connect Four on boards of every size.
type AnyBoard = ConnectFour<U192>;

fn drawn_boards() -> (AnyBoard, TrainSettings) {
    let start = AnyBoard::start(&"12x12".parse().unwrap()).unwrap();
    let selfplay =
        SelfPlaySettings { games: 12, sims: 4, boards: BoardChoice::Random, ..settings().selfplay };
    let settings = TrainSettings {
        blocks: 1,
        channels: 8,
        batch_size: 32,
        random_games: 10,
        random_steps: 2,
        selfplay,
        ..settings()
    };
    (start, settings)
}

#[test]
fn a_run_on_drawn_boards_is_killed_and_continues() {
    let (start, settings) = drawn_boards();
    let place = tempfile::tempdir().unwrap();
    let config = RunConfig { game: "connect-four 12x12".to_owned(), settings };
    let folder = RunFolder::create(place.path(), &config).unwrap();
    let mut trainer = Trainer::open(folder, start, config.settings.clone()).unwrap();
    trainer.warm_up(|_, _| true);
    let mut evaluator = NetworkEvaluator::new(trainer.network(), 1 << 10);
    let TrainSettings { selfplay, seed, .. } = config.settings.clone();
    let mut worker = Worker::new(start, selfplay.clone(), seed, 0, 1);
    let mut games = Vec::new();
    while games.len() < 40 {
        games.extend(worker.step(&mut evaluator));
    }
    let setups: HashSet<&str> = games.iter().map(|game| game.setup.as_str()).collect();
    assert!(setups.len() > 10 && setups.contains(""), "{setups:?}");
    let verifier = Verifier { start: &start, settings: &selfplay, seed };
    let other = Verifier { seed: seed + 1, ..verifier };
    for game in &games {
        verifier.check(game, |_| None).unwrap();
    }
    assert!(games.iter().all(|game| other.check(game, |_| None).is_err()), "another run's boards");

    for game in &games[..20] {
        trainer.add_game(game.clone()).unwrap();
        while trainer.step().is_some() {}
    }
    trainer.save().unwrap();
    let (folder, config) = RunFolder::open(place.path()).unwrap();
    let mut again = Trainer::open(folder, start, config.settings).unwrap();
    assert_eq!(weights(&again), weights(&trainer));
    for one in [&mut trainer, &mut again] {
        for game in &games[20..] {
            one.add_game(game.clone()).unwrap();
            while one.step().is_some() {}
        }
    }
    assert!(again.progress.steps > 10, "{} steps", again.progress.steps);
    assert_eq!(weights(&again), weights(&trainer));
    let strange = TrainingGame { setup: "13x13".to_owned(), ..games[0].clone() };
    assert!(again.add_game(strange).is_err());
}

#[test]
fn a_run_takes_over_the_tensors_that_agree() {
    let (first, mut second) = (Run::new(), Run::with(TrainSettings { seed: 4, ..settings() }));
    assert_ne!(weights(&first.trainer), weights(&second.trainer));
    let (network, info) = (first.trainer.network().clone(), first.trainer.info());
    let all = network.tensors.iter().count();
    assert_eq!(second.trainer.start_from(&network, &info), all);
    assert_eq!(weights(&first.trainer), weights(&second.trainer));
    let history = second.trainer.info().history;
    assert_eq!((history.len(), &history[0]), (2, &info.history[0]));
    second.trainer.save().unwrap();
    assert_eq!(second.reopen().unwrap().info().history, history);

    // A tower of other channels has only the heads' tensors behind their convolutions.
    let mut wider = Run::with(TrainSettings { channels: 24, ..settings() });
    let taken = wider.trainer.start_from(&network, &info);
    assert!(taken > 0 && taken < all / 2, "{taken} of {all}");
}

#[test]
fn a_game_without_random_boards_says_so() {
    let (_, settings) = drawn_boards();
    let place = tempfile::tempdir().unwrap();
    let config = RunConfig { game: GAME.to_owned(), settings };
    let folder = RunFolder::create(place.path(), &config).unwrap();
    let error = Trainer::open(folder, start(), config.settings).err().unwrap();
    assert!(error.to_string().contains("no random boards"), "{error}");
}

#[test]
fn positions_on_boards_of_several_sizes_are_evaluated_together_as_alone() {
    let (start, settings) = drawn_boards();
    let mut rng = Rng::seeded(5);
    let network = Network::new(settings.architecture(&start.shape()), || rng.unit());
    let leaf = |i: u64| {
        let mut rng = Rng::stream(6, i);
        let setup = AnyBoard::training_setup(&mut rng).unwrap();
        let mut game = AnyBoard::start(&setup).unwrap();
        for _ in 0..5 {
            let mv = game.random_move(&mut rng).unwrap();
            game.play(mv);
        }
        Leaf { game, last: None }
    };
    let leaves: Vec<Leaf<AnyBoard>> = (0..30).map(leaf).collect();
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    // With a cache too, which holds positions of many boards.
    for cache_size in [0, 1 << 10] {
        let mut evaluator = NetworkEvaluator::new(&network, cache_size);
        evaluator.evaluate(&leaves, &mut together);
        for (leaf, expected) in leaves.iter().zip(&together) {
            evaluator.evaluate(std::slice::from_ref(leaf), &mut alone);
            assert_eq!(alone[0].policy.len(), expected.policy.len());
            let pairs = alone[0].policy.iter().zip(&expected.policy);
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5));
            assert!((alone[0].value - expected.value).abs() < 1e-5);
        }
    }
}
