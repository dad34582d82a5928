//! Small games that show what a search gets wrong: random trees where players
//! move several times in a row, a race with known distances, and a walk that
//! goes round in circles.

use std::fmt;
use std::str::FromStr;

use games::{Game, MoveList, Outcome, Player, Reason, SetupError, TextError, mix};
use search::SearchHints;

/// The setup of every toy: a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Number(pub u64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Number {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Number, TextError> {
        text.parse().map(Number).map_err(|_| TextError::new("a number, please"))
    }
}

/// A tree that a hash grows: 2 to 6 moves, a third of them keep the turn, a few
/// end the game. Positions of a ply meet again, as transpositions do. It ends
/// after 12 plies at the latest; from seed [`ENDLESS`] on after 60 and not
/// before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thicket {
    seed: u64,
    ply: u64,
    place: u64,
    mover: Player,
}

/// From this seed on no search sees the end of a thicket.
pub const ENDLESS: u64 = 1000;

impl Thicket {
    fn hash(&self, salt: u64) -> u64 {
        mix(mix(self.seed, self.ply), mix(self.place * 2 + self.mover as u64, salt))
    }
}

impl Game for Thicket {
    type Move = u16;
    type Setup = Number;

    fn start(setup: &Number) -> Result<Thicket, SetupError> {
        Ok(Thicket { seed: setup.0, ply: 0, place: 0, mover: Player::First })
    }

    fn setup(&self) -> Number {
        Number(self.seed)
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn moves(&self, out: &mut MoveList<u16>) {
        if self.outcome().is_none() {
            out.extend(0..2 + (self.hash(1) % 5) as u16);
        }
    }

    fn play(&mut self, mv: u16) {
        let fate = self.hash(100 + u64::from(mv));
        self.mover = if fate.is_multiple_of(3) { self.mover } else { !self.mover };
        self.place = (fate >> 32) % if self.seed < ENDLESS { 200 } else { 1 << 30 };
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let fate = self.hash(2) % 60;
        let over = if self.seed < ENDLESS {
            self.ply > 0 && (fate < 3 || self.ply >= 12)
        } else {
            self.ply >= 60
        };
        over.then(|| Outcome::by_lead(fate as i32 % 3 - 1, Reason::Adjudicated))
    }

    fn key(&self) -> u64 {
        self.hash(3)
    }

    fn move_codes(&self) -> usize {
        6
    }

    fn lead(&self) -> i32 {
        0
    }
}

impl SearchHints for Thicket {
    fn noisy_moves(&self, out: &mut MoveList<u16>) {
        if self.outcome().is_none() {
            out.push(1);
        }
    }
}

/// Take one, two or three of a heap; who takes the last wins. The mover loses
/// exactly when four divides the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    pub left: u16,
    pub mover: Player,
}

impl Game for Heap {
    type Move = u16;
    type Setup = Number;

    fn start(setup: &Number) -> Result<Heap, SetupError> {
        Ok(Heap { left: setup.0 as u16, mover: Player::First })
    }

    fn setup(&self) -> Number {
        Number(0)
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn moves(&self, out: &mut MoveList<u16>) {
        out.extend(1..=self.left.min(3));
    }

    fn play(&mut self, mv: u16) {
        self.left -= mv;
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::win(!self.mover, Reason::NoMove))
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.left), self.mover as u64)
    }

    fn move_codes(&self) -> usize {
        4
    }

    fn lead(&self) -> i32 {
        0
    }
}

impl SearchHints for Heap {
    fn forced_move(&self) -> Option<u16> {
        (1..=3).contains(&self.left).then_some(self.left)
    }
}

/// Two rooms and a corridor. In a room one may go to the other room (move 0) or
/// into the corridor (move 1), which leads on, one way, to a draw after twenty
/// steps. Standing in a room for the third time ends the game: the setup says
/// for whom (0 draw, 1 First, 2 Second).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rooms {
    pub at: u16,
    pub mover: Player,
    pub rule: u64,
}

/// Where the corridor begins and ends.
pub const CORRIDOR: u16 = 2;
const EXIT: u16 = 22;

impl Game for Rooms {
    type Move = u16;
    type Setup = Number;

    fn start(setup: &Number) -> Result<Rooms, SetupError> {
        Ok(Rooms { at: 0, mover: Player::First, rule: setup.0 })
    }

    fn setup(&self) -> Number {
        Number(self.rule)
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn moves(&self, out: &mut MoveList<u16>) {
        match self.at {
            0 | 1 => out.extend([0, 1]),
            EXIT => {}
            _ => out.push(0),
        }
    }

    fn play(&mut self, mv: u16) {
        self.at = match (self.at, mv) {
            (room @ 0..CORRIDOR, 0) => 1 - room,
            (0..CORRIDOR, _) => CORRIDOR,
            (at, _) => at + 1,
        };
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at == EXIT).then(|| Outcome::draw(Reason::MoveCap))
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.at), self.mover as u64)
    }

    fn move_codes(&self) -> usize {
        2
    }

    fn lead(&self) -> i32 {
        0
    }

    fn history_outcome(&self, _plies: u32, occurrences: u32) -> Option<Outcome> {
        let winner = match self.rule {
            0 => None,
            1 => Some(Player::First),
            _ => Some(Player::Second),
        };
        (occurrences >= 3).then_some(Outcome { winner, reason: Reason::Repetition })
    }
}

impl SearchHints for Rooms {}
