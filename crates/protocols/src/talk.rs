//! What every protocol is made of: something is heard, something is said, and
//! now and then somebody has to think.
//!
//! A [`Talk`] knows one protocol and the game on the board, and nothing of
//! threads, pipes and clocks on the wall: it is told lines and thoughts, and it
//! answers with [`Act`]s. So a whole conversation can be tested as text in, text
//! out. The threads are in [`Table`](super::Table).

use search::Limits;
use session::{EngineSpec, GameSpec, Report};

/// A game to think about.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The game and its setup.
    pub game: GameSpec,
    /// Where it began, if not at the setup's start.
    pub start: Option<String>,
    /// What was played since.
    pub moves: Vec<String>,
    /// When to stop.
    pub limits: Limits,
}

/// What a talk wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Say a line.
    Say(String),
    /// Think; the thought comes back by [`Talk::answer`]. What is being thought
    /// about is finished at once and answered first.
    Think(Order),
    /// Finish the thought that is under way and answer it.
    Stop,
    /// Stop thinking, and never mind the answer.
    Forget,
    /// Another engine from now on.
    Engine(EngineSpec),
    /// Another game begins; the seed decides the engine's random choices.
    NewGame(u64),
    /// Write a line where nobody but its owner looks.
    Log(String),
    /// The conversation is over.
    Quit,
}

/// One side of a conversation in one protocol.
pub trait Talk {
    /// A line was heard.
    fn hear(&mut self, line: &str) -> Vec<Act>;

    /// What is known so far of the thought that is under way.
    fn progress(&mut self, _report: &Report) -> Vec<Act> {
        Vec::new()
    }

    /// A thought is finished.
    fn answer(&mut self, report: &Report) -> Vec<Act>;

    /// Whether lines wait while a thought is under way. Otherwise they are heard
    /// at once.
    fn waits_its_turn(&self) -> bool {
        false
    }

    /// Whether a thought with limits is finished and answered although nobody
    /// will say anything more.
    fn finishes_its_thought(&self) -> bool {
        true
    }

    /// Puts what is said into the bytes that are sent: a line, by default.
    fn frame(&self, said: &str) -> Vec<u8> {
        format!("{said}\n").into_bytes()
    }
}
