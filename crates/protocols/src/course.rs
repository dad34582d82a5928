//! The board of the course's judge (Connect Four, Tsinghua and Saiblo), and the
//! judge's online form.
//!
//! The judge counts rows from the top and columns from the left, both from 0, and
//! shows the whole board each time: our stones are 2, the opponent's 1. A new
//! game is recognised from the board alone. Where the board continues the game we
//! know, the engine keeps its tree.
//!
//! The online form has frames instead of lines: in, four digits of length and a
//! JSON value; out, the length in four bytes, high byte first, and a JSON value
//! with a line end, which the length counts.

use std::io::BufRead;

use games::TextError;
use search::{Limits, SearchInfo};
use serde_json::Value;
use session::{GameSpec, Session, open};

use crate::{Action, ProtocolHandler, SearchRequest};

/// The course's game.
pub const GAME: &str = "connect-four";

/// A game as the judge shows it, whatever our side.
pub struct CourseBoard {
    session: Session,
    /// Where the game began, if not with an empty board.
    start: Option<String>,
    rows: usize,
    columns: usize,
    /// The hole's row from the top and its column.
    hole: Option<(usize, usize)>,
}

impl CourseBoard {
    /// An empty board; the hole by its row from the top and its column, none if
    /// it is not on the board.
    pub fn new(rows: i64, columns: i64, hole: (i64, i64)) -> Result<CourseBoard, TextError> {
        let wrong = || TextError::new(format!("no board has {rows} rows and {columns} columns"));
        let (rows, columns) = match (usize::try_from(rows), usize::try_from(columns)) {
            (Ok(rows), Ok(columns)) => (rows, columns),
            _ => return Err(wrong()),
        };
        let hole = match (usize::try_from(hole.0), usize::try_from(hole.1)) {
            (Ok(x), Ok(y)) if x < rows && y < columns => Some((x, y)),
            _ => None,
        };
        let mut line = format!("{GAME} {columns}x{rows}");
        if let Some((x, y)) = hole {
            line += &format!(" hole={},{}", y + 1, rows - x);
        }
        let game: GameSpec = line.parse()?;
        Ok(CourseBoard { session: open(&game), start: None, rows, columns, hole })
    }

    /// Whether this is a board of that shape.
    pub fn is_like(&self, other: &CourseBoard) -> bool {
        self.session.spec() == other.session.spec()
    }

    /// The game by our rules, with us to move after [`CourseBoard::see`].
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Cells in the judge's `board`.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Takes the board as the judge shows it: row by row from the top, 1 for the
    /// opponent's stones, 2 for ours; `last` is the column of the opponent's last
    /// stone, if there is one. The side to move is ours.
    pub fn see(&mut self, board: &[i64], last: Option<usize>) -> Result<(), TextError> {
        let shown = self.position(board)?;
        if let Some(column) = last.filter(|&column| column < self.columns) {
            let mut moves = self.session.moves();
            moves.push((column + 1).to_string());
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            if self.session.set(self.start.as_deref(), &moves).is_ok() {
                if self.session.position() == shown {
                    return Ok(());
                }
                self.session.undo();
            }
        }
        if self.session.position() == shown {
            return Ok(()); // asked twice
        }
        self.session.set(Some(&shown), &[])?;
        self.start = Some(shown);
        Ok(())
    }

    /// Whether the judge's board is this game after one more move of the
    /// opponent, or this game as it stands.
    pub fn continues(&self, board: &[i64], last: Option<usize>) -> bool {
        let Ok(shown) = self.position(board) else { return false };
        if self.session.position() == shown {
            return true;
        }
        let mut next = self.session.clone();
        last.is_some_and(|column| next.play(&format!("{},", column + 1)).is_ok())
            && next.position() == shown
    }

    /// The board in our text, the mover's stones being 2.
    fn position(&self, board: &[i64]) -> Result<String, TextError> {
        if board.len() < self.cells() {
            return Err(TextError::new("the board is too short"));
        }
        let count =
            |stone: i64| board[..self.cells()].iter().filter(|&&cell| cell == stone).count();
        // A side with as many stones as the other moved first.
        let (first, side) = if count(2) == count(1) { (2, 'x') } else { (1, 'o') };
        let mut text = String::new();
        for (x, row) in board[..self.cells()].chunks(self.columns).enumerate() {
            if x > 0 {
                text.push('/');
            }
            for (y, &cell) in row.iter().enumerate() {
                text.push(match cell {
                    _ if self.hole == Some((x, y)) => '#',
                    1 | 2 if cell == first => 'x',
                    1 | 2 => 'o',
                    _ => '.',
                });
            }
        }
        // Through a session, so that the form is the one that sessions print.
        let mut session = open(self.session.spec());
        session.set(Some(&format!("{text} {side}")), &[])?;
        Ok(session.position())
    }

    /// The search of this position.
    pub fn request(&self, limits: Limits) -> SearchRequest {
        SearchRequest {
            game: self.session.spec().clone(),
            start: self.start.clone(),
            moves: self.session.moves(),
            limits,
        }
    }

    /// Plays our move and says which column it is, counted from 0.
    pub fn play(&mut self, mv: &str) -> Option<usize> {
        let mut moves = self.session.moves();
        moves.push(mv.to_owned());
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.session.set(self.start.as_deref(), &moves).ok()?;
        let column = self.session.moves().last()?.chars().next()?.to_digit(36)?;
        Some(column as usize - 1)
    }
}

/// A legal column for boards that we can't make sense of: any that is not full.
pub fn any_column(top: &[i64]) -> Option<usize> {
    let middle = top.len() / 2;
    let mut columns: Vec<usize> = (0..top.len()).filter(|&column| top[column] > 0).collect();
    columns.sort_by_key(|column| column.abs_diff(middle));
    columns.first().copied()
}

/// Reads a frame: four digits of length, then so many bytes. What stands between
/// frames and is no digit is passed over. `None` at the end of the stream, or
/// when a frame is cut off.
pub fn next_frame(input: &mut impl BufRead) -> Option<String> {
    let mut digits = Vec::new();
    while digits.len() < 4 {
        let mut byte = [0];
        input.read_exact(&mut byte).ok()?;
        match byte[0] {
            digit @ b'0'..=b'9' => digits.push(digit),
            _ => digits.clear(),
        }
    }
    let length = digits.iter().fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'));
    let mut frame = vec![0; length];
    input.read_exact(&mut frame).ok()?;
    Some(String::from_utf8_lossy(&frame).into_owned())
}

/// The engine's side of the online judge.
pub struct Saiblo {
    board: Option<CourseBoard>,
    limits: Limits,
    top: Vec<i64>,
    seed: u64,
}

impl Saiblo {
    /// Speaks for an engine that thinks within these limits.
    pub fn new(limits: Limits, seed: u64) -> Saiblo {
        Saiblo { board: None, limits, top: Vec::new(), seed }
    }

    fn begin(&mut self, message: &Value) -> Option<Vec<Action>> {
        let number = |name| numbers(field(message, name)?).first().copied();
        let hole = (number("nox").unwrap_or(-1), number("noy").unwrap_or(-1));
        let board = CourseBoard::new(number("row")?, number("col")?, hole).ok()?;
        self.board = Some(board);
        Some(vec![Action::NewGame(self.seed)])
    }

    fn turn(&mut self, message: &Value) -> Option<Vec<Action>> {
        self.top = numbers(field(message, "top")?);
        let cells = numbers(field(message, "board")?);
        let last = field(message, "lasty").and_then(|last| numbers(last).first().copied());
        let last = last.and_then(|last| usize::try_from(last).ok());
        let limits = self.limits;
        let seen = self.board.as_mut().and_then(|board| {
            board.see(&cells, last).ok().filter(|()| board.session().outcome().is_none())?;
            Some(board.request(limits))
        });
        Some(match seen {
            Some(request) => vec![Action::Search(request)],
            None => vec![place(&self.top, any_column(&self.top)?)],
        })
    }
}

/// A field of the message, or of the first object in it that has one.
fn field<'a>(message: &'a Value, name: &str) -> Option<&'a Value> {
    let object = message.as_object()?;
    object.get(name).or_else(|| object.values().find_map(|inner| field(inner, name)))
}

/// Whole numbers, out of lists of lists too.
fn numbers(value: &Value) -> Vec<i64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => other.as_i64().into_iter().collect(),
    }
}

fn place(top: &[i64], column: usize) -> Action {
    let row = top.get(column).map_or(0, |top| top - 1);
    Action::Send(format!("{{\"X\":{row},\"Y\":{column}}}\n"))
}

impl ProtocolHandler for Saiblo {
    fn on_line(&mut self, frame: &str) -> Vec<Action> {
        let Ok(message) = serde_json::from_str::<Value>(frame) else {
            return vec![Action::Log("passed over: no JSON".to_owned())];
        };
        let actions = match field(&message, "type").and_then(Value::as_i64) {
            Some(0) => self.begin(&message),
            Some(1) => self.turn(&message),
            Some(2) => Some(vec![Action::Quit]),
            _ => None,
        };
        actions.unwrap_or_else(|| vec![Action::Log("passed over: not understood".to_owned())])
    }

    fn on_result(&mut self, info: &SearchInfo<String>) -> Vec<Action> {
        let column = self
            .board
            .as_mut()
            .and_then(|board| board.play(info.best.as_deref()?))
            .or_else(|| any_column(&self.top));
        column.map(|column| place(&self.top, column)).into_iter().collect()
    }

    fn takes_turns(&self) -> bool {
        true
    }

    fn frame(&self, said: &str) -> Vec<u8> {
        let mut bytes = (said.len() as u32).to_be_bytes().to_vec();
        bytes.extend_from_slice(said.as_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_turned_and_a_game_continues() {
        // 9 columns, 10 rows, the hole in the bottom row of the leftmost column.
        let mut board = CourseBoard::new(10, 9, (9, 0)).unwrap();
        assert_eq!(board.session().spec().to_string(), "connect-four 9x10 hole=1,1");
        let mut cells = vec![0; 90];
        board.see(&cells, None).unwrap();
        assert!(board.session().moves().is_empty());
        assert_eq!(board.play("1"), Some(0));
        cells[8 * 9] = 2; // above the hole
        cells[9 * 9 + 4] = 1;
        board.see(&cells, Some(4)).unwrap();
        assert_eq!(board.session().moves(), ["1", "5"], "the same game");
        // Another game, in which the opponent began.
        let mut cells = vec![0; 90];
        cells[9 * 9 + 3] = 1;
        board.see(&cells, Some(3)).unwrap();
        assert_eq!(board.session().to_move(), games::Player::Second);
        cells[0] = 1;
        assert!(board.see(&cells, Some(0)).is_err(), "a stone in the air");
        assert!(board.see(&[0; 3], None).is_err());
    }

    #[test]
    fn frames_come_out_of_a_stream() {
        let mut input: &[u8] = b"0002{}\n\n0007[1,2,3]00";
        assert_eq!(next_frame(&mut input).as_deref(), Some("{}"));
        assert_eq!(next_frame(&mut input).as_deref(), Some("[1,2,3]"));
        assert_eq!(next_frame(&mut input), None);
        let mut cut: &[u8] = b"9999{";
        assert_eq!(next_frame(&mut cut), None);
        assert_eq!(Saiblo::new(Limits::default(), 0).frame("{}\n"), b"\0\0\0\x03{}\n");
    }

    #[test]
    fn a_board_that_makes_no_sense_is_answered_all_the_same() {
        let mut handler = Saiblo::new(Limits::default(), 0);
        assert!(matches!(handler.on_line("nonsense")[..], [Action::Log(_)]));
        handler.on_line(r#"{"type": 0, "row": 9, "col": 9, "nox": 3, "noy": 3}"#);
        let actions = handler
            .on_line(r#"{"type": 1, "top": [0, 5, 0], "board": [1], "lastx": 0, "lasty": 0}"#);
        assert_eq!(actions, [Action::Send("{\"X\":4,\"Y\":1}\n".to_owned())]);
        assert_eq!(handler.on_line(r#"{"type": 2}"#), [Action::Quit]);
    }
}
