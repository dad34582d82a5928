//! Domain knowledge: what a search may use of a game beyond its rules, in one
//! small trait and one file per game.

use std::ops::ControlFlow;

use games::{Game, MoveList, Player, Rng, TextError};

use crate::alpha_beta::MoveBonus;

pub mod connect_four;
pub mod dots_and_boxes;
pub mod loony;
pub mod surakarta;

/// Whether a formula is taken as its paper prints it, or corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Corrected.
    #[default]
    Correct,
    /// As printed.
    Printed,
}

/// Hints of a game for searches. The defaults give none, so a new game can be
/// searched by its rules alone.
///
/// ```
/// use games::connect_four::{Column, ConnectFour, Setup};
/// use games::{Player, Text};
/// use search::SearchHints;
///
/// let game = ConnectFour::<u64>::parse(&Setup::default(), "112233").unwrap();
/// assert_eq!(game.forced_move(), Some(Column(3)));
/// assert_eq!(game.static_result(), Some((Player::First, 1)));
/// ```
pub trait SearchHints: Game {
    /// Appends the legal moves that change the material at once (a capture, a
    /// closed box): the moves of quiescence search and of capture-first rollouts.
    fn noisy_moves(&self, _out: &mut MoveList<Self::Move>) {}

    /// Appends the legal moves that [`SearchHints::noisy_moves`] leaves out, in the
    /// order of `Game::moves`. Games override it where listing is cheaper.
    fn quiet_moves(&self, out: &mut MoveList<Self::Move>) {
        let mut noisy = MoveList::new();
        self.noisy_moves(&mut noisy);
        self.moves(out);
        out.retain(|mv| !noisy.contains(mv));
    }

    /// A move that needs no search: it wins at once, or it is the only one that
    /// does not lose at once.
    fn forced_move(&self) -> Option<Self::Move> {
        None
    }

    /// Who wins, and in how many plies, where that is certain without search.
    fn static_result(&self) -> Option<(Player, u32)> {
        None
    }

    /// A move that wins by force, and in how many plies at most, where a search of
    /// forcing moves alone finds one in so many positions. The mover can't win at
    /// once, and the game is not over. By default none is known.
    fn forced_win(&self, _nodes: u32) -> Option<(Self::Move, u32)> {
        None
    }

    /// The position after a pass, for null-move pruning: where having to move is
    /// hardly ever a disadvantage. By default nowhere.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Appends the moves that a search should consider: at least one, and all that
    /// could be best. Others may be left out if they are certainly no better. By
    /// default a forced move alone, else all.
    fn candidates(&self, out: &mut MoveList<Self::Move>) {
        match self.forced_move() {
            Some(mv) => out.push(mv),
            None => self.moves(out),
        }
    }

    /// Plays at random as long as there are safe moves, and returns the position
    /// where that ends, or First's result (from -1 to 1) if the playout went to the
    /// end. By default no move is known to be safe.
    fn safe_playout(self, _dice: &mut Rng) -> ControlFlow<f64, Self> {
        ControlFlow::Continue(self)
    }

    /// A hash of all that the future of this position depends on, for tables of
    /// search results. By default `Game::key`. A game whose position counts
    /// towards its end outside the key (Surakarta's quiet plies) mixes the
    /// counter in where it comes close enough to matter.
    fn table_key(&self) -> u64 {
        self.key()
    }

    /// A weight for a legal move in weighted rollouts and in the order of
    /// expansion; larger is likelier. At least 1.
    fn weight(&self, _mv: Self::Move, _form: Variant) -> u32 {
        1
    }

    /// Appends what PUCT without a network expects of each of these legal moves, in
    /// proportion to the others. By default their weights.
    fn priors(&self, moves: &[Self::Move], out: &mut MoveList<f32>) {
        out.extend(moves.iter().map(|&mv| self.weight(mv, Variant::Correct) as f32));
    }
}

/// A game with evaluations that have names.
pub trait Evaluated: SearchHints {
    /// Any of its evaluations.
    type Eval: Heuristic<Self> + Clone + 'static;

    /// The names, each with a sentence. The first is the default.
    const EVALUATIONS: &'static [(&'static str, &'static str)];

    /// The evaluation with one of the names.
    fn evaluation(name: &str) -> Option<Self::Eval>;

    /// The learned evaluation of these weights; says what is wrong with them.
    fn read_evaluation(_weights: &[u8]) -> Result<Self::Eval, TextError> {
        Err(TextError::new("this game has no learned evaluation"))
    }

    /// The names of the move orderings that alpha-beta can use, each with a
    /// sentence.
    const ORDERS: &'static [(&'static str, &'static str)] = &[];

    /// The ordering with one of the names.
    fn order(_name: &str) -> Option<MoveBonus<Self>> {
        None
    }
}

/// The move after which an evaluation likes the position best for the mover: a
/// forced move if there is one, a certain result before any value, the greater
/// [`SearchHints::weight`] among equals. `None` if the game is over.
pub fn best_after_one_ply<G: SearchHints>(
    game: &G,
    heuristic: &impl Heuristic<G>,
) -> Option<G::Move> {
    /// Beyond every evaluation.
    const CERTAIN: i32 = 100_000;
    let mut list = MoveList::new();
    game.candidates(&mut list);
    let sign = game.to_move().sign();
    list.into_iter().rev().max_by_key(|&mv| {
        let next = game.after(mv);
        let for_first = match (next.outcome(), next.static_result()) {
            (Some(outcome), _) => outcome.for_first() * CERTAIN,
            (None, Some((winner, _))) => winner.sign() * CERTAIN,
            (None, None) => heuristic.evaluate(&next),
        };
        (for_first * sign, game.weight(mv, Variant::Correct))
    })
}

/// Likewise by the default evaluation of a game.
pub fn best_by_default<G: Evaluated>(game: &G) -> Option<G::Move> {
    let (name, _) = G::EVALUATIONS.first()?;
    best_after_one_ply(game, &G::evaluation(name)?)
}

/// The move with the greatest weight, for when nothing else is known.
pub(crate) fn heaviest_move<G: SearchHints>(game: &G) -> Option<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list.into_iter().max_by_key(|&mv| game.weight(mv, Variant::Correct))
}

/// One term of an evaluation, as `boyi eval` prints it.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// First's and Second's count, before the weight.
    pub counts: [f64; 2],
    /// What one of it is worth.
    pub weight: f64,
}

/// A static evaluation of positions that are not over.
///
/// ```
/// use games::surakarta::{Setup, Surakarta};
/// use games::{Game, Text};
/// use search::knowledge::surakarta::Eval;
/// use search::{Heuristic, knowledge::Evaluated};
///
/// let eval: Eval = Surakarta::evaluation("matrix").expect("one of its evaluations");
/// let start = Surakarta::start(&Setup::default())?;
/// assert_eq!(eval.evaluate(&start), 0);
/// let ahead = Surakarta::parse(&Setup::default(), "bb4/6/6/6/6/w5 b")?;
/// assert!(eval.evaluate(&ahead) > 100 && eval.expected(&ahead) > 0.0);
/// # Ok::<(), games::TextError>(())
/// ```
pub trait Heuristic<G: Game>: Send + Sync {
    /// First's advantage, in hundredths of the game's unit (a piece, a box).
    /// Stays within +-20,000.
    fn evaluate(&self, game: &G) -> i32;

    /// The advantage that corresponds to a winning chance of about 73%: the
    /// scale of the logistic curve from points to an expected result.
    fn scale(&self) -> f64;

    /// Whether the evaluation is reliable here, so that a rollout may stop (the
    /// 2021 paper: no safe move is left).
    fn is_quiet(&self, _game: &G) -> bool {
        false
    }

    /// The terms that the evaluation adds up, for display.
    fn terms(&self, game: &G) -> Vec<Term>;

    /// First's expected result, from -1 to 1, by the logistic curve.
    fn expected(&self, game: &G) -> f64 {
        (f64::from(self.evaluate(game)) / self.scale() / 2.0).tanh()
    }
}

/// A heuristic chosen at run time.
impl<G: Game, H: Heuristic<G> + ?Sized> Heuristic<G> for Box<H> {
    fn evaluate(&self, game: &G) -> i32 {
        (**self).evaluate(game)
    }

    fn scale(&self) -> f64 {
        (**self).scale()
    }

    fn is_quiet(&self, game: &G) -> bool {
        (**self).is_quiet(game)
    }

    fn terms(&self, game: &G) -> Vec<Term> {
        (**self).terms(game)
    }

    fn expected(&self, game: &G) -> f64 {
        (**self).expected(game)
    }
}
