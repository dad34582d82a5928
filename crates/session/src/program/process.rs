//! An outside program and its pipes.
//!
//! The program may die, fall silent, or write garbage without end. Lines are
//! read in a thread of their own into a queue of bounded length; its reader
//! waits with a deadline. A program that is no longer wanted is asked to quit
//! and killed if it does not; what its own children still write is not read any
//! more. An interrupt at the terminal is ours alone: it must not look as if the
//! program had died.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;
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
    log: Option<ConversationLog>,
}

/// A file to which every line of a conversation is added: the seconds since the
/// program was started, its process id, `>` for what it was sent or `<` for what it
/// said, and the line.
#[derive(Clone)]
struct ConversationLog {
    file: Arc<File>,
    process: u32,
    begun: Instant,
}

impl ConversationLog {
    fn write(&self, direction: char, line: &str) {
        let (seconds, process) = (self.begun.elapsed().as_secs_f64(), self.process);
        let entry = format!("{seconds:.3} {process} {direction} {line}\n");
        // One write a line, so that several programs can share a file. A full disk is
        // no reason to lose a game.
        let _ = (&*self.file).write_all(entry.as_bytes());
    }
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
    /// `'` where they contain some. What it writes to its error output is lost. The
    /// conversation is added to `log`, if there is one.
    pub fn start(command: &str, log: Option<&Path>) -> Result<Process, TextError> {
        let log = log.map(open_log).transpose()?;
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
        let process = child.id();
        let log = log.map(|file| ConversationLog { file, process, begun: Instant::now() });
        let (post, lines) = sync_channel(QUEUE);
        let said = log.clone();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            // A program that ends within a line has not said it.
            while let Ok(Some((line, true))) = next_line_with_end(&mut output) {
                if let Some(log) = &said {
                    log.write('<', &line);
                }
                if post.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process { input: child.stdin.take(), child, lines, wanted, log })
    }

    /// Sends a line. If the program has ended, no answer will come.
    pub fn send(&mut self, line: &str) {
        if let Some(log) = &self.log {
            log.write('>', line);
        }
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

fn open_log(path: &Path) -> Result<Arc<File>, TextError> {
    let file = File::options().create(true).append(true).open(path);
    file.map(Arc::new).map_err(|error| {
        TextError::new(format!("the log {} can't be written: {error}", path.display()))
    })
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
        let error = Process::start("/no/such/program", None).err().unwrap().to_string();
        assert!(error.contains("'/no/such/program' can't be started"), "{error}");
        assert!(Process::start("", None).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_log_holds_both_sides_of_several_conversations() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        for word in ["one", "two"] {
            let mut process = Process::start("cat", Some(&log)).unwrap();
            process.send(word);
            assert_eq!(process.line(Duration::from_secs(10)).unwrap(), word);
        }
        let text = std::fs::read_to_string(&log).unwrap();
        let heard = text.lines().filter_map(|line| line.splitn(3, ' ').nth(2));
        let heard: Vec<_> = heard.filter(|line| !line.contains("quit")).collect();
        assert_eq!(heard, ["> one", "< one", "> two", "< two"]);
        let nowhere = folder.path().join("none").join("log");
        let error = Process::start("cat", Some(&nowhere)).err().unwrap().to_string();
        assert!(error.contains("can't be written"), "{error}");
    }
}
