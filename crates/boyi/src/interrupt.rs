//! Ctrl-C, so that long work ends with what it has.

use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that was interrupted.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether there was an interrupt.
pub fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Sets a flag at the first interrupt; the second ends the program at once.
pub fn set_on_interrupt(flag: &'static AtomicBool) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(EXIT_CODE.into());
        }
        eprintln!("\nstopping; press Ctrl-C again to quit at once");
    })?;
    Ok(())
}

/// Sets one flag at the first interrupt, to end what has begun and begin nothing
/// new, and another at the second, to stop; the third ends the program at once.
pub fn finish_then_stop(
    finish: &'static AtomicBool,
    stop: &'static AtomicBool,
) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if !finish.swap(true, Ordering::Relaxed) {
            eprintln!("\nfinishing the running games; press Ctrl-C again to stop now");
        } else if !stop.swap(true, Ordering::Relaxed) {
            eprintln!("\nstopping; press Ctrl-C again to quit at once");
        } else {
            std::process::exit(EXIT_CODE.into());
        }
    })?;
    Ok(())
}

/// The message after an interrupt of work that is kept in a store.
pub fn goes_on() -> String {
    format!("interrupted; the same command continues:\n  {}", this_command())
}

/// The command line of this run, to be given again: what began anew now goes on.
pub fn this_command() -> String {
    let quote = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+,:".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    std::env::args().filter(|word| word != "--fresh").map(quote).collect::<Vec<_>>().join(" ")
}
