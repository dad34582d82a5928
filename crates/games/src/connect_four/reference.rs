//! A plain second implementation: a map of cells, and every line of four checked
//! after every move. Slow on purpose, and sharing nothing with the bit board: the
//! tests compare the bit board with it, and the laboratory measures the bit
//! board's speed against it. Nothing else uses it.

use std::collections::{BTreeMap, HashMap};

use super::{Column, Setup};
use crate::{Outcome, Player, Reason, Rng};

/// The column and the row of a cell, from the bottom left.
pub type Place = (i32, i32);

/// A position, cell by cell.
#[derive(Clone, Debug)]
pub struct ReferenceBoard {
    /// The board.
    pub setup: Setup,
    /// Who has which cell.
    pub stones: BTreeMap<Place, Player>,
}

impl ReferenceBoard {
    /// The empty board.
    pub fn start(setup: Setup) -> ReferenceBoard {
        ReferenceBoard { setup, stones: BTreeMap::new() }
    }

    /// Who moves, by the number of stones.
    pub fn to_move(&self) -> Player {
        if self.stones.len().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn is_hole(&self, (x, y): Place) -> bool {
        self.setup.hole.is_some_and(|(column, row)| (x, y) == (column.into(), row.into()))
    }

    /// The lowest cell of a column that is neither filled nor the hole.
    pub fn landing(&self, x: i32) -> Option<Place> {
        (0..self.setup.rows.into())
            .map(|y| (x, y))
            .find(|place| !self.stones.contains_key(place) && !self.is_hole(*place))
    }

    /// Whether these stones hold a four of this player anywhere.
    fn four(&self, player: Player) -> bool {
        let owns = |place: Place| self.stones.get(&place) == Some(&player);
        self.stones.keys().any(|&(x, y)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .into_iter()
                .any(|(dx, dy)| (0..4).all(|i| owns((x + i * dx, y + i * dy))))
        })
    }

    /// The end, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(player) = Player::BOTH.into_iter().find(|&player| self.four(player)) {
            return Some(Outcome::win(player, Reason::FourInARow));
        }
        let full = (0..self.setup.columns.into()).all(|x| self.landing(x).is_none());
        full.then(|| Outcome::draw(Reason::BoardFull))
    }

    /// The open columns from the left, unless the game is over.
    pub fn moves(&self) -> Vec<Column> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let open = |&x: &u8| self.landing(x.into()).is_some();
        (0..self.setup.columns).filter(open).map(Column).collect()
    }

    /// Drops a stone. The column has to be open.
    pub fn play(&mut self, column: Column) {
        let place = self.landing(column.0.into()).expect("the column is open");
        self.stones.insert(place, self.to_move());
    }

    /// Plays uniformly random moves to the end: with the same generator the same
    /// game as on the bit board.
    pub fn playout(mut self, rng: &mut Rng) -> Outcome {
        loop {
            let moves = self.moves();
            if moves.is_empty() {
                return self.outcome().expect("only a game that is over has no moves");
            }
            self.play(moves[rng.below(moves.len())]);
        }
    }

    fn after(&self, column: Column) -> ReferenceBoard {
        let mut next = self.clone();
        next.play(column);
        next
    }

    /// Whether a stone of this player here would be one of four in a line.
    fn completes(&self, player: Player, (x, y): Place) -> bool {
        let owns = |place: Place| self.stones.get(&place) == Some(&player);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            (-3..=0).any(|from| (from..from + 4).all(|i| i == 0 || owns((x + i * dx, y + i * dy))))
        })
    }

    /// The empty cells where a stone of this player would complete a four.
    pub fn threats(&self, player: Player) -> Vec<(u8, u8)> {
        let mut found = Vec::new();
        for x in 0..self.setup.columns {
            for y in 0..self.setup.rows {
                let place = (x.into(), y.into());
                let free = !self.stones.contains_key(&place) && !self.is_hole(place);
                if free && self.completes(player, place) {
                    found.push((x, y));
                }
            }
        }
        found
    }

    /// Counts sequences of so many moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves().into_iter().map(|column| self.after(column).perft(depth - 1)).sum()
    }

    /// First's result with best play, remembering what was seen.
    pub fn best(&self, seen: &mut HashMap<Vec<(Place, Player)>, i32>) -> i32 {
        if let Some(outcome) = self.outcome() {
            return outcome.for_first();
        }
        let name: Vec<(Place, Player)> = self.stones.clone().into_iter().collect();
        if let Some(&value) = seen.get(&name) {
            return value;
        }
        let mover = self.to_move();
        let value = self
            .moves()
            .into_iter()
            .map(|column| self.after(column).best(seen) * mover.sign())
            .max()
            .expect("a game that goes on has moves")
            * mover.sign();
        seen.insert(name, value);
        value
    }
}
