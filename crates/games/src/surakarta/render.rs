//! The board for a terminal, arcs included.
//!
//! Plain ASCII, because box-drawing characters are two columns wide in many
//! Chinese terminals.

use super::geometry::{Point, SIDE};
use super::{Move, Surakarta, text};
use crate::{Game, Player};

/// `+` stands for the points in order.
const BOARD: &str = "\
.-------------.   .-------------.
| .-------.   |   |   .-------. |
| |   a   b   c   d   e   f   | |
| | 6 +---+---+---+---+---+ 6 | |
| |   |   |   |   |   |   |   | |
| '-5-+---+---+---+---+---+-5-' |
|     |   |   |   |   |   |     |
'---4-+---+---+---+---+---+-4---'
      |   |   |   |   |   |
.---3-+---+---+---+---+---+-3---.
|     |   |   |   |   |   |     |
| .-2-+---+---+---+---+---+-2-. |
| |   |   |   |   |   |   |   | |
| | 1 +---+---+---+---+---+ 1 | |
| |   a   b   c   d   e   f   | |
| '-------'   |   |   '-------' |
'-------------'   '-------------'
";

impl Surakarta {
    /// The name of the side to move.
    pub(super) fn mover(&self) -> &'static str {
        match self.to_move() {
            Player::First => "Black (b)",
            Player::Second => "White (w)",
        }
    }

    pub(super) fn drawing(&self, last: Option<Move>) -> String {
        let mut board: Vec<u8> = BOARD.bytes().collect();
        let places: Vec<usize> = (0..board.len()).filter(|&i| board[i] == b'+').collect();
        debug_assert_eq!(places.len(), SIDE * SIDE);
        for (point, &place) in Point::all().zip(&places) {
            if let Some(player) = self.at(point) {
                board[place] = text::letter(player).to_ascii_uppercase() as u8;
            }
        }
        if let Some(mv) = last {
            for (point, [open, close]) in [(mv.from, *b"()"), (mv.to, *b"[]")] {
                let place = places[point.index()];
                (board[place - 1], board[place + 1]) = (open, close);
            }
        }
        let state = match self.outcome() {
            Some(outcome) => format!("over: {outcome}"),
            None => format!("{} to move", self.mover()),
        };
        let [first, second] = self.boards().map(u64::count_ones);
        format!(
            "{}{state}; {first} black, {second} white; {} quiet plies\n",
            String::from_utf8_lossy(&board),
            self.quiet()
        )
    }
}
