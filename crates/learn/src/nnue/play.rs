//! Games that give samples: alpha-beta against itself with a few nodes a move.

use games::{Record, Rng, mix};
use search::alpha_beta::{AlphaBeta, AlphaBetaSettings};
use search::nnue::Patterns;
use search::{Engine, Evaluated, Limits, SearchControl};

use super::{NnueSettings, Sample};

/// Winning chances beyond this for [`CERTAIN_PLIES`] plies end a game: it would only
/// be played out.
const CERTAIN: f64 = 0.995;
const CERTAIN_PLIES: u32 = 6;

/// Plies after which a game is given up, and its positions count as drawn.
const MAX_PLIES: usize = 400;

/// Megabytes of the search's table.
const TABLE: usize = 1;

/// Plays whole games until there are at least `count` samples. `stop` ends it
/// early, without a shard.
pub fn play_shard<G: Patterns + Evaluated>(
    start: &G,
    evaluation: &G::Eval,
    search: &AlphaBetaSettings,
    settings: &NnueSettings,
    seed: u64,
    count: usize,
    stop: impl Fn() -> bool,
) -> Option<Vec<Sample>> {
    let mut rng = Rng::seeded(seed);
    let search = AlphaBetaSettings { table_mb: TABLE, threads: 1, ..search.clone() };
    let mut engine = AlphaBeta::new(evaluation.clone(), search);
    let mut samples = Vec::with_capacity(count + MAX_PLIES);
    for game in 0.. {
        if samples.len() >= count {
            break;
        }
        if stop() {
            return None;
        }
        engine.new_game(mix(seed, game));
        play_game(start, &mut engine, settings, &mut rng, &mut samples);
    }
    Some(samples)
}

fn play_game<G: Patterns + Evaluated>(
    start: &G,
    engine: &mut AlphaBeta<G, G::Eval>,
    settings: &NnueSettings,
    rng: &mut Rng,
    samples: &mut Vec<Sample>,
) {
    let mut record = Record::new(start.clone());
    let [least, most] = settings.opening_plies;
    for _ in 0..least as usize + rng.below((most - least) as usize + 1) {
        if record.outcome().is_none()
            && let Some(mv) = record.game().random_move(rng)
        {
            record.play(mv).expect("a listed move is legal");
        }
    }
    let first = samples.len();
    let mut movers = Vec::new();
    let mut certain = [0; 2];
    // First's result.
    let mut result = 0;
    while record.moves().len() < MAX_PLIES {
        if let Some(outcome) = record.outcome() {
            result = outcome.for_first();
            break;
        }
        let mover = record.game().to_move();
        let info = engine.search(&record, &SearchControl::new(Limits::nodes(settings.nodes)));
        samples.push(Sample {
            words: record.game().pack(),
            chance: (info.win_rate * 65_535.0).round() as u16,
            result: 1,
        });
        movers.push(mover);
        // From First's side, whoever moves.
        let ahead = (2.0 * info.win_rate - 1.0) * f64::from(mover.sign());
        for (count, sign) in certain.iter_mut().zip([1.0, -1.0]) {
            *count = if ahead * sign > 2.0 * CERTAIN - 1.0 { *count + 1 } else { 0 };
        }
        if certain.iter().any(|&plies| plies >= CERTAIN_PLIES) {
            result = if certain[0] > 0 { 1 } else { -1 };
            break;
        }
        let random = rng.unit() < settings.random_moves;
        let drawn = if random { record.game().random_move(rng) } else { None };
        let Some(mv) = drawn.or(info.best) else { break };
        record.play(mv).expect("a search plays legal moves");
    }
    for (sample, mover) in samples[first..].iter_mut().zip(movers) {
        sample.result = (1 + result * mover.sign()) as u8;
    }
}
