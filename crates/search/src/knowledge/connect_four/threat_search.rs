//! Forced wins by a row of threats.
//!
//! The attacker makes a three whose fourth cell is within reach, so that there is
//! one answer; then the next, until two fours threaten at once or one lies right
//! above the answer. Every line has one move for the defender, so a search of such
//! lines alone goes many plies deep in a few dozen positions, where a tree of all
//! moves takes thousands (threat-space search, after Allis, van den Herik and
//! Huntjens, 1993). What it finds is certain. What it does not find may still be
//! won, by quiet moves or beyond its nodes.
//!
//! Answers that make a three of the defender's are obeyed: the attacker then has to
//! play there, and goes on only if that is a threat as well.

use games::connect_four::{Column, ConnectFour, Word};
use games::{Game, MoveList};

/// A power of two of positions that are known to lead nowhere: lines of threats
/// meet when their order is changed.
const FAILED: usize = 64;

/// The first move of a forced win for the player to move, who can't win at once,
/// and the plies to the four by the lines that were found. `nodes` limits the
/// positions whose threats are looked at.
pub fn threat_win<W: Word>(game: &ConnectFour<W>, nodes: u32) -> Option<(Column, u32)> {
    Attack { left: nodes, failed: [0; FAILED] }.win(game)
}

struct Attack {
    /// Positions that may still be looked at.
    left: u32,
    /// By its lowest bits, the key of a position without a win. A key that two
    /// positions share only hides a win.
    failed: [u64; FAILED],
}

impl Attack {
    fn win<W: Word>(&mut self, game: &ConnectFour<W>) -> Option<(Column, u32)> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let mover = game.to_move();
        // Moves after which the defender can't win at once.
        let harmless = game.harmless();
        let landing = game.landing();
        // All of them at once make every four that one of them could; only those
        // within reach or right above count, over the hole too.
        let reach = landing | landing.up(1) | landing.up(2);
        let most = (game.stones(mover) | harmless).fourths(game.stride());
        let empty = game.board() & !game.stones(mover) & !game.stones(!mover);
        if (most & empty & reach).is_empty() {
            return None;
        }
        let mut forcing: MoveList<(Column, ConnectFour<W>)> = MoveList::new();
        for mv in game.columns_of(harmless) {
            let next = game.after(mv);
            let mut fours = next.wins(mover);
            let Some(answer) = fours.next() else { continue };
            if fours.next().is_some() {
                return Some((mv, 3));
            }
            let answered = next.after(answer);
            if !answered.winning_moves().is_empty() {
                return Some((mv, 3));
            }
            if answered.outcome().is_none() {
                forcing.push((mv, answered));
            }
        }
        for (mv, answered) in forcing {
            let key = answered.key();
            let slot = key as usize % FAILED;
            if self.failed[slot] == key {
                continue;
            }
            if let Some((_, plies)) = self.win(&answered) {
                return Some((mv, plies + 2));
            }
            if self.left > 0 {
                self.failed[slot] = key;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use games::connect_four::{Setup, U192};
    use games::{Rng, Text};

    use super::*;

    /// The plies of the shortest row of threats, by the definition: every move of
    /// the attacker leaves it a four to make, and every answer is tried.
    fn slowly<W: Word>(
        game: &ConnectFour<W>,
        known: &mut HashMap<ConnectFour<W>, Option<u32>>,
    ) -> Option<u32> {
        if let Some(&plies) = known.get(game) {
            return plies;
        }
        let attacker = game.to_move();
        let mut best = None;
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        for mv in moves {
            let next = game.after(mv);
            if next.outcome().is_some() || next.wins(attacker).is_empty() {
                continue;
            }
            let mut answers = MoveList::new();
            next.moves(&mut answers);
            let mut longest = Some(0);
            for answer in answers {
                let after = next.after(answer);
                let plies = match after.outcome() {
                    Some(_) => None,
                    None if !after.wins(attacker).is_empty() => Some(3),
                    None => slowly(&after, known).map(|plies| plies + 2),
                };
                longest = longest.zip(plies).map(|(one, other)| one.max(other));
            }
            best = best.into_iter().chain(longest).min();
        }
        known.insert(*game, best);
        best
    }

    /// Positions of random games without a four at once: the search finds a win
    /// exactly where there is one by definition, and its first move keeps it.
    fn agrees<W: Word>(text: &str, games: u64, won: &mut u32, deep: &mut u32) {
        let setup: Setup = text.parse().unwrap();
        for seed in 0..games {
            let mut rng = Rng::stream(17, seed);
            let mut game = ConnectFour::<W>::start(&setup).unwrap();
            let mut known = HashMap::new();
            while let Some(mv) = game.random_move(&mut rng) {
                if game.winning_moves().is_empty() {
                    let found = threat_win(&game, u32::MAX);
                    let shortest = slowly(&game, &mut known);
                    assert_eq!(found.is_some(), shortest.is_some(), "{text} {}", game.position());
                    if let (Some((mv, plies)), Some(shortest)) = (found, shortest) {
                        assert!(plies >= shortest && plies % 2 == 1);
                        *won += 1;
                        *deep += u32::from(shortest > 3);
                        let next = game.after(mv);
                        let answer = next.wins(game.to_move()).next().expect("a threat");
                        let answered = next.after(answer);
                        assert!(
                            !answered.winning_moves().is_empty()
                                || slowly(&answered, &mut known).is_some()
                        );
                        // With fewer nodes it finds a win or none, never another.
                        let few = threat_win(&game, 3);
                        assert!(few.is_none_or(|(_, plies)| plies >= shortest));
                    }
                }
                game.play(mv);
            }
        }
    }

    #[test]
    fn rows_of_threats_are_found_as_by_definition_on_every_word() {
        let (mut won, mut deep) = (0, 0);
        for text in ["", "5x4", "6x5 hole=3,2", "7x6 hole=4,3", "8x7 hole=1,1"] {
            agrees::<u64>(text, 150, &mut won, &mut deep);
        }
        agrees::<u128>("9x9 hole=5,4", 100, &mut won, &mut deep);
        agrees::<u128>("11x10 hole=3,4", 60, &mut won, &mut deep);
        agrees::<U192>("12x12 hole=10,4", 60, &mut won, &mut deep);
        assert!(won > 1_000 && deep > 50, "{won} wins, {deep} of more than one threat");
    }
}
