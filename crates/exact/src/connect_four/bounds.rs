//! Static upper bounds of the mover's score: what an opponent holds by answering
//! every stone by rule.
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
//! Three refinements make the answers hold more often. The opponent may choose how to
//! pair the odd columns: a line is harmless if it contains both cells of some pair. Two even columns may be taken as a pair
//! as well: their lowest cells answer each other, then the cells above those, and
//! from there on the stones above; so the mover gets one of each two, which helps
//! against lines that need both. And a four that needs more stones than the
//! window leaves is no danger: in a column the mover pays a stone for the first
//! cell, two for the third, three for the fifth, whatever the order.
//!
//! The mover also pays for opening an odd column: one stone on its lowest cell or its
//! partner's, before it gets the second. To count that, too, passes the tests but gains
//! nothing: the geometric mean of the first 100 positions of L1_R2 is 50,305 nodes
//! instead of 50,677, that of the first 12 of L1_R3 1.49 M instead of 1.38 M.
//!
//! "Even" cells ([`Shape::even`]) have an even number of cells above, so a
//! column is odd exactly if its lowest empty cell is even. Every claim here is
//! checked against full search in the tests.

use arrayvec::ArrayVec;
use games::connect_four::Word;

use super::position::{Position, has_four};
use super::shape::Shape;

/// An upper bound of the mover's score that is at most `alpha`, if the opponent's
/// answers prove one. `theirs` are the opponent's threats on empty cells.
#[inline(always)]
pub fn follow_up_bound<S: Shape>(
    shape: &S,
    position: &Position<S::Word>,
    theirs: S::Word,
    alpha: i32,
) -> Option<i32> {
    let playable = position.playable(shape);
    let empty = position.empty(shape);
    let odd_columns = playable & shape.even();
    let sure = empty & shape.even() & !playable;
    let mut usual = position.own | (empty & !shape.even()) | odd_columns;
    usual = usual & !above_all(shape, theirs & sure);
    if odd_columns.count().is_multiple_of(2) {
        if held(shape, usual, odd_columns) {
            let bound = if !(theirs & sure).is_empty() {
                -latest(shape, highest_gain(shape, theirs & sure))
            } else {
                -i32::from(has_four(shape, position.other(shape) | sure))
            };
            return (bound <= alpha).then_some(bound);
        }
        if alpha < 0 {
            return None;
        }
        let spare = playable & !shape.even() & !columns_of(shape, theirs & sure);
        if exchanged(shape, usual, odd_columns, spare) {
            return Some(0);
        }
        // The score is above alpha only if the mover wins with one of the next
        // so many stones.
        let stones = empty.count() as i32 / 2 - alpha;
        let late = || paired(shape, odd_columns, soon(shape, usual, playable, stones));
        return (stones < MOST_STONES && late()).then_some(alpha);
    }
    let mut best = None;
    let mut threats = theirs & !shape.even();
    while !threats.is_empty() {
        let threat = threats.lowest_bit();
        let column = shape.column(shape.column_of(threat));
        threats = threats & !column;
        if (odd_columns & column).is_empty() {
            continue;
        }
        let below = column & threat.minus_one() & empty;
        let mine = (usual & !(column & empty)) | (below & shape.even());
        if held(shape, mine, odd_columns & !column) {
            let bound = -latest(shape, threat);
            best = Some(best.map_or(bound, |best: i32| best.min(bound)));
        }
    }
    best.filter(|&bound| bound <= alpha)
}

/// The lines of a board that a player may fill: for each direction, their first cells.
type Lines<W> = [W; 4];

/// The distances from cell to cell in the four directions, those with the most lines
/// first.
#[inline(always)]
fn steps<S: Shape>(shape: &S) -> [u32; 4] {
    let stride = shape.stride();
    [stride, stride - 1, stride + 1, 1]
}

/// The lines of one direction in these cells.
#[inline(always)]
fn lines_along<W: Word>(cells: W, step: u32) -> W {
    let pairs = cells & cells.down(step);
    pairs & pairs.down(2 * step)
}

/// All lines in these cells.
#[inline(always)]
fn lines_in<S: Shape>(shape: &S, cells: S::Word) -> Lines<S::Word> {
    steps(shape).map(|step| lines_along(cells, step))
}

/// Those of `cells`, as long as there are two, that every line in `mine` contains.
#[inline(always)]
fn in_all_lines<S: Shape>(shape: &S, mine: S::Word, cells: S::Word) -> S::Word {
    let mut common = cells;
    for step in steps(shape) {
        for first in lines_along(mine, step).singles() {
            let two = first | first.up(step);
            common = common & (two | two.up(2 * step));
            if !common.has_two() {
                return S::Word::default();
            }
        }
    }
    common
}

/// Whether the mover has no four in `mine`, of which the opponent gets one of
/// each pair of odd columns' lowest cells.
#[inline(always)]
fn held<S: Shape>(shape: &S, mine: S::Word, odd_columns: S::Word) -> bool {
    !has_four(shape, mine)
        || !mine.has_unpaired_four(odd_columns, shape.stride())
            && pairs_cover(shape, lines_in(shape, mine), odd_columns)
}

/// Whether the opponent can pair these cells so that each line contains both cells of
/// some pair: the mover gets only one of them. `along` gives the lines of a direction;
/// mostly the first ones decide.
#[inline(always)]
fn paired<S: Shape>(shape: &S, cells: S::Word, along: impl Fn(u32) -> S::Word) -> bool {
    let mut lines = Lines::<S::Word>::default();
    for (line, step) in lines.iter_mut().zip(steps(shape)) {
        *line = along(step);
        let two = cells & cells.down(step);
        let one = cells | cells.down(step);
        let two_of_four = two | two.down(2 * step) | one & one.down(2 * step);
        if !(*line & !two_of_four).is_empty() {
            return false;
        }
    }
    pairs_cover(shape, lines, cells)
}

/// Lines that are looked at, and pairs of columns.
const MOST_LINES: usize = 24;
const MOST_PAIRS: usize = 6;

/// The same for lines that have two of the cells or more each.
fn pairs_cover<S: Shape>(shape: &S, lines: Lines<S::Word>, cells: S::Word) -> bool {
    // The columns of the cells in each line.
    let mut columns: ArrayVec<u16, MOST_LINES> = ArrayVec::new();
    for (line, step) in lines.into_iter().zip(steps(shape)) {
        for first in line.singles() {
            let four = first | first.up(step);
            let four = (four | four.up(2 * step)) & cells;
            let set = four.singles().fold(0, |set, cell| set | 1 << shape.column_of(cell));
            if columns.contains(&set) {
                continue;
            }
            if columns.is_full() {
                return false;
            }
            columns.push(set);
        }
    }
    // Those with the least choice come first.
    columns.sort_unstable_by_key(|set| set.count_ones());
    cover(&columns, &mut ArrayVec::new())
}

/// Whether more pairs, of columns that are in none yet, put one into each of the sets.
fn cover(sets: &[u16], pairs: &mut ArrayVec<u16, MOST_PAIRS>) -> bool {
    let Some((&set, rest)) = sets.split_first() else { return true };
    if pairs.iter().any(|pair| pair & !set == 0) {
        return cover(rest, pairs);
    }
    let mut left = set & !pairs.iter().fold(0, |all, pair| all | pair);
    while left != 0 {
        let one = left & left.wrapping_neg();
        left ^= one;
        let mut others = left;
        while others != 0 {
            let other = others & others.wrapping_neg();
            others ^= other;
            pairs.push(one | other);
            if cover(rest, pairs) {
                return true;
            }
            pairs.pop();
        }
    }
    false
}

/// Whether the answers hold when two even columns are taken as a pair. `spare`
/// are the lowest cells of those that may be.
#[inline(always)]
fn exchanged<S: Shape>(shape: &S, mine: S::Word, odd_columns: S::Word, spare: S::Word) -> bool {
    let useful = in_all_lines(shape, mine, spare);
    useful.singles().any(|one| {
        (useful & !(one | one.minus_one())).singles().any(|two| {
            [one, two].iter().all(|&lost| {
                [one, two]
                    .iter()
                    .all(|&won| held(shape, mine & !lost | shape.above(won), odd_columns))
            })
        })
    })
}

/// Lines cost at most this many stones.
const MOST_STONES: i32 = 12;

/// The lines of a direction in `mine` that the mover can fill with so many stones, when
/// each is answered. The cost of the four cells is added for all lines at once, a word
/// for each binary digit.
#[inline(always)]
fn soon<S: Shape>(
    shape: &S,
    mine: S::Word,
    playable: S::Word,
    stones: i32,
) -> impl Fn(u32) -> S::Word {
    let second = shape.above(playable);
    let third = shape.above(second);
    let fourth = shape.above(third);
    let empty = mine & (playable | second | third | fourth | above_all(shape, fourth));
    let (ones, twos) = (empty & !(third | fourth), empty & !(playable | second));
    let carry = |a: S::Word, b: S::Word, c: S::Word| a & b | c & (a ^ b);
    move |step: u32| {
        let lines = lines_along(mine, step);
        let (a, b) = (ones.down(step), twos.down(step));
        let both = ones & a;
        let sum = [ones ^ a, twos ^ b ^ both, carry(twos, b, both)];
        let far = sum.map(|digit| digit.down(2 * step));
        let first = sum[0] & far[0];
        let second = carry(sum[1], far[1], first);
        let digits = [
            sum[0] ^ far[0],
            sum[1] ^ far[1] ^ first,
            sum[2] ^ far[2] ^ second,
            carry(sum[2], far[2], second),
        ];
        let (mut less, mut equal) = (S::Word::default(), lines);
        for (place, digit) in digits.into_iter().enumerate().rev() {
            if stones >> place & 1 == 1 {
                less = less | equal & !digit;
                equal = equal & digit;
            } else {
                equal = equal & !digit;
            }
        }
        less | equal
    }
}

/// All of the columns that these cells lie in.
#[inline(always)]
fn columns_of<S: Shape>(shape: &S, cells: S::Word) -> S::Word {
    let column = |cell| shape.column(shape.column_of(cell));
    cells.singles().fold(S::Word::default(), |columns, cell| columns | column(cell))
}

/// Every cell above these.
#[inline(always)]
fn above_all<S: Shape>(shape: &S, cells: S::Word) -> S::Word {
    let board = shape.board() | shape.hole();
    // In each column the cells with their sign changed: the lowest of them, and above
    // it whatever is none of them. Without any, only the spare bit on top.
    let negative = (board & !cells).plus(shape.bottom());
    (negative ^ cells) & board
}

/// The score of a player who wins on this cell when only the cells above it are
/// left.
#[inline(always)]
fn latest<S: Shape>(shape: &S, cell: S::Word) -> i32 {
    let column = shape.column(shape.column_of(cell));
    let above = (column & shape.board() & !(cell | cell.minus_one())).count() as i32;
    (above + 2) / 2
}

/// The cell among these with the most cells above it.
#[inline(always)]
fn highest_gain<S: Shape>(shape: &S, cells: S::Word) -> S::Word {
    let gain = |cell| (latest(shape, cell), cell);
    cells.singles().map(gain).max().unwrap_or_default().1
}

/// Whether these stones can still become part of a four, whatever is played.
#[inline(always)]
pub fn can_win<S: Shape>(shape: &S, stones: S::Word, empty: S::Word) -> bool {
    has_four(shape, stones | empty)
}

#[cfg(test)]
mod tests {
    use games::Rng;
    use games::connect_four::U192;

    use super::super::plain::{Plain, random, small_boards};
    use super::super::position::completions;
    use super::super::shape::{Shape, Standard};
    use super::super::table::TableWord;
    use super::*;

    /// Compares every bound with plain minimax; how often there was one, and how
    /// often the best was below zero and above.
    fn check<S: Shape>(shape: S, stones: std::ops::Range<i32>, tries: u64, seed: u64) -> [u32; 3] {
        let mut plain = Plain::new(shape);
        let mut seen = [0; 3];
        for index in 0..tries {
            let mut rng = Rng::stream(seed, index);
            let stones = stones.start + rng.below((stones.end - stones.start) as usize) as i32;
            let Some(position) = random(&shape, stones, &mut rng) else { continue };
            let empty = position.empty(&shape);
            if completions(&shape, position.own) & position.playable(&shape) != Default::default() {
                continue;
            }
            let theirs = completions(&shape, position.other(&shape)) & empty;
            let score = plain.score(&position);
            let most = (shape.cells() - stones) / 2;
            let bounds = (-most..=most)
                .map(|alpha| (alpha, follow_up_bound(&shape, &position, theirs, alpha)));
            let mut least = None;
            for (alpha, bound) in bounds.filter_map(|(alpha, bound)| Some((alpha, bound?))) {
                assert!(score <= bound, "{shape:?} {position:?}: {score} is not at most {bound}");
                assert!(bound <= alpha);
                least = least.or(Some(bound));
            }
            if let Some(bound) = least {
                seen[0] += 1;
                seen[1] += u32::from(bound < 0);
                seen[2] += u32::from(bound > 0);
            }
            if !can_win(&shape, position.own, empty) {
                assert!(score <= 0, "{shape:?} {position:?}: {score} without an open line");
            }
        }
        seen
    }

    #[test]
    fn bounds_hold_on_small_boards() {
        bounds_hold::<u64>();
        bounds_hold::<u128>();
        bounds_hold::<U192>();
    }

    fn bounds_hold<W: TableWord>() {
        for (index, shape) in small_boards::<W>().into_iter().enumerate() {
            let [any, lost, late] =
                check(shape, shape.cells() / 2 - 1..shape.cells(), 1_000, index as u64);
            assert!(
                any > 50 && late > 5,
                "{shape:?}: only {any} bounds, {lost} below zero, {late} above"
            );
        }
    }

    #[test]
    fn bounds_hold_late_on_the_standard_board() {
        let [any, lost, late] = check(Standard, 27..40, 20_000, 99);
        assert!(
            any > 400 && lost > 200 && late > 50,
            "only {any} bounds, {lost} below zero, {late} above"
        );
    }
}
