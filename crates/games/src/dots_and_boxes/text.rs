//! Positions and moves as text.
//!
//! A position is `EDGES SIDE FIRST SECOND`: the drawn edges as a hexadecimal
//! mask with bit `i` for edge `i`, `first` or `second` to move, and the boxes
//! each of them owns as masks with bit `row * columns + column`. The boxes may
//! be left out (then none has an owner), and the side too (then First moves).

use super::{DotsAndBoxes, Edge, Setup};
use crate::{Game, Player, Text, TextError};

impl Text for DotsAndBoxes {
    const NAME: &'static str = "dots-and-boxes";

    fn position(&self) -> String {
        let side = match self.to_move {
            Player::First => "first",
            Player::Second => "second",
        };
        format!("{:x} {side} {:x} {:x}", self.drawn, self.owned[0], self.owned[1])
    }

    fn parse(setup: &Setup, text: &str) -> Result<DotsAndBoxes, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (edges, side, boxes) = match words[..] {
            [edges] => (edges, "first", ["0"; 2]),
            [edges, side] => (edges, side, ["0"; 2]),
            [edges, side, first, second] => (edges, side, [first, second]),
            _ => {
                return Err(TextError::new(format!(
                    "a position has 1, 2 or 4 parts, not {}: the drawn edges as a hexadecimal mask, \
                     then the side to move, then the boxes of First and of Second, \
                     such as '1f first' or '0 first 0 0'",
                    words.len()
                )));
            }
        };
        let drawn = hexadecimal(edges, "the drawn edges")?;
        let to_move = match side.to_ascii_lowercase().as_str() {
            "first" => Player::First,
            "second" => Player::Second,
            _ => {
                return Err(TextError::new(format!(
                    "'{side}' is not a side to move: write first or second"
                )));
            }
        };
        let mut owned = [0; 2];
        for (owned, (word, what)) in
            owned.iter_mut().zip(boxes.into_iter().zip(["First's boxes", "Second's boxes"]))
        {
            *owned = u64::try_from(hexadecimal(word, what)?).map_err(|_| {
                TextError::new(format!("{what} '{word}': more boxes than any board has"))
            })?;
        }
        DotsAndBoxes::from_parts(setup, drawn, to_move, owned)
            .map_err(|error| TextError::new(error.to_string()))
    }

    fn move_text(&self, edge: Edge) -> String {
        edge.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Edge, TextError> {
        let word = text.trim();
        let last = self.geometry.edges - 1;
        let number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let edge = if number {
            word.parse().ok().map(Edge).filter(|edge| edge.index() <= last)
        } else {
            self.edge_by_name(word)
        };
        let Some(edge) = edge else {
            return Err(TextError::new(format!(
                "'{word}' is not an edge of this board: edges are numbers from 0 to {last} or names \
                 from a1h to {}",
                self.edge_name(Edge(self.setup().columns - 1))
                    .expect("the last edge of the top row"),
            )));
        };
        if !self.is_legal(edge) {
            return Err(TextError::new(format!("edge {word} is already drawn")));
        }
        Ok(edge)
    }

    fn render(&self, last: Option<Edge>) -> String {
        super::render::board(self, last)
    }
}

/// A hexadecimal mask, with or without `0x`.
fn hexadecimal(word: &str, what: &str) -> Result<u128, TextError> {
    let digits = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(TextError::new(format!("{what} '{word}': not a hexadecimal mask such as 1f")));
    }
    u128::from_str_radix(digits, 16)
        .map_err(|_| TextError::new(format!("{what} '{word}': more bits than any board needs")))
}
