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
/// `theirs` are the opponent's threats on empty cells; none of them is playable.
#[inline(always)]
pub fn answered<S: Shape>(shape: &S, position: &Position, theirs: u64) -> Option<i32> {
    let playable = position.playable(shape);
    let empty = position.empty(shape);
    let odd_columns = playable & shape.even();
    let usual = position.own | (empty & !shape.even()) | odd_columns;
    if odd_columns.count_ones() % 2 == 0 {
        if has_four(shape, usual) {
            return None;
        }
        let sure = empty & shape.even() & !playable;
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
        if !has_four(shape, mine) {
            let bound = -latest(shape, threat);
            best = Some(best.map_or(bound, |best: i32| best.min(bound)));
        }
    }
    best
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
