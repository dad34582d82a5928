//! Many games, one batch.

use games::{Game, Player, Rng};
use search::{Evaluation, Evaluator, Leaf};

use super::adjudicator::Adjudicator;
use super::game::SelfPlayGame;
use super::settings::SelfPlaySettings;
use super::training_game::{Ply, TrainingGame};
use crate::encode::Encode;

/// A lead that is worth tanh(1), about three quarters of a win.
const LEAD_SCALE: f32 = 3.0;

/// Plays many games of self-play at once; see the [module](super) for an
/// example.
pub struct Worker<G: Game> {
    start: G,
    settings: SelfPlaySettings,
    seed: u64,
    /// The id of the next game, and the difference to the one after it.
    next: u64,
    stride: u64,
    adjudicator: Adjudicator<G>,
    games: Vec<SelfPlayGame<G>>,
    leaves: Vec<Leaf<G>>,
    evaluations: Vec<Evaluation>,
}

impl<G: Encode> Worker<G> {
    /// A worker that plays games `first`, `first + stride` and so on of a run.
    pub fn new(
        start: G,
        settings: SelfPlaySettings,
        seed: u64,
        first: u64,
        stride: u64,
    ) -> Worker<G> {
        let mut worker = Worker {
            start,
            seed,
            next: first,
            stride: stride.max(1),
            adjudicator: Adjudicator::none(),
            games: Vec::new(),
            leaves: Vec::new(),
            evaluations: Vec::new(),
            settings,
        };
        for _ in 0..worker.settings.games.max(1) {
            let game = worker.start_game();
            worker.games.push(game);
        }
        worker
    }

    /// Ends games whose result the adjudicator knows.
    pub fn with_adjudicator(self, adjudicator: Adjudicator<G>) -> Worker<G> {
        Worker { adjudicator, ..self }
    }

    fn start_game(&mut self) -> SelfPlayGame<G> {
        let start = self.settings.start(&self.start, self.seed, self.next);
        let game = SelfPlayGame::new(&start, &self.settings, self.seed, self.next);
        self.next += self.stride;
        game
    }

    /// Evaluates one leaf of each game as one batch. Gives the games that have
    /// finished; new ones start in their place.
    pub fn step(&mut self, evaluator: &mut (impl Evaluator<G> + ?Sized)) -> Vec<TrainingGame> {
        let mut finished = Vec::new();
        self.leaves.clear();
        for i in 0..self.games.len() {
            let leaf = loop {
                let (adjudicator, settings) = (&self.adjudicator, &self.settings);
                match self.games[i].step(settings, |game| adjudicator.winner(game, settings)) {
                    Ok(leaf) => break leaf,
                    Err(game) => {
                        finished.push(game);
                        self.games[i] = self.start_game();
                    }
                }
            };
            self.leaves.push(leaf);
        }
        evaluator.evaluate(&self.leaves, &mut self.evaluations);
        for (game, evaluation) in self.games.iter_mut().zip(self.evaluations.drain(..)) {
            game.apply(evaluation);
        }
        finished
    }
}

/// A game of random moves, to start training with. Where random play decides
/// almost at random, as in Surakarta, its result says next to nothing; the lead
/// says more, so each ply's value is a function of the lead.
pub fn random_game<G: Game>(start: &G, seed: u64, id: u64) -> TrainingGame {
    let mut rng = Rng::stream(seed, id);
    let (mut game, mut plies) = (start.clone(), Vec::new());
    let mut has_lead = false;
    while let Some(mv) = game.random_move(&mut rng) {
        let lead = game.lead() as f32;
        has_lead |= lead != 0.0;
        plies.push(match has_lead {
            true => Ply::searched(mv.into(), (lead / LEAD_SCALE).tanh(), &[]),
            false => Ply::unsearched(mv.into()),
        });
        game.play(mv);
    }
    let outcome = game.outcome().expect("a game without moves is over");
    TrainingGame { id, setup: start.setup().to_string(), plies, result: outcome.for_first() as i8 }
}

/// Plays `pairs` pairs of games between two evaluators, all at once, each pair
/// from one random opening with the sides swapped, on a board as the settings say.
/// Gives the first evaluator's wins, draws and losses.
pub fn play_match<G: Encode, E: Evaluator<G>>(
    start: &G,
    settings: &SelfPlaySettings,
    [first, second]: [&mut E; 2],
    pairs: u64,
    seed: u64,
) -> [u32; 3] {
    // A kept tree would hand one player's evaluations to the other.
    let settings =
        SelfPlaySettings { fast: 0.0, exploring_plies: 0, reuse: false, ..settings.clone() };
    // Both games of a pair have the same random numbers, so the same opening.
    let mut games: Vec<(u64, SelfPlayGame<G>)> = (0..2 * pairs)
        .map(|number| {
            let start = settings.start(start, seed, number / 2);
            (number, SelfPlayGame::new(&start, &settings, seed, number / 2))
        })
        .collect();
    let mut score = [0; 3];
    let mut batches: [Vec<Leaf<G>>; 2] = Default::default();
    let mut evaluations: [Vec<Evaluation>; 2] = Default::default();
    // Which of the two plays a side of a game.
    let index = |player: Player, number: u64| (player as usize + number as usize) % 2;
    while !games.is_empty() {
        games.retain_mut(|(number, game)| match game.step(&settings, |_| None) {
            // The step may have played a move: ask for the mover only now.
            Ok(leaf) => {
                batches[index(game.to_move(), *number)].push(leaf);
                true
            }
            Err(game) => {
                let place = match game.winner() {
                    Some(winner) if index(winner, *number) == 0 => 0,
                    None => 1,
                    Some(_) => 2,
                };
                score[place] += 1;
                false
            }
        });
        first.evaluate(&batches[0], &mut evaluations[0]);
        second.evaluate(&batches[1], &mut evaluations[1]);
        batches.iter_mut().for_each(Vec::clear);
        let mut evaluated = evaluations.each_mut().map(|list| list.drain(..));
        for (number, game) in &mut games {
            let turn = index(game.to_move(), *number);
            game.apply(evaluated[turn].next().expect("one evaluation a leaf"));
        }
    }
    score
}
