//! Positions and moves as text.

use crate::Game;

/// Text that could not be parsed, with a sentence that a user can act on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    message: String,
}

impl TextError {
    /// An error that says what is wrong, where, and what would be right.
    pub fn new(message: impl Into<String>) -> TextError {
        TextError { message: message.into() }
    }

    /// The same error with where it happened in front.
    pub fn within(self, place: impl std::fmt::Display) -> TextError {
        TextError { message: format!("{place}: {}", self.message) }
    }
}

/// A setup that no board can be made from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

impl From<SetupError> for TextError {
    fn from(error: SetupError) -> TextError {
        TextError::new(error.0)
    }
}

/// The text forms of a game. No parser panics, whatever the text.
///
/// ```
/// use games::dots_and_boxes::{DotsAndBoxes, Setup};
/// use games::{Game, Text};
///
/// let game = DotsAndBoxes::parse(&Setup::new(1, 1), "7 second")?;
/// assert_eq!(game.position(), "7 second 0 0");
/// assert_eq!(game.parse_move("2").unwrap_err().to_string(), "edge 2 is already drawn");
/// println!("{}", game.render(None));
/// # Ok::<(), games::TextError>(())
/// ```
pub trait Text: Game {
    /// The game's name in commands and files: `dots-and-boxes`.
    const NAME: &'static str;

    /// The position in one line. [`Text::parse`] with the same setup takes it
    /// back to an equal position.
    fn position(&self) -> String;

    /// Reads a position, in the form that [`Text::position`] writes or in one of
    /// the game's shorter forms.
    fn parse(setup: &Self::Setup, text: &str) -> Result<Self, TextError>;

    /// A legal move of this position in its short form.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Reads one move and makes sure that it is legal here; otherwise says why
    /// it is not.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError>;

    /// Splits a list of moves into the texts of single moves. By default they
    /// stand apart by white space or commas.
    fn split_moves(text: &str) -> Vec<&str> {
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|s| !s.is_empty()).collect()
    }

    /// Joins texts of single moves so that [`Text::split_moves`] takes them
    /// apart again.
    fn join_moves(moves: &[String]) -> String {
        moves.join(" ")
    }

    /// The board over several lines for a terminal, with coordinates, the last
    /// move marked if there is one, and who moves.
    fn render(&self, last: Option<Self::Move>) -> String;
}
