//! Surakarta as patterns for [`crate::nnue`]: the twelve lines, and for each arc
//! what stands nearest to it on the two lines that it joins.
//!
//! A line is one of 3^6 values. An arc is one of 13^2: on each of its lines nothing,
//! or the distance and the owner of the nearest piece. That is what decides a
//! capture over the arc, and it spans two lines, which the lines alone do not.

use games::surakarta::geometry::SIDE;
use games::surakarta::{PIECES, Setup, Surakarta};
use games::{Game, Player};

use crate::nnue::{PatternRows, Patterns};

/// Values of a line: each point empty, own or other.
const LINE: usize = 729;

/// Values of an end of a line: nothing, or one of six distances and two owners.
const END: usize = 13;

/// The lines: rows from the top, then columns from the left.
const LINES: usize = 2 * SIDE;

/// A number for each line of a direction; two are of no use but make it a vector.
type Six = [u16; 8];

/// What a side's six points of a row add to the values of the six rows and columns:
/// the digit 1 in base 3 at each of its places.
const DIGITS: [[[Six; 2]; 64]; SIDE] = {
    let mut table = [[[[0; 8]; 2]; 64]; SIDE];
    let mut i = 0;
    while i < SIDE * 64 * SIDE {
        let (row, bits, column) = (i / 64 / SIDE, i / SIDE % 64, i % SIDE);
        if bits >> column & 1 == 1 {
            table[row][bits][0][row] += 3u16.pow(column as u32);
            table[row][bits][1][column] += 3u16.pow(row as u32);
        }
        i += 1;
    }
    table
};

/// The values of a board's rows and columns, if it has one side's pieces only.
#[inline]
fn digits(board: u64) -> [Six; 2] {
    let mut sum = [[0; 8]; 2];
    for (row, table) in DIGITS.iter().enumerate() {
        let digits = &table[(board >> (SIDE * row)) as usize & 63];
        for (sum, digits) in sum.iter_mut().zip(digits) {
            for (sum, digit) in sum.iter_mut().zip(digits) {
                *sum += digit;
            }
        }
    }
    sum
}

/// What is nearest to the first and to the last point of a line, by its value: as
/// the player sees it whose view the value is, and as the other one does.
/// The rest up to a power of two is never asked for and spares a check.
const ENDS: [[[u8; 2]; 2]; 1024] = {
    let mut ends = [[[0; 2]; 2]; 1024];
    let mut value = 0;
    while value < LINE {
        let (mut rest, mut point) = (value, 0);
        while point < SIDE {
            let owner = rest % 3;
            rest /= 3;
            if owner != 0 {
                let mut view = 0;
                while view < 2 {
                    let owner = if view == 0 { owner } else { 3 - owner };
                    if ends[value][view][0] == 0 {
                        ends[value][view][0] = (2 * point + owner) as u8;
                    }
                    ends[value][view][1] = (2 * (SIDE - 1 - point) + owner) as u8;
                    view += 1;
                }
            }
            point += 1;
        }
        value += 1;
    }
    ends
};

/// The two line ends that each arc joins: a line, and 0 for its first point or 1
/// for its last.
const ARC_ENDS: [[(usize, usize); 2]; 8] = {
    let mut arcs = [[(0, 0); 2]; 8];
    let mut near = 1;
    while near <= 2 {
        let far = SIDE - 1 - near;
        let first = 4 * (near - 1);
        // The corners: left above, right above, right below, left below.
        arcs[first] = [(SIDE + near, 0), (near, 0)];
        arcs[first + 1] = [(near, 1), (SIDE + far, 0)];
        arcs[first + 2] = [(SIDE + far, 1), (far, 1)];
        arcs[first + 3] = [(far, 0), (SIDE + near, 1)];
        near += 1;
    }
    arcs
};

impl Patterns for Surakarta {
    const FEATURES: &'static str = "surakarta: 12 lines, 8 arcs";

    const SIZES: &'static [usize] = &{
        let mut sizes = [LINE; LINES + 8];
        let mut arc = 0;
        while arc < 8 {
            sizes[LINES + arc] = END * END;
            arc += 1;
        }
        sizes
    };

    /// By the number of pieces of both sides, three at a time.
    const HEADS: usize = 8;

    #[inline]
    fn pattern_rows(&self, rows: &mut PatternRows) {
        let mover = self.to_move();
        let [own, other] = [mover, !mover].map(|player| digits(self.board(player)));
        let mut lines = [0; LINES];
        for i in 0..LINES {
            let (a, b) = (own[i / SIDE][i % SIDE], other[i / SIDE][i % SIDE]);
            lines[i] = usize::from(a + 2 * b);
            rows[0][i] = (LINE * i) as u32 + u32::from(a + 2 * b);
            rows[1][i] = (LINE * i) as u32 + u32::from(b + 2 * a);
        }
        let ends = lines.map(|value| ENDS[value % ENDS.len()]);
        for (view, rows) in rows.iter_mut().enumerate() {
            for (i, joined) in ARC_ENDS.iter().enumerate() {
                let [a, b] = joined.map(|(line, end)| u32::from(ends[line][view][end]));
                rows[LINES + i] = (LINE * LINES + END * END * i) as u32 + END as u32 * a + b;
            }
        }
    }

    #[inline]
    fn head(&self) -> usize {
        let [first, second] = self.boards();
        let pieces = (first | second).count_ones();
        (pieces.clamp(1, 2 * PIECES) - 1) as usize / 3
    }

    fn pack(&self) -> [u64; 2] {
        let mover = self.to_move();
        [self.board(mover), self.board(!mover)]
    }

    fn unpack([own, other]: [u64; 2]) -> Option<Surakarta> {
        Surakarta::from_boards(own, other, Player::First, &Setup::default()).ok()
    }
}

#[cfg(test)]
mod tests {
    use games::surakarta::geometry::{ARCS, Point};
    use games::{Rng, Symmetric};

    use super::super::tests::random_positions;
    use super::*;
    use crate::nnue::MAX_PATTERNS;

    fn rows(game: &Surakarta) -> PatternRows {
        let mut rows = [[0; MAX_PATTERNS]; 2];
        game.pattern_rows(&mut rows);
        rows
    }

    #[test]
    fn arcs_join_the_ends_that_the_board_says() {
        let point = |(line, end): (usize, usize)| match line {
            0..SIDE => Point::at(line, 5 * end),
            line => Point::at(5 * end, line - SIDE),
        };
        for (arc, ends) in ARCS.iter().zip(ARC_ENDS) {
            assert_eq!(arc.ends, ends.map(point));
        }
    }

    /// The values by definition, point by point.
    #[test]
    fn patterns_are_what_their_names_say() {
        for game in random_positions() {
            let found = rows(&game);
            for (view, own) in [game.to_move(), !game.to_move()].into_iter().enumerate() {
                let digit = |row: usize, column: usize| match game.at(Point::at(row, column)) {
                    None => 0,
                    Some(player) if player == own => 1,
                    Some(_) => 2,
                };
                let line = |number: usize, i: usize| match number {
                    0..SIDE => digit(number, i),
                    column => digit(i, column - SIDE),
                };
                for (number, &row) in found[view][..LINES].iter().enumerate() {
                    let value = (0..SIDE).rev().fold(0, |sum, i| 3 * sum + line(number, i));
                    assert_eq!(row as usize, LINE * number + value);
                }
                for (i, ends) in ARC_ENDS.iter().enumerate() {
                    let nearest = ends.map(|(number, end)| {
                        (0..SIDE)
                            .map(|k| (k, line(number, if end == 0 { k } else { 5 - k })))
                            .find(|&(_, owner)| owner != 0)
                            .map_or(0, |(distance, owner)| 2 * distance + owner)
                    });
                    let value = END * nearest[0] + nearest[1];
                    assert_eq!(
                        found[view][LINES + i] as usize,
                        LINE * LINES + END * END * i + value
                    );
                }
            }
        }
    }

    #[test]
    fn a_packed_position_has_the_same_patterns() {
        let mut rng = Rng::seeded(4);
        for game in random_positions() {
            let game = game.transform(rng.below(8));
            let back = Surakarta::unpack(game.pack()).unwrap();
            assert_eq!(rows(&back), rows(&game));
            assert_eq!(back.head(), game.head());
            assert!(game.head() < Surakarta::HEADS);
        }
    }
}
