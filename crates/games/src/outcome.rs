//! How a game ended, seen from outside.

use std::fmt;

use crate::Player;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A side has no pieces left.
    WipedOut,
    /// The side to move has no legal move.
    NoMove,
    /// Too many plies without a capture.
    QuietPlies,
    /// The same position too often.
    Repetition,
    /// Neither side can capture.
    Standoff,
    /// The agreed number of plies is reached.
    MoveCap,
    /// Four in a row.
    FourInARow,
    /// No empty cell is left.
    BoardFull,
    /// Every edge is drawn and the boxes are counted.
    BoxesCounted,
    /// A player gave up.
    Resigned,
    /// A clock ran out.
    Time,
    /// A player made a move that is not legal.
    IllegalMove,
    /// An engine crashed, fell silent or could not be started.
    Crashed,
    /// A referee ended the game by a rule agreed beforehand.
    Adjudicated,
    /// A player did not come, or was excluded.
    Forfeit,
    /// Both players agreed on the result.
    Agreed,
}

impl Reason {
    /// Every reason, for tables and tests.
    pub const ALL: [Reason; 16] = [
        Reason::WipedOut,
        Reason::NoMove,
        Reason::QuietPlies,
        Reason::Repetition,
        Reason::Standoff,
        Reason::MoveCap,
        Reason::FourInARow,
        Reason::BoardFull,
        Reason::BoxesCounted,
        Reason::Resigned,
        Reason::Time,
        Reason::IllegalMove,
        Reason::Crashed,
        Reason::Adjudicated,
        Reason::Forfeit,
        Reason::Agreed,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::WipedOut => "wiped out",
            Reason::NoMove => "no move",
            Reason::QuietPlies => "count after quiet plies",
            Reason::Repetition => "repetition",
            Reason::Standoff => "nobody can capture",
            Reason::MoveCap => "move cap",
            Reason::FourInARow => "four in a row",
            Reason::BoardFull => "board full",
            Reason::BoxesCounted => "boxes counted",
            Reason::Resigned => "resigned",
            Reason::Time => "time",
            Reason::IllegalMove => "illegal move",
            Reason::Crashed => "crashed",
            Reason::Adjudicated => "adjudicated",
            Reason::Forfeit => "forfeit",
            Reason::Agreed => "agreed",
        })
    }
}

/// The result of a finished game. Absolute: it names the winner, never "the
/// side to move".
///
/// ```
/// use games::{Outcome, Player, Reason};
///
/// let outcome = Outcome::by_lead(-3, Reason::BoxesCounted);
/// assert_eq!(outcome, Outcome::win(Player::Second, Reason::BoxesCounted));
/// assert_eq!(outcome.for_first(), -1);
/// assert_eq!(outcome.to_string(), "second wins (boxes counted)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Player>,
    /// Why the game is over.
    pub reason: Reason,
}

impl Outcome {
    /// A game won by `winner`.
    #[inline]
    pub fn win(winner: Player, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// A draw.
    #[inline]
    pub fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// A game decided by a count: First wins a positive lead, Second a negative
    /// one, and zero is a draw.
    #[inline]
    pub fn by_lead(lead: i32, reason: Reason) -> Outcome {
        let winner = match lead {
            0 => None,
            1.. => Some(Player::First),
            _ => Some(Player::Second),
        };
        Outcome { winner, reason }
    }

    /// First's result: 1 for a win, 0 for a draw, -1 for a loss.
    #[inline]
    pub fn for_first(self) -> i32 {
        self.winner.map_or(0, Player::sign)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.winner {
            Some(Player::First) => write!(f, "first wins ({})", self.reason),
            Some(Player::Second) => write!(f, "second wins ({})", self.reason),
            None => write!(f, "draw ({})", self.reason),
        }
    }
}
