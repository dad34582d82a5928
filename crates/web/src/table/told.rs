//! What a page is told of a game, as data.

use std::sync::Arc;

use games::{Outcome, Player};
use serde::Serialize;
use serde_json::{Value, json};
use session::{GameSpec, Report, Session};

use super::drive::Task;
use super::{Inner, Table};
use crate::clock::now;
use crate::refusal::Refusal;
use crate::view::{self, View};

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
    /// Everything else.
    pub head: Arc<Value>,
}

/// The start of a game.
pub(super) fn first_ply(spec: &GameSpec, session: &dyn Session) -> Result<Ply, Refusal> {
    let position = session.position();
    let view = view::view(spec, None, &position).map_err(Refusal::bad)?;
    let to_move = session.to_move() as usize;
    Ok(Ply { mv: None, name: None, by: None, to_move, eval: None, left: None, position, view })
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

/// What a search knows, for the page: with the names of moves, and First's
/// chance beside the mover's numbers.
pub fn report_json(spec: &GameSpec, mover: Player, ply: usize, report: &Report) -> Value {
    let mut value = serde_json::to_value(report).expect("plain data");
    value["ply"] = json!(ply);
    value["mover"] = json!(mover as usize);
    value["first"] = json!(first_chance(mover, report.win_rate));
    value["best_name"] = json!(report.best.as_ref().map(|mv| view::name(spec, mv)));
    if let Some(lines) = value["lines"].as_array_mut() {
        lines.truncate(64);
        for line in lines {
            let mv = line["move"].as_str().unwrap_or_default().to_owned();
            line["name"] = json!(view::name(spec, &mv));
            line["places"] = json!(view::places(spec, &mv));
            let named: Vec<String> = line["pv"]
                .as_array()
                .into_iter()
                .flatten()
                .take(12)
                .filter_map(|mv| mv.as_str().map(|mv| view::name(spec, mv)))
                .collect();
            line["pv"] = json!(named);
        }
    }
    value
}

impl Table {
    /// Shows the game to everybody who looks.
    pub(crate) fn publish(&self, inner: &mut Inner) {
        let session = &inner.session;
        let board = &inner.plies[inner.played].view;
        let legal: Vec<Value> =
            session.legal().iter().map(|mv| self.legal_json(board, mv)).collect();
        let time = now();
        let head = json!({
            "id": self.id,
            "game": self.spec.to_string(),
            "name": self.spec.name(),
            "start": inner.start,
            "played": inner.played,
            "to_move": session.to_move() as usize,
            "outcome": session.outcome().map(outcome_json),
            "seats": inner.settings.seats,
            "move_seconds": inner.settings.move_seconds,
            "contest": inner.settings.contest,
            "names": inner.settings.names,
            "study": inner.settings.study,
            "clocks": inner.clocks.map(|clocks| json!({
                "left": clocks.left_at(time), "running": clocks.running.map(|(player, _)| player),
                "increment": clocks.increment, "paused": clocks.paused,
            })),
            "legal": legal,
            "thinking": inner.errand.as_ref().and_then(|errand| match errand.task {
                Task::Move(player) => Some(player as usize),
                Task::Ponder(_) => None,
            }),
            "pondering": inner.errand.as_ref().is_some_and(|errand| matches!(errand.task, Task::Ponder(_))),
            "hint": inner.hint,
            "trouble": inner.trouble,
            "notice": inner.notice,
        });
        self.snapshot.send_replace(Snapshot { plies: inner.plies.clone(), head: Arc::new(head) });
    }

    fn legal_json(&self, board: &View, mv: &str) -> Value {
        json!([mv, view::places(&self.spec, mv), view::landing(&self.spec, board, mv)])
    }

    /// The legal moves after so many moves of this game.
    pub fn legal_at(&self, ply: usize) -> Result<Value, Refusal> {
        let session = self.session_at(ply)?;
        let board = view::view(&self.spec, None, &session.position()).map_err(Refusal::bad)?;
        Ok(session.legal().iter().map(|mv| self.legal_json(&board, mv)).collect())
    }

    /// The game as it stood after so many moves, those that can be redone
    /// included.
    pub fn session_at(&self, ply: usize) -> Result<Box<dyn Session>, Refusal> {
        let inner = self.lock();
        if ply >= inner.plies.len() {
            return Err(Refusal::bad("the game is not that long"));
        }
        let moves: Vec<&str> =
            inner.plies[1..=ply].iter().filter_map(|ply| ply.mv.as_deref()).collect();
        let mut session = session::open(&self.spec);
        session.set(inner.start.as_deref(), &moves).map_err(Refusal::bad)?;
        Ok(session)
    }
}
