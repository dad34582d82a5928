//! How much to think: the one type that says so, for every search and solver.

use std::time::Duration;

use games::Player;

/// The clocks of a game when the engine is asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What each player has left, by `player as usize`.
    pub left: [Duration; 2],
    /// What each player gets after each of their moves.
    pub increment: [Duration; 2],
}

impl Clock {
    /// Both players at the start of a game.
    pub fn new(base: Duration, increment: Duration) -> Clock {
        Clock { left: [base; 2], increment: [increment; 2] }
    }

    /// What `player` has left and gets after each move.
    pub fn of(&self, player: Player) -> (Duration, Duration) {
        (self.left[player as usize], self.increment[player as usize])
    }
}

/// When to stop searching. Several limits hold together; none at all means
/// "until stopped".
///
/// ```
/// use search::Limits;
///
/// let limits = Limits { sims: Some(1_000), ..Limits::default() };
/// assert!(!limits.is_unlimited());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// The game's clocks: [`TimeManager`](crate::TimeManager) decides how much of
    /// them to spend.
    pub clock: Option<Clock>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Simulations of the tree search.
    pub sims: Option<u64>,
    /// Plies of alpha-beta.
    pub depth: Option<u32>,
}

impl Limits {
    /// So much time for the move.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// So many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So many simulations.
    pub fn sims(sims: u64) -> Limits {
        Limits { sims: Some(sims), ..Limits::default() }
    }

    /// So many plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether there is no limit at all: the caller stops the search.
    pub fn is_unlimited(&self) -> bool {
        *self == Limits::default()
    }
}
