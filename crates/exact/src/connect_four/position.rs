//! A position in two words, and the threats on it.
//!
//! A threat of a player is an empty cell that completes a four for that player,
//! whether or not a stone can be dropped there yet. The search works on threats:
//! it never makes a move that lets the opponent play on one, and so a position
//! with four in a row never occurs in it.

use games::connect_four::Word;

use super::shape::Shape;

/// Stones on a board, seen by the player to move. Neither side has four in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<W = u64> {
    /// The stones of the player to move.
    pub own: W,
    /// Every cell that is taken, and the hole once the cells below it are: in
    /// each column the lowest bits without a gap.
    pub filled: W,
}

impl<W: Word> Position<W> {
    /// The empty board.
    pub fn start(shape: &impl Shape<Word = W>) -> Position<W> {
        Position { own: W::default(), filled: shape.hole() & shape.bottom() }
    }

    /// The position after stones in these columns, counted from 0. An error names
    /// the stone that could not be played because the column is full or not there,
    /// or because it or one before it makes four.
    pub fn after_columns(
        shape: &impl Shape<Word = W>,
        columns: impl IntoIterator<Item = u32>,
    ) -> Result<Position<W>, BadColumn> {
        let mut position = Position::start(shape);
        for (index, column) in columns.into_iter().enumerate() {
            let bad = |why| BadColumn { index, why };
            if column >= shape.columns() {
                return Err(bad("there is no such column"));
            }
            let cell = position.playable(shape) & shape.column(column);
            if cell.is_empty() {
                return Err(bad("the column is full"));
            }
            if has_four(shape, position.own | cell) {
                return Err(bad("it makes four in a row and ends the game"));
            }
            position = position.play(shape, cell);
        }
        Ok(position)
    }

    /// The position after the columns of a string such as `4453`, counted from
    /// 1; from the tenth on they are `a`, `b` and `c`.
    pub fn parse(shape: &impl Shape<Word = W>, columns: &str) -> Result<Position<W>, BadColumn> {
        // What is no column becomes one that no board has.
        let digit = |c: char| c.to_digit(13).and_then(|d| d.checked_sub(1)).unwrap_or(u32::MAX);
        Position::after_columns(shape, columns.chars().map(digit))
    }

    /// The stones of the player who is not to move.
    #[inline(always)]
    pub fn other(&self, shape: &impl Shape<Word = W>) -> W {
        (self.filled ^ self.own) & !shape.hole()
    }

    /// The number of stones on the board.
    #[inline(always)]
    pub fn stones(&self, shape: &impl Shape<Word = W>) -> i32 {
        (self.filled & !shape.hole()).count() as i32
    }

    /// The cells where a stone would land.
    #[inline(always)]
    pub fn playable(&self, shape: &impl Shape<Word = W>) -> W {
        self.filled.plus(shape.bottom()) & shape.board()
    }

    /// The cells that are still empty.
    #[inline(always)]
    pub fn empty(&self, shape: &impl Shape<Word = W>) -> W {
        shape.board() & !self.filled
    }

    /// The position after a stone on `cell`, which is playable.
    #[inline(always)]
    pub fn play(&self, shape: &impl Shape<Word = W>, cell: W) -> Position<W> {
        Position {
            own: self.other(shape),
            filled: self.filled | cell | (cell.up(1) & shape.hole()),
        }
    }

    /// A number that is unique to the position and its mirror image, where the
    /// board has one; and whether it is the mirror image's.
    ///
    /// In each column `filled + own` lies below the value it has for any higher
    /// pile, so the sum determines both.
    #[inline(always)]
    pub fn key(&self, shape: &impl Shape<Word = W>) -> (W, bool) {
        let key = self.filled.plus(self.own);
        if !shape.mirrors() {
            return (key, false);
        }
        let turned = shape.mirror(key);
        if turned < key { (turned, true) } else { (key, false) }
    }

    /// The same position in a mirror.
    pub fn mirrored(&self, shape: &impl Shape<Word = W>) -> Position<W> {
        Position { own: shape.mirror(self.own), filled: shape.mirror(self.filled) }
    }
}

/// A stone that could not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadColumn {
    /// Its place in the list of columns, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl std::fmt::Display for BadColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "stone {} can't be played: {}", self.index + 1, self.why)
    }
}

impl std::error::Error for BadColumn {}

/// Whether these cells hold four in a row.
#[inline(always)]
pub fn has_four<S: Shape>(shape: &S, cells: S::Word) -> bool {
    cells.has_four(shape.stride())
}

/// The cells, taken or not, that complete a four with three of these stones.
#[inline(always)]
pub fn completions<S: Shape>(shape: &S, stones: S::Word) -> S::Word {
    stones.fourths(shape.stride())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use games::Rng;
    use games::connect_four::U192;

    use super::super::plain::{random, small_boards};
    use super::super::shape::Standard;
    use super::super::table::TableWord;
    use super::*;

    /// Lines of four by walking from cell to cell.
    fn has_four_slowly<S: Shape>(shape: &S, cells: S::Word) -> bool {
        let holds = |column: i32, row: i32| {
            (0..shape.columns() as i32).contains(&column)
                && (0..shape.rows() as i32).contains(&row)
                && !(cells & S::Word::bit(column as u32 * shape.stride() + row as u32)).is_empty()
        };
        (0..shape.columns() as i32).any(|c| {
            (0..shape.rows() as i32).any(|r| {
                [(0, 1), (1, 0), (1, 1), (1, -1)]
                    .iter()
                    .any(|(dc, dr)| (0..4).all(|i| holds(c + i * dc, r + i * dr)))
            })
        })
    }

    fn lines_are_found<W: TableWord>() {
        let mut rng = Rng::seeded(3);
        for shape in small_boards::<W>() {
            for _ in 0..1_000 {
                let mut word = || W::from_limbs([rng.bits(), rng.bits(), rng.bits()]);
                let cells = (word() | word()) & shape.board();
                assert_eq!(has_four(&shape, cells), has_four_slowly(&shape, cells));
                let stones = rng.below(shape.cells() as usize) as i32;
                let Some(position) = random(&shape, stones, &mut rng) else { continue };
                let found = completions(&shape, position.own);
                for cell in position.empty(&shape).singles() {
                    let four = has_four_slowly(&shape, position.own | cell);
                    assert_eq!(!(found & cell).is_empty(), four);
                }
            }
        }
    }

    #[test]
    fn lines_are_found_as_by_walking() {
        lines_are_found::<u64>();
        lines_are_found::<u128>();
        lines_are_found::<U192>();
    }

    fn keys_differ<W: TableWord>() {
        let mut rng = Rng::seeded(4);
        for shape in small_boards::<W>() {
            let mut seen = HashMap::new();
            for _ in 0..3_000 {
                let stones = rng.below(12) as i32;
                let Some(position) = random(&shape, stones, &mut rng) else { continue };
                let (key, _) = position.key(&shape);
                let other = *seen.entry(key).or_insert(position);
                assert!(position == other || position.mirrored(&shape) == other);
                if shape.mirrors() {
                    assert_eq!(position.mirrored(&shape).key(&shape).0, key);
                    assert_eq!(position.mirrored(&shape).mirrored(&shape), position);
                }
            }
        }
    }

    #[test]
    fn keys_tell_positions_apart_but_not_mirror_images() {
        keys_differ::<u64>();
        keys_differ::<u128>();
        keys_differ::<U192>();
    }

    #[test]
    fn a_hole_is_skipped() {
        let shape = super::super::shape::Free::<u64>::new(5, 4, Some((2, 1))).unwrap();
        let position = Position::parse(&shape, "33").unwrap();
        assert_eq!(position.stones(&shape), 2);
        let other = Position::parse(&shape, "333").unwrap();
        assert_eq!(other.playable(&shape) & shape.column(2), 0);
        assert_eq!(Position::parse(&shape, "3333").unwrap_err().index, 3);
    }

    #[test]
    fn bad_columns_are_named() {
        for (text, index) in
            [("48", 1), ("4x", 1), ("0", 0), ("444444 ", 6), ("4444444", 6), ("1212121", 6)]
        {
            assert_eq!(Position::parse(&Standard, text).unwrap_err().index, index, "{text}");
        }
    }
}
