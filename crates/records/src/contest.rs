//! Surakarta contests: `B2C-3C` is Black from row 2, column C to row 3, column C;
//! `R5Bx2E` is Red with a capture. Rows count from the top, from 1 in one contest
//! program and from 0 in another. One writes a header: `#time|place`, then the
//! start board as six lines such as `!BBBBBB`, with `0` for an empty point.

use games::{Player, TextError};
use session::{GameSpec, Session};

use crate::{Format, GameRecord, game_of, unfit};

/// The game whose contests write this.
const GAME: &str = "surakarta";

/// A move with its rows and columns as written.
struct Written {
    player: Player,
    rows: [u8; 2],
    columns: [u8; 2],
    capture: bool,
}

fn read_move(word: &str) -> Option<Written> {
    let &[colour, row, column, sign, to_row, to_column] = word.as_bytes() else { return None };
    let player = match colour.to_ascii_uppercase() {
        b'B' => Player::First,
        b'R' | b'W' => Player::Second,
        _ => return None,
    };
    let capture = match sign.to_ascii_lowercase() {
        b'-' => false,
        b'x' => true,
        _ => return None,
    };
    let digit = |byte: u8| (b'0'..=b'6').contains(&byte).then(|| byte - b'0');
    let letter = |byte: u8| {
        let byte = byte.to_ascii_lowercase();
        (b'a'..=b'f').contains(&byte).then(|| byte - b'a')
    };
    Some(Written {
        player,
        rows: [digit(row)?, digit(to_row)?],
        columns: [letter(column)?, letter(to_column)?],
        capture,
    })
}

pub fn looks_like(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| read_move(word).is_some())
}

impl Written {
    /// The short form, if rows are counted from `base` at the top.
    fn short(&self, base: u8) -> Option<String> {
        let point = |i: usize| {
            let row = self.rows[i].checked_sub(base).filter(|&row| row < 6)?;
            Some(format!("{}{}", char::from(b'a' + self.columns[i]), 6 - row))
        };
        let sign = if self.capture { 'x' } else { '-' };
        Some(format!("{}{sign}{}", point(0)?, point(1)?))
    }
}

pub fn read(text: &str, game: Option<&GameSpec>) -> Result<GameRecord, TextError> {
    let mut record = GameRecord::new(game_of(game, GAME)?);
    let mut board = Vec::new();
    let mut written = Vec::new();
    for (i, line) in text.lines().map(str::trim).enumerate() {
        if let Some(header) = line.strip_prefix('#') {
            let (date, place) = header.split_once('|').unwrap_or((header, ""));
            let bare = |text: &str| {
                let text = text.trim().trim_matches(['<', '>']).trim().to_owned();
                Some(text).filter(|text| !text.is_empty())
            };
            (record.date, record.event) = (bare(date), bare(place));
        } else if let Some(row) = line.strip_prefix('!') {
            board.push(row.trim().to_owned());
        } else {
            for word in line.split_whitespace() {
                written.push(read_move(word).ok_or_else(|| {
                    TextError::new(format!(
                        "line {}: '{word}' is not a move such as B2C-3C or R5Bx2E",
                        i + 1
                    ))
                })?);
            }
        }
    }
    let first = written.first().map_or(Player::First, |mv| mv.player);
    record.start = start(&board, first)?;

    // A row 0 tells that rows count from 0, a row 6 that they count from 1.
    // Without either, whichever can be played; 1 if both or none can.
    let has = |row: u8| written.iter().any(|mv| mv.rows.contains(&row));
    if has(0) && has(6) {
        return Err(TextError::new("a row 0 and a row 6: rows are 1 to 6, or 0 to 5"));
    }
    let under = |base: u8| {
        let moves = written.iter().map(|mv| Some((Some(mv.player), mv.short(base)?)));
        let moves = moves.collect::<Option<Vec<_>>>()?;
        Some(GameRecord { moves, ..record.clone() })
    };
    let playable = |record: &GameRecord| record.replay(None).is_ok();
    let wrong = || TextError::new("a row is not on the board");
    match (has(0), has(6)) {
        (true, _) => under(0).ok_or_else(wrong),
        (_, true) => under(1).ok_or_else(wrong),
        _ => {
            let from_one = under(1).ok_or_else(wrong)?;
            match under(0).filter(|from_zero| !playable(&from_one) && playable(from_zero)) {
                Some(from_zero) => Ok(from_zero),
                None => Ok(from_one),
            }
        }
    }
}

/// The start position, if it is not the usual one.
fn start(board: &[String], first: Player) -> Result<Option<String>, TextError> {
    const USUAL: [&str; 6] = ["BBBBBB", "BBBBBB", "000000", "000000", "RRRRRR", "RRRRRR"];
    if (board.is_empty() || board == USUAL) && first == Player::First {
        return Ok(None);
    }
    if !board.is_empty() && board.len() != 6 {
        return Err(TextError::new(format!("the board has {} rows instead of 6", board.len())));
    }
    let rows: Vec<String> = match board {
        [] => USUAL.map(str::to_owned).to_vec(),
        board => board.to_vec(),
    };
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            row.chars()
                .map(|c| match c.to_ascii_uppercase() {
                    'B' => 'b',
                    'R' | 'W' => 'w',
                    '0' | '.' => '.',
                    other => other,
                })
                .collect()
        })
        .collect();
    let side = if first == Player::First { 'b' } else { 'w' };
    Ok(Some(format!("{} {side}", rows.join("/"))))
}

/// Rows from 1, with the header.
pub fn write(record: &GameRecord, session: &Session) -> Result<String, TextError> {
    if record.game.name() != GAME {
        return Err(unfit(Format::Contest, &record.game));
    }
    let date = record.date.as_deref().unwrap_or("0000-00-00 00:00:00");
    let mut text = format!("#{date}|{}\n", record.event.as_deref().unwrap_or_default());
    for row in session.start().split(' ').next().unwrap_or_default().split('/') {
        text.push('!');
        for c in row.chars() {
            match c {
                'b' => text.push('B'),
                'w' => text.push('R'),
                digit => text += &"0".repeat(digit.to_digit(10).unwrap_or(1) as usize),
            }
        }
        text.push('\n');
    }
    let mut player = match session.start().contains(" w") {
        true => Player::Second,
        false => Player::First,
    };
    for mv in session.moves() {
        let bytes = mv.as_bytes();
        let colour = if player == Player::First { 'B' } else { 'R' };
        let point = |at: usize| {
            let row = char::from(b'1' + (b'6' - bytes[at + 1]));
            [row, char::from(bytes[at].to_ascii_uppercase())].into_iter().collect::<String>()
        };
        text += &format!("{colour}{}{}{}\n", point(0), char::from(bytes[2]), point(3));
        player = !player;
    }
    Ok(text)
}
