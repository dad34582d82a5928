//! The Connect Four library for the course's judge: two functions with C's
//! calling convention, and a player behind them.
//!
//! The judge loads the library once or twice in a process and plays many games
//! with it. It tells of a new game only by the board, allows 3 s a move, of CPU
//! time over all threads or by the wall clock, and 1 GB, and an illegal move, a
//! crash or a timeout loses the game. So:
//!
//! - one thread searches, for 2.7 s by either clock; where the machine is busy and
//!   answers come later than planned, the next are planned so much earlier;
//! - that thread has ended when the answer is given;
//! - there are two players, because both sides of a game may be this very
//!   library, each with a bounded tree;
//! - nothing unwinds across the border: whatever goes wrong inside, a legal column
//!   is answered.
//!
//! `BOYI_COURSE_SECONDS` changes the time and `BOYI_COURSE_ENGINE` the engine.

mod players;

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use players::CallTime;
use protocols::course::any_column;

/// A cell: its row from the top and its column, both from 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The row, from the top.
    pub x: c_int,
    /// The column.
    pub y: c_int,
}

/// What the judge shows.
pub(crate) struct JudgePosition {
    rows: i64,
    columns: i64,
    top: Vec<i64>,
    board: Vec<i64>,
    last: Option<usize>,
    hole: (i64, i64),
}

/// Chooses a move. The answer is given back by [`clearPoint`].
///
/// # Safety
///
/// `top` points to `N` numbers and `board` to `M * N`, as the judge promises.
#[unsafe(no_mangle)]
#[allow(non_snake_case)] // the judge's names
pub unsafe extern "C" fn getPoint(
    M: c_int,
    N: c_int,
    top: *const c_int,
    board: *const c_int,
    _lastX: c_int,
    lastY: c_int,
    noX: c_int,
    noY: c_int,
) -> *mut Point {
    let called = CallTime::now();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let (rows, columns) = (M.clamp(0, 64) as usize, N.clamp(0, 64) as usize);
        let numbers = |start: *const c_int, count: usize| -> Vec<i64> {
            if start.is_null() {
                return Vec::new();
            }
            // SAFETY: the judge promises `N` and `M * N` numbers, and no board
            // that it has is larger than what is read here.
            let numbers = unsafe { std::slice::from_raw_parts(start, count) };
            numbers.iter().map(|&number| number.into()).collect()
        };
        let position = JudgePosition {
            rows: M.into(),
            columns: N.into(),
            top: numbers(top, columns),
            board: numbers(board, rows * columns),
            last: usize::try_from(lastY).ok(),
            hole: (noX.into(), noY.into()),
        };
        choose(&position, &called)
    }));
    Box::into_raw(Box::new(answer.unwrap_or(Point { x: 0, y: 0 })))
}

/// Gives an answer back.
///
/// # Safety
///
/// `p` is an answer of [`getPoint`] that was not given back yet, or null.
#[unsafe(no_mangle)]
#[allow(non_snake_case)] // the judge's name
pub unsafe extern "C" fn clearPoint(p: *mut Point) {
    if !p.is_null() {
        // SAFETY: `getPoint` made it so.
        drop(unsafe { Box::from_raw(p) });
    }
}

/// The player's column, or any that is legal if the player fails.
fn choose(position: &JudgePosition, called: &CallTime) -> Point {
    let open = |&column: &usize| position.top.get(column).is_some_and(|&top| top > 0);
    let chosen = catch_unwind(AssertUnwindSafe(|| players::choose_column(position, called)));
    let column = chosen.ok().flatten().filter(open).or_else(|| any_column(&position.top));
    let column = column.unwrap_or(0);
    let x = position.top.get(column).map_or(0, |&top| top - 1);
    Point { x: x as c_int, y: column as c_int }
}
