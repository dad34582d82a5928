//! Games as the contest platform (SAU) writes and plays them: what its protocol,
//! on both sides, and its save files share.
//!
//! Whatever the platform passes on has happened on its board. A legal turn is
//! played, in whatever order it came. Another one, such as a capture from a
//! corner, is applied all the same: the position after it may not be reachable by
//! our rules, so the game goes on as one that began there. The same is done when
//! our rules say that the game is over and the platform plays on.
//!
//! The letters for moves, and what a turn that is not legal does to a board,
//! belong to the game: [`PlatformForm`] in its row.

use games::{Player, TextError};

use crate::{GameSpec, Session, open};

/// How the platform writes a game.
#[derive(Clone, Copy, Debug)]
pub struct PlatformForm {
    /// A turn, by example.
    pub example: &'static str,
    /// Whether it has this setup.
    pub has: fn(&GameSpec) -> bool,
    /// The moves of a turn in our short form, in the order they came; they need
    /// not be legal anywhere.
    pub read_turn: fn(&GameSpec, &str) -> Option<Vec<String>>,
    /// A turn, from moves in our short form.
    pub write_turn: fn(&GameSpec, &[String]) -> String,
    /// Takes a turn as a fact.
    pub receive: fn(&mut PlatformBoard, &str, Player) -> Received,
    /// Goes on from the same pieces where our rules call the game over by a count
    /// that the platform does not make.
    pub resume: fn(&mut PlatformBoard),
}

/// What became of a turn that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// Legal, and played.
    Played,
    /// Not legal by our rules, and applied all the same.
    Applied(String),
    /// Nothing that could have happened on this board.
    Nonsense(String),
}

/// A game as the platform sees it.
pub struct PlatformBoard {
    form: PlatformForm,
    session: Session,
    /// Where the game began, if not at the setup's start.
    start: Option<String>,
}

/// A place to come back to.
#[derive(Clone, Debug)]
pub struct Mark {
    start: Option<String>,
    moves: Vec<String>,
}

impl PlatformBoard {
    /// A new game; `None` if the platform does not have it.
    pub fn new(game: &GameSpec) -> Option<PlatformBoard> {
        let form = game.row().platform.filter(|form| (form.has)(game))?;
        Some(PlatformBoard { form, session: open(game), start: None })
    }

    /// The game by our rules.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Where the game began, if not at the setup's start.
    pub fn start(&self) -> Option<String> {
        self.start.clone()
    }

    /// Remembers how the game stands.
    pub fn mark(&self) -> Mark {
        Mark { start: self.start.clone(), moves: self.session.moves() }
    }

    /// Comes back to a mark.
    pub fn restore(&mut self, mark: &Mark) {
        let moves: Vec<&str> = mark.moves.iter().map(String::as_str).collect();
        self.session.set(mark.start.as_deref(), &moves).expect("this was the game before");
        self.start = mark.start.clone();
    }

    /// Plays legal moves.
    pub fn play(&mut self, moves: &str) -> Result<(), TextError> {
        self.session.play(moves)
    }

    /// Goes on from another position.
    pub(crate) fn rebuild(&mut self, position: String) {
        if self.session.set(Some(&position), &[]).is_ok() {
            self.start = Some(position);
        }
    }

    /// If our rules call the game over by a count that the platform does not
    /// make, goes on from the same pieces. False if it is over on the board.
    pub fn resume(&mut self) -> bool {
        if self.session.outcome().is_some() {
            (self.form.resume)(self);
        }
        self.session.outcome().is_none()
    }

    /// A turn, from moves in short form, as the platform writes it.
    pub fn write_turn(&self, turn: &[String]) -> String {
        (self.form.write_turn)(self.session.spec(), turn)
    }

    /// Takes a turn of `player` in the platform's words.
    pub fn receive(&mut self, text: &str, player: Player) -> Received {
        (self.form.receive)(self, text, player)
    }
}
