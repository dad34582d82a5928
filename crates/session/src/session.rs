//! A game and an engine behind strings: what front ends hold.
//!
//! A [`Session`] is a game being played; a [`Thinker`] is an engine with its own
//! copy of a game, which can live in another thread. Both are set by text, and
//! only what is new is read, because known runners send the whole game before
//! every question.

use std::ops::ControlFlow;

use games::{Outcome, Player, Record, TextError};
use search::{Engine, Limits};

use crate::drawing::BoardView;
use crate::engine::EngineSpec;
use crate::{GameSpec, Playable, Report};

/// A game being played, whatever game it is.
pub trait Session: BoardView + Send {
    /// The game and its setup.
    fn spec(&self) -> &GameSpec;

    /// The position from which the game began, in its one-line form.
    fn start(&self) -> String;

    /// The position as it stands, in its one-line form.
    fn position(&self) -> String;

    /// The moves played so far.
    fn moves(&self) -> Vec<String>;

    /// The legal moves; none when the game is over.
    fn legal(&self) -> Vec<String>;

    /// Who moves, or would move.
    fn to_move(&self) -> Player;

    /// What First has more than Second of what the game counts.
    fn lead(&self) -> i32;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The board for a terminal.
    fn draw(&self) -> String;

    /// Plays a list of moves, all or none.
    fn play(&mut self, moves: &str) -> Result<(), TextError>;

    /// Makes the game the one that begins at `start` (the setup's start if
    /// `None`) and has these moves. Keeps what is the same. On an error the game
    /// stays as it was.
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError>;

    /// Takes a move back; false if there is none.
    fn undo(&mut self) -> bool;

    /// Plays a move that was taken back; false if there is none.
    fn redo(&mut self) -> bool;

    /// Ends the game from outside.
    fn end(&mut self, outcome: Outcome);

    /// What it means that a player's clock has run out.
    fn on_time(&self, player: Player) -> Outcome;

    /// The same game once more.
    fn copy(&self) -> Box<dyn Session>;

    /// An engine for this game, with its own copy of it.
    fn thinker(&self, engine: &EngineSpec, seed: u64) -> Result<Box<dyn Thinker>, TextError>;
}

/// An engine with its own copy of a game.
pub trait Thinker: Send {
    /// As [`Session::set`].
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError>;

    /// Thinks about the game as it stands.
    fn think(
        &mut self,
        limits: &Limits,
        watch: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Report;

    /// Thinks on the opponent's time until the watch breaks.
    fn ponder(&mut self, watch: &mut dyn FnMut(&Report) -> ControlFlow<()>);

    /// Begins another game; the seed decides its random choices.
    fn new_game(&mut self, seed: u64);
}

/// Begins a session of a game.
///
/// ```
/// let mut session = session::open(&"connect-four".parse()?);
/// session.play("4433")?;
/// assert_eq!(session.moves(), ["4", "4", "3", "3"]);
/// assert_eq!(session.legal().len(), 7);
/// # Ok::<(), games::TextError>(())
/// ```
pub fn open(spec: &GameSpec) -> Box<dyn Session> {
    (spec.row().open)(spec)
}

/// Begins a session on one of the types of the spec's game.
pub(crate) fn open_as<G: Playable>(spec: &GameSpec) -> Box<dyn Session> {
    Box::new(Desk { spec: spec.clone(), record: Record::new(spec.begin::<G>()) })
}

/// The one kind of session.
#[derive(Clone)]
pub(crate) struct Desk<G: Playable> {
    spec: GameSpec,
    pub(crate) record: Record<G>,
}

impl<G: Playable> Desk<G> {
    /// See [`Session::set`].
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError> {
        let setup = self.record.start().setup();
        let begin = match start {
            Some(text) => G::parse(&setup, text)?,
            None => G::start(&setup)?,
        };
        let mut next =
            if &begin == self.record.start() { self.record.clone() } else { Record::new(begin) };
        let played: Vec<String> = next
            .positions()
            .iter()
            .zip(next.moves())
            .map(|(game, &mv)| game.move_text(mv))
            .collect();
        let same = played.iter().zip(moves).take_while(|(played, mv)| played == mv).count();
        while next.moves().len() > same {
            next.undo();
        }
        for (i, word) in moves.iter().enumerate().skip(same) {
            let place = |error: TextError| error.within(format!("move {} ('{word}')", i + 1));
            // Not as a list: a list `11` is column 1 twice, a move `11` is column 11.
            let mv = next.game().parse_move(word).map_err(place)?;
            next.play(mv).map_err(|error| place(TextError::new(error.to_string())))?;
        }
        self.record = next;
        Ok(())
    }
}

impl<G: Playable> Session for Desk<G> {
    fn spec(&self) -> &GameSpec {
        &self.spec
    }

    fn start(&self) -> String {
        self.record.start().position()
    }

    fn position(&self) -> String {
        self.record.game().position()
    }

    fn moves(&self) -> Vec<String> {
        let played = self.record.positions().iter().zip(self.record.moves());
        played.map(|(game, &mv)| game.move_text(mv)).collect()
    }

    fn legal(&self) -> Vec<String> {
        let game = self.record.game();
        self.record.legal().into_iter().map(|mv| game.move_text(mv)).collect()
    }

    fn to_move(&self) -> Player {
        self.record.game().to_move()
    }

    fn lead(&self) -> i32 {
        self.record.game().lead()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn draw(&self) -> String {
        self.record.game().render(self.record.last())
    }

    fn play(&mut self, moves: &str) -> Result<(), TextError> {
        self.record.play_text(moves)
    }

    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError> {
        Desk::set(self, start, moves)
    }

    fn undo(&mut self) -> bool {
        self.record.undo()
    }

    fn redo(&mut self) -> bool {
        self.record.redo()
    }

    fn end(&mut self, outcome: Outcome) {
        self.record.end(outcome);
    }

    fn on_time(&self, player: Player) -> Outcome {
        self.record.game().on_time(player)
    }

    fn copy(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn thinker(&self, engine: &EngineSpec, seed: u64) -> Result<Box<dyn Thinker>, TextError> {
        Ok(Box::new(Chair {
            desk: self.clone(),
            engine: G::engine(engine, self.record.game(), seed)?,
        }))
    }
}

/// The one kind of thinker.
struct Chair<G: Playable> {
    desk: Desk<G>,
    engine: Box<dyn Engine<G>>,
}

impl<G: Playable> Thinker for Chair<G> {
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError> {
        self.desk.set(start, moves)
    }

    fn think(
        &mut self,
        limits: &Limits,
        watch: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Report {
        let root = self.desk.record.game();
        let info = self
            .engine
            .think(&self.desk.record, limits, &mut |info| watch(&Report::of(root, info)));
        Report::of(root, &info)
    }

    fn ponder(&mut self, watch: &mut dyn FnMut(&Report) -> ControlFlow<()>) {
        let root = self.desk.record.game();
        self.engine.ponder(&self.desk.record, &mut |info| watch(&Report::of(root, info)));
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(text: &str) -> Box<dyn Session> {
        open(&text.parse().unwrap())
    }

    #[test]
    fn a_session_plays_by_strings() {
        let mut session = session("connect-four");
        session.play("4433").unwrap();
        assert_eq!(session.moves(), ["4", "4", "3", "3"]);
        assert!(session.undo() && session.redo() && !session.redo());
        assert!(session.play("9").is_err());
        assert_eq!((session.legal().len(), session.to_move()), (7, Player::First));
        let copy = session.copy();
        session.end(Outcome::draw(games::Reason::Adjudicated));
        assert!(session.outcome().is_some() && copy.outcome().is_none());
    }

    #[test]
    fn setting_a_game_keeps_what_is_the_same_or_everything() {
        let mut session = session("surakarta");
        session.set(None, &["b5-c4", "e2-d3"]).unwrap();
        session.set(None, &["b5-c4", "e2-d3", "a5-a4"]).unwrap();
        session.set(None, &["b5-c4", "f2-f3"]).unwrap();
        assert_eq!(session.moves(), ["b5-c4", "f2-f3"]);
        let error = session.set(None, &["b5-c4", "a1-a6"]).unwrap_err().to_string();
        assert!(error.contains("move 2 ('a1-a6')"), "{error}");
        assert_eq!(session.moves(), ["b5-c4", "f2-f3"], "nothing changed");
        session.set(Some("b5/1b4/6/6/6/4ww w"), &[]).unwrap();
        assert_eq!(session.to_move(), Player::Second);
    }

    #[test]
    fn a_thinker_thinks_about_its_own_copy() {
        let session = session("dots-and-boxes 2x2");
        let mut thinker = session.thinker(&"uct".parse().unwrap(), 7).unwrap();
        thinker.set(None, &["0", "1"]).unwrap();
        let limits = Limits { sims: Some(200), ..Limits::default() };
        let report = thinker.think(&limits, &mut |_| ControlFlow::Continue(()));
        assert!(report.best.is_some() && report.sims >= 200);
        assert_eq!(report.lines.len(), 10);
        assert!(session.moves().is_empty());
    }
}
