//! Surakarta: the evaluations of the papers of 2012 and 2025, and a learned one.

use std::sync::{Arc, LazyLock};

use games::surakarta::geometry::{ARCS, Point};
use games::surakarta::{Move, Surakarta};
use games::{Game, MoveList, Player, TextError, mix};

use super::{Evaluated, Heuristic, SearchHints, Term};
use crate::alpha_beta::MoveBonus;
use crate::nnue::{self, Nnue};

mod patterns;
mod six;

pub use six::Factors;
use six::{SIX_POINT, Side, arcs_first};

/// Within so many plies of the limit, search results depend on the counter of
/// quiet plies; before, hardly ever.
const NEAR: u16 = 24;

impl SearchHints for Surakarta {
    /// Captures.
    fn noisy_moves(&self, out: &mut MoveList<Move>) {
        self.captures(out);
    }

    /// Steps.
    fn quiet_moves(&self, out: &mut MoveList<Move>) {
        self.steps(out);
    }

    /// The capture of the last piece.
    fn forced_move(&self) -> Option<Move> {
        if self.board(!self.to_move()).count_ones() > 1 {
            return None;
        }
        let mut list = MoveList::new();
        self.captures(&mut list);
        list.first().copied()
    }

    /// With three pieces or fewer the duty to move can lose one, and close to the
    /// limit of quiet plies a tempo decides.
    fn null_move(&self) -> Option<Surakarta> {
        let limit = self.setup().quiet;
        let early = limit == 0 || self.quiet() + NEAR < limit;
        (early && self.board(self.to_move()).count_ones() > 3).then(|| self.passed())
    }

    fn table_key(&self) -> u64 {
        let limit = self.setup().quiet;
        let left = limit.saturating_sub(self.quiet());
        if limit == 0 || left > NEAR { self.key() } else { mix(self.key(), left.into()) }
    }
}

/// The value of each point, as both papers print it.
const MATRIX: [i32; 36] = {
    let rows = [[5, 20, 20, 20, 20, 5], [20, 30, 50, 50, 30, 20], [20, 50, 40, 40, 50, 20]];
    let mut values = [0; 36];
    let mut i = 0;
    while i < 36 {
        let row = if i / 6 < 3 { i / 6 } else { 5 - i / 6 };
        values[i] = rows[row][i % 6];
        i += 1;
    }
    values
};

/// The sum of the points' values of a board. There are only five values, so
/// five counts give it.
#[inline]
fn board_value(board: u64) -> i32 {
    const CLASSES: [(i32, u64); 5] = {
        let mut classes = [(5, 0), (20, 0), (30, 0), (40, 0), (50, 0)];
        let mut i = 0;
        while i < 36 * 5 {
            if MATRIX[i / 5] == classes[i % 5].0 {
                classes[i % 5].1 |= 1 << (i / 5);
            }
            i += 1;
        }
        classes
    };
    CLASSES.iter().map(|&(value, class)| value * (board & class).count_ones() as i32).sum()
}

/// One of the evaluations of Surakarta.
#[derive(Clone, Debug)]
pub enum Eval {
    /// 2025: the matrix, and 100 for a piece.
    Matrix,
    /// The same with the colours exchanged: the paper's text and its pseudo-code give
    /// them opposite signs, and a program that mixed the two would play for the enemy.
    MatrixExchanged,
    /// The same, and the three-step attack as a pattern.
    Attack,
    /// 2012: six factors, some of which may be switched off.
    Six(Factors),
    /// A network over patterns of the board.
    Nnue(Arc<Nnue>),
}

/// The network that comes with the program; `models/` says where it comes from.
static SHIPPED: LazyLock<Arc<Nnue>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../models/surakarta.nnue");
    Arc::new(nnue::read::<Surakarta>(bytes).expect("the weights that come with the program").0)
});

/// The value of a finished three-step attack: it wins a piece for nothing.
const ATTACK: i32 = 80;

/// How many three-step attacks stand ready for a side: pieces on a4, b5 and c4
/// with the way from b5 over the corner's small arc to an enemy on b2 free, or
/// its mirror images.
fn three_step_attacks(own: u64, other: u64) -> i32 {
    let bit = |row: usize, column: usize| Point::at(row, column).bit();
    let mut sum = 0;
    for (up, left) in [(false, false), (false, true), (true, false), (true, true)] {
        let at = |row: usize, column: usize| {
            bit(if up { 5 - row } else { row }, if left { 5 - column } else { column })
        };
        let pieces = at(2, 0) | at(1, 1) | at(2, 2);
        let free = at(1, 0) | at(0, 1) | at(2, 1) | at(3, 1);
        let target = at(4, 1);
        if own & pieces == pieces && (own | other) & free == 0 && other & target != 0 {
            sum += 1;
        }
    }
    sum
}

/// 100 for a piece and the value of where it stands, First's.
fn matrix_points(game: &Surakarta) -> i32 {
    let [first, second] = game.boards();
    100 * game.lead() + board_value(first) - board_value(second)
}

impl Heuristic<Surakarta> for Eval {
    fn evaluate(&self, game: &Surakarta) -> i32 {
        let [first, second] = game.boards();
        match self {
            Eval::Matrix => matrix_points(game),
            Eval::MatrixExchanged => -matrix_points(game),
            Eval::Attack => {
                let attacks = three_step_attacks(first, second) - three_step_attacks(second, first);
                matrix_points(game) + ATTACK * attacks
            }
            Eval::Six(on) => {
                let [first, second] = Player::BOTH.map(|player| Side::of(game, player));
                SIX_POINT * (first.value(&second, *on) - second.value(&first, *on))
            }
            Eval::Nnue(network) => network.evaluate(game) * game.to_move().sign(),
        }
    }

    fn scale(&self) -> f64 {
        150.0
    }

    fn terms(&self, game: &Surakarta) -> Vec<Term> {
        let sides = Player::BOTH.map(|player| Side::of(game, player));
        let term = |name, weight: i32, counts: [i32; 2]| Term {
            name,
            counts: counts.map(f64::from),
            weight: f64::from(weight),
        };
        let pieces = sides.map(|side| side.pieces);
        let board = sides.map(|side| side.board);
        let [first, second] = game.boards();
        match self {
            Eval::Matrix => vec![term("pieces", 100, pieces), term("board value", 1, board)],
            Eval::MatrixExchanged => {
                vec![term("pieces", -100, pieces), term("board value", -1, board)]
            }
            Eval::Attack => vec![
                term("pieces", 100, pieces),
                term("board value", 1, board),
                term(
                    "three-step attacks",
                    ATTACK,
                    [three_step_attacks(first, second), three_step_attacks(second, first)],
                ),
            ],
            Eval::Nnue(_) => vec![term("network", 1, [self.evaluate(game), 0])],
            Eval::Six(on) => {
                let weight = |on: bool, weight: i32| if on { SIX_POINT * weight } else { 0 };
                let attack_range = sides.map(|side| side.attack_range);
                let arcs =
                    [0, 1].map(|side| sides[side].arcs + ARCS.len() as i32 - sides[1 - side].arcs);
                vec![
                    term("pieces", weight(on.pieces, 6), pieces),
                    term("moving range", weight(on.range, 1), sides.map(|side| side.range)),
                    // No weight of its own: it is what the attack force adds up.
                    term("attack range", 0, attack_range),
                    term("attack force", weight(on.force, 2), attack_range),
                    term("board value", weight(on.board, 1), board),
                    term("arc value", weight(on.arcs, 5), arcs),
                ]
            }
        }
    }
}

impl Evaluated for Surakarta {
    type Eval = Eval;

    const EVALUATIONS: &'static [(&'static str, &'static str)] = &[
        ("matrix", "2025: 100 for a piece and the value of its point"),
        ("matrix-exchanged", "the same with the colours exchanged, to see what such a slip costs"),
        ("attack", "the same as matrix, and 80 for a finished three-step attack"),
        ("six", "2012: pieces, moving range, attack force, board value, arcs"),
        ("six-no-pieces", "six factors without the number of pieces"),
        ("six-no-range", "six factors without the moving range"),
        ("six-no-force", "six factors without the attack force"),
        ("six-no-board", "six factors without the board value"),
        ("six-no-arcs", "six factors without the arcs"),
        ("nnue", "a network over lines and arcs, trained on searches and results"),
        ("material", "the number of pieces alone, as the 2012 paper weighs it"),
    ];

    fn evaluation(name: &str) -> Option<Eval> {
        let all = Factors::ALL;
        Some(match name {
            "matrix" => Eval::Matrix,
            "matrix-exchanged" => Eval::MatrixExchanged,
            "attack" => Eval::Attack,
            "six" => Eval::Six(all),
            "six-no-pieces" => Eval::Six(Factors { pieces: false, ..all }),
            "six-no-range" => Eval::Six(Factors { range: false, ..all }),
            "six-no-force" => Eval::Six(Factors { force: false, ..all }),
            "six-no-board" => Eval::Six(Factors { board: false, ..all }),
            "six-no-arcs" => Eval::Six(Factors { arcs: false, ..all }),
            "nnue" => Eval::Nnue(Arc::clone(&SHIPPED)),
            "material" => {
                Eval::Six(Factors { range: false, force: false, board: false, arcs: false, ..all })
            }
            _ => return None,
        })
    }

    fn read_evaluation(weights: &[u8]) -> Result<Eval, TextError> {
        nnue::read::<Surakarta>(weights).map(|(network, _)| Eval::Nnue(Arc::new(network)))
    }

    const ORDERS: &'static [(&'static str, &'static str)] =
        &[("arcs", "2012: moves that gain an arc, or take one from the enemy, come first")];

    fn order(name: &str) -> Option<MoveBonus<Surakarta>> {
        match name {
            "arcs" => Some(arcs_first),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use games::{Rng, Symmetric, Text};

    use super::*;

    pub fn position(text: &str) -> Surakarta {
        Surakarta::parse(&Default::default(), text).unwrap()
    }

    pub fn random_positions() -> impl Iterator<Item = Surakarta> {
        (0..300).map(|seed| {
            let mut rng = Rng::seeded(seed);
            let mut game = Surakarta::start(&Default::default()).unwrap();
            for _ in 0..rng.below(120) {
                if let Some(mv) = game.random_move(&mut rng) {
                    game.play(mv);
                }
            }
            game
        })
    }

    #[test]
    fn evaluations_do_not_care_how_the_board_lies_or_who_is_black() {
        for game in random_positions() {
            let [first, second] = game.boards();
            if first == 0 || second == 0 {
                continue;
            }
            let setup = game.setup();
            let swapped = Surakarta::from_boards(second, first, game.to_move(), &setup).unwrap();
            for (name, _) in Surakarta::EVALUATIONS {
                let eval = Surakarta::evaluation(name).unwrap();
                if let Eval::Nnue(_) = eval {
                    // It was trained on all eight symmetries but does not have them, and it
                    // knows whose turn it is.
                    let turned = Surakarta::from_boards(second, first, !game.to_move(), &setup);
                    assert_eq!(eval.evaluate(&game), -eval.evaluate(&turned.unwrap()));
                    continue;
                }
                assert_eq!(eval.evaluate(&game), -eval.evaluate(&swapped), "{name}");
                // The attack pattern knows up and down only.
                for s in if *name == "attack" { 0..4 } else { 0..8 } {
                    assert_eq!(
                        eval.evaluate(&game),
                        eval.evaluate(&game.transform(s)),
                        "{name} {s}"
                    );
                }
                let sum: f64 =
                    eval.terms(&game).iter().map(|p| p.weight * (p.counts[0] - p.counts[1])).sum();
                assert_eq!(f64::from(eval.evaluate(&game)), sum, "the parts of {name} add up");
            }
        }
    }

    #[test]
    fn the_matrix_is_the_papers() {
        let start = position("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b");
        assert_eq!(board_value(start.board(Player::First)), 90 + 200);
        assert_eq!(Eval::Matrix.evaluate(&start), 0);
        assert_eq!(Eval::Matrix.evaluate(&position("1b4/6/2w3/6/6/6 b")), 20 - 40);
    }

    #[test]
    fn the_three_steps_make_the_attack() {
        let mut game = position("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b");
        let replies = ["f2-f3", "f3-f4", "f4-e4"];
        for (step, reply) in ["b5-c4", "a5-a4", "b6-b5"].iter().zip(replies) {
            assert_eq!(
                three_step_attacks(game.board(Player::First), game.board(Player::Second)),
                0
            );
            game.play(game.parse_move(step).unwrap());
            game.play(game.parse_move(reply).unwrap());
        }
        assert_eq!(three_step_attacks(game.board(Player::First), game.board(Player::Second)), 1);
        assert!(game.parse_move("b5xb2").is_ok(), "the attack captures");
    }

    #[test]
    fn the_counter_enters_the_table_key_only_near_its_limit() {
        let game = position("b5/1b4/6/6/6/4ww b");
        assert_eq!(game.with_quiet(3).table_key(), game.with_quiet(40).table_key());
        assert_ne!(game.with_quiet(80).table_key(), game.with_quiet(81).table_key());
    }
}
