//! The side lines and comments of a game.
//!
//! The game itself is a line of plies, which `live_game` plays and the store
//! keeps move by move. Whatever else was tried hangs on that line: a node is a
//! move after a ply of the game or after another node, and of the nodes after the
//! same position the first is the one that a line goes on with. A part of the
//! game that is replaced by other moves becomes a side line, with what was known
//! of it, and can become the game again; so nothing that was played is lost.
//!
//! This is data: moves are texts, and whoever adds one has made sure that it is
//! legal.

mod change;

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::store::{Ended, StoredPly};
pub use change::NewTail;

/// The most side moves of a game.
const MOST_NODES: usize = 5000;
/// The longest comment, in bytes, and the most of all comments of a game.
pub const MOST_NOTE: usize = 4_000;
const MOST_NOTES: usize = 200_000;

/// A position of a game: after so many moves of the game itself, or after a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Spot {
    /// Moves before it.
    pub ply: usize,
    /// The side move that led to it; none in the game itself.
    #[serde(default)]
    pub node: Option<u32>,
}

impl From<usize> for Spot {
    fn from(ply: usize) -> Spot {
        Spot { ply, node: None }
    }
}

/// What a side move follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parent {
    /// So many moves of the game.
    Ply(usize),
    /// Another side move.
    Node(u32),
}

/// A side move, with what was known when it was still one of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its number, which no other node of the game ever had.
    pub id: u32,
    /// What it follows.
    pub parent: Parent,
    /// Its text.
    #[serde(rename = "move")]
    pub mv: String,
    /// First's chance to win after it, if an engine had an opinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
    /// What both clocks had left after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<[u64; 2]>,
    /// How the game was ended here from outside its rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// The comment on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// All side lines and comments of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// Comments on positions of the game itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<usize, String>,
    /// The side moves. Of those after the same position, the first leads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Node>,
    /// The number of the next node.
    #[serde(default)]
    next: u32,
}

impl Tree {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.notes.is_empty()
    }

    /// The side moves; each comes after the one that it follows.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Comments on positions of the game itself.
    pub fn notes(&self) -> &BTreeMap<usize, String> {
        &self.notes
    }

    /// The number of the next node: whatever has a smaller one and is not here is
    /// gone.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The node with a number.
    pub fn find(&self, id: u32) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// The nodes after a position, in order.
    pub fn children(&self, parent: Parent) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(move |node| node.parent == parent)
    }

    /// The node that a move at a position leads to.
    pub fn child(&self, parent: Parent, mv: &str) -> Option<u32> {
        self.children(parent).find(|node| node.mv == mv).map(|node| node.id)
    }

    /// Whether so many side moves can be added.
    pub fn has_room(&self, count: usize) -> bool {
        self.nodes.len() + count <= MOST_NODES
    }

    /// Adds a move after all others at its position; there must be room.
    pub fn add(&mut self, parent: Parent, mv: String) -> u32 {
        let ply = StoredPly { mv, eval: None, left: None };
        self.push(parent, ply, String::new())
    }

    fn push(&mut self, parent: Parent, ply: StoredPly, note: String) -> u32 {
        let id = self.next;
        self.next += 1;
        let StoredPly { mv, eval, left } = ply;
        self.nodes.push(Node { id, parent, mv, eval, left, ended: None, note });
        id
    }

    /// The ply of the game where a node's line begins, and the nodes from there to
    /// it.
    pub fn path(&self, id: u32) -> Option<(usize, Vec<&Node>)> {
        let mut path = vec![self.find(id)?];
        loop {
            match path.last()?.parent {
                Parent::Node(id) => path.push(self.find(id)?),
                Parent::Ply(ply) => {
                    path.reverse();
                    return Some((ply, path));
                }
            }
        }
    }

    /// The nodes that a line goes on with after a node.
    pub fn continuation(&self, id: u32) -> Vec<&Node> {
        let first = |id: u32| self.children(Parent::Node(id)).next();
        std::iter::successors(first(id), |node| first(node.id)).collect()
    }

    /// Whether comments of so many bytes can be added.
    pub fn has_room_for_note(&self, bytes: usize) -> bool {
        let notes = self.notes.values().chain(self.nodes.iter().map(|node| &node.note));
        bytes <= MOST_NOTE && notes.map(String::len).sum::<usize>() + bytes <= MOST_NOTES
    }

    /// Writes the comment on a position; an empty one removes it.
    pub fn set_note(&mut self, spot: Spot, text: String) {
        match spot.node {
            None if text.is_empty() => drop(self.notes.remove(&spot.ply)),
            None => drop(self.notes.insert(spot.ply, text)),
            Some(id) => {
                if let Some(node) = self.nodes.iter_mut().find(|node| node.id == id) {
                    node.note = text;
                }
            }
        }
    }

    /// Whether every node follows something that is there, in a game of so many
    /// plies.
    pub fn is_sound(&self, plies: usize) -> bool {
        let mut seen = HashSet::new();
        self.notes.keys().all(|&ply| ply <= plies)
            && self.has_room(0)
            && self.nodes.iter().all(|node| {
                let follows = match node.parent {
                    Parent::Ply(ply) => ply <= plies,
                    Parent::Node(id) => seen.contains(&id),
                };
                follows && node.id < self.next && seen.insert(node.id)
            })
    }
}
