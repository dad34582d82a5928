//! The contract that every game keeps.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::Not;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::{Draw, Outcome, Rng, SetupError, TextError};

/// One of the two sides, by who moved first in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The side that made the first move of the game.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both sides, First before Second; `self as usize` is the index here.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// +1 for First and -1 for Second: turns a value of First's into this side's
    /// and back.
    #[inline]
    pub fn sign(self) -> i32 {
        1 - 2 * (self as i32)
    }
}

impl Not for Player {
    type Output = Player;

    /// The other side.
    #[inline]
    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// No position of any game here has more legal moves than this.
///
/// Surakarta has at most 12 x 8 steps and 16 captures, Dots and Boxes at most
/// 127 edges, Connect Four at most 12 columns.
pub const MAX_MOVES: usize = 128;

/// The legal moves of one position, on the stack.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// A position of a two-player game with full information, and its rules.
///
/// A position carries whatever its outcome depends on, except what only the
/// history knows (see [`Game::history_outcome`]). Equality and hashing are
/// structural: equal positions are equal in every field.
///
/// Callers must not assume that the turn passes after a move: in Dots and Boxes
/// it often does not. Ask [`Game::to_move`].
///
/// ```
/// use games::connect_four::{ConnectFour, Setup};
/// use games::{Game, MoveList, Player, Rng};
///
/// /// First's result in `count` random games, from -1 to 1.
/// fn estimate<G: Game>(game: &G, count: u32, rng: &mut Rng) -> f64 {
///     let total: i32 = (0..count).map(|_| game.clone().playout(rng).for_first()).sum();
///     f64::from(total) / f64::from(count)
/// }
///
/// let game = ConnectFour::<u64>::start(&Setup::default())?;
/// assert_eq!(game.to_move(), Player::First);
/// let mut moves = MoveList::new();
/// game.moves(&mut moves);
/// assert_eq!(moves.len(), 7);
/// let after = game.after(moves[3]);
/// assert!(after.outcome().is_none() && after.is_legal(moves[3]));
/// assert!(estimate(&game, 200, &mut Rng::seeded(1)) > 0.0, "who moves first is ahead");
/// # Ok::<(), games::SetupError>(())
/// ```
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move. Its code (`Into<u16>`) is dense enough to index a table of
    /// [`Game::move_codes`] entries; `From<u16>` takes back what `Into` gave.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + Into<u16> + From<u16>;

    /// Board size, forbidden cells and end rules. Its text is what follows the
    /// game's name in `connect-four 11x10 hole=3,4`; the text of the default
    /// setup is empty.
    type Setup: Clone
        + Debug
        + Default
        + PartialEq
        + Send
        + Sync
        + Display
        + FromStr<Err = TextError>;

    /// Whether [`Game::history_outcome`] may have an answer. A game that never has
    /// one says so, and its positions are not compared with those before.
    const USES_HISTORY: bool = true;

    /// A setup by chance, where the game is one that is played on another board
    /// each time; `None` where it is not, or where this type could not hold
    /// every board that may be drawn.
    fn random_setup(_dice: &mut Rng) -> Option<Self::Setup> {
        None
    }

    /// The position from which a game with this setup begins.
    fn start(setup: &Self::Setup) -> Result<Self, SetupError>;

    /// The setup this position was made with.
    fn setup(&self) -> Self::Setup;

    /// The same position; `other` has the same setup. Games whose positions carry
    /// what follows from their setup take it from `other`: a loop over many
    /// positions of one board then computes it once.
    fn on_board_of(self, _other: &Self) -> Self {
        self
    }

    /// Who moves. May be the same player several times in a row.
    fn to_move(&self) -> Player;

    /// Appends the legal moves to an empty list, each once, in a fixed order.
    /// Empty exactly when [`Game::outcome`] is `Some`.
    fn moves(&self, out: &mut MoveList<Self::Move>);

    /// Plays a move that [`Game::moves`] lists. Legal by contract, so that
    /// searches pay nothing for checks; `Record::play` is the checked form.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended, if this position ends it. Cheap: no search, no list.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of what the rules call the same position: the board and the side
    /// to move, without counters of plies. Computed from a few words on demand;
    /// there is no state that could go stale.
    fn key(&self) -> u64;

    /// An upper bound (exclusive) of the move codes of this position's setup.
    fn move_codes(&self) -> usize;

    /// What First has more than Second of what the game counts (pieces, boxes);
    /// 0 where it counts nothing. Decides a game that is cut short.
    fn lead(&self) -> i32;

    /// The outcome that only the history knows: this position stands for the
    /// `occurrences`-th time (at least 1) after `plies` plies of the game.
    fn history_outcome(&self, _plies: u32, _occurrences: u32) -> Option<Outcome> {
        None
    }

    /// The outcome when `player`'s clock has run out here.
    fn on_time(&self, player: Player) -> Outcome {
        Outcome::win(!player, crate::Reason::Time)
    }

    /// The position after a move.
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// Whether [`Game::moves`] lists this move.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.contains(&mv)
    }

    /// How many moves [`Game::moves`] lists. Games override it where counting is
    /// cheaper than listing.
    fn count_moves(&self) -> usize {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.len()
    }

    /// A legal move, each with the same probability; `None` when the game is
    /// over. Games override it where choosing is cheaper than listing.
    fn random_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        if list.is_empty() { None } else { Some(list[rng.below(list.len())]) }
    }

    /// Plays a legal move, each with the same probability, and says which it was;
    /// `None` when the game is over. Games override it where choosing is cheaper than
    /// listing.
    fn play_random(&mut self, draw: Draw) -> Option<Self::Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        let mv = if list.is_empty() { None } else { Some(list[draw.below(list.len())]) }?;
        self.play(mv);
        Some(mv)
    }

    /// Plays uniformly random moves to the end. History is not looked at, so a
    /// game must end by its counters alone. Games override it where a whole
    /// game has a faster form with the same distribution.
    fn playout(mut self, rng: &mut Rng) -> Outcome {
        while let Some(mv) = self.random_move(rng) {
            self.play(mv);
        }
        self.outcome().expect("a position without moves has an outcome")
    }
}
