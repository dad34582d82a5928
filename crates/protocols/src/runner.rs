//! Where a protocol meets the world: a thread that reads the input, the engine's
//! worker, and the event loop, which is the engine's caller.
//!
//! Input is handled while a search runs, unless the protocol takes turns. The loop
//! sleeps until something comes in, the engine returns, a report is due or the
//! time of the search is up. When the output is closed, or the input has ended and
//! there is nothing left to answer, the conversation ends.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};

use session::EngineSpec;

use crate::search_worker::{SearchEvent, SearchWorker};
use crate::{Action, ProtocolHandler, SearchRequest};

/// What can happen.
enum Event {
    Line(String),
    Closed,
    /// The engine returned.
    Finished,
}

/// The log file, if there is one. A log that can't be written is no reason to lose
/// a game, so errors are ignored.
#[derive(Default)]
pub struct Log(pub Option<File>);

impl Log {
    /// Writes a line.
    pub fn write(&mut self, line: &str) {
        if let Some(file) = &mut self.0 {
            let _ = writeln!(file, "{line}");
        }
    }
}

/// A conversation under way.
pub struct ProtocolRunner<H: ProtocolHandler> {
    handler: H,
    worker: SearchWorker,
    events: Receiver<Event>,
    sender: Sender<Event>,
    log: Log,
    /// What is to be searched when the search under way is finished.
    next: Option<SearchRequest>,
    /// An engine, or a game, that begins when the search under way is finished.
    later: Vec<Action>,
    /// Whether the answer that comes is not wanted.
    cancelled: bool,
    /// Whether the search under way has a limit.
    limited: bool,
    /// Lines that wait for their turn.
    waiting: VecDeque<String>,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversation {
    Continues,
    Ended,
}

impl<H: ProtocolHandler> ProtocolRunner<H> {
    /// A protocol with an engine behind it. Log lines go to `log`.
    pub fn new(handler: H, engine: EngineSpec, seed: u64, log: Log) -> ProtocolRunner<H> {
        let (sender, events) = channel();
        ProtocolRunner {
            handler,
            worker: SearchWorker::new(engine, seed),
            events,
            sender,
            log,
            next: None,
            later: Vec::new(),
            cancelled: false,
            limited: false,
            waiting: VecDeque::new(),
        }
    }

    /// Runs until one side ends the conversation. `read` gives the next message,
    /// in a thread of its own, and `None` at the end.
    pub fn run(
        mut self,
        mut read: impl FnMut() -> Option<String> + Send + 'static,
        output: &mut impl Write,
    ) -> std::io::Result<()> {
        let sender = self.sender.clone();
        std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            while let Some(message) = read() {
                if sender.send(Event::Line(message)).is_err() {
                    return;
                }
            }
            let _ = sender.send(Event::Closed);
        })?;
        let mut closed = false;
        loop {
            match self.next_event() {
                Some(Event::Line(line)) => self.waiting.push_back(line),
                Some(Event::Closed) => {
                    closed = true;
                    if !self.handler.finishes_its_search() {
                        return Ok(());
                    }
                    if !self.limited {
                        self.worker.stop();
                    }
                }
                Some(Event::Finished) | None => {}
            }
            let over = self.poll_search(output)? == Conversation::Ended
                || self.handle_waiting(output)? == Conversation::Ended;
            if over || (closed && !self.worker.is_searching()) {
                return Ok(());
            }
        }
    }

    /// Handles one line and returns what is answered, after the search if need be:
    /// a conversation without pipes, for tests.
    pub fn exchange(&mut self, line: &str) -> Vec<String> {
        let mut sent = Vec::new();
        self.waiting.push_back(line.to_owned());
        let _ = self.handle_waiting(&mut sent);
        while self.worker.is_searching() && (self.limited || self.worker.is_stopping()) {
            self.next_event();
            let _ = self.poll_search(&mut sent);
            let _ = self.handle_waiting(&mut sent);
        }
        String::from_utf8_lossy(&sent).lines().map(str::to_owned).collect()
    }

    /// Sleeps until something happens; `None` if it is time to look at the search.
    fn next_event(&self) -> Option<Event> {
        match self.worker.time_left() {
            Some(time) => self.events.recv_timeout(time).ok(),
            None => Some(self.events.recv().expect("the runner itself holds a sender")),
        }
    }

    fn handle_waiting(&mut self, output: &mut impl Write) -> std::io::Result<Conversation> {
        while !(self.handler.takes_turns() && self.worker.is_searching()) {
            let Some(line) = self.waiting.pop_front() else { break };
            let actions = self.handler.on_line(&line);
            if self.perform(actions, output)? == Conversation::Ended {
                return Ok(Conversation::Ended);
            }
        }
        // A client that waits for an answer can still quit.
        Ok(if self.waiting.iter().any(|line| line == "quit") {
            Conversation::Ended
        } else {
            Conversation::Continues
        })
    }

    fn poll_search(&mut self, output: &mut impl Write) -> std::io::Result<Conversation> {
        let actions = match self.worker.poll() {
            None => return Ok(Conversation::Continues),
            Some(SearchEvent::Progress(_)) if self.cancelled => return Ok(Conversation::Continues),
            Some(SearchEvent::Progress(info)) => self.handler.on_progress(&info),
            Some(SearchEvent::Answer { info, trouble }) => {
                if let Some(trouble) = trouble {
                    self.log.write(&trouble);
                }
                let wanted = !std::mem::take(&mut self.cancelled);
                let later = std::mem::take(&mut self.later);
                let mut actions = if wanted { self.handler.on_result(&info) } else { Vec::new() };
                actions.extend(later);
                actions.extend(self.next.take().map(Action::Search));
                actions
            }
        };
        self.perform(actions, output)
    }

    fn perform(
        &mut self,
        actions: Vec<Action>,
        output: &mut impl Write,
    ) -> std::io::Result<Conversation> {
        for action in actions {
            match action {
                Action::Send(line) => {
                    output.write_all(&self.handler.frame(&line))?;
                    output.flush()?;
                }
                Action::Log(line) => self.log.write(&line),
                Action::Quit => {
                    self.worker.stop();
                    return Ok(Conversation::Ended);
                }
                Action::Stop => self.worker.stop(),
                Action::Cancel => {
                    self.worker.stop();
                    self.cancelled = self.worker.is_searching();
                    self.next = None;
                }
                Action::Engine(_) | Action::NewGame(_) if self.worker.is_searching() => {
                    self.later.push(action);
                }
                Action::Engine(engine) => self.worker.set_engine(engine),
                Action::NewGame(seed) => self.worker.new_game(seed),
                // An engine that searches is ready.
                Action::Prepare(_) if self.worker.is_searching() => {}
                Action::Prepare(game) => self.worker.prepare(game),
                Action::Search(request) if self.worker.is_searching() => {
                    self.worker.stop();
                    self.next = Some(request);
                }
                Action::Search(request) => {
                    self.limited = !request.limits.is_unlimited();
                    let sender = self.sender.clone();
                    self.worker.start(request, move || drop(sender.send(Event::Finished)));
                }
            }
        }
        Ok(Conversation::Continues)
    }
}
