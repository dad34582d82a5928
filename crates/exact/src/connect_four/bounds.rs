//! Upper bounds of the mover's score without search: what an opponent holds who
//! only answers.
//!
//! The opponent answers each stone with the stone right above it ("follow-up",
//! Allis' claimeven). That works in a column with an even number of empty cells.
//! Columns with an odd number are taken in pairs: a stone on the lowest empty
//! cell of one is answered on the lowest empty cell of the other, after which
//! both are even. If the number of empty cells is even, so is the number of odd
//! columns, and the opponent always has an answer. The mover then gets no more
//! than the 1st, 3rd, 5th... empty cell of an even column, and the 1st, 2nd, 4th,
//! 6th... of an odd one. If they and the mover's stones hold no four, the mover
//! can't win; and if the cells that the opponent is sure of hold a four, the
//! opponent wins.
//!
//! If the number of empty cells is odd, one odd column remains over. Suppose the
//! opponent has a threat there with an odd number of empty cells below it. The
//! follow-up in that column ends with the mover's stone right below the threat
//! and the opponent's on it, and everywhere else the opponent has an answer: the
//! mover runs out of other cells and the opponent wins, at the latest when only
//! the cells above the threat are left.
//!
//! "Even" cells ([`Shape::even`]) have an even number of cells above, so a
//! column is odd exactly if its lowest empty cell is even. Every claim here is
//! checked against full search in the tests.

use super::position::{Position, has_four};
use super::shape::Shape;

/// An upper bound of the mover's score, if the opponent's answers prove one.
/// `theirs` are the opponent's threats on empty cells.
#[inline(always)]
pub fn answered<S: Shape>(shape: &S, position: &Position, theirs: u64) -> Option<i32> {
    let playable = position.playable(shape);
    let empty = position.empty(shape);
    let odd_columns = playable & shape.even();
    let sure = empty & shape.even() & !playable;
    let mut usual = position.own | (empty & !shape.even()) | odd_columns;
    usual &= !above_all(shape, theirs & sure);
    if odd_columns.count_ones().is_multiple_of(2) {
        if !held(shape, usual, odd_columns) {
            return None;
        }
        if theirs & sure != 0 {
            return Some(-latest(shape, highest_gain(shape, theirs & sure)));
        }
        let lost = has_four(shape, position.other(shape) | sure);
        return Some(-i32::from(lost));
    }
    let mut best = None;
    let mut threats = theirs & !shape.even();
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        let column = shape.column(shape.column_of(threat));
        threats &= !column;
        if odd_columns & column == 0 {
            continue;
        }
        let below = column & (threat - 1) & empty;
        let mine = (usual & !(column & empty)) | (below & shape.even());
        if held(shape, mine, odd_columns & !column) {
            let bound = -latest(shape, threat);
            best = Some(best.map_or(bound, |best: i32| best.min(bound)));
        }
    }
    best
}

/// Whether the mover has no four in `mine`, of which the lowest cell of one of
/// two odd columns goes to the opponent. With more odd columns than two the
/// mover is granted all of them; to tell them apart as well was measured and did
/// not pay.
#[inline(always)]
fn held<S: Shape>(shape: &S, mine: u64, odd_columns: u64) -> bool {
    let one = odd_columns & odd_columns.wrapping_neg();
    !has_four(shape, mine)
        || odd_columns.count_ones() == 2
            && !has_four(shape, mine & !one)
            && !has_four(shape, mine & !(odd_columns ^ one))
}

/// Every cell above these.
#[inline(always)]
fn above_all<S: Shape>(shape: &S, cells: u64) -> u64 {
    let board = shape.board() | shape.hole();
    let mut up = (cells << 1) & board;
    let mut through = board & (board << 1);
    up |= through & (up << 1);
    through &= through << 1;
    up |= through & (up << 2);
    through &= through << 2;
    up |= through & (up << 4);
    through &= through << 4;
    up | (through & (up << 8))
}

/// The score of a player who wins on this cell when only the cells above it are
/// left.
#[inline(always)]
fn latest<S: Shape>(shape: &S, cell: u64) -> i32 {
    let column = shape.column(shape.column_of(cell));
    let above = (column & shape.board() & !(cell | (cell - 1))).count_ones() as i32;
    (above + 2) / 2
}

/// The cell among these with the most cells above it.
#[inline(always)]
fn highest_gain<S: Shape>(shape: &S, mut cells: u64) -> u64 {
    let mut best = (0, 0);
    while cells != 0 {
        let cell = cells & cells.wrapping_neg();
        best = best.max((latest(shape, cell), cell));
        cells &= cells - 1;
    }
    best.1
}

/// Whether these stones can still become part of a four, whatever is played.
#[inline(always)]
pub fn can_win<S: Shape>(shape: &S, stones: u64, empty: u64) -> bool {
    has_four(shape, stones | empty)
}

#[cfg(test)]
mod tests {
    use games::Dice;

    use super::super::plain::{Plain, random, small_boards};
    use super::super::position::completions;
    use super::super::shape::{Shape, Standard};
    use super::*;

    /// Compares every bound with plain minimax; how often there was one, and how
    /// often it was below zero.
    fn check<S: Shape>(shape: S, stones: std::ops::Range<i32>, tries: u64, seed: u64) -> [u32; 2] {
        let mut plain = Plain::new(shape);
        let mut seen = [0; 2];
        for index in 0..tries {
            let mut dice = Dice::of(seed, index);
            let stones = stones.start + dice.below((stones.end - stones.start) as usize) as i32;
            let Some(position) = random(&shape, stones, &mut dice) else { continue };
            let empty = position.empty(&shape);
            if completions(&shape, position.own) & position.playable(&shape) != 0 {
                continue;
            }
            let theirs = completions(&shape, position.other(&shape)) & empty;
            let score = plain.score(&position);
            if let Some(bound) = answered(&shape, &position, theirs) {
                assert!(score <= bound, "{shape:?} {position:?}: {score} is not at most {bound}");
                seen[0] += 1;
                seen[1] += u32::from(bound < 0);
            }
            if !can_win(&shape, position.own, empty) {
                assert!(score <= 0, "{shape:?} {position:?}: {score} without an open line");
            }
        }
        seen
    }

    #[test]
    fn bounds_hold_on_small_boards() {
        for (index, shape) in small_boards().into_iter().enumerate() {
            let [any, lost] =
                check(shape, shape.cells() / 2 - 1..shape.cells(), 1_000, index as u64);
            assert!(any > 50, "{shape:?}: only {any} bounds, {lost} below zero");
        }
    }

    #[test]
    fn bounds_hold_late_on_the_standard_board() {
        let [any, lost] = check(Standard, 27..40, 20_000, 99);
        assert!(any > 400 && lost > 200, "only {any} bounds, {lost} below zero");
    }
}
