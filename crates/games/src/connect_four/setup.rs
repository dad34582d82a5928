//! The size of the board and its forbidden cell (the hole).

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::{Rng, SetupError, TextError};

/// How many columns and how many rows a board may have.
const SIZES: RangeInclusive<u8> = 4..=12;

/// The board. As text `11x10 hole=3,4`: columns x rows, and the hole's column and
/// row counted from 1 at the bottom left. The text of the default, 7 x 6 without
/// a hole, is empty.
///
/// ```
/// use games::connect_four::{Setup, bits_needed};
///
/// let setup: Setup = "11x10 hole=3,4".parse()?;
/// assert_eq!((setup.columns, setup.rows, setup.hole), (11, 10, Some((2, 3))));
/// assert_eq!(bits_needed(&setup), 121);
/// assert_eq!("7x6".parse::<Setup>()?.to_string(), "");
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// From 4 to 12.
    pub columns: u8,
    /// From 4 to 12.
    pub rows: u8,
    /// The column and the row of the cell that stays empty, both counted from 0
    /// at the bottom left.
    pub hole: Option<(u8, u8)>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { columns: 7, rows: 6, hole: None }
    }
}

impl Setup {
    /// The largest board that there is; every other fits where this one does.
    pub const LARGEST: Setup = Setup { columns: *SIZES.end(), rows: *SIZES.end(), hole: None };

    /// A board as the course draws them: 9 to 12 in each direction, one cell
    /// forbidden, anywhere.
    pub fn course(rng: &mut Rng) -> Setup {
        let (columns, rows) = (9 + rng.below(4), 9 + rng.below(4));
        let hole = (rng.below(columns) as u8, rng.below(rows) as u8);
        Setup { columns: columns as u8, rows: rows as u8, hole: Some(hole) }
    }

    /// A board of any size, every other one with a hole anywhere.
    pub fn random(rng: &mut Rng) -> Setup {
        let mut size = || SIZES.start() + rng.below(SIZES.count()) as u8;
        let (columns, rows) = (size(), size());
        let hole = (rng.below(columns.into()) as u8, rng.below(rows.into()) as u8);
        Setup { columns, rows, hole: (rng.below(2) == 1).then_some(hole) }
    }

    /// Says what is wrong with this setup, if anything is.
    pub fn check(&self) -> Result<(), SetupError> {
        let Setup { columns, rows, hole } = *self;
        if !SIZES.contains(&columns) || !SIZES.contains(&rows) {
            return Err(SetupError(format!(
                "a board of {columns} columns and {rows} rows is not supported: \
                 each must be from {} to {}",
                SIZES.start(),
                SIZES.end()
            )));
        }
        match hole {
            Some((column, row)) if column >= columns || row >= rows => Err(SetupError(format!(
                "the hole {},{} is not on the board: its column must be from 1 to {columns} \
                 and its row from 1 to {rows}",
                u16::from(column) + 1,
                u16::from(row) + 1
            ))),
            _ => Ok(()),
        }
    }
}

/// How many bits a word must have for this board: one a cell, and one more a
/// column so that no line runs from a column's top into the next.
pub fn bits_needed(setup: &Setup) -> u32 {
    u32::from(setup.columns) * (u32::from(setup.rows) + 1)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if *self == Setup::default() {
            return Ok(());
        }
        write!(f, "{}x{}", self.columns, self.rows)?;
        match self.hole {
            Some((column, row)) => write!(f, " hole={},{}", column + 1, row + 1),
            None => Ok(()),
        }
    }
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Setup, TextError> {
        let mut setup = Setup::default();
        let (mut sized, mut holed) = (false, false);
        for word in text.split_whitespace() {
            let twice = if let Some(hole) = word.strip_prefix("hole=") {
                let (column, row) = pair(hole, ',').ok_or_else(|| {
                    TextError::new(format!(
                        "'{word}' is not a hole: write its column and row from 1, as in hole=3,4"
                    ))
                })?;
                let zero = || TextError::new(format!("'{word}': columns and rows count from 1"));
                setup.hole = Some((
                    column.checked_sub(1).ok_or_else(zero)?,
                    row.checked_sub(1).ok_or_else(zero)?,
                ));
                std::mem::replace(&mut holed, true)
            } else if let Some((columns, rows)) = pair(word, 'x') {
                (setup.columns, setup.rows) = (columns, rows);
                std::mem::replace(&mut sized, true)
            } else {
                return Err(TextError::new(format!(
                    "'{word}' is not part of a Connect Four setup: write columns x rows \
                     and perhaps a hole, as in 11x10 hole=3,4"
                )));
            };
            if twice {
                return Err(TextError::new(format!("'{word}': this was already given")));
            }
        }
        setup.check()?;
        Ok(setup)
    }
}

/// Two small numbers apart by a character. No signs, no white space.
fn pair(text: &str, separator: char) -> Option<(u8, u8)> {
    let number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
    };
    let (first, second) = text.split_once(separator)?;
    Some((number(first)?, number(second)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_draws_every_size_and_holes_in_every_row() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..2000 {
            let setup = Setup::course(&mut Rng::seeded(seed));
            setup.check().unwrap();
            assert!(bits_needed(&setup) <= bits_needed(&Setup::LARGEST));
            let (column, row) = setup.hole.expect("a course board has a hole");
            let rim = (column == 0, column + 1 == setup.columns, row == 0, row + 1 == setup.rows);
            seen.insert((setup.columns, setup.rows));
            assert_eq!(setup, setup.to_string().parse().unwrap());
            seen.extend(rim.2.then_some((0, 1)));
            seen.extend(rim.3.then_some((0, 2)));
            seen.extend((rim.0 || rim.1).then_some((0, 3)));
        }
        assert_eq!(seen.len(), 16 + 3, "{seen:?}");
    }
}
