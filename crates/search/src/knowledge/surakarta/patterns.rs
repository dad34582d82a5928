//! Surakarta as patterns for [`crate::nnue`]: the twelve lines, and for each arc
//! what stands nearest to it on the two lines that it joins.
//!
//! A line is one of 3^6 values. An arc is one of 13^2: on each of its lines nothing,
//! or the distance and the owner of the nearest piece. That is what decides a
//! capture over the arc, and it spans two lines, which the lines alone do not.

use games::bits::extract;
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

/// A side's six points of a line as the digits 0 and 1 of a number in base 3.
const TERNARY: [u16; 64] = {
    let mut table = [0; 64];
    let mut bits = 0;
    while bits < 64 {
        let (mut point, mut digit) = (0, 1);
        while point < SIDE {
            table[bits] += digit * (bits >> point & 1) as u16;
            digit *= 3;
            point += 1;
        }
        bits += 1;
    }
    table
};

/// What is nearest to the first and to the last point of a line, by its value.
const ENDS: [[u8; LINE]; 2] = {
    let mut ends = [[0; LINE]; 2];
    let mut value = 0;
    while value < LINE {
        let (mut rest, mut point) = (value, 0);
        while point < SIDE {
            let owner = rest % 3;
            rest /= 3;
            if owner != 0 {
                if ends[0][value] == 0 {
                    ends[0][value] = (2 * point + owner) as u8;
                }
                ends[1][value] = (2 * (SIDE - 1 - point) + owner) as u8;
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
        const COLUMN: u64 = 0x4104_1041;
        let mover = self.to_move();
        let (own, other) = (self.board(mover), self.board(!mover));
        let [mine, theirs] = rows;
        let mut lines = [[0usize; LINES]; 2];
        let mut line = |number: usize, own: u64, other: u64| {
            let (a, b) = (TERNARY[own as usize & 63], TERNARY[other as usize & 63]);
            for (view, value) in [a + 2 * b, b + 2 * a].into_iter().enumerate() {
                lines[view][number] = value.into();
            }
        };
        for i in 0..SIDE {
            line(i, own >> (SIDE * i), other >> (SIDE * i));
            line(SIDE + i, extract(own, COLUMN << i), extract(other, COLUMN << i));
        }
        for (rows, lines) in [mine, theirs].into_iter().zip(&lines) {
            for i in 0..LINES {
                rows[i] = (LINE * i + lines[i]) as u32;
            }
            for (i, ends) in ARC_ENDS.iter().enumerate() {
                let [a, b] = ends.map(|(line, end)| usize::from(ENDS[end][lines[line] % LINE]));
                rows[LINES + i] = (LINE * LINES + END * END * i + END * a + b) as u32;
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
