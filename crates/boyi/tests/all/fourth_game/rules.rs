//! The rules of Kalah, on boards of two rows: what would be
//! `crates/games/src/kalah/`.
//!
//! A player takes all seeds out of a pit of the own row and sows them one by one
//! to the right, into the own store and on along the other row. Whose last seed
//! falls into the own store moves again; whose last seed falls into an own empty
//! pit captures it with the seeds opposite. The game is over when a row is empty;
//! seeds that are left belong to their row's player, and more seeds win.

use std::fmt;
use std::str::FromStr;

use games::{Game, MoveList, Outcome, Player, Reason, SetupError, Symmetric, Text, TextError, mix};

/// The most pits in a row.
const MOST: usize = 6;

/// Pits in a row and seeds in each: `4x3`, which is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    pub pits: u8,
    pub seeds: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { pits: 4, seeds: 3 }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self == Setup::default() {
            true => Ok(()),
            false => write!(f, "{}x{}", self.pits, self.seeds),
        }
    }
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Setup, TextError> {
        let numbers = || {
            let (pits, seeds) = text.trim().split_once('x')?;
            Some(Setup { pits: pits.parse().ok()?, seeds: seeds.parse().ok()? })
        };
        match text.trim() {
            "" => Ok(Setup::default()),
            _ => numbers().ok_or_else(|| TextError::new(format!("'{text}' is not such as 4x3"))),
        }
    }
}

/// A pit of the mover's row, counted from 0 in the direction of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(pub u8);

impl From<Pit> for u16 {
    fn from(pit: Pit) -> u16 {
        pit.0.into()
    }
}

impl From<u16> for Pit {
    fn from(code: u16) -> Pit {
        Pit(code as u8)
    }
}

/// A position of Kalah.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kalah {
    /// Seeds by player and pit, each row in its player's direction of sowing.
    pits: [[u8; MOST]; 2],
    stores: [u8; 2],
    to_move: Player,
    setup: Setup,
}

impl Kalah {
    /// The seeds of a player's row.
    pub fn row(&self, player: Player) -> &[u8] {
        &self.pits[player as usize][..usize::from(self.setup.pits)]
    }

    /// The seeds in a player's store; at the end those of the row too.
    pub fn score(&self, player: Player) -> u8 {
        let store = self.stores[player as usize];
        store + if self.is_over() { self.row(player).iter().sum() } else { 0 }
    }

    fn is_over(&self) -> bool {
        Player::BOTH.iter().any(|&player| self.row(player).iter().all(|&seeds| seeds == 0))
    }
}

impl Game for Kalah {
    type Move = Pit;
    type Setup = Setup;

    fn start(setup: &Setup) -> Result<Kalah, SetupError> {
        let (pits, seeds) = (usize::from(setup.pits), setup.seeds);
        if !(2..=MOST).contains(&pits) || !(1..=6).contains(&seeds) {
            return Err(SetupError(format!("a row has 2 to {MOST} pits of 1 to 6 seeds")));
        }
        let mut row = [0; MOST];
        row[..pits].fill(seeds);
        Ok(Kalah { pits: [row; 2], stores: [0; 2], to_move: Player::First, setup: *setup })
    }

    fn setup(&self) -> Setup {
        self.setup
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut MoveList<Pit>) {
        if !self.is_over() {
            let pits = (0..).zip(self.row(self.to_move));
            out.extend(pits.filter(|(_, seeds)| **seeds > 0).map(|(pit, _)| Pit(pit)));
        }
    }

    fn play(&mut self, Pit(pit): Pit) {
        let (mover, width) = (self.to_move, usize::from(self.setup.pits));
        let own = mover as usize;
        let (mut side, mut at) = (own, usize::from(pit));
        let mut hand = std::mem::take(&mut self.pits[own][at]);
        let mut again = false;
        while hand > 0 {
            at += 1;
            if at < width {
                self.pits[side][at] += 1;
                hand -= 1;
            } else if at == width && side == own {
                self.stores[own] += 1;
                hand -= 1;
                again = hand == 0;
            } else {
                // Round the end, before the first pit of the other row.
                (side, at) = (1 - side, 0);
                self.pits[side][at] += 1;
                hand -= 1;
            }
        }
        let opposite = width.checked_sub(at + 1).map(|pit| (1 - own, pit));
        if let Some((other, across)) = opposite
            && (side == own && !again && self.pits[own][at] == 1)
            && self.pits[other][across] > 0
        {
            self.stores[own] += 1 + std::mem::take(&mut self.pits[other][across]);
            self.pits[own][at] = 0;
        }
        if !again {
            self.to_move = !mover;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::by_lead(self.lead(), Reason::NoMove))
    }

    fn key(&self) -> u64 {
        let rows = self.pits.iter().flatten().chain(&self.stores);
        rows.fold(self.to_move as u64, |key, &seeds| mix(key, seeds.into()))
    }

    fn move_codes(&self) -> usize {
        self.setup.pits.into()
    }

    fn lead(&self) -> i32 {
        i32::from(self.score(Player::First)) - i32::from(self.score(Player::Second))
    }
}

/// The board has no symmetries: sowing has a direction.
impl Symmetric for Kalah {
    fn symmetries(&self) -> usize {
        1
    }

    fn transform(&self, _: usize) -> Kalah {
        *self
    }

    fn transform_move(&self, _: usize, pit: Pit) -> Pit {
        pit
    }
}

impl Text for Kalah {
    const NAME: &'static str = "kalah";

    /// `3.3.3.3+0 0.4.4.4+0 second`: both rows with their stores, and who moves.
    fn position(&self) -> String {
        let row = |player: Player| {
            let pits: Vec<String> = self.row(player).iter().map(u8::to_string).collect();
            format!("{}+{}", pits.join("."), self.stores[player as usize])
        };
        let side = ["first", "second"][self.to_move as usize];
        format!("{} {} {side}", row(Player::First), row(Player::Second))
    }

    fn parse(setup: &Setup, text: &str) -> Result<Kalah, TextError> {
        let wrong = |what: &str| TextError::new(format!("'{text}': {what}"));
        let mut game = Kalah::start(setup)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let [first, second, side] = words[..] else {
            return Err(wrong("a position is two rows and who moves"));
        };
        for (own, word) in [first, second].into_iter().enumerate() {
            let (pits, store) = word.split_once('+').ok_or_else(|| wrong("no store"))?;
            let number = |text: &str| text.parse::<u8>().map_err(|_| wrong("not a number"));
            let pits = pits.split('.').map(number).collect::<Result<Vec<u8>, _>>()?;
            if pits.len() != usize::from(setup.pits) {
                return Err(wrong("another number of pits"));
            }
            game.pits[own][..pits.len()].copy_from_slice(&pits);
            game.stores[own] = number(store)?;
        }
        let seeds: u32 =
            game.pits.iter().flatten().chain(&game.stores).map(|&n| u32::from(n)).sum();
        if 2 * u32::from(setup.pits) * u32::from(setup.seeds) != seeds {
            return Err(wrong("another number of seeds"));
        }
        game.to_move = match side {
            "first" => Player::First,
            "second" => Player::Second,
            _ => return Err(wrong("first or second moves")),
        };
        Ok(game)
    }

    fn move_text(&self, pit: Pit) -> String {
        (pit.0 + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Pit, TextError> {
        let pit = text.parse::<u8>().ok().and_then(|pit| pit.checked_sub(1)).map(Pit);
        pit.filter(|&pit| self.is_legal(pit)).ok_or_else(|| {
            TextError::new(format!("'{text}' is not a pit with seeds, counted from 1"))
        })
    }

    fn render(&self, last: Option<Pit>) -> String {
        let cell = |seeds: &u8| format!("{seeds:3}");
        let upper: String = self.row(Player::Second).iter().rev().map(cell).collect();
        let lower: String = self.row(Player::First).iter().map(cell).collect();
        let last = last.map_or(String::new(), |pit| format!(" (last {})", self.move_text(pit)));
        format!(
            "{:2}{upper}\n{:w$}{:2}\n  {lower}\n{:?} to move{last}\n",
            self.stores[1],
            "",
            self.stores[0],
            self.to_move,
            w = upper.len() + 2
        )
    }
}
