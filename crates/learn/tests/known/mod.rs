//! A board so small that everything is known about it, and how much a network
//! knows of that: for tests, and for experiments with settings.

use std::sync::atomic::AtomicBool;

use exact::{Effort, Order, Solve};
use games::connect_four::ConnectFour;
use games::{Game, MoveList, Rng};
use learn::Judge;
use learn::selfplay::{self, Root, Worker};
use learn::train::{Pace, Settings, Trainer};
use search::{Evaluator, Leaf};

pub type Small = ConnectFour<u64>;

pub fn start() -> Small {
    Small::start(&"4x4".parse().unwrap()).unwrap()
}

/// A position with its value for First, and which of its legal moves keep it.
pub struct Known {
    leaf: Leaf<Small>,
    value: f32,
    good: Vec<bool>,
}

/// Positions of random games, solved.
pub fn known(count: usize) -> Vec<Known> {
    let effort = Effort { megabytes: 8, threads: 1 };
    let mut solver = Small::solver(&start().setup(), &effort).unwrap();
    let stop = AtomicBool::new(false);
    let mut value = |game: &Small| -> i32 {
        if let Some(outcome) = game.outcome() {
            return outcome.for_first();
        }
        let mut order = Order { effort, thorough: false, stop: &stop, watch: &mut |_| {} };
        let solved = game.solve(&mut solver, &mut order);
        solved.value().expect("so small a board is solved").signum() * game.to_move().sign()
    };
    let mut rng = Rng::seeded(77);
    let mut list = Vec::new();
    while list.len() < count {
        let mut game = start();
        for _ in 0..rng.below(11) {
            if let Some(mv) = game.random_move(&mut rng) {
                game.play(mv);
            }
        }
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let best = value(&game);
        let good: Vec<bool> = moves.iter().map(|&mv| value(&game.after(mv)) == best).collect();
        // Where every move is as good, a policy has nothing to show.
        if good.contains(&false) {
            list.push(Known { leaf: Leaf { game, last: None }, value: best as f32, good });
        }
    }
    list
}

/// The network's weight on moves that keep the value, and how far its values are
/// off, both on average.
pub fn examine(judge: &mut Judge<Small>, known: &[Known]) -> (f32, f32) {
    let leaves: Vec<Leaf<Small>> = known.iter().map(|known| known.leaf.clone()).collect();
    let mut out = Vec::new();
    judge.evaluate(&leaves, &mut out);
    let (mut weight, mut miss) = (0.0, 0.0);
    for (known, said) in known.iter().zip(&out) {
        weight += known
            .good
            .iter()
            .zip(&said.policy)
            .filter(|(good, _)| **good)
            .map(|(_, p)| p)
            .sum::<f32>();
        miss += (said.value - known.value).abs();
    }
    (weight / known.len() as f32, miss / known.len() as f32)
}

pub fn settings() -> Settings {
    Settings {
        seed: 3,
        blocks: 2,
        channels: 16,
        batch: 64,
        rate: 2e-3,
        last_rate: 0.1,
        pace: Pace::Reuse(2.0),
        window: 20_000,
        lambda: 0.9,
        random_games: 200,
        random_steps: 50,
        selfplay: selfplay::Settings {
            games: 32,
            root: Root::Gumbel { considered: 4 },
            sims: 32,
            random_plies: 8,
            ..selfplay::Settings::default()
        },
        ..Settings::default()
    }
}

/// Plays and learns in one thread until so many steps have been made.
pub fn educate(trainer: &mut Trainer<Small>, judge: &mut Judge<Small>, steps: u64) {
    trainer.warm_up(|_, _| true);
    judge.renew(trainer.network());
    let Settings { selfplay, seed, .. } = trainer.settings.clone();
    let mut worker = Worker::new(start(), selfplay, seed, 0, 1);
    let mut finished = Vec::new();
    while trainer.progress.steps < steps {
        worker.step(judge, &mut |played| finished.push(played));
        for played in finished.drain(..) {
            trainer.take(played).unwrap();
        }
        let before = trainer.progress.steps;
        while trainer.learn().is_some() {}
        if trainer.progress.steps / 20 != before / 20 {
            judge.renew(trainer.network());
        }
    }
    judge.renew(trainer.network());
}
