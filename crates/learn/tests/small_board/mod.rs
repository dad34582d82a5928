//! A board small enough to be solved, and how much of its exact values a network
//! has learnt: for tests, and for experiments with settings.

use exact::{Solve, SolverOptions};
use games::connect_four::ConnectFour;
use games::{Game, MoveList, Rng};
use learn::NetworkEvaluator;
use learn::selfplay::{RootSearch, SelfPlaySettings, Worker};
use learn::train::{TrainRatio, TrainSettings, Trainer};
use search::{Evaluator, Leaf, SearchControl};

pub type Small = ConnectFour<u64>;

pub fn start() -> Small {
    Small::start(&"4x4".parse().unwrap()).unwrap()
}

/// A position with its value for First, and which of its legal moves keep it.
pub struct SolvedPosition {
    leaf: Leaf<Small>,
    value: f32,
    good: Vec<bool>,
}

/// Positions of random games, solved.
pub fn solved_positions(count: usize) -> Vec<SolvedPosition> {
    let options = SolverOptions { megabytes: 8, threads: 1 };
    let mut solver = Small::solver(&start().setup(), &options).unwrap();
    let mut value = |game: &Small| -> i32 {
        if let Some(outcome) = game.outcome() {
            return outcome.for_first();
        }
        let solved = game.solve(&mut solver, false, &SearchControl::unlimited(), &mut |_| {});
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
        // Where all moves are equally good, the policy is not tested.
        if good.contains(&false) {
            list.push(SolvedPosition { leaf: Leaf { game, last: None }, value: best as f32, good });
        }
    }
    list
}

/// The policy's mean probability of moves that keep the value, and the mean
/// squared error of the value, which is what is trained.
pub fn accuracy(evaluator: &mut NetworkEvaluator<Small>, solved: &[SolvedPosition]) -> (f32, f32) {
    let leaves: Vec<Leaf<Small>> = solved.iter().map(|position| position.leaf.clone()).collect();
    let mut out = Vec::new();
    evaluator.evaluate(&leaves, &mut out);
    let (mut policy, mut error) = (0.0, 0.0);
    for (position, evaluation) in solved.iter().zip(&out) {
        let moves = position.good.iter().zip(&evaluation.policy);
        policy += moves.filter(|(good, _)| **good).map(|(_, p)| p).sum::<f32>();
        error += (evaluation.value - position.value).powi(2);
    }
    (policy / solved.len() as f32, error / solved.len() as f32)
}

pub fn settings() -> TrainSettings {
    TrainSettings {
        seed: 3,
        blocks: 2,
        channels: 16,
        batch_size: 64,
        learning_rate: 2e-3,
        final_rate: 0.1,
        ratio: TrainRatio::Reuse(2.0),
        window: 20_000,
        lambda: 0.9,
        random_games: 200,
        random_steps: 50,
        selfplay: SelfPlaySettings {
            games: 32,
            root: RootSearch::Gumbel { considered: 4 },
            sims: 32,
            random_plies: 8,
            ..SelfPlaySettings::default()
        },
        ..TrainSettings::default()
    }
}

/// Self-play and training in one thread until so many steps have been made.
pub fn train(trainer: &mut Trainer<Small>, evaluator: &mut NetworkEvaluator<Small>, steps: u64) {
    trainer.warm_up(|_, _| true);
    evaluator.set_network(trainer.network());
    let TrainSettings { selfplay, seed, .. } = trainer.settings.clone();
    let mut worker = Worker::new(start(), selfplay, seed, 0, 1);
    while trainer.progress.steps < steps {
        for game in worker.step(evaluator) {
            trainer.add_game(game).unwrap();
        }
        let before = trainer.progress.steps;
        while trainer.step().is_some() {}
        if trainer.progress.steps / 20 != before / 20 {
            evaluator.set_network(trainer.network());
        }
    }
    evaluator.set_network(trainer.network());
}
