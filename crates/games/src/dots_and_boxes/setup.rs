//! The size of a board, and the numbers and names of its edges.
//!
//! Pure arithmetic: a setup has the place of each edge, not which are drawn.
//! The numbers are OpenSpiel's, with row 0 on top; the names are those of the
//! contests, with row 1 at the bottom. A record of a game may use either.

use std::fmt;
use std::str::FromStr;

use crate::{MAX_MOVES, SetupError, TextError};

/// An edge by its number: the horizontal ones first, then the vertical ones,
/// each from the top left in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(pub u8);

impl Edge {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The edge as a set of one: bit `i` stands for edge `i`.
    #[inline]
    pub fn bit(self) -> u128 {
        1 << self.0
    }
}

impl From<Edge> for u16 {
    #[inline]
    fn from(edge: Edge) -> u16 {
        u16::from(edge.0)
    }
}

impl From<u16> for Edge {
    #[inline]
    fn from(code: u16) -> Edge {
        Edge(code as u8)
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The edges of a set, in the order of their numbers.
#[inline]
pub fn edges_of(set: u128) -> impl Iterator<Item = Edge> {
    // Half by half: walking a word costs a third of walking a double word.
    let (mut word, mut upper, mut base) = (set as u64, (set >> 64) as u64, 0);
    std::iter::from_fn(move || {
        if word == 0 {
            (word, upper, base) = (upper, 0, 64);
            if word == 0 {
                return None;
            }
        }
        let edge = Edge(base + word.trailing_zeros() as u8);
        word &= word - 1;
        Some(edge)
    })
}

/// Where an edge lies. Row 0 is the top, column 0 the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// From dot (row, column) to the dot on its right: the upper side of box
    /// (row, column).
    Horizontal(usize, usize),
    /// From dot (row, column) to the dot below: the left side of box (row,
    /// column).
    Vertical(usize, usize),
}

/// The size of a board in boxes. Its text is `ROWSxCOLUMNS`, empty for the
/// contest board of 5 x 5.
///
/// ```
/// use games::dots_and_boxes::{Edge, Place, Setup};
///
/// let setup: Setup = "3x4".parse()?;
/// assert_eq!((setup.edges(), setup.boxes()), (31, 12));
/// assert_eq!(setup.place(Edge(0)), Some(Place::Horizontal(0, 0)));
/// assert_eq!(setup.edge_name(Edge(0)).as_deref(), Some("a4h"));
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    /// Boxes from top to bottom.
    pub rows: u8,
    /// Boxes from left to right.
    pub columns: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { rows: 5, columns: 5 }
    }
}

impl Setup {
    /// A board that [`Setup::check`] has not seen yet.
    pub const fn new(rows: u8, columns: u8) -> Setup {
        Setup { rows, columns }
    }

    /// Makes sure that such a board exists and fits into the sets of edges used
    /// here.
    pub fn check(&self) -> Result<(), SetupError> {
        if self.rows == 0 || self.columns == 0 {
            return Err(SetupError("a board has at least 1 row and 1 column of boxes".into()));
        }
        if self.edges() > MAX_MOVES {
            return Err(SetupError(format!(
                "a board of {}x{} boxes has {} edges, but at most {MAX_MOVES} are supported (7x8 and 5x10 fit)",
                self.rows,
                self.columns,
                self.edges()
            )));
        }
        Ok(())
    }

    fn size(&self) -> (usize, usize) {
        (usize::from(self.rows), usize::from(self.columns))
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        let (rows, columns) = self.size();
        (rows + 1) * columns + rows * (columns + 1)
    }

    /// The number of boxes. Box (row, column) has number `row * columns +
    /// column`.
    pub fn boxes(&self) -> usize {
        let (rows, columns) = self.size();
        rows * columns
    }

    /// Where an edge lies, if it is on the board.
    pub fn place(&self, edge: Edge) -> Option<Place> {
        let (rows, columns) = self.size();
        let horizontals = (rows + 1) * columns;
        if edge.index() < horizontals {
            Some(Place::Horizontal(edge.index() / columns, edge.index() % columns))
        } else if edge.index() < self.edges() {
            let rest = edge.index() - horizontals;
            Some(Place::Vertical(rest / (columns + 1), rest % (columns + 1)))
        } else {
            None
        }
    }

    /// The edge at a place, if it is on the board.
    pub fn edge(&self, place: Place) -> Option<Edge> {
        let (rows, columns) = self.size();
        let number = match place {
            Place::Horizontal(r, c) if r <= rows && c < columns => r * columns + c,
            Place::Vertical(r, c) if r < rows && c <= columns => {
                (rows + 1) * columns + r * (columns + 1) + c
            }
            _ => return None,
        };
        u8::try_from(number).ok().map(Edge)
    }

    /// The contest name of an edge on the board: its left or lower dot, then `h`
    /// or `v`. Dot columns are `a`, `b`, ... from the left (after `z` comes
    /// `aa`), dot rows 1, 2, ... from the bottom.
    pub fn edge_name(&self, edge: Edge) -> Option<String> {
        let rows = usize::from(self.rows);
        Some(match self.place(edge)? {
            Place::Horizontal(r, c) => format!("{}{}h", letters(c), rows - r + 1),
            Place::Vertical(r, c) => format!("{}{}v", letters(c), rows - r),
        })
    }

    /// The edge with this contest name, in either case, if there is one.
    pub fn edge_by_name(&self, name: &str) -> Option<Edge> {
        let name = name.to_ascii_lowercase();
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let column = column(&name[..digits])?;
        let last = name.len() - name.ends_with(['h', 'v']) as usize;
        let number = name.get(digits..last)?;
        if number.starts_with('0') || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        // The dot row from the bottom, and the same counted from the top.
        let row: usize = number.parse().ok()?;
        let from_top = (usize::from(self.rows) + 1).checked_sub(row)?;
        match &name[last..] {
            "h" => self.edge(Place::Horizontal(from_top, column)),
            "v" => self.edge(Place::Vertical(from_top.checked_sub(1)?, column)),
            _ => None,
        }
    }
}

/// The letters of a dot column: a to z, then aa, ab and so on.
pub(super) fn letters(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

/// The dot column with these letters.
fn column(letters: &str) -> Option<usize> {
    // No board here has more than 43 dot columns: two letters are enough.
    if letters.is_empty() || letters.len() > 2 {
        return None;
    }
    letters
        .bytes()
        .try_fold(0, |sum, byte| {
            byte.is_ascii_lowercase().then(|| sum * 26 + usize::from(byte - b'a') + 1)
        })?
        .checked_sub(1)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if *self == Setup::default() { Ok(()) } else { write!(f, "{}x{}", self.rows, self.columns) }
    }
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Setup, TextError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Setup::default());
        }
        let wrong = || {
            TextError::new(format!(
                "'{text}' is not a board size: give rows and columns of boxes, such as 5x5 or 3x4"
            ))
        };
        let (rows, columns) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
        let number = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong());
            }
            // Whatever does not fit into a byte is too large anyway.
            Ok(digits.parse().unwrap_or(u8::MAX))
        };
        let setup = Setup { rows: number(rows)?, columns: number(columns)? };
        setup.check().map_err(|error| {
            // Name the size as it was typed, which may not have fitted.
            if setup.rows == u8::MAX || setup.columns == u8::MAX {
                TextError::new(format!(
                    "a board of {text} boxes has more than {MAX_MOVES} edges, and no larger one is supported (7x8 and 5x10 fit)"
                ))
            } else {
                error.into()
            }
        })?;
        Ok(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_of_the_contest_board() {
        let setup = Setup::default();
        assert_eq!((setup.edges(), setup.boxes()), (60, 25));
        for (edge, name) in [
            (0, "a6h"),
            (4, "e6h"),
            (25, "a1h"),
            (29, "e1h"),
            (30, "a5v"),
            (54, "a1v"),
            (59, "f1v"),
        ] {
            assert_eq!(setup.edge_name(Edge(edge)).unwrap(), name);
            assert_eq!(setup.edge_by_name(&name.to_uppercase()), Some(Edge(edge)));
        }
        for name in [
            "", "h", "a", "a1", "1h", "a0h", "a7h", "a6v", "f1h", "g1v", "a01h", "aaa1h", "a1hh",
            "é1h", "a1é",
        ] {
            assert_eq!(setup.edge_by_name(name), None, "{name}");
        }
    }

    #[test]
    fn every_edge_of_every_board_has_one_place_and_one_name() {
        let mut boards = 0;
        for (rows, columns) in (0..=128).flat_map(|r| (0..=128).map(move |c| (r, c))) {
            let setup = Setup { rows, columns };
            if setup.check().is_err() {
                continue;
            }
            boards += 1;
            for edge in (0..setup.edges()).map(|n| Edge(n as u8)) {
                assert_eq!(setup.edge(setup.place(edge).unwrap()), Some(edge));
                assert_eq!(setup.edge_by_name(&setup.edge_name(edge).unwrap()), Some(edge));
            }
            assert_eq!(setup.place(Edge(setup.edges() as u8)), None);
            // Bit 127 stays free, which the geometry relies on: 2RC + R + C =
            // 128 would mean (2R + 1)(2C + 1) = 257, a prime.
            assert!(setup.edges() < MAX_MOVES);
            assert!(setup.boxes() < 63);
        }
        assert_eq!(boards, 2 * (42 + 25 + 17 + 13 + 11 + 9 + 8) - 49);
    }

    #[test]
    fn sizes_as_text() {
        for (text, rows, columns) in [("", 5, 5), (" 5X5 ", 5, 5), ("1x42", 1, 42), ("7x8", 7, 8)] {
            assert_eq!(text.parse(), Ok(Setup { rows, columns }));
        }
        assert_eq!(Setup::default().to_string(), "");
        assert_eq!(Setup::new(3, 4).to_string(), "3x4");
        for text in
            ["5", "x", "5x", "x5", "+5x5", "5x5x5", "0x3", "3x0", "8x8", "999x1", "5 x 5", "a"]
        {
            assert!(text.parse::<Setup>().is_err(), "{text}");
        }
        let error = "99999999999999999999x1".parse::<Setup>().unwrap_err().to_string();
        assert!(error.contains("more than 128 edges"), "{error}");
    }
}
