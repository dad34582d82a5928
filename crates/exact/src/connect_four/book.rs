//! The opening book: what to play, and the score, while solving takes long.
//!
//! Solving every position of the first plies would take days, and most of it
//! nobody would ever see. So the book is a repertoire: for each side, the
//! positions in which that side is to move and in which it has always followed
//! the book before, whatever the opponent did. At each stands the exact score
//! and a best column, the most central one. Every entry is a fact about its
//! position alone, so a build that was interrupted and taken up again ends with
//! the same book.
//!
//! A book file is a header (magic, version, columns, rows, plies, number of
//! entries), the entries by rising key, each a variable-length distance from the
//! key before and one byte each for score and column, and a checksum of all of
//! it. Mirror images share an entry.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use search::Budget;

use super::position::{Position, has_four};
use super::shape::Shape;
use super::solver::{Progress, Solver};

const MAGIC: &[u8; 8] = b"boyi-c4\0";
const VERSION: u8 = 1;
const HEADER: usize = MAGIC.len() + 4 + 4;
const CHECKSUM: usize = 8;
const SCORE_OFFSET: i32 = 64;

/// What the book says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The exact score for the player to move.
    pub score: i32,
    /// A best column, counted from 0.
    pub column: u32,
}

/// Why a file is not a book that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookError {
    /// It does not begin as a book does.
    Foreign,
    /// It is a book of another version.
    Version(u8),
    /// It is a book for another board, of so many columns and rows.
    Board(u8, u8),
    /// It is shorter or longer than it says, or its checksum is wrong.
    Damaged,
}

impl std::fmt::Display for BookError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            BookError::Foreign => write!(f, "this is not a Connect Four book"),
            BookError::Version(version) => {
                write!(
                    f,
                    "this book has version {version}, and only {VERSION} can be read: build it again"
                )
            }
            BookError::Board(columns, rows) => {
                write!(f, "this book is for a board of {columns} columns and {rows} rows")
            }
            BookError::Damaged => write!(f, "this book is damaged: build it again"),
        }
    }
}

impl std::error::Error for BookError {}

/// Exact advice for openings on one board without a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book<S> {
    shape: S,
    plies: u8,
    /// By the key of the position; columns are in the key's orientation.
    entries: BTreeMap<u64, Advice>,
}

impl<S: Shape> Book<S> {
    /// A book without entries for positions of up to so many stones.
    pub fn new(shape: S, plies: u8) -> Book<S> {
        assert_eq!(shape.hole(), 0, "books are for boards without a hole");
        Book { shape, plies, entries: BTreeMap::new() }
    }

    /// The book's depth: positions with more stones are not in it.
    pub fn plies(&self) -> u8 {
        self.plies
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the book says about a position, if anything.
    pub fn probe(&self, position: &Position) -> Option<Advice> {
        let (key, turned) = position.key(&self.shape);
        let advice = *self.entries.get(&key)?;
        Some(Advice { column: self.turn(advice.column, turned), ..advice })
    }

    fn turn(&self, column: u32, turned: bool) -> u32 {
        if turned { self.shape.columns() - 1 - column } else { column }
    }

    /// Adds every missing entry. `watch` is called with the book as it is after
    /// each new entry, and now and then in between; when it breaks, the book is
    /// left unfinished and a later call goes on from there. Whether it is
    /// finished.
    pub fn build(
        &mut self,
        solver: &mut Solver<S>,
        watch: &mut dyn FnMut(&Book<S>, &Progress) -> ControlFlow<()>,
    ) -> bool {
        let start = Position::start(&self.shape);
        // First's repertoire starts with First's move, Second's with any.
        self.follow(&start, solver, watch).is_continue()
            && self.replies(&start, solver, watch).is_continue()
    }

    /// Adds the position and what may come after the book's move.
    fn follow(
        &mut self,
        position: &Position,
        solver: &mut Solver<S>,
        watch: &mut dyn FnMut(&Book<S>, &Progress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let shape = self.shape;
        if position.stones(&shape) > i32::from(self.plies) {
            return ControlFlow::Continue(());
        }
        let advice = match self.probe(position) {
            Some(advice) => advice,
            None => {
                let budget = Budget { nodes: u64::MAX, stop: None };
                let bounds = solver.solve(position, &budget, &mut |progress| watch(self, progress));
                let Some(score) = bounds.score() else { return ControlFlow::Break(()) };
                let Some(&column) = solver.best(position, score, &budget).first() else {
                    return ControlFlow::Continue(());
                };
                let (key, turned) = position.key(&shape);
                self.entries.insert(key, Advice { score, column: self.turn(column, turned) });
                watch(self, &Progress { bounds, nodes: solver.nodes() })?;
                Advice { score, column }
            }
        };
        let cell = position.playable(&shape) & shape.column(advice.column);
        if has_four(&shape, position.own | cell) {
            return ControlFlow::Continue(());
        }
        self.replies(&position.play(&shape, cell), solver, watch)
    }

    /// Adds what may come after any move of the opponent, who is to move.
    fn replies(
        &mut self,
        position: &Position,
        solver: &mut Solver<S>,
        watch: &mut dyn FnMut(&Book<S>, &Progress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut cells = position.playable(&self.shape);
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells &= cells - 1;
            if !has_four(&self.shape, position.own | cell) {
                self.follow(&position.play(&self.shape, cell), solver, watch)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.shape.columns() as u8, self.shape.rows() as u8, self.plies]);
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        let mut last = 0;
        for (&key, advice) in &self.entries {
            let mut distance = key - last;
            last = key;
            while distance >= 0x80 {
                bytes.push(distance as u8 | 0x80);
                distance >>= 7;
            }
            bytes.push(distance as u8);
            bytes.extend([(advice.score + SCORE_OFFSET) as u8, advice.column as u8]);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a book for this board.
    pub fn from_bytes(shape: S, bytes: &[u8]) -> Result<Book<S>, BookError> {
        if !bytes.starts_with(MAGIC) {
            return Err(BookError::Foreign);
        }
        if bytes.len() < HEADER + CHECKSUM {
            return Err(BookError::Damaged);
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        let [version, columns, rows, plies] =
            content[MAGIC.len()..][..4].try_into().expect("four bytes");
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        if checksum(content).to_le_bytes() != sum {
            return Err(BookError::Damaged);
        }
        if (u32::from(columns), u32::from(rows)) != (shape.columns(), shape.rows()) {
            return Err(BookError::Board(columns, rows));
        }
        let count = u32::from_le_bytes(content[HEADER - 4..HEADER].try_into().expect("four bytes"));
        let mut book = Book::new(shape, plies);
        let mut rest = content[HEADER..].iter().copied();
        let mut key = 0u64;
        for _ in 0..count {
            key = distance(&mut rest).and_then(|d| key.checked_add(d)).ok_or(BookError::Damaged)?;
            let (score, column) = rest.next().zip(rest.next()).ok_or(BookError::Damaged)?;
            let advice = Advice { score: i32::from(score) - SCORE_OFFSET, column: column.into() };
            if advice.column >= shape.columns() || advice.score.abs() > shape.cells() / 2 {
                return Err(BookError::Damaged);
            }
            book.entries.insert(key, advice);
        }
        if rest.next().is_some() || book.entries.len() != count as usize {
            return Err(BookError::Damaged);
        }
        Ok(book)
    }
}

/// Reads a number of seven bits a byte, the lowest first, all but the last
/// marked by the eighth bit.
fn distance(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(bytes.len() as u64, |sum, &byte| games::mix(sum, byte.into()))
}
