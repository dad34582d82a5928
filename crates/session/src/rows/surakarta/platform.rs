//! Surakarta on the contest platform: `ABBC` goes from column A, row B to column
//! B, row C, rows counted from the top. Letters may be small. The platform allows
//! captures from the corners, and does not count a stalled game.

use games::surakarta::{Move, Point, Surakarta};
use games::{Game, Player, Text};

use crate::GameSpec;
use crate::platform::{PlatformBoard, PlatformForm, Received};

/// How the platform has it.
pub const FORM: PlatformForm = PlatformForm {
    example: "ABBC",
    has: |_| true,
    read_turn: |_, text| read_move(text).map(|mv| vec![format!("{}{}", mv.from, mv.to)]),
    write_turn,
    receive,
    resume,
};

/// A move as the platform writes it.
pub fn write_move(mv: Move) -> String {
    let letter = |index: usize| char::from(b'A' + index as u8);
    [mv.from.column(), mv.from.row(), mv.to.column(), mv.to.row()].map(letter).iter().collect()
}

/// Reads a move; it need not be legal anywhere.
pub fn read_move(text: &str) -> Option<Move> {
    let word = text.split_whitespace().next()?;
    let [a, b, c, d] = *word.as_bytes() else { return None };
    let index = |letter: u8| usize::from(letter.to_ascii_uppercase().wrapping_sub(b'A'));
    let [from_column, from_row, to_column, to_row] = [a, b, c, d].map(index);
    let point = |row: usize, column: usize| (row < 6 && column < 6).then(|| Point::at(row, column));
    Some(Move { from: point(from_row, from_column)?, to: point(to_row, to_column)? })
}

fn write_turn(_: &GameSpec, turn: &[String]) -> String {
    let [mv] = turn else { return String::new() };
    // `b5-c4` or `b5c4`: file from the left, rank from the bottom.
    let point = |name: &[u8]| {
        let row = b'A' + b'6'.saturating_sub(name[1]);
        [name[0].to_ascii_uppercase(), row].map(char::from)
    };
    match mv.as_bytes() {
        [a, b, .., c, d] => point(&[*a, *b]).into_iter().chain(point(&[*c, *d])).collect(),
        _ => String::new(),
    }
}

fn position(board: &PlatformBoard) -> Surakarta {
    let setup = board.session().spec().setup::<Surakarta>().expect("a board of this game");
    Surakarta::parse(&setup, &board.session().position()).expect("our own text")
}

fn resume(board: &mut PlatformBoard) {
    let fresh = position(board).with_quiet(0);
    board.rebuild(fresh.position());
}

fn receive(board: &mut PlatformBoard, text: &str, player: Player) -> Received {
    let Some(mv) = read_move(text) else {
        return Received::Nonsense("this is no move".to_owned());
    };
    board.resume();
    let game = position(board);
    if game.to_move() == player && game.is_legal(mv) && board.play(&game.move_text(mv)).is_ok() {
        return Received::Played;
    }
    let mut boards = game.boards();
    let (own, other) = (player as usize, !player as usize);
    let (from, to) = (mv.from.bit(), mv.to.bit());
    if boards[own] & from == 0 || boards[own] & to != 0 {
        return Received::Nonsense(format!("nobody can go from {} to {}", mv.from, mv.to));
    }
    boards[own] ^= from | to;
    boards[other] &= !to;
    match Surakarta::from_boards(boards[0], boards[1], !player, &game.setup()) {
        Ok(game) => board.rebuild(game.position()),
        Err(error) => return Received::Nonsense(error.to_string()),
    }
    Received::Applied(format!("{} to {} is not legal here", mv.from, mv.to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_column_then_row_from_the_top() {
        let mv = read_move("ABBC").unwrap();
        assert_eq!((mv.from, mv.to), (Point::at(1, 0), Point::at(2, 1)));
        assert_eq!(write_move(mv), "ABBC");
        for bad in ["", "ABB", "ABBCC", "GBBC", "AB BC", "é~", "A1B2", "ABB\u{80}"] {
            assert_eq!(read_move(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_capture_from_a_corner_is_applied_and_the_game_goes_on() {
        let mut board = PlatformBoard::new(&"surakarta".parse().unwrap()).unwrap();
        // Black steps out of a corner's way, then takes over no arc at all.
        assert_eq!(board.receive("BBBC", Player::First), Received::Played);
        assert_eq!(board.receive("AEAD", Player::Second), Received::Played);
        let told = board.receive("AAFF", Player::First);
        assert!(matches!(told, Received::Applied(_)), "{told:?}");
        assert_eq!((board.session().to_move(), board.session().lead()), (Player::Second, 1));
        assert!(board.start().is_some() && !board.session().legal().is_empty());
        assert!(matches!(board.receive("CCDD", Player::Second), Received::Nonsense(_)));
    }

    #[test]
    fn the_platform_plays_on_where_we_would_stop() {
        let game = "surakarta quiet=2".parse().unwrap();
        let mut board = PlatformBoard::new(&game).unwrap();
        assert_eq!(board.receive("BBBC", Player::First), Received::Played);
        assert_eq!(board.receive("AEAD", Player::Second), Received::Played);
        assert!(board.session().outcome().is_some());
        assert_eq!(board.receive("BCBD", Player::First), Received::Played);
        assert!(board.resume());
    }
}
