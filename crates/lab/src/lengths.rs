//! How long uniformly random games last.

use games::{Record, Rng};
use session::{GameSpec, GameVisitor, Playable};

/// A game without an end rule might never end; no real game comes near this.
const ENDLESS: usize = 100_000;

/// The mean length of random games in plies with half its 95% interval, and the
/// longest.
pub(crate) fn random_games(game: &GameSpec, count: u64) -> (f64, f64, usize) {
    let lengths = game.visit(Lengths { count });
    let n = lengths.len().max(1) as f64;
    let mean = lengths.iter().sum::<usize>() as f64 / n;
    let square: f64 = lengths.iter().map(|&plies| (plies as f64 - mean).powi(2)).sum();
    let error = if n > 1.0 { 1.96 * (square / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
    (mean, error, lengths.into_iter().max().unwrap_or(0))
}

struct Lengths {
    count: u64,
}

impl GameVisitor for Lengths {
    type Output = Vec<usize>;

    fn visit<G: Playable>(self, start: G) -> Vec<usize> {
        let play = |index| {
            let mut rng = Rng::stream(1, index);
            let mut record = Record::new(start.clone());
            while record.outcome().is_none() && record.moves().len() < ENDLESS {
                let mv = record.game().random_move(&mut rng).expect("the game goes on");
                record.play(mv).expect("the move is legal");
            }
            record.moves().len()
        };
        (0..self.count).map(play).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_board_of_boxes_is_always_as_long() {
        let (mean, error, longest) = random_games(&"dots-and-boxes 2x2".parse().unwrap(), 10);
        assert_eq!((mean, error, longest), (12.0, 0.0, 12));
    }
}
