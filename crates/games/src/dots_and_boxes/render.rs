//! The board for a terminal, in plain ASCII: the width of anything else is not
//! the same in every terminal.
//!
//! Undrawn edges show their numbers, so that a user can type a move. The last
//! edge is drawn with stars, and a closed box shows its owner.

use super::setup::letters;
use super::{DotsAndBoxes, Edge, Place};
use crate::{Game, Player};

/// The character in a closed box, by owner; `.` without an owner.
const OWNERS: [char; 2] = ['A', 'B'];

/// Several lines without a line break at the end.
pub(super) fn board(game: &DotsAndBoxes, last: Option<Edge>) -> String {
    let setup = game.setup();
    let (rows, columns) = (usize::from(setup.rows), usize::from(setup.columns));
    let state = |place| {
        let edge = setup.edge(place).expect("the place is on the board");
        match (game.is_legal(edge), last == Some(edge)) {
            (true, _) => Err(edge),
            (false, true) => Ok('*'),
            (false, false) => Ok(if matches!(place, Place::Horizontal(..)) { '-' } else { '|' }),
        }
    };
    // A cell is six characters wide; numbers of vertical edges are centred on
    // their dots, which is why a line begins two characters before the dot.
    let mut lines = Vec::new();
    for r in 0..=rows {
        let mut line = format!("{:>3}  ", rows + 1 - r);
        for c in 0..columns {
            line += "+";
            line += &match state(Place::Horizontal(r, c)) {
                Ok(stroke) => String::from(stroke).repeat(5),
                Err(edge) => format!("{:^5}", edge.0),
            };
        }
        lines.push(line + "+");
        if r == rows {
            break;
        }
        let mut line = "    ".to_string();
        for c in 0..=columns {
            line += &match state(Place::Vertical(r, c)) {
                Ok(stroke) => format!(" {stroke} "),
                Err(edge) => format!("{:^3}", edge.0),
            };
            if c < columns {
                line += &format!(" {} ", content(game, r * columns + c));
            }
        }
        lines.push(line.trim_end().to_string());
    }
    let dots: String = (0..=columns).map(|c| format!("{:<6}", letters(c))).collect();
    lines.push(format!("     {}", dots.trim_end()));
    let [first, second] = game.score();
    let status = match game.outcome() {
        Some(outcome) => outcome.to_string(),
        None if game.to_move() == Player::First => "first (A) to move".into(),
        None => "second (B) to move".into(),
    };
    lines.push(format!("A {first} : {second} B, {status}"));
    lines.join("\n")
}

fn content(game: &DotsAndBoxes, number: usize) -> char {
    match game.owner(number) {
        Some(player) => OWNERS[player as usize],
        None if game.open_sides(number) == 0 => '.',
        None => ' ',
    }
}
