//! Side lines of a game: adding a move to one, comments, raising a line, removing
//! one, and what a page gets of them. The game itself changes only when a line is
//! raised into it.

use std::sync::Arc;

use serde_json::{Value, json};
use session::Session;

use super::snapshot::ply_after;
use super::{GameState, LiveGame, MOST_PLIES, Ply};
use crate::access::Rights;
use crate::error::ApiError;
use crate::settings::Seat;
use crate::store::StoredPly;
use crate::tree::{MOST_NOTE, NewTail, Parent, Spot, Tree};

impl GameState {
    /// The tree, to be changed.
    pub(super) fn tree_mut(&mut self) -> &mut Tree {
        self.tree_view = None;
        &mut self.tree
    }

    /// The moves that lead to a position, those that can be redone included.
    fn moves_to(&self, spot: Spot) -> Result<Vec<&str>, ApiError> {
        let own = |plies: usize| self.plies[1..=plies].iter().filter_map(|ply| ply.mv.as_deref());
        match spot.node {
            None if spot.ply < self.plies.len() => Ok(own(spot.ply).collect()),
            None => Err(ApiError::bad("the game is not that long")),
            Some(node) => {
                let (ply, path) = self.tree.path(node).ok_or_else(no_such_line)?;
                Ok(own(ply).chain(path.into_iter().map(|node| node.mv.as_str())).collect())
            }
        }
    }

    /// The game as it stood, or would stand, at a position.
    pub(super) fn session_at(&self, spot: Spot) -> Result<Session, ApiError> {
        let mut session = session::open(self.session.spec());
        session.set(self.start.as_deref(), &self.moves_to(spot)?).map_err(ApiError::bad)?;
        Ok(session)
    }

    /// Side lines and comments as a page gets them, with the names of moves.
    pub(super) fn tree_view(&mut self) -> Result<Arc<Value>, ApiError> {
        if let Some(view) = &self.tree_view {
            return Ok(Arc::clone(view));
        }
        let mut session = session::open(self.session.spec());
        let mut nodes = Vec::with_capacity(self.tree.nodes().len());
        for node in self.tree.nodes() {
            let moves = self.moves_to(Spot { ply: 0, node: Some(node.id) })?;
            let (last, before) = moves.split_last().ok_or_else(no_such_line)?;
            session.set(self.start.as_deref(), before).map_err(ApiError::bad)?;
            let by = session.to_move();
            // A comma ends it, so that column `11` is one move.
            session.play(&format!("{last},")).map_err(ApiError::bad)?;
            nodes.push(json!({
                "id": node.id,
                "parent": node.parent,
                "ply": moves.len(),
                "move": node.mv,
                "name": session.last_move().map_or(node.mv.clone(), |mv| mv.name),
                "by": by as usize,
                "note": node.note,
                "ended": node.ended,
            }));
        }
        let view = Arc::new(json!({
            "notes": self.tree.notes(),
            "nodes": nodes,
            "next": self.tree.next(),
        }));
        self.tree_view = Some(Arc::clone(&view));
        Ok(view)
    }

    /// Adds a move after a position, or finds it there; gives where it leads.
    pub(super) fn vary(&mut self, spot: Spot, mv: &str) -> Result<Spot, ApiError> {
        let mut session = self.session_at(spot)?;
        let ply = session.moves().len();
        if ply >= MOST_PLIES {
            return Err(ApiError::bad(format!("a line here has at most {MOST_PLIES} moves")));
        }
        session.play(&format!("{mv},")).map_err(ApiError::bad)?;
        let last = session.last_move().filter(|_| session.moves().len() == ply + 1);
        let last = last.ok_or_else(|| ApiError::bad("one move at a time"))?;
        let parent = match spot.node {
            Some(node) => Parent::Node(node),
            None => Parent::Ply(ply),
        };
        let next = self.plies.get(ply + 1).and_then(|next| next.mv.as_deref());
        if spot.node.is_none() && next == Some(&last.text) {
            return Ok(Spot::from(ply + 1));
        }
        let node = match self.tree.child(parent, &last.text) {
            Some(node) => node,
            None if self.tree.has_room(1) => self.tree_mut().add(parent, last.text),
            None => return Err(full()),
        };
        Ok(Spot { ply: ply + 1, node: Some(node) })
    }

    /// Writes the comment on a position.
    pub(super) fn annotate(&mut self, spot: Spot, text: &str) -> Result<(), ApiError> {
        self.moves_to(spot)?;
        let text = text.trim();
        if !self.tree.has_room_for_note(text.len()) {
            let most = MOST_NOTE / 4;
            return Err(ApiError::bad(format!("a comment has at most {most} characters")));
        }
        self.tree_mut().set_note(spot, text.to_owned());
        Ok(())
    }

    /// Raises a line by one level; gives the first ply of the game that is new, if
    /// it became part of the game.
    pub(super) fn promote(&mut self, node: u32) -> Result<Option<usize>, ApiError> {
        let (branch, _) = self.tree.path(node).ok_or_else(no_such_line)?;
        let tail: Vec<StoredPly> = self.plies[branch + 1..].iter().map(|ply| stored(ply)).collect();
        if !self.tree.has_room(tail.len()) {
            return Err(full());
        }
        let mut tree = self.tree.clone();
        let ended = self.ended.clone();
        let Some(NewTail { ply, plies, ended }) = tree.promote(node, |_| (tail, ended)) else {
            *self.tree_mut() = tree;
            return Ok(None);
        };
        if ply + 1 == self.plies.len() && self.ended.is_some() {
            let sentence = "the game ended here; a line from an earlier move can replace it";
            return Err(ApiError::stale(sentence));
        }
        let live = self.session.outcome().is_none();
        if self.settings.contest.is_some() {
            return Err(ApiError::stale("a contest's game stays as it was played"));
        }
        if live && (self.clocks.is_some() || self.has_engine()) {
            return Err(ApiError::stale("the game goes on; a line can replace it when it is over"));
        }
        self.stop_clocks();
        self.rewind(ply)?;
        self.plies.truncate(ply + 1);
        for StoredPly { mv, eval, left } in plies {
            self.advance(&mv, eval, left)?;
        }
        *self.tree_mut() = tree;
        self.ended = ended;
        self.declare();
        Ok(Some(ply))
    }

    /// Whether an engine has a seat.
    pub(super) fn has_engine(&self) -> bool {
        self.settings.seats.iter().any(|seat| *seat != Seat::Human)
    }
}

/// A ply as it is kept.
pub(super) fn stored(ply: &Ply) -> StoredPly {
    StoredPly { mv: ply.mv.clone().unwrap_or_default(), eval: ply.eval, left: ply.left }
}

fn no_such_line() -> ApiError {
    ApiError::stale("this side line is not there any more")
}

/// There is no room for more side moves.
pub(super) fn full() -> ApiError {
    ApiError::bad("this game has as many side moves as it can; remove a line first")
}

impl LiveGame {
    /// Adds a move to a side line; gives where it leads.
    pub fn vary(
        self: &Arc<LiveGame>,
        spot: Spot,
        mv: &str,
        rights: Rights,
    ) -> Result<Spot, ApiError> {
        rights.owner()?;
        let mut state = self.lock();
        let found = state.vary(spot, mv)?;
        if state.tree_view.is_none() {
            let from = state.plies.len() - 1;
            self.persist(&mut state, from)?;
        }
        Ok(found)
    }

    /// The positions of the line that goes through a node, from where it leaves the
    /// game to its end.
    pub fn line(&self, node: u32) -> Result<Value, ApiError> {
        let state = self.lock();
        let (from, mut path) = state.tree.path(node).ok_or_else(no_such_line)?;
        path.extend(state.tree.continuation(node));
        let mut session = state.session_at(from.into())?;
        let mut plies = Vec::with_capacity(path.len());
        for node in &path {
            let mover = session.to_move();
            session.play(&format!("{},", node.mv)).map_err(ApiError::bad)?;
            plies.push(ply_after(&session, mover, node.eval, node.left)?);
        }
        let nodes: Vec<u32> = path.iter().map(|node| node.id).collect();
        Ok(json!({ "from": from, "nodes": nodes, "plies": plies }))
    }

    /// The game as it stood, or would stand, at a position: after so many of its
    /// moves, those that can be redone included, or after a side move.
    pub fn session_at(&self, spot: impl Into<Spot>) -> Result<Session, ApiError> {
        self.lock().session_at(spot.into())
    }
}
