//! An outside program and its pipes.
//!
//! The program may die, fall silent, or write garbage without end. Lines are
//! read in a thread of their own into a queue of bounded length; its reader
//! waits with a deadline. A program that is no longer wanted is asked to quit
//! and killed if it does not; what its own children still write is not read any
//! more. An interrupt at the terminal is ours alone: it must not look as if the
//! program had died.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use games::TextError;
use search::core_wait;

use super::lines::next_line_with_end;

/// How long a program may take to leave when asked to.
const PATIENCE: Duration = Duration::from_millis(500);

/// Lines that a program can be ahead of us. The longest have a megabyte.
const QUEUE: usize = 64;

/// A running program that speaks in lines.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    wanted: Arc<AtomicBool>,
}

/// The program's output for as long as it is read: a line without an end
/// would otherwise be read for ever.
struct Output<R> {
    pipe: R,
    wanted: Arc<AtomicBool>,
}

impl<R: Read> Read for Output<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        match self.wanted.load(Ordering::Relaxed) {
            true => self.pipe.read(bytes),
            false => Ok(0),
        }
    }
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Not yet.
    Late,
    /// Never: the program has closed its output.
    Closed,
}

impl Process {
    /// Starts a program: its path and its arguments, apart by spaces, quoted by
    /// `'` where they contain some. What it writes to its error output is lost.
    pub fn start(command: &str) -> Result<Process, TextError> {
        let words = words(command)?;
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| TextError::new("name a program, as in command=\"./other --flag\""))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        own_process_group(&mut command);
        let mut child = command
            .spawn()
            .map_err(|error| TextError::new(format!("'{program}' can't be started: {error}")))?;
        let wanted = Arc::new(AtomicBool::new(true));
        let pipe = child.stdout.take().expect("it was piped");
        let output = Output { pipe, wanted: Arc::clone(&wanted) };
        let (post, lines) = sync_channel(QUEUE);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            // A program that ends within a line has not said it.
            while let Ok(Some((line, true))) = next_line_with_end(&mut output) {
                if post.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process { input: child.stdin.take(), child, lines, wanted })
    }

    /// Sends a line. If the program has ended, no answer will come.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input
            && input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).is_err()
        {
            self.input = None;
        }
    }

    /// A line that has come already, if there is one.
    pub fn waiting_line(&mut self) -> Option<String> {
        self.lines.try_recv().ok()
    }

    /// The next line, if one comes in time.
    pub fn line(&mut self, wait: Duration) -> Result<String, ReadError> {
        self.lines.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReadError::Late,
            RecvTimeoutError::Disconnected => ReadError::Closed,
        })
    }

    /// Reads lines until `found` takes one; `None` if the program falls silent
    /// first.
    pub fn until<T>(
        &mut self,
        patience: Duration,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Option<T> {
        let begun = Instant::now();
        loop {
            let left = patience.checked_sub(begun.elapsed())?;
            let line = self.line(left).ok()?;
            if let Some(value) = found(&line) {
                return Some(value);
            }
        }
    }

    /// How it ended, if it did: known shortly after its output was closed.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// How long it and this thread were ready to run and waited for a core, so far.
    pub fn core_wait(&self) -> Duration {
        core_wait::of_process(self.child.id()) + core_wait::of_thread()
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.wanted.store(false, Ordering::Relaxed);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            // A queue that is full keeps the program from writing, and so from
            // reading that it should leave.
            while self.lines.try_recv().is_ok() {}
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kill();
    }
}

/// Keeps a terminal's interrupt from a program that is about to be started.
fn own_process_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}

/// Splits a command as a shell does. On Windows a backslash separates folders.
pub(crate) fn words(command: &str) -> Result<Vec<String>, TextError> {
    let escaped = if cfg!(windows) { command.replace('\\', r"\\") } else { command.to_owned() };
    shell_words::split(&escaped)
        .map_err(|_| TextError::new("a quotation mark in the command is not closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_at_spaces_but_not_in_quotes() {
        assert_eq!(words("./a 'b c' d''").unwrap(), ["./a", "b c", "d"]);
        assert!(words("  ").unwrap().is_empty());
        assert!(words("'").is_err());
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let error = Process::start("/no/such/program").err().unwrap().to_string();
        assert!(error.contains("'/no/such/program' can't be started"), "{error}");
        assert!(Process::start("").is_err());
    }
}
