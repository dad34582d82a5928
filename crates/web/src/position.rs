//! Positions without a game: for the editor, for pictures of the rules, for the
//! lessons, and for the ways over a board. Nothing is kept.

use serde::Deserialize;
use serde_json::{Value, json};
use session::{EditedBoard, GameSpec};

use crate::error::ApiError;
use crate::live_game::{MOST_PLIES, legal_json, outcome_json, position_json};

/// A position that a page asks about.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PositionRequest {
    /// The game and its setup.
    pub game: String,
    /// Where it begins, if not at the start.
    pub position: Option<String>,
    /// A board that a person has put together, instead.
    pub board: Option<EditedBoard>,
    /// Moves from there.
    pub moves: Option<String>,
}

/// The position, what can be played in it, and how it is drawn. Of a board that was
/// put together and can't be: `wrong`, a sentence that says why.
pub fn describe(request: &PositionRequest) -> Result<Value, ApiError> {
    let spec: GameSpec = request.game.parse().map_err(ApiError::bad)?;
    let mut session = session::open(&spec);
    match &request.board {
        Some(board) => {
            if let Err(error) = session.set_board(board) {
                return Ok(json!({ "wrong": error.to_string() }));
            }
        }
        None => session.set(request.position.as_deref(), &[]).map_err(ApiError::bad)?,
    }
    let start = session.position();
    if let Some(moves) = &request.moves {
        session.play(moves).map_err(ApiError::bad)?;
    }
    if session.moves().len() > MOST_PLIES {
        return Err(ApiError::bad(format!("a game here has at most {MOST_PLIES} moves")));
    }
    Ok(json!({
        "game": spec.to_string(),
        "name": spec.name(),
        "start": start,
        "geometry": session.geometry(),
        "ply": position_json(&session),
        "legal": session.legal_moves().iter().map(legal_json).collect::<Vec<_>>(),
        "outcome": session.outcome().map(outcome_json),
        "trails": session.trails(),
    }))
}
