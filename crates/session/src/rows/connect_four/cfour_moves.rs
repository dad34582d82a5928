//! Connect Four in the words of chess: a move is a pawn dropped on a square,
//! `P@d1`, and a position is a FEN with pawns, `P` for First and `p` for Second.
//! That is how cutechess and Fairy-Stockfish have their variant `cfour`.

use games::connect_four::{ConnectFour, U192};
use games::{Game, Text, TextError};

use crate::Session;

/// The column of a drop in its short form. The rank is not looked at: a stone
/// falls where it falls.
pub fn read_move(word: &str) -> Result<String, TextError> {
    let square = word.strip_prefix("P@").or_else(|| word.strip_prefix("p@")).unwrap_or(word);
    let mut letters = square.chars();
    let (file, rank) = (letters.next().map(|c| c.to_ascii_lowercase()), letters.as_str());
    match file {
        Some(file @ 'a'..='l') if rank.bytes().all(|c| c.is_ascii_digit()) => {
            Ok((file as u32 - 'a' as u32 + 1).to_string())
        }
        _ => Err(TextError::new(format!("'{word}' is not a drop such as P@d1"))),
    }
}

/// The drop for a column's short form, after `line` from where the session
/// stands. A column that can't be read comes back as it is.
pub fn write_move(session: &Session, line: &[String], mv: &str) -> String {
    drop_after(session, line, mv).unwrap_or_else(|| mv.to_owned())
}

fn drop_after(session: &Session, line: &[String], mv: &str) -> Option<String> {
    let setup = session.spec().setup::<ConnectFour<U192>>()?;
    let mut game = ConnectFour::<U192>::parse(&setup, &session.position()).ok()?;
    for mv in line {
        let Ok(mv) = game.parse_move(mv) else { break };
        game.play(mv);
    }
    let column = game.parse_move(mv).ok()?;
    Some(format!("P@{}{}", char::from(b'a' + column.0), game.height(column) + 1))
}

/// A FEN with pawns as our form of a position.
pub fn read_position(fen: &str) -> Result<String, TextError> {
    let mut words = fen.split_whitespace();
    let rows = words.next().unwrap_or_default();
    let rows = rows.split('[').next().unwrap_or_default();
    let rows: String = rows
        .chars()
        .map(|c| match c {
            'P' => 'x',
            'p' => 'o',
            c => c,
        })
        .collect();
    let side = match words.next() {
        Some("w") => 'x',
        Some("b") => 'o',
        _ => return Err(TextError::new("after the rows comes who moves: w or b")),
    };
    Ok(format!("{rows} {side}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;

    #[test]
    fn drops_and_columns() {
        let mut session = open(&"connect-four 9x6 hole=2,2".parse().unwrap());
        session.play("122").unwrap();
        assert_eq!(write_move(&session, &[], "1"), "P@a2");
        assert_eq!(write_move(&session, &[], "2"), "P@b4", "over the hole");
        assert_eq!(write_move(&session, &["1".into()], "1"), "P@a3");
        let columns = ["P@d1", "p@l12", "a3"].map(|word| read_move(word).unwrap());
        assert_eq!(columns, ["4", "12", "1"]);
        assert!(read_move("P@z1").is_err() && read_move("P@").is_err());
        let fen = "7/7/7/7/7/3Pp2[PPp] w - - 0 1";
        assert_eq!(read_position(fen).unwrap(), "7/7/7/7/7/3xo2 x");
    }
}
