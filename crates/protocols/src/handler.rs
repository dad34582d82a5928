//! What every protocol is made of: a line comes in, lines go out, and now and then
//! the engine has to search.
//!
//! A [`ProtocolHandler`] knows one protocol and the game on the board, and nothing
//! of threads, pipes and clocks: it is given lines and results, and it answers with
//! [`Action`]s. So a whole conversation can be tested as text in, text out. The
//! threads are in [`ProtocolRunner`](crate::ProtocolRunner).

use search::{Limits, SearchInfo};
use session::{EngineSpec, GameSpec};

/// A game to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// The game and its setup.
    pub game: GameSpec,
    /// Where it began, if not at the setup's start.
    pub start: Option<String>,
    /// What was played since.
    pub moves: Vec<String>,
    /// When to stop.
    pub limits: Limits,
}

/// What a handler wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send a line.
    Send(String),
    /// Search; the result comes back by [`ProtocolHandler::on_result`]. A search
    /// that is under way is finished at once and answered first.
    Search(SearchRequest),
    /// Finish the search that is under way and answer it.
    Stop,
    /// Stop searching, without an answer.
    Cancel,
    /// Another engine from now on.
    Engine(EngineSpec),
    /// Another game begins; the seed decides the engine's random choices.
    NewGame(u64),
    /// Get the engine ready for a game, so that its first search begins at once. What
    /// was answered before this has been sent; what follows waits for it.
    Prepare(GameSpec),
    /// Write a line to the log.
    Log(String),
    /// The conversation is over.
    Quit,
}

/// One side of a conversation in one protocol.
///
/// ```
/// use protocols::{Action, Gtp, ProtocolHandler};
///
/// let mut gtp = Gtp::new(&"connect-four".parse()?, 1);
/// assert_eq!(gtp.on_line("1 protocol_version"), [Action::Send("=1 2\n".to_owned())]);
/// assert!(matches!(gtp.on_line("genmove b")[..], [Action::Search(_)]));
/// # Ok::<(), games::TextError>(())
/// ```
pub trait ProtocolHandler {
    /// A line came in.
    fn on_line(&mut self, line: &str) -> Vec<Action>;

    /// What is known so far of the search that is under way.
    fn on_progress(&mut self, _info: &SearchInfo<String>) -> Vec<Action> {
        Vec::new()
    }

    /// A search is finished.
    fn on_result(&mut self, info: &SearchInfo<String>) -> Vec<Action>;

    /// Whether lines wait while a search is under way. Otherwise they are handled
    /// at once.
    fn takes_turns(&self) -> bool {
        false
    }

    /// Whether a search with limits is finished and answered although the input
    /// has ended.
    fn finishes_its_search(&self) -> bool {
        true
    }

    /// Puts what is sent into bytes: a line, by default.
    fn frame(&self, sent: &str) -> Vec<u8> {
        format!("{sent}\n").into_bytes()
    }
}
