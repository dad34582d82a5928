//! Many tables, one batch.

use std::sync::Arc;

use games::{Game, Player, Rng};
use search::{Evaluation, Evaluator, Leaf, Oracle};

use super::game::{Played, Ply};
use super::settings::Settings;
use super::table::Table;

/// A lead that is worth tanh(1), about three quarters of a win.
const LEAD: f32 = 3.0;

/// Plays many games at once against itself.
pub struct Worker<G: Game> {
    start: G,
    settings: Settings,
    seed: u64,
    /// The number of the next game, and from each to the next.
    next: u64,
    stride: u64,
    oracle: Option<Arc<dyn Oracle<G>>>,
    tables: Vec<Table<G>>,
    leaves: Vec<Leaf<G>>,
    results: Vec<Evaluation>,
}

impl<G: Game> Worker<G> {
    /// A worker that plays games `first`, `first + stride` and so on of a run.
    pub fn new(start: G, settings: Settings, seed: u64, first: u64, stride: u64) -> Worker<G> {
        let mut worker = Worker {
            start,
            seed,
            next: first,
            stride: stride.max(1),
            oracle: None,
            tables: Vec::new(),
            leaves: Vec::new(),
            results: Vec::new(),
            settings,
        };
        for _ in 0..worker.settings.games.max(1) {
            let table = worker.begin();
            worker.tables.push(table);
        }
        worker
    }

    /// Ends games with their exact result where an oracle knows it, within
    /// [`Settings::exact`].
    pub fn with_oracle(self, oracle: Option<Arc<dyn Oracle<G>>>) -> Worker<G> {
        Worker { oracle, ..self }
    }

    fn begin(&mut self) -> Table<G> {
        let table = Table::new(&self.start, &self.settings, self.seed, self.next);
        self.next += self.stride;
        table
    }

    /// The number of the next game that will be begun.
    pub fn next_game(&self) -> u64 {
        self.next
    }

    /// One leaf at each table, judged as one batch. Finished games go to `done`,
    /// and others begin in their place.
    pub fn step(&mut self, evaluator: &mut dyn Evaluator<G>, done: &mut impl FnMut(Played)) {
        self.leaves.clear();
        for i in 0..self.tables.len() {
            let leaf = loop {
                match self.tables[i].step(&self.settings, self.oracle.as_deref()) {
                    Ok(leaf) => break leaf,
                    Err(played) => {
                        done(played);
                        self.tables[i] = self.begin();
                    }
                }
            };
            self.leaves.push(leaf);
        }
        evaluator.evaluate(&self.leaves, &mut self.results);
        for (table, evaluation) in self.tables.iter_mut().zip(self.results.drain(..)) {
            table.apply(evaluation);
        }
    }
}

/// A game of random moves, to begin learning with. Its result says next to
/// nothing where random play is blind, as in Surakarta; what the game counts says
/// more, so that stands in for what a search would have said at each ply.
pub fn random_game<G: Game>(start: &G, seed: u64, id: u64) -> Played {
    let mut rng = Rng::stream(seed, id);
    let (mut game, mut plies) = (start.clone(), Vec::new());
    let mut counts = false;
    while let Some(mv) = game.random_move(&mut rng) {
        let lead = game.lead() as f32;
        counts |= lead != 0.0;
        plies.push(match counts {
            true => Ply::searched(mv.into(), (lead / LEAD).tanh(), &[]),
            false => Ply::unsearched(mv.into()),
        });
        game.play(mv);
    }
    let outcome = game.outcome().expect("a game without moves is over");
    Played { id, setup: start.setup().to_string(), plies, result: outcome.for_first() as i8 }
}

/// Plays `pairs` pairs of games between two evaluators, all at once, each pair
/// from one random beginning with the sides changed. Gives the first one's wins,
/// draws and losses.
pub fn play_match<G: Game>(
    start: &G,
    settings: &Settings,
    players: [&mut dyn Evaluator<G>; 2],
    pairs: u64,
    seed: u64,
) -> [u32; 3] {
    // What one of them found out is not for the other.
    let settings = Settings { quick: 0.0, lively_plies: 0, reuse: false, ..settings.clone() };
    // Both games of a pair have the same seed, and so the same beginning.
    let mut tables: Vec<(u64, Table<G>)> =
        (0..2 * pairs).map(|game| (game, Table::new(start, &settings, seed, game / 2))).collect();
    let mut score = [0; 3];
    let mut batches: [Vec<Leaf<G>>; 2] = Default::default();
    let mut results = Vec::new();
    let [first, second] = players;
    while !tables.is_empty() {
        tables.retain_mut(|(game, table)| {
            let side = |player: Player| (player as usize + *game as usize) % 2;
            match table.step(&settings, None) {
                // Whose turn it is now: the step may have played a move.
                Ok(leaf) => {
                    batches[side(table.to_move())].push(leaf);
                    true
                }
                Err(played) => {
                    let place = match played.winner() {
                        Some(winner) if side(winner) == 0 => 0,
                        None => 1,
                        Some(_) => 2,
                    };
                    score[place] += 1;
                    false
                }
            }
        });
        let mut judged = Vec::with_capacity(2);
        for (evaluator, leaves) in [&mut *first, &mut *second].into_iter().zip(&mut batches) {
            evaluator.evaluate(leaves, &mut results);
            leaves.clear();
            judged.push(std::mem::take(&mut results).into_iter());
        }
        for (game, table) in &mut tables {
            let turn = (table.to_move() as usize + *game as usize) % 2;
            table.apply(judged[turn].next().expect("one judgement a leaf"));
        }
    }
    score
}
