//! `boyi course-player LIBRARY` (hidden): one library of the course in a process
//! of its own, so that it can crash, hang or print without harm.
//!
//! A line in is `M N noX noY lastX lastY top... board...`; a line out is
//! `@boyi X Y MICROSECONDS`, on a line of its own whatever the library printed
//! before.

use std::ffi::c_int;
use std::io::{BufRead, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use libloading::Library;
use session::cpu_time;

use crate::rlimit;

/// The course judge's limit plus what the program itself needs.
const MEMORY: u64 = (1 << 30) + (256 << 20);

/// The prefix of an answer.
pub const MARK: &str = "@boyi ";

#[derive(Args)]
#[command(hide = true)]
pub struct Arguments {
    library: PathBuf,
}

#[repr(C)]
struct Point {
    x: c_int,
    y: c_int,
}

type GetPoint = unsafe extern "C" fn(
    c_int,
    c_int,
    *const c_int,
    *const c_int,
    c_int,
    c_int,
    c_int,
    c_int,
) -> *mut Point;
type ClearPoint = unsafe extern "C" fn(*mut Point);

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        rlimit::limit_memory(MEMORY);
        // SAFETY: loading runs the library's initialisers. They can only harm this
        // process, which was started for this library alone.
        let library = unsafe { Library::new(&self.library) }
            .with_context(|| format!("{} can't be loaded", self.library.display()))?;
        // SAFETY: the course's interface defines these types.
        let get = unsafe { library.get::<GetPoint>(b"getPoint\0") }.context("no getPoint")?;
        // SAFETY: as above.
        let clear =
            unsafe { library.get::<ClearPoint>(b"clearPoint\0") }.context("no clearPoint")?;
        let mut output = std::io::stdout();
        for line in std::io::stdin().lock().lines() {
            let numbers: Vec<c_int> =
                line?.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let [rows, columns, hole_x, hole_y, last_x, last_y, ref rest @ ..] = numbers[..] else {
                bail!("a line is too short");
            };
            let size = usize::try_from(columns).unwrap_or(0);
            let Some((top, board)) = rest.split_at_checked(size) else { bail!("a line is cut") };
            if board.len() != usize::try_from(rows).unwrap_or(0) * size {
                bail!("the board is cut");
            }
            let before = cpu_time();
            // SAFETY: the pointers are to as many numbers as the sizes say, and
            // the answer is read once and given back.
            let (x, y) = unsafe {
                let point = get(
                    rows,
                    columns,
                    top.as_ptr(),
                    board.as_ptr(),
                    last_x,
                    last_y,
                    hole_x,
                    hole_y,
                );
                if point.is_null() {
                    bail!("getPoint returned a null pointer");
                }
                let answer = ((*point).x, (*point).y);
                clear(point);
                answer
            };
            let spent = cpu_time().saturating_sub(before);
            writeln!(output, "\n{MARK}{x} {y} {}", spent.as_micros())?;
            output.flush()?;
        }
        Ok(())
    }
}
