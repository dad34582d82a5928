//! Which positions a network is trained on: those it will be asked about. A search
//! plays out captures before it evaluates (quiescence), so the value of a position in
//! the middle of an exchange is never used as it stands.

use games::{MoveList, Player};
use search::{Evaluated, Heuristic};

/// Plies of noisy moves that are looked at.
const PLIES: u32 = 8;

/// First's value of a won game, beyond every evaluation.
const WON: i32 = 30_000;

/// Whether noisy moves change the value of a position by at most `margin`, in
/// hundredths of the game's unit.
pub fn is_quiet<G: Evaluated>(game: &G, evaluation: &G::Eval, margin: i32) -> bool {
    let value = played_out(game, evaluation, [-WON, WON], PLIES);
    (value - evaluation.evaluate(game)).abs() <= margin
}

/// First's value after the best noisy moves, which nobody is obliged to play. `sure` is
/// what First and Second can have elsewhere.
fn played_out<G: Evaluated>(game: &G, evaluation: &G::Eval, mut sure: [i32; 2], left: u32) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.for_first() * WON;
    }
    let mover = game.to_move();
    let better = |a: i32, b: i32| if mover == Player::First { a.max(b) } else { a.min(b) };
    let mut best = evaluation.evaluate(game);
    let mut list = MoveList::new();
    if left > 0 {
        game.noisy_moves(&mut list);
    }
    for mv in list {
        let own = &mut sure[mover as usize];
        *own = better(*own, best);
        if sure[0] >= sure[1] {
            break;
        }
        best = better(best, played_out(&game.after(mv), evaluation, sure, left - 1));
    }
    best
}

#[cfg(test)]
mod tests {
    use games::surakarta::Surakarta;
    use games::{Game, Rng};

    use super::*;

    /// Without cut-offs, for the mover.
    fn plainly(game: &Surakarta, evaluation: &<Surakarta as Evaluated>::Eval, left: u32) -> i32 {
        let sign = game.to_move().sign();
        if let Some(outcome) = game.outcome() {
            return outcome.for_first() * sign * WON;
        }
        let mut list = MoveList::new();
        if left > 0 {
            game.captures(&mut list);
        }
        let after = list.into_iter().map(|mv| -plainly(&game.after(mv), evaluation, left - 1));
        after.fold(evaluation.evaluate(game) * sign, i32::max)
    }

    #[test]
    fn it_is_the_best_line_of_captures() {
        let evaluation = Surakarta::evaluation("matrix").unwrap();
        let mut kinds = [0; 2];
        for seed in 0..200 {
            let mut rng = Rng::seeded(seed);
            let mut game = Surakarta::start(&Default::default()).unwrap();
            for _ in 0..10 + rng.below(60) {
                if let Some(mv) = game.random_move(&mut rng) {
                    game.play(mv);
                }
            }
            let value = played_out(&game, &evaluation, [-WON, WON], 5);
            assert_eq!(value * game.to_move().sign(), plainly(&game, &evaluation, 5));
            if game.outcome().is_none() {
                kinds[usize::from(is_quiet(&game, &evaluation, 20))] += 1;
            }
        }
        assert!(kinds[0] > 20 && kinds[1] > 20, "{kinds:?}");
    }
}
