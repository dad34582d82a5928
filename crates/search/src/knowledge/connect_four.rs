//! Connect Four: win or block at once, prefer the middle, and count what can still
//! become a four.

mod priors;
mod threat_search;

use std::ops::ControlFlow;

use games::connect_four::{Column, ConnectFour, Word};
use games::{Game, MoveList, Player, Rng};

use self::priors::Lines;
use super::{Evaluated, Heuristic, SearchHints, Term, Variant};

impl<W: Word> SearchHints for ConnectFour<W> {
    /// Wins, else blocks.
    fn noisy_moves(&self, out: &mut MoveList<Column>) {
        let wins = self.winning_moves();
        out.extend(if wins.is_empty() { self.opponent_threats() } else { wins });
    }

    fn forced_move(&self) -> Option<Column> {
        self.winning_moves().next().or_else(|| self.opponent_threats().next())
    }

    /// A four can be made; or two have to be blocked, or one that has another
    /// above it; or every column lets the opponent make one.
    fn static_result(&self) -> Option<(Player, u32)> {
        if self.outcome().is_some() {
            return None;
        }
        let mover = self.to_move();
        if !self.winning_moves().is_empty() {
            return Some((mover, 1));
        }
        self.harmless().is_empty().then_some((!mover, 2))
    }

    fn forced_win(&self, nodes: u32) -> Option<(Column, u32)> {
        threat_search::threat_win(self, nodes)
    }

    /// A win alone; else the moves that allow no four, unless all do.
    fn candidates(&self, out: &mut MoveList<Column>) {
        let harmless = self.harmless();
        match self.winning_moves().next() {
            Some(mv) => out.push(mv),
            None if harmless.is_empty() => self.moves(out),
            None => out.extend(self.columns_of(harmless)),
        }
    }

    /// A threat-aware playout to the end.
    fn safe_playout(self, rng: &mut Rng) -> ControlFlow<f64, ConnectFour<W>> {
        match self.outcome() {
            Some(_) => ControlFlow::Continue(self),
            None => {
                let winner = self.threat_playout(rng);
                ControlFlow::Break(winner.map_or(0.0, |player| player.sign().into()))
            }
        }
    }

    /// The square of how far a column is from the nearer rim. The 2025 report
    /// prints (i + 1)^2 up to the middle and its mirror image after, which for
    /// an even number of columns gives one more than the half its own weight:
    /// 1 4 9 16 25 36 16 9 4 1 for ten.
    fn weight(&self, mv: Column, variant: Variant) -> u32 {
        let (i, n) = (u32::from(mv.0), u32::from(self.columns()));
        let from_rim = match variant {
            Variant::Correct => i.min(n - 1 - i),
            Variant::Printed => {
                if i <= n / 2 {
                    i
                } else {
                    n - 1 - i
                }
            }
        };
        (from_rim + 1).pow(2)
    }

    fn priors(&self, moves: &[Column], out: &mut MoveList<f32>) {
        let lines = Lines::of(self);
        out.extend(moves.iter().map(|&mv| lines.prior(mv)));
    }
}

/// Counts the cells that would complete a four, by the parity of their rows, and
/// the stones in lines that are still open.
///
/// Near the end a player is forced to play below a threat of the other as soon
/// as no column is left elsewhere. On a board where both fill whole columns in
/// turn, First gets the odd rows and Second the even ones, so a threat on a row
/// of one's own parity is worth more (Allis 1988). A hole shifts the rows above
/// it and the count of cells; what decides is how many cells are empty below.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

/// A threat on a row of the right parity.
const GOOD: i32 = 60;
/// Any other threat.
const OTHER: i32 = 25;
/// A stone in a line of four cells that can still be filled.
const LIVE: i32 = 2;

/// The counts of one player.
struct Chances {
    good: i32,
    other: i32,
    live: i32,
}

impl Threats {
    fn chances<W: Word>(game: &ConnectFour<W>, player: Player) -> Chances {
        let landing = game.landing();
        let threats = game.threats(player);
        // A threat that can be played now wins or must be blocked, which the search
        // finds. Those above matter later.
        let waiting = threats & !landing;
        let (mut good, mut other) = (0, 0);
        // With an even number of cells left elsewhere, First is the one to play
        // the odd empty cells of a column.
        let even = (game.cells() - game.plies()).is_multiple_of(2);
        for (column, row) in game.places(waiting) {
            let above = row - game.height(Column(column));
            // The mover plays the cells at even distances of this column.
            let mover_gets = above.is_multiple_of(2) == even;
            if mover_gets == (player == game.to_move()) {
                good += 1;
            } else {
                other += 1;
            }
        }
        Chances { good, other, live: live_stones(game, player) }
    }
}

/// The stones of a player in each line of four cells that holds no stone of the
/// other, added up over the lines.
fn live_stones<W: Word>(game: &ConnectFour<W>, player: Player) -> i32 {
    let own = game.stones(player);
    let free = game.board() & !game.stones(!player);
    let stride = game.stride();
    let mut sum = 0;
    for d in [1, stride - 1, stride, stride + 1] {
        let pairs = free & free >> d;
        let lines = pairs & pairs >> (2 * d);
        for step in 0..4 {
            sum += ((own >> (step * d)) & lines).count();
        }
    }
    sum as i32
}

impl<W: Word> Heuristic<ConnectFour<W>> for Threats {
    fn evaluate(&self, game: &ConnectFour<W>) -> i32 {
        let [first, second] = Player::BOTH.map(|player| Threats::chances(game, player));
        GOOD * (first.good - second.good)
            + OTHER * (first.other - second.other)
            + LIVE * (first.live - second.live)
    }

    fn scale(&self) -> f64 {
        90.0
    }

    fn terms(&self, game: &ConnectFour<W>) -> Vec<Term> {
        let chances = Player::BOTH.map(|player| Threats::chances(game, player));
        let term = |name, weight: i32, count: fn(&Chances) -> i32| Term {
            name,
            counts: chances.each_ref().map(|one| f64::from(count(one))),
            weight: f64::from(weight),
        };
        vec![
            term("threats of the right parity", GOOD, |one| one.good),
            term("other threats", OTHER, |one| one.other),
            term("stones in open lines", LIVE, |one| one.live),
        ]
    }
}

impl<W: Word> Evaluated for ConnectFour<W> {
    type Eval = Threats;

    const EVALUATIONS: &'static [(&'static str, &'static str)] =
        &[("threats", "open threes by the parity of their rows, and stones in open lines")];

    fn evaluation(name: &str) -> Option<Threats> {
        (name == "threats").then_some(Threats)
    }
}

#[cfg(test)]
mod tests {
    use games::connect_four::U192;

    use super::*;

    /// Plays random games and compares every glance with two plies of looking.
    fn looks<W: Word>(setup: &str, games: u64, seen: &mut [u32; 4]) {
        let setup = setup.parse().unwrap();
        for seed in 0..games {
            let mut rng = Rng::stream(3, seed);
            let mut game = ConnectFour::<W>::start(&setup).unwrap();
            while let Some(mv) = game.random_move(&mut rng) {
                let mover = game.to_move();
                let (mut moves, mut candidates) = (MoveList::new(), MoveList::new());
                game.moves(&mut moves);
                game.candidates(&mut candidates);
                let wins = |game: &ConnectFour<W>, mv| {
                    game.after(mv).outcome().is_some_and(|end| end.winner == Some(game.to_move()))
                };
                let loses = |&mv: &Column| {
                    let (next, mut answers) = (game.after(mv), MoveList::new());
                    next.moves(&mut answers);
                    answers.into_iter().any(|answer| wins(&next, answer))
                };
                let (end, expected): (_, Vec<Column>) =
                    if let Some(&win) = moves.iter().find(|&&mv| wins(&game, mv)) {
                        (Some((mover, 1)), vec![win])
                    } else if moves.iter().all(loses) {
                        (Some((!mover, 2)), moves.to_vec())
                    } else {
                        (None, moves.iter().copied().filter(|mv| !loses(mv)).collect())
                    };
                assert_eq!(game.static_result(), end, "{setup} seed {seed}");
                assert_eq!(candidates.to_vec(), expected, "{setup} seed {seed}");
                let kind = end.map_or(2, |(_, plies)| plies as usize - 1);
                seen[kind + usize::from(kind == 2 && expected.len() < moves.len())] += 1;
                game.play(mv);
            }
            assert_eq!(game.static_result(), None, "the end is no foresight");
        }
    }

    #[test]
    fn a_glance_sees_what_two_plies_of_looking_see() {
        let mut seen = [0; 4];
        for setup in ["", "4x4", "5x4 hole=5,2", "4x4 hole=2,4", "6x5 hole=3,1"] {
            looks::<u64>(setup, 200, &mut seen);
        }
        looks::<u128>("11x10 hole=3,4", 60, &mut seen);
        looks::<U192>("12x12 hole=7,6", 60, &mut seen);
        assert!(seen.iter().all(|&n| n > 50), "won, lost, free, not quite free: {seen:?}");
    }
}
