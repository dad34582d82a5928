//! Dots and Boxes once more, slowly: dots are points, an edge is a pair of
//! points in a set, and after each move every square of the board is looked at.

use std::collections::{BTreeMap, BTreeSet};

use games::{Outcome, Player, Reason};

/// A point with its row from the top and its column from the left.
type Dot = (u32, u32);
type Segment = (Dot, Dot);
pub type Picture = Vec<Segment>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    rows: u32,
    columns: u32,
    drawn: BTreeSet<Segment>,
    pub owners: BTreeMap<Dot, Player>,
    pub to_move: Player,
}

impl Reference {
    pub fn start(rows: u32, columns: u32) -> Reference {
        Reference {
            rows,
            columns,
            drawn: BTreeSet::new(),
            owners: BTreeMap::new(),
            to_move: Player::First,
        }
    }

    /// All edges in the order of their numbers: first all horizontal ones, then
    /// all vertical ones, in reading order.
    pub fn segments(&self) -> Vec<Segment> {
        let mut segments = Vec::new();
        for r in 0..=self.rows {
            for c in 0..self.columns {
                segments.push(((r, c), (r, c + 1)));
            }
        }
        for r in 0..self.rows {
            for c in 0..=self.columns {
                segments.push(((r, c), (r + 1, c)));
            }
        }
        segments
    }

    pub fn moves(&self) -> Vec<usize> {
        let segments = self.segments();
        (0..segments.len()).filter(|&i| !self.drawn.contains(&segments[i])).collect()
    }

    pub fn is_closed(&self, (r, c): Dot) -> bool {
        [
            ((r, c), (r, c + 1)),
            ((r + 1, c), (r + 1, c + 1)),
            ((r, c), (r + 1, c)),
            ((r, c + 1), (r + 1, c + 1)),
        ]
        .iter()
        .all(|side| self.drawn.contains(side))
    }

    pub fn play(&mut self, number: usize) {
        assert!(self.drawn.insert(self.segments()[number]), "edge {number} is drawn already");
        let mut again = false;
        for square in (0..self.rows).flat_map(|r| (0..self.columns).map(move |c| (r, c))) {
            if self.is_closed(square) && !self.owners.contains_key(&square) {
                self.owners.insert(square, self.to_move);
                again = true;
            }
        }
        if !again {
            self.to_move = !self.to_move;
        }
    }

    pub fn score(&self, player: Player) -> u32 {
        self.owners.values().filter(|&&owner| owner == player).count() as u32
    }

    pub fn outcome(&self) -> Option<Outcome> {
        let [first, second] = Player::BOTH.map(|player| self.score(player));
        self.moves().is_empty().then(|| match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::win(Player::First, Reason::BoxesCounted),
            std::cmp::Ordering::Less => Outcome::win(Player::Second, Reason::BoxesCounted),
            std::cmp::Ordering::Equal => Outcome::draw(Reason::BoxesCounted),
        })
    }

    /// What identifies all that can still happen: the drawn edges.
    pub fn picture(&self) -> Picture {
        self.drawn.iter().copied().collect()
    }
}
