//! A round: who meets whom at which table, who rests, and how their games ended.

use std::cmp::Ordering;

use games::Player;
use serde::{Deserialize, Serialize};

use crate::Format;

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The side that moved first.
    First,
    /// The other.
    Second,
    /// A draw.
    Draw,
    /// Both sides lose, as when neither came.
    Nobody,
}

impl Winner {
    /// As a record says it: `Some(None)` is a draw, nothing that neither won.
    pub(crate) fn in_record(self) -> Option<Option<Player>> {
        match self {
            Winner::First => Some(Some(Player::First)),
            Winner::Second => Some(Some(Player::Second)),
            Winner::Draw => Some(None),
            Winner::Nobody => None,
        }
    }

    /// The half points of First and Second.
    pub(crate) fn half_points(self) -> [u32; 2] {
        match self {
            Winner::First => [2, 0],
            Winner::Second => [0, 2],
            Winner::Draw => [1, 1],
            Winner::Nobody => [0, 0],
        }
    }
}

/// How a game of an event ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEnd {
    /// Who won.
    pub winner: Winner,
    /// Why, in the words of `games::Reason`; `forfeit` games have no record.
    pub reason: String,
}

impl GameEnd {
    /// A result and its reason.
    pub fn new(winner: Winner, reason: &str) -> GameEnd {
        GameEnd { winner, reason: reason.to_owned() }
    }

    /// Whether nothing was played.
    pub fn is_forfeit(&self) -> bool {
        self.reason == "forfeit"
    }

    /// Whether a game can end so: who resigns or does not appear has lost.
    pub(crate) fn is_possible(&self) -> bool {
        match self.reason.as_str() {
            "resigned" => matches!(self.winner, Winner::First | Winner::Second),
            "forfeit" => self.winner != Winner::Draw,
            _ => true,
        }
    }
}

/// A game of a pairing: what is known of it so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// How it ended.
    pub end: Option<GameEnd>,
    /// The name of its record's file in the folder `records`.
    #[serde(default)]
    pub record: Option<String>,
}

/// Two teams at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Who is First in the first game, and Second; in the second game it is the
    /// other way round.
    pub teams: [usize; 2],
    /// Their games.
    pub games: Vec<Game>,
    /// In a knockout: who goes on although the games are level, 0 or 1.
    #[serde(default)]
    pub decided: Option<usize>,
}

impl Pairing {
    pub(crate) fn new(teams: [usize; 2], games: usize) -> Pairing {
        Pairing { teams, games: vec![Game::default(); games], decided: None }
    }

    /// The teams that are First and Second in a game.
    pub fn sides(&self, game: usize) -> [usize; 2] {
        let [a, b] = self.teams;
        if game.is_multiple_of(2) { [a, b] } else { [b, a] }
    }

    /// Whether every game has a result.
    pub fn is_finished(&self) -> bool {
        self.games.iter().all(|game| game.end.is_some())
    }

    /// The half points of both teams.
    pub fn half_points(&self) -> [u32; 2] {
        let mut points = [0, 0];
        for (number, game) in self.games.iter().enumerate() {
            let sides = game.end.as_ref().map_or([0, 0], |end| end.winner.half_points());
            for (side, half_points) in sides.into_iter().enumerate() {
                points[(side + number) % 2] += half_points;
            }
        }
        points
    }

    /// Who goes on in a knockout, 0 or 1; none while that is open.
    pub fn advances(&self) -> Option<usize> {
        let [a, b] = self.half_points();
        match (self.is_finished(), a.cmp(&b)) {
            (false, _) => None,
            (true, Ordering::Greater) => Some(0),
            (true, Ordering::Less) => Some(1),
            (true, Ordering::Equal) => self.decided,
        }
    }
}

/// A table of a round, or a team that rests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// Two teams play.
    Table(Pairing),
    /// A team has no opponent, and the points of won games.
    Bye(usize),
}

/// A round. In a knockout the entries stand in the order of the bracket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Its tables and byes.
    pub entries: Vec<Entry>,
}

impl Round {
    /// The tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Pairing> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Table(pairing) => Some(pairing),
            Entry::Bye(_) => None,
        })
    }

    pub(crate) fn table_mut(&mut self, table: usize) -> Option<&mut Pairing> {
        let tables = self.entries.iter_mut().filter_map(|entry| match entry {
            Entry::Table(pairing) => Some(pairing),
            Entry::Bye(_) => None,
        });
        tables.into_iter().nth(table)
    }

    /// The teams that rest.
    pub fn byes(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Table(_) => None,
            Entry::Bye(team) => Some(*team),
        })
    }

    /// Whether every game has a result, and in a knockout every table a winner.
    pub(crate) fn is_finished(&self, format: Format) -> bool {
        self.tables().all(|pairing| match format {
            Format::Knockout => pairing.advances().is_some(),
            _ => pairing.is_finished(),
        })
    }
}
