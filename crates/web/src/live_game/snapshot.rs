//! What a page receives of a game, as data.

use std::sync::Arc;

use games::{Outcome, Player};
use search::{Line, Score, SearchInfo};
use serde::Serialize;
use serde_json::{Value, json};
use session::{MoveView, Session, View};

use super::engine_control::Task;
use super::{GameState, LiveGame};
use crate::clock::now;
use crate::error::ApiError;
use crate::tree::Spot;

/// One position of the game and the move that led to it, as the page gets it.
#[derive(Debug, Serialize)]
pub struct Ply {
    /// The move's text; none at the start.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The move as people write it.
    pub name: Option<String>,
    /// Who made it: 0 for First, 1 for Second.
    pub by: Option<usize>,
    /// Who moves next.
    pub to_move: usize,
    /// First's chance to win, if an engine had an opinion.
    pub eval: Option<f64>,
    /// What both clocks had left.
    pub left: Option<[u64; 2]>,
    /// The position in one line.
    pub position: String,
    /// The board.
    pub view: View,
}

/// All that a page shows of a game. Plies are shared, so that a stream can tell
/// by address what its page has already.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The start and one after each move, those that can be redone included.
    pub plies: Vec<Arc<Ply>>,
    /// Side lines and comments.
    pub tree: Arc<Value>,
    /// Everything else.
    pub head: Arc<Value>,
}

/// The start of a game.
pub(super) fn first_ply(session: &Session) -> Ply {
    Ply {
        mv: None,
        name: None,
        by: None,
        to_move: session.to_move() as usize,
        eval: None,
        left: None,
        position: session.position(),
        view: session.view(),
    }
}

/// The position of a session and the one move that led to it, made by `mover`.
pub(super) fn ply_after(
    session: &Session,
    mover: Player,
    eval: Option<f64>,
    left: Option<[u64; 2]>,
) -> Result<Ply, ApiError> {
    let last = session.last_move().ok_or_else(|| ApiError::bad("there is no move"))?;
    Ok(Ply {
        name: Some(last.name),
        mv: Some(last.text),
        by: Some(mover as usize),
        to_move: session.to_move() as usize,
        eval,
        left,
        position: session.position(),
        view: session.view(),
    })
}

/// The position of a session, with the move that led to it.
pub fn position_json(session: &Session) -> Ply {
    let last = session.last_move();
    Ply {
        name: last.as_ref().map(|mv| mv.name.clone()),
        mv: last.map(|mv| mv.text),
        ..first_ply(session)
    }
}

/// First's chance to win, given the mover's.
pub fn first_chance(mover: Player, chance: f64) -> f64 {
    match mover {
        Player::First => chance,
        Player::Second => 1.0 - chance,
    }
}

/// An outcome for the page.
pub fn outcome_json(outcome: Outcome) -> Value {
    json!({ "winner": outcome.winner.map(|winner| winner as usize), "reason": outcome.reason.to_string() })
}

/// The longest line that is shown on a board.
const LONGEST_LINE: usize = 60;

/// The mean of fewer simulations than this is chance, not a value.
const FEWEST_SIMS: u64 = 8;

/// Whether a search has looked at a move long enough to have a value for it. In a
/// position that is proven early, most moves get one simulation or none.
fn has_value(report: &SearchInfo<String>, line: &Line<String>) -> bool {
    let fewest = if report.sims > 0 { FEWEST_SIMS } else { 1 };
    !matches!(line.score, Score::Expected(_)) || line.visits >= fewest
}

/// What a search of a session's position knows, for the page: with the names of
/// moves, and First's chance beside the numbers, which are `mover`'s.
pub fn report_json(
    session: &Session,
    mover: Player,
    ply: usize,
    report: &SearchInfo<String>,
) -> Value {
    let mut value = serde_json::to_value(report).expect("plain data");
    value["ply"] = json!(ply);
    value["mover"] = json!(mover as usize);
    value["first"] = json!(first_chance(mover, report.win_rate));
    value["best_name"] = json!(report.best.as_ref().and_then(|mv| name(session, mv)));
    if let Some(lines) = value["lines"].as_array_mut() {
        lines.truncate(128);
        for (line, found) in lines.iter_mut().zip(&report.lines) {
            if let Some(mv) = session.line(std::slice::from_ref(&found.mv)).pop() {
                line["name"] = json!(mv.name);
                line["places"] = json!(mv.places);
            }
            line["pv"] = json!(line_names(session, &found.pv, 12));
            line["moves"] = json!(&found.pv[..found.pv.len().min(12)]);
            if !has_value(report, found) {
                line["score"] = Value::Null;
            }
        }
    }
    value
}

/// A move of a session's position as people write it.
pub fn name(session: &Session, mv: &String) -> Option<String> {
    line_names(session, std::slice::from_ref(mv), 1).pop()
}

/// The first `count` moves of a line as people write them.
pub fn line_names(session: &Session, line: &[String], count: usize) -> Vec<String> {
    let line = &line[..line.len().min(count)];
    session.line(line).into_iter().map(|mv| mv.name).collect()
}

/// A legal move for the page.
pub fn legal_json(MoveView { text, places, landing, .. }: &MoveView) -> Value {
    json!([text, places, landing])
}

impl LiveGame {
    /// Sends the game to every stream.
    pub(crate) fn publish(&self, state: &mut GameState) {
        // Every side move was played when it was added or read.
        let tree = state.tree_view().unwrap_or_default();
        let session = &state.session;
        let legal: Vec<Value> = session.legal_moves().iter().map(legal_json).collect();
        let time = now();
        let head = json!({
            "id": self.id,
            "game": self.spec.to_string(),
            "name": self.spec.name(),
            "start": state.start,
            "played": state.played,
            "to_move": session.to_move() as usize,
            "outcome": session.outcome().map(outcome_json),
            "seats": state.settings.seats,
            "move_seconds": state.settings.move_seconds,
            "contest": state.settings.contest,
            "names": state.settings.names,
            "study": state.settings.study,
            "clocks": state.clocks.map(|clocks| json!({
                "left": clocks.left_at(time), "running": clocks.running.map(|(player, _)| player),
                "total": clocks.total, "increment": clocks.increment, "paused": clocks.paused,
            })),
            "paused": state.is_paused(),
            "legal": legal,
            "thinking": state.running.as_ref().and_then(|running| match running.task {
                Task::Move(player) => Some(player as usize),
                Task::Ponder(_) => None,
            }),
            "pondering": state.running.as_ref().is_some_and(|running| matches!(running.task, Task::Ponder(_))),
            "hint": state.hint,
            "trouble": state.trouble,
            "deleted": state.deleted,
            "waiting": state.waiting,
            "notice": state.notice,
        });
        self.snapshot.send_replace(Snapshot {
            plies: state.plies.clone(),
            tree,
            head: Arc::new(head),
        });
    }

    /// The positions along a line of moves from a position, as far as it is legal.
    pub fn line_from(&self, spot: Spot, moves: &[String]) -> Result<Vec<Ply>, ApiError> {
        let mut session = self.session_at(spot)?;
        let mut plies = Vec::new();
        for mv in &moves[..moves.len().min(LONGEST_LINE)] {
            let by = session.to_move() as usize;
            let name = name(&session, mv);
            if session.play(&format!("{mv},")).is_err() {
                break;
            }
            plies.push(Ply { mv: Some(mv.clone()), name, by: Some(by), ..first_ply(&session) });
        }
        Ok(plies)
    }

    /// The legal moves at a position of this game.
    pub fn legal_at(&self, spot: Spot) -> Result<Value, ApiError> {
        Ok(self.session_at(spot)?.legal_moves().iter().map(legal_json).collect())
    }
}
