//! Positions and moves as text.
//!
//! A position is six rows from the top, `b`, `w` and `.` or digits for empty
//! points, then the side to move, then the plies since the last capture:
//! `bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0`. A move is `b2-c3`, a capture `b2xe5`.

use super::geometry::{NEIGHBOURS, Point, SIDE};
use super::{Move, Setup, Surakarta};
use crate::{Game, Player, Text, TextError};

/// The letter of a side in positions.
pub(super) fn letter(player: Player) -> char {
    match player {
        Player::First => 'b',
        Player::Second => 'w',
    }
}

/// The side with this letter, in either case.
fn side(letter: char) -> Option<Player> {
    match letter.to_ascii_lowercase() {
        'b' => Some(Player::First),
        'w' => Some(Player::Second),
        _ => None,
    }
}

/// Reads one row into the two boards.
fn read_row(row: usize, text: &str, boards: &mut [u64; 2]) -> Result<(), TextError> {
    let mut column = 0;
    for c in text.chars() {
        match (side(c), c) {
            (Some(player), _) if column < SIDE => {
                boards[player as usize] |= Point::at(row, column).bit();
                column += 1;
            }
            (Some(_), _) | (None, '.') => column += 1,
            (None, '1'..='6') => column += c as usize - '0' as usize,
            _ => {
                return Err(TextError::new(format!(
                    "'{c}' is none of b, w, '.' and the digits 1 to 6"
                )));
            }
        }
    }
    if column == SIDE {
        Ok(())
    } else {
        Err(TextError::new(format!("'{text}' has {column} points instead of {SIDE}")))
    }
}

impl Text for Surakarta {
    const NAME: &'static str = "surakarta";

    fn position(&self) -> String {
        let mut text = String::new();
        for row in 0..SIDE {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for column in 0..SIDE {
                match self.at(Point::at(row, column)) {
                    None => empty += 1,
                    Some(player) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(letter(player));
                    }
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
        }
        format!("{text} {} {}", letter(self.to_move()), self.quiet())
    }

    fn parse(setup: &Setup, text: &str) -> Result<Surakarta, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (rows, to_move, quiet) = match words[..] {
            [rows, to_move] => (rows, to_move, "0"),
            [rows, to_move, quiet] => (rows, to_move, quiet),
            _ => {
                return Err(TextError::new(format!(
                    "a position is rows, side and perhaps quiet plies, as in \
                     'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0'; this has {} words",
                    words.len()
                )));
            }
        };
        let count = rows.split('/').count();
        if count != SIDE {
            return Err(TextError::new(format!("{count} rows instead of {SIDE}")));
        }
        let mut boards = [0; 2];
        for (row, text) in rows.split('/').enumerate() {
            read_row(row, text, &mut boards)
                .map_err(|error| error.within(format_args!("row {} from the top", row + 1)))?;
        }
        let mut letters = to_move.chars();
        let (Some(to_move), None) = (letters.next().and_then(side), letters.next()) else {
            return Err(TextError::new(format!("'{to_move}' moves; the sides are b and w")));
        };
        let quiet = quiet.bytes().all(|c| c.is_ascii_digit()).then(|| quiet.parse().ok());
        let Some(Some(quiet)) = quiet else {
            return Err(TextError::new(format!(
                "'{}' quiet plies; they are a number from 0 to {}",
                words[2],
                u16::MAX
            )));
        };
        Ok(Surakarta::from_boards(boards[0], boards[1], to_move, setup)?.with_quiet(quiet))
    }

    fn move_text(&self, mv: Move) -> String {
        let sign = if self.is_capture(mv) { 'x' } else { '-' };
        format!("{}{sign}{}", mv.from, mv.to)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let (from, sign, to) = split(text)?;
        let mv = Move { from: Point::parse(from)?, to: Point::parse(to)? };
        let wrong = |what: String| Err(TextError::new(what));
        if let Some(outcome) = self.outcome() {
            return wrong(format!("the game is over: {outcome}"));
        }
        match self.at(mv.from) {
            None => return wrong(format!("{from} is empty")),
            Some(player) if player != self.to_move() => {
                return wrong(format!("{from} is not your piece: {} moves", self.mover()));
            }
            Some(_) => {}
        }
        match self.at(mv.to) {
            Some(player) if player == self.to_move() => wrong(format!("{to} is your own piece")),
            Some(_) if sign == Some('-') => {
                wrong(format!("{to} is an enemy piece: a capture is written {from}x{to}"))
            }
            Some(_) if !self.is_legal(mv) => {
                wrong(format!("no path over an arc from {from} to {to}"))
            }
            None if sign == Some('x') => {
                wrong(format!("nothing to capture on {to}: a step is written {from}-{to}"))
            }
            None if NEIGHBOURS[mv.from.index()] & mv.to.bit() == 0 => {
                wrong(format!("{to} is no neighbour of {from}"))
            }
            _ => Ok(mv),
        }
    }

    fn render(&self, last: Option<Move>) -> String {
        self.drawing(last)
    }
}

/// A move's two points and the sign between them, if there is one.
fn split(text: &str) -> Result<(&str, Option<char>, &str), TextError> {
    let parts = match text.len() {
        4 => text.split_at_checked(2).map(|(from, to)| (from, None, to)),
        5 => match (text.get(..2), text.as_bytes()[2], text.get(3..)) {
            (Some(from), sign @ (b'-' | b'x' | b'X'), Some(to)) => {
                Some((from, Some(sign.to_ascii_lowercase().into()), to))
            }
            _ => None,
        },
        _ => None,
    };
    parts.ok_or_else(|| {
        TextError::new(format!("'{text}' is not a move; a step is written b2-c3, a capture b2xe5"))
    })
}
