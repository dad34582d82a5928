//! Moves in the platform's letters.
//!
//! Surakarta: `ABBC` goes from column A, row B to column B, row C, rows counted
//! from the top. Dots and Boxes: `2 AAABAA` is a turn of two edges; `A` is
//! horizontal with its dot row and its column, `B` vertical with its dot column
//! and its row. What comes after the last edge is not looked at, and neither is
//! the case of letters.

use games::dots_and_boxes::{self, Edge, Place};
use games::surakarta::{Move, Point};

fn letter(index: usize) -> char {
    char::from(b'A' + index as u8)
}

fn index(letter: u8) -> usize {
    usize::from(letter.to_ascii_uppercase().wrapping_sub(b'A'))
}

/// A Surakarta move as the platform writes it.
pub fn surakarta(mv: Move) -> String {
    [mv.from.column(), mv.from.row(), mv.to.column(), mv.to.row()].map(letter).iter().collect()
}

/// Reads a Surakarta move; it need not be legal anywhere.
pub fn read_surakarta(text: &str) -> Option<Move> {
    let word = text.split_whitespace().next()?;
    let [a, b, c, d] = *word.as_bytes() else { return None };
    let [from_column, from_row, to_column, to_row] = [a, b, c, d].map(index);
    let point = |row: usize, column: usize| (row < 6 && column < 6).then(|| Point::at(row, column));
    Some(Move { from: point(from_row, from_column)?, to: point(to_row, to_column)? })
}

/// A turn of Dots and Boxes as the platform writes it.
pub fn turn(setup: &dots_and_boxes::Setup, edges: &[Edge]) -> String {
    let mut text = format!("{} ", edges.len());
    for &edge in edges {
        match setup.place(edge) {
            Some(Place::Horizontal(row, column)) => {
                text.extend(['A', letter(row), letter(column)]);
            }
            Some(Place::Vertical(row, column)) => text.extend(['B', letter(column), letter(row)]),
            None => debug_assert!(false, "the edge is on the board"),
        }
    }
    text
}

/// Reads a turn of Dots and Boxes: at least one edge of the board, none twice.
/// It need not be legal anywhere.
pub fn read_turn(setup: &dots_and_boxes::Setup, text: &str) -> Option<Vec<Edge>> {
    let mut words = text.split_whitespace();
    let count: usize = words.next()?.parse().ok()?;
    let letters = words.next()?.as_bytes();
    if count == 0 || letters.len() / 3 != count || !letters.len().is_multiple_of(3) {
        return None;
    }
    let mut edges = Vec::new();
    for name in letters.chunks(3) {
        let place = match name[0].to_ascii_uppercase() {
            b'A' => Place::Horizontal(index(name[1]), index(name[2])),
            b'B' => Place::Vertical(index(name[2]), index(name[1])),
            _ => return None,
        };
        let edge = setup.edge(place)?;
        if edges.contains(&edge) {
            return None;
        }
        edges.push(edge);
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_column_then_row_from_the_top() {
        let mv = read_surakarta("ABBC").unwrap();
        assert_eq!((mv.from, mv.to), (Point::at(1, 0), Point::at(2, 1)));
        assert_eq!(surakarta(mv), "ABBC");
        for bad in ["", "ABB", "ABBCC", "GBBC", "AB BC", "é~", "A1B2", "ABB\u{80}"] {
            assert_eq!(read_surakarta(bad), None, "{bad}");
        }
    }

    #[test]
    fn edges_are_row_then_column_if_horizontal_and_the_other_way_if_vertical() {
        let setup = dots_and_boxes::Setup::default();
        let edges = read_turn(&setup, "4 AAAAFEBAABFE").unwrap();
        assert_eq!(edges, [Edge(0), Edge(29), Edge(30), Edge(59)]);
        assert_eq!(turn(&setup, &edges), "4 AAAAFEBAABFE");
        for bad in
            ["", "1", "0 ", "1 AAF", "1 AGA", "2 AAA", "1 AAAAAB", "2 AAAAAA", "1 CAA", "-1 AAA"]
        {
            assert_eq!(read_turn(&setup, bad), None, "{bad}");
        }
        for edge in (0..60).map(Edge) {
            assert_eq!(read_turn(&setup, &turn(&setup, &[edge])), Some(vec![edge]));
        }
    }
}
