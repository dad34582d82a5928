//! Plain minimax, the reference for every exact search: no window, no table, no
//! order, and values that belong to First throughout, so that nothing has to
//! change sides. Slow and obviously right.

use games::{Game, MoveList, Player, mix};
use search::alpha_beta::WIN;
use search::{Heuristic, Score, Term};

/// First's value of `game`, `depth` plies deep, `ply` plies from the root.
pub fn minimax<G: Game>(game: &G, heuristic: &impl Heuristic<G>, depth: u32, ply: i32) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.for_first() * (WIN - ply);
    }
    if depth == 0 {
        return heuristic.evaluate(game);
    }
    let values = children(game, heuristic, depth, ply).into_iter().map(|(_, value)| value);
    let best = if game.to_move() == Player::First { values.max() } else { values.min() };
    best.expect("a position that is not over has moves")
}

/// Each move with First's value of what it leads to.
pub fn children<G: Game>(
    game: &G,
    heuristic: &impl Heuristic<G>,
    depth: u32,
    ply: i32,
) -> Vec<(G::Move, i32)> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list.into_iter()
        .map(|mv| (mv, minimax(&game.after(mv), heuristic, depth - 1, ply + 1)))
        .collect()
}

/// Judges a position by a hash of its key: no pattern for a search to lean on.
pub struct Noise {
    /// Decides which noise.
    pub seed: u64,
    /// The values lie within this, to both sides. Small ones give many ties.
    pub range: i32,
}

impl<G: Game> Heuristic<G> for Noise {
    fn evaluate(&self, game: &G) -> i32 {
        let span = 2 * self.range as u64 + 1;
        (mix(game.key(), self.seed) % span) as i32 - self.range
    }

    fn scale(&self) -> f64 {
        100.0
    }

    fn terms(&self, _game: &G) -> Vec<Term> {
        Vec::new()
    }
}

/// The value behind a score of alpha-beta.
pub fn value(score: Score) -> i32 {
    match score {
        Score::Points(points) => (points * 100.0).round() as i32,
        Score::Proven { result, plies } => result * (WIN - plies.unwrap_or(0) as i32),
        Score::Expected(_) => panic!("an exact search gives values: {score:?}"),
    }
}
