//! Boards and column strings.
//!
//! A position is written as its rows from the top, `x` for First's stones, `o`
//! for Second's, a number for that many empty cells, `#` for the hole, and then
//! the side to move: `7/7/7/7/3o3/3x3 x`. A text without `/` is a column string,
//! the moves of a game from the start: `44`.
//!
//! In a column string each character is a move, `1` to `9` and then `a`, `b`,
//! `c`. If there is a comma or white space inside, the moves are what stands
//! between, numbers or letters: `4,11,3` is `4b3`.

use super::{Cell, Column, ConnectFour, State, Word};
use crate::{Game, Player, Text, TextError};

/// The characters of the columns, from the left.
const NAMES: &[u8; 12] = b"123456789abc";

/// The sign of a player's stones.
fn sign(player: Player) -> char {
    match player {
        Player::First => 'x',
        Player::Second => 'o',
    }
}

/// A column counted from 0 as a move is written, in a string or alone. People read
/// numbers.
fn name(column: u8) -> char {
    NAMES[usize::from(column)].into()
}

/// A column counted from 0, of a board with this many, from a number or letter.
fn column(text: &str, columns: u8) -> Result<u8, TextError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = match text.as_bytes() {
        &[letter] if !digits => NAMES.iter().position(|&name| name == letter.to_ascii_lowercase()),
        _ if digits => text.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
        _ => None,
    };
    match number {
        Some(number) if number < columns.into() => Ok(number as u8),
        _ => {
            let letters = if columns > 9 { ", with a for 10, b for 11, c for 12" } else { "" };
            Err(TextError::new(format!(
                "'{text}' is not a column of this board: they are 1 to {columns}{letters}"
            )))
        }
    }
}

impl<W: Word> Text for ConnectFour<W> {
    const NAME: &'static str = "connect-four";

    fn position(&self) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let mut empty = 0;
            for column in 0..=self.columns {
                let cell = (column < self.columns).then(|| self.cell(column, row));
                if cell == Some(Cell::Empty) {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.push(match cell {
                    Some(Cell::Stone(player)) => sign(player),
                    Some(_) => '#',
                    None if row > 0 => '/',
                    None => ' ',
                });
            }
        }
        text.push(sign(self.to_move()));
        text
    }

    fn parse(setup: &Self::Setup, text: &str) -> Result<ConnectFour<W>, TextError> {
        let start = ConnectFour::start(setup)?;
        if text.contains('/') {
            return start.read_board(text);
        }
        let mut game = start;
        for (i, word) in Self::split_moves(text).into_iter().enumerate() {
            let place = || format!("move {} ('{word}')", i + 1);
            game.play(game.parse_move(word).map_err(|error| error.within(place()))?);
        }
        Ok(game)
    }

    fn move_text(&self, Column(column): Column) -> String {
        name(column).into()
    }

    /// A number or a letter; `11` is column 11 here, two moves in a string.
    fn parse_move(&self, text: &str) -> Result<Column, TextError> {
        let column = column(text.trim(), self.columns)?;
        if let Some(outcome) = self.outcome() {
            return Err(TextError::new(format!("the game is over: {outcome}")));
        }
        if !self.is_legal(Column(column)) {
            let open: String = (0..self.columns)
                .filter(|&column| self.is_legal(Column(column)))
                .map(|column| format!(" {}", column + 1))
                .collect();
            return Err(TextError::new(format!(
                "column {} is full: still open are{open}",
                column + 1
            )));
        }
        Ok(Column(column))
    }

    /// One character a move, unless a comma or white space stands between them.
    fn split_moves(text: &str) -> Vec<&str> {
        let text = text.trim();
        let apart = |c: char| c.is_whitespace() || c == ',';
        if text.contains(apart) {
            text.split(apart).filter(|word| !word.is_empty()).collect()
        } else {
            text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]).collect()
        }
    }

    /// Without separators if each is one character; otherwise a comma ends each,
    /// so that even `11,` alone is one move.
    fn join_moves(moves: &[String]) -> String {
        if moves.iter().all(|text| text.chars().count() == 1) {
            moves.concat()
        } else {
            moves.iter().map(|text| format!("{text},")).collect()
        }
    }

    fn render(&self, last: Option<Column>) -> String {
        let marked = last.and_then(|Column(column)| {
            let stone = |&row: &u8| matches!(self.cell(column, row), Cell::Stone(_));
            (0..self.rows).rev().find(stone).map(|row| (column, row))
        });
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            text += &format!("{:>2} ", row + 1);
            for column in 0..self.columns {
                let cell = match self.cell(column, row) {
                    Cell::Stone(player) => sign(player),
                    Cell::Hole => '#',
                    Cell::Empty => '.',
                };
                text += &match marked == Some((column, row)) {
                    true => format!("({cell})"),
                    false => format!(" {cell} "),
                };
            }
            text = text.trim_end().to_string() + "\n";
        }
        text += "  ";
        (0..self.columns).for_each(|column| text += &format!("{:>3}", column + 1));
        let mover = match self.to_move() {
            Player::First => "first",
            Player::Second => "second",
        };
        text + &match self.outcome() {
            Some(outcome) => format!("\n{outcome}\n"),
            None => format!("\n{mover} ({}) to move\n", sign(self.to_move())),
        }
    }
}

impl<W: Word> ConnectFour<W> {
    /// Fills this empty board from rows and a side to move, and checks gravity,
    /// the counts of stones and that the last move could have ended the game.
    fn read_board(mut self, text: &str) -> Result<ConnectFour<W>, TextError> {
        let (board, side) = text.trim().rsplit_once(char::is_whitespace).ok_or_else(|| {
            TextError::new("the side to move is missing: write x or o after the rows")
        })?;
        let rows: Vec<&str> = board.trim().split('/').collect();
        if rows.len() != self.rows.into() {
            return Err(TextError::new(format!(
                "there are {} rows, but the board has {}",
                rows.len(),
                self.rows
            )));
        }
        for (row, line) in (0..self.rows).rev().zip(rows) {
            self.read_row(row, line)
                .map_err(|error| error.within(format!("row {} ('{line}')", row + 1)))?;
        }
        self.settle();
        self.check_gravity()?;
        self.check_counts(side)?;
        self.check_win()?;
        Ok(self)
    }

    fn read_row(&mut self, row: u8, line: &str) -> Result<(), TextError> {
        let wide = || TextError::new(format!("more than the {} cells of a row", self.columns));
        let mut column = 0;
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            let mut run = 1;
            if let Some(digit) = c.to_digit(10) {
                run = digit;
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                    run = run.saturating_mul(10).saturating_add(digit);
                    rest.next();
                }
            }
            if run == 0 {
                return Err(TextError::new("0 is not a number of empty cells: write 1 or more"));
            }
            if run > u32::from(self.columns - column) {
                return Err(wide());
            }
            let place = format!("column {}", column + 1);
            let on_hole = self.cell(column, row) == Cell::Hole;
            let player = match c {
                'x' | 'X' => Some(Player::First),
                'o' | 'O' => Some(Player::Second),
                '0'..='9' | '.' => None,
                '#' if on_hole => None,
                '#' => return Err(TextError::new("the hole is not here").within(place)),
                _ => {
                    return Err(TextError::new(format!(
                        "'{c}' is not a cell: write x, o, . or a number of empty cells"
                    ))
                    .within(place));
                }
            };
            if let Some(player) = player {
                if on_hole {
                    return Err(TextError::new("no stone can lie in the hole").within(place));
                }
                let bit = self.bit(column, row);
                self.stones[player as usize] = self.stones[player as usize] | bit;
            }
            column += run as u8;
        }
        if column < self.columns {
            return Err(TextError::new(format!(
                "{column} cells, but the board has {} columns",
                self.columns
            )));
        }
        Ok(())
    }

    fn check_gravity(&self) -> Result<(), TextError> {
        for column in 0..self.columns {
            let height = self.height(Column(column));
            let stone = |&row: &u8| matches!(self.cell(column, row), Cell::Stone(_));
            if let Some(row) = (height..self.rows).find(stone) {
                return Err(TextError::new(format!(
                    "column {}: the stone in row {} hangs in the air above the empty row {}",
                    column + 1,
                    row + 1,
                    height + 1
                )));
            }
        }
        Ok(())
    }

    fn check_counts(&self, side: &str) -> Result<(), TextError> {
        let mover = match side {
            "x" | "X" => Player::First,
            "o" | "O" => Player::Second,
            _ => {
                return Err(TextError::new(format!(
                    "'{side}' is not a side to move: write x or o"
                )));
            }
        };
        let [x, o] = self.stones.map(W::count);
        if x != o + mover as u32 {
            let right = if mover == Player::First { "as many of each" } else { "one x more" };
            return Err(TextError::new(format!(
                "{x} stones x and {o} stones o: with {} to move there must be {right}",
                sign(mover)
            )));
        }
        Ok(())
    }

    /// A four ends the game, so it must be the last stone's work.
    fn check_win(&self) -> Result<(), TextError> {
        let State::Won(winner) = self.state else { return Ok(()) };
        let stride = self.stride();
        if self.stones(!winner).has_four(stride) {
            return Err(TextError::new("both sides have four in a row; only one can"));
        }
        if winner == self.to_move() {
            return Err(TextError::new(format!(
                "{} has four in a row and is to move: the game ended a move earlier",
                sign(winner)
            )));
        }
        let own = self.stones(winner);
        let last = |column: u8| {
            let mut rows = (0..self.height(Column(column))).rev();
            let top = rows.find(|&row| self.cell(column, row) != Cell::Hole);
            let stone = top.map_or(W::default(), |row| self.bit(column, row) & own);
            !stone.is_empty() && !(own ^ stone).has_four(stride)
        };
        if !(0..self.columns).any(last) {
            return Err(TextError::new(format!(
                "no last move of {} completes all its fours: the game ended earlier",
                sign(winner)
            )));
        }
        Ok(())
    }
}
