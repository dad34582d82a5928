//! Where a talk meets the world: a thread that reads, a thread that thinks, and
//! one that listens to both.
//!
//! Input is heard while a search runs, unless the protocol takes turns. When
//! nobody listens any more, or nobody will speak any more, the conversation ends
//! without a word.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::mind::{Mind, Thought};
use crate::{Act, Order, Talk};
use session::EngineSpec;

/// What can happen.
enum Event {
    Heard(String),
    Closed,
    Thought(Thought),
}

/// Where log lines go.
pub type Log = Box<dyn FnMut(&str)>;

/// A conversation under way.
pub struct Table<T: Talk> {
    talk: T,
    mind: Mind,
    events: Receiver<Event>,
    post: Sender<Event>,
    log: Log,
    /// What is to be thought about when the thought under way is finished.
    next: Option<Order>,
    /// An engine, or a game, that begins when the thought under way is finished.
    later: Vec<Act>,
    /// Whether the answer that comes is not wanted.
    forgotten: bool,
    /// Whether the thought under way has a limit.
    limited: bool,
    /// Lines that wait for their turn.
    waiting: VecDeque<String>,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Going {
    On,
    Over,
}

impl<T: Talk> Table<T> {
    /// A talk with an engine behind it. Log lines go to `log`.
    pub fn new(talk: T, engine: EngineSpec, seed: u64, log: Log) -> Table<T> {
        let (post, events) = channel();
        Table {
            talk,
            mind: Mind::new(engine, seed),
            events,
            post,
            log,
            next: None,
            later: Vec::new(),
            forgotten: false,
            limited: false,
            waiting: VecDeque::new(),
        }
    }

    /// Talks until one side has had enough. `listen` gives the next message, in a
    /// thread of its own, and `None` at the end.
    pub fn run(
        mut self,
        mut listen: impl FnMut() -> Option<String> + Send + 'static,
        output: &mut dyn Write,
    ) -> std::io::Result<()> {
        let post = self.post.clone();
        std::thread::Builder::new().name("ear".to_owned()).spawn(move || {
            while let Some(message) = listen() {
                if post.send(Event::Heard(message)).is_err() {
                    return;
                }
            }
            let _ = post.send(Event::Closed);
        })?;
        let mut closed = false;
        loop {
            let event = self.events.recv().expect("this table holds a sender");
            let going = match event {
                Event::Heard(line) => {
                    self.waiting.push_back(line);
                    self.hear_waiting(output)?
                }
                Event::Closed => {
                    closed = true;
                    if !self.talk.finishes_its_thought() {
                        return Ok(());
                    }
                    if !self.limited {
                        self.mind.stop();
                    }
                    Going::On
                }
                Event::Thought(thought) => match self.take(thought, output)? {
                    Going::Over => Going::Over,
                    Going::On => self.hear_waiting(output)?,
                },
            };
            if going == Going::Over || (closed && !self.mind.is_thinking()) {
                return Ok(());
            }
        }
    }

    /// Says one line and returns what is answered, after thinking if need be: a
    /// conversation without threads to wait for, for tests.
    pub fn exchange(&mut self, line: &str) -> Vec<String> {
        let mut said = Vec::new();
        self.waiting.push_back(line.to_owned());
        let _ = self.hear_waiting(&mut said);
        while self.mind.is_thinking() && (self.limited || self.mind.is_stopping()) {
            if let Ok(Event::Thought(thought)) = self.events.recv() {
                let _ = self.take(thought, &mut said);
                let _ = self.hear_waiting(&mut said);
            }
        }
        String::from_utf8_lossy(&said).lines().map(str::to_owned).collect()
    }

    fn hear_waiting(&mut self, output: &mut dyn Write) -> std::io::Result<Going> {
        while !(self.talk.waits_its_turn() && self.mind.is_thinking()) {
            let Some(line) = self.waiting.pop_front() else { break };
            let acts = self.talk.hear(&line);
            if self.perform(acts, output)? == Going::Over {
                return Ok(Going::Over);
            }
        }
        // Who waits for an answer can still leave.
        Ok(if self.waiting.iter().any(|line| line == "quit") { Going::Over } else { Going::On })
    }

    fn take(&mut self, thought: Thought, output: &mut dyn Write) -> std::io::Result<Going> {
        let acts = match thought {
            Thought::Progress(_) if self.forgotten => return Ok(Going::On),
            Thought::Progress(report) => self.talk.progress(&report),
            Thought::Answer { report, thinker, trouble } => {
                self.mind.rest(thinker);
                if let Some(trouble) = trouble {
                    (self.log)(&trouble);
                }
                let wanted = !std::mem::take(&mut self.forgotten);
                let later = std::mem::take(&mut self.later);
                let mut acts = if wanted { self.talk.answer(&report) } else { Vec::new() };
                acts.extend(later);
                acts.extend(self.next.take().map(Act::Think));
                acts
            }
        };
        self.perform(acts, output)
    }

    fn perform(&mut self, acts: Vec<Act>, output: &mut dyn Write) -> std::io::Result<Going> {
        for act in acts {
            match act {
                Act::Say(line) => {
                    output.write_all(&self.talk.frame(&line))?;
                    output.flush()?;
                }
                Act::Log(line) => (self.log)(&line),
                Act::Quit => {
                    self.mind.stop();
                    return Ok(Going::Over);
                }
                Act::Stop => self.mind.stop(),
                Act::Forget => {
                    self.mind.stop();
                    self.forgotten = self.mind.is_thinking();
                    self.next = None;
                }
                Act::Engine(_) | Act::NewGame(_) if self.mind.is_thinking() => self.later.push(act),
                Act::Engine(engine) => self.mind.set_engine(engine),
                Act::NewGame(seed) => self.mind.new_game(seed),
                Act::Think(order) if self.mind.is_thinking() => {
                    self.mind.stop();
                    self.next = Some(order);
                }
                Act::Think(order) => {
                    let limits = order.limits;
                    self.limited = limits != search::Limits::default();
                    let post = self.post.clone();
                    self.mind.think(order, move |thought| {
                        let _ = post.send(Event::Thought(thought));
                    });
                }
            }
        }
        Ok(Going::On)
    }
}
