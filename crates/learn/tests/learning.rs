//! Learning is real: on a board whose values are known, a network that began
//! with nothing comes to know them, and a run that was interrupted goes on as
//! if it had not been.

mod known;

use known::{Small, educate, examine, known, settings, start};
use learn::Judge;
use learn::selfplay::Worker;
use learn::train::{Folder, Trainer};

struct Run {
    trainer: Trainer<Small>,
    folder: std::path::PathBuf,
}

impl Run {
    fn new(name: &str) -> Run {
        let folder = std::env::temp_dir().join(format!("boyi-learn-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let made = Folder::create(&folder, "connect-four 4x4", &settings()).unwrap();
        Run { trainer: Trainer::begin(made, start(), settings()).unwrap(), folder }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_network_comes_to_know_the_values_of_a_small_board() {
    let known = known(150);
    let mut run = Run::new("real");
    let trainer = &mut run.trainer;
    let mut judge = Judge::new(trainer.network(), 1 << 12);
    let (before, wild) = examine(&mut judge, &known);
    educate(trainer, &mut judge, 6000);
    let (after, miss) = examine(&mut judge, &known);
    println!("good moves {before:.2} -> {after:.2}, values off by {wild:.2} -> {miss:.2}");
    assert!(after > 0.75 && after > before + 0.25, "good moves: {before} -> {after}");
    assert!(miss < 0.28 && miss < 0.7 * wild, "values off: {wild} -> {miss}");
}

#[test]
fn an_interrupted_run_goes_on_as_if_it_had_not_been() {
    let mut judge = Judge::new(Run::new("games").trainer.network(), 1 << 10);
    let mut worker = Worker::new(start(), settings().selfplay, 3, 0, 1);
    let mut games = Vec::new();
    while games.len() < 60 {
        worker.step(&mut judge, &mut |played| games.push(played));
    }
    let weights = |trainer: &Trainer<Small>| -> Vec<u32> {
        let tensors = trainer.network().tensors.iter();
        tensors.flat_map(|tensor| &tensor.value).map(|x| x.to_bits()).collect()
    };
    let feed = |trainer: &mut Trainer<Small>, games: &[learn::selfplay::Played]| {
        for played in games {
            trainer.take(played.clone()).unwrap();
            while trainer.learn().is_some() {}
        }
    };
    let mut whole = Run::new("whole");
    feed(&mut whole.trainer, &games);

    let mut broken = Run::new("broken");
    feed(&mut broken.trainer, &games[..30]);
    broken.trainer.save().unwrap();
    // What is learnt after the state was saved is lost with the process; games
    // that reached the disk are not.
    feed(&mut broken.trainer, &games[30..45]);
    broken.trainer.flush().unwrap();
    let (folder, game, settings) = Folder::open(&broken.folder).unwrap();
    assert_eq!(game, "connect-four 4x4");
    let mut again = Trainer::resume(folder, start(), settings).unwrap();
    assert_eq!(again.progress.games, 45);
    while again.learn().is_some() {}
    feed(&mut again, &games[45..]);
    assert_eq!(again.progress, {
        let mut p = whole.trainer.progress.clone();
        p.shards = again.progress.shards;
        p
    });
    assert_eq!(again.pool(), whole.trainer.pool());

    // Without games in between, the weights are the same bit for bit.
    let mut exact = Run::new("exact");
    feed(&mut exact.trainer, &games[..30]);
    exact.trainer.save().unwrap();
    let (folder, _, settings) = Folder::open(&exact.folder).unwrap();
    let mut again = Trainer::resume(folder, start(), settings).unwrap();
    assert_eq!(weights(&again), weights(&exact.trainer));
    feed(&mut again, &games[30..]);
    assert_eq!(weights(&again), weights(&whole.trainer));
    assert_eq!(again.progress.steps, whole.trainer.progress.steps);
}

#[test]
fn a_folder_is_not_overwritten_and_a_damaged_state_is_told_of() {
    let mut run = Run::new("folder");
    let told = Folder::create(&run.folder, "connect-four 4x4", &settings()).unwrap_err();
    assert!(told.to_string().contains("--resume"), "{told}");
    run.trainer.save().unwrap();
    let path = run.trainer.folder.state();
    let whole = std::fs::read(&path).unwrap();
    for bytes in [&whole[..whole.len() / 2], b"not at all", &[]] {
        std::fs::write(&path, bytes).unwrap();
        let (folder, _, settings) = Folder::open(&run.folder).unwrap();
        let told = Trainer::resume(folder, start(), settings).err().unwrap().to_string();
        assert!(told.contains("damaged"), "{told}");
    }
    let nowhere = run.folder.join("nothing");
    assert!(Folder::open(&nowhere).unwrap_err().to_string().contains("no training run"));
}
