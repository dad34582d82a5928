//! `boyi course-player LIBRARY` (hidden): one library of the course in a process
//! of its own, so that it can crash, hang or print without harm.
//!
//! The first line out is `@boyi ready`, or `@boyi error` and a sentence if the
//! library can't be loaded. Then a line in is `M N noX noY lastX lastY top...
//! board...`, and a line out `@boyi X Y MICROSECONDS`, on a line of its own whatever
//! the library printed before.
//!
//! Libraries of the course are often linked without naming the C++ library that
//! they use, since the judge has it in memory. So it is loaded here first, for all
//! to see.

use std::ffi::c_int;
use std::io::{BufRead, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use libloading::Library;
use session::cpu_time;

use crate::position::print_line;
use crate::rlimit;

/// The course judge's limit plus what the program itself needs.
const MEMORY: u64 = (1 << 30) + (256 << 20);

/// The prefix of an answer.
pub const MARK: &str = "@boyi ";
/// The first answer, if the library was loaded.
pub const READY: &str = "ready";
/// The beginning of the first answer, if it was not.
pub const ERROR: &str = "error ";

/// The C++ library, where it is a file of its own.
#[cfg(target_os = "linux")]
const CPLUSPLUS: &str = "libstdc++.so.6";
#[cfg(target_os = "macos")]
const CPLUSPLUS: &str = "libc++.1.dylib";

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

/// Makes the C++ library's functions known to what is loaded next. Where there is
/// none, no library needs it.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn load_cplusplus() {
    use libloading::os::unix;
    // SAFETY: the system's own library, whose initialisers are made to run in any
    // process.
    let library =
        unsafe { unix::Library::open(Some(CPLUSPLUS), unix::RTLD_NOW | unix::RTLD_GLOBAL) };
    if let Ok(library) = library {
        std::mem::forget(library); // it stays for as long as the process
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn load_cplusplus() {}

/// Says why the library can't play.
fn refuse(why: &str) -> anyhow::Result<()> {
    let line = why.split_whitespace().collect::<Vec<_>>().join(" ");
    print_line(format!("\n{MARK}{ERROR}{line}"))
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        rlimit::limit_memory(MEMORY);
        let mut output = std::io::stdout();
        load_cplusplus();
        // SAFETY: loading runs the library's initialisers. They can only harm this
        // process, which was started for this library alone.
        let library = match unsafe { Library::new(&self.library) } {
            Ok(library) => library,
            Err(error) => return refuse(&error.to_string()),
        };
        // SAFETY: the course's interface defines these types.
        let functions = unsafe {
            library
                .get::<GetPoint>(b"getPoint\0")
                .ok()
                .zip(library.get::<ClearPoint>(b"clearPoint\0").ok())
        };
        let Some((get, clear)) = functions else {
            return refuse("it has no functions getPoint and clearPoint");
        };
        writeln!(output, "\n{MARK}{READY}")?;
        output.flush()?;
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
