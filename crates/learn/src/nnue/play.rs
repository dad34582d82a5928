//! Games that give samples: alpha-beta against itself with a few nodes a move.
//!
//! Where endgame tables are at hand, the search asks them and a game ends at the
//! first position that they know, with its exact result: a search that has them never
//! evaluates what comes after it.

use std::sync::Arc;

use games::{Game, Record, Rng, mix};
use search::alpha_beta::{AlphaBeta, AlphaBetaSettings};
use search::nnue::Patterns;
use search::{Engine, Evaluated, Evaluator, Leaf, Limits, Oracle, SearchControl};

use super::{NnueSettings, Sample};
use crate::{Encode, NetworkEvaluator};

/// Winning chances beyond this for [`CERTAIN_PLIES`] plies end a game: it would only
/// be played out.
const CERTAIN: f64 = 0.995;
const CERTAIN_PLIES: u32 = 6;

/// Plies after which a game is given up, and its positions count as drawn.
const MAX_PLIES: usize = 400;

/// Megabytes of the search's table.
const TABLE: usize = 1;

/// Who plays the games of a run.
pub struct Player<G> {
    /// The switches of alpha-beta.
    pub search: AlphaBetaSettings,
    /// Knows positions of few pieces exactly.
    pub oracle: Option<Arc<dyn Oracle<G>>>,
}

/// The games of one generation.
pub(super) struct Generation<'a, G: Patterns + Evaluated + Encode> {
    pub start: &'a G,
    pub player: &'a Player<G>,
    pub evaluation: &'a G::Eval,
    /// Labels positions with its value, in place of the search.
    pub teacher: Option<NetworkEvaluator<G>>,
    pub settings: &'a NnueSettings,
}

/// A position of a game that is being played, with its value.
struct Visited<G: Game> {
    leaf: Leaf<G>,
    /// The mover's winning chance.
    chance: f64,
    /// Whether that is the oracle's, and not the search's.
    exact: bool,
}

impl<G: Patterns + Evaluated + Encode> Generation<'_, G> {
    /// Plays whole games until there are at least `count` samples. `stop` ends it
    /// early, without a shard.
    pub fn play_shard(
        &mut self,
        seed: u64,
        count: usize,
        stop: impl Fn() -> bool,
    ) -> Option<Vec<Sample>> {
        let mut rng = Rng::seeded(seed);
        let Player { search, oracle } = self.player;
        let search = AlphaBetaSettings { table_mb: TABLE, threads: 1, ..search.clone() };
        let mut engine = AlphaBeta::new(self.evaluation.clone(), search);
        if let Some(oracle) = oracle {
            engine = engine.with_oracle(oracle.clone());
        }
        let mut samples = Vec::with_capacity(count + MAX_PLIES);
        for game in 0.. {
            if samples.len() >= count {
                break;
            }
            if stop() {
                return None;
            }
            engine.new_game(mix(seed, game));
            let (mut visited, result) = self.play_game(&mut engine, &mut rng);
            self.ask_teacher(&mut visited);
            samples.extend(visited.into_iter().map(
                |Visited { leaf: Leaf { game, .. }, chance, .. }| Sample {
                    words: game.pack(),
                    chance: (chance * 65_535.0).round() as u16,
                    result: (1 + result * game.to_move().sign()) as u8,
                },
            ));
        }
        Some(samples)
    }

    /// The positions of a game, and First's result.
    fn play_game(
        &self,
        engine: &mut AlphaBeta<G, G::Eval>,
        rng: &mut Rng,
    ) -> (Vec<Visited<G>>, i32) {
        let settings = self.settings;
        let mut record = Record::new(self.start.clone());
        let [least, most] = settings.opening_plies;
        for _ in 0..least as usize + rng.below((most - least) as usize + 1) {
            if record.outcome().is_none()
                && let Some(mv) = record.game().random_move(rng)
            {
                record.play(mv).expect("a listed move is legal");
            }
        }
        let mut visited = Vec::new();
        let mut certain = [0; 2];
        while record.moves().len() < MAX_PLIES {
            if let Some(outcome) = record.outcome() {
                return (visited, outcome.for_first());
            }
            let (game, last) = (record.game().clone(), record.moves().last().copied());
            let mover = game.to_move();
            if let Some(result) = self.exact_result(&game) {
                let chance = f64::from(1 + result * mover.sign()) / 2.0;
                visited.push(Visited { leaf: Leaf { game, last }, chance, exact: true });
                return (visited, result);
            }
            let info = engine.search(&record, &SearchControl::new(Limits::nodes(settings.nodes)));
            let chance = info.win_rate;
            visited.push(Visited { leaf: Leaf { game, last }, chance, exact: false });
            // From First's side, whoever moves.
            let ahead = (2.0 * info.win_rate - 1.0) * f64::from(mover.sign());
            for (count, sign) in certain.iter_mut().zip([1.0, -1.0]) {
                *count = if ahead * sign > 2.0 * CERTAIN - 1.0 { *count + 1 } else { 0 };
            }
            if certain.iter().any(|&plies| plies >= CERTAIN_PLIES) {
                return (visited, if certain[0] > 0 { 1 } else { -1 });
            }
            let random = rng.unit() < settings.random_moves;
            let drawn = if random { record.game().random_move(rng) } else { None };
            let Some(mv) = drawn.or(info.best) else { break };
            record.play(mv).expect("a search plays legal moves");
        }
        (visited, 0)
    }

    /// First's result, where it is known exactly.
    fn exact_result(&self, game: &G) -> Option<i32> {
        let verdict = self.player.oracle.as_ref()?.probe(game, 0)?;
        Some(verdict.winner.map_or(0, |winner| winner.sign()))
    }

    /// Replaces the search's winning chances by the teacher's, if there is one.
    fn ask_teacher(&mut self, visited: &mut [Visited<G>]) {
        let Some(teacher) = &mut self.teacher else { return };
        let leaves: Vec<Leaf<G>> = visited.iter().map(|one| one.leaf.clone()).collect();
        let mut evaluations = Vec::new();
        teacher.evaluate(&leaves, &mut evaluations);
        for (one, evaluation) in visited.iter_mut().zip(evaluations).filter(|(one, _)| !one.exact) {
            let sign = one.leaf.game.to_move().sign() as f32;
            one.chance = f64::from(1.0 + sign * evaluation.value) / 2.0;
        }
    }
}
