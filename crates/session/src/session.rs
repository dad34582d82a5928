//! A game and an engine behind strings: what front ends hold.
//!
//! A [`Session`] is a game being played; an [`EngineHandle`] is an engine with its
//! own copy of a game, which searches in the background if need be. Both are set
//! by text, and only what is new is read, because known front ends send the whole
//! game before every question.

use std::ops::{ControlFlow, Deref, DerefMut};
use std::time::Duration;

use games::{Outcome, Player, Record, TextError};
use search::{Engine, Limits, Runner, SearchInfo, Work};

use crate::actions::Actions;
use crate::drawing::BoardView;
use crate::engine::{self, EngineSpec};
use crate::exact_moves::{self, BookMove, ExactMoves};
use crate::facts::{self, Fact};
use crate::{GameSpec, Playable};

/// A game being played, whatever game it is; its functions are those of
/// [`ErasedGame`].
///
/// ```
/// let mut session = session::open(&"connect-four".parse()?);
/// session.play("4433")?;
/// assert_eq!(session.moves(), ["4", "4", "3", "3"]);
/// assert_eq!(session.legal().len(), 7);
/// # Ok::<(), games::TextError>(())
/// ```
pub struct Session(Box<dyn ErasedGame>);

impl Deref for Session {
    type Target = dyn ErasedGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Session {
    /// A game as a record has it.
    pub fn of_record<G: Playable>(record: Record<G>) -> Session {
        let spec = GameSpec::of::<G>(&record.game().setup());
        Session(Box::new(GameSession { spec, record }))
    }
}

impl Clone for Session {
    fn clone(&self) -> Session {
        self.copy()
    }
}

/// What can be done with a game without knowing its type.
pub trait ErasedGame: BoardView + Actions + Send + Sync {
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

    /// The same game once more; see [`Session::clone`].
    fn copy(&self) -> Session;

    /// What the shipped book has for the position, the best move first.
    fn book_moves(&self) -> Vec<BookMove>;

    /// What is certain about every move of the position, in growing shares of
    /// time, with so many megabytes: `watch` gets it whenever more is known, and
    /// nothing every few milliseconds in between; breaking ends the work. The game
    /// is not over.
    fn solve_moves(
        &self,
        megabytes: usize,
        watch: &mut dyn FnMut(Option<&ExactMoves>) -> ControlFlow<()>,
    );

    /// A line of best play from the position, with so many megabytes; empty if it is
    /// not solved in that time. The game is not over.
    fn solved_line(&self, megabytes: usize, time: Duration) -> Vec<String>;

    /// What is certain about the move that begins one line, which was worse than
    /// that of the other; see [`Fact`].
    fn explain(&self, played: &[String], better: &[String]) -> Vec<Fact>;

    /// A game that begins here with the other side to move, if there is one; see
    /// [`Explained::passed`](crate::Explained::passed).
    fn passed(&self) -> Option<Session>;

    /// Makes sure that an engine can be built for this game, without building it.
    fn check_engine(&self, engine: &EngineSpec) -> Result<(), TextError>;

    /// What an engine would play with here: cores, exact knowledge, book, network.
    fn engine_summary(&self, engine: &EngineSpec) -> Result<String, TextError>;

    /// An engine for this game, with its own copy of it.
    fn engine(&self, engine: &EngineSpec, seed: u64) -> Result<EngineHandle, TextError>;
}

/// Called in the engine's thread whenever it publishes a result; breaking stops
/// the search.
pub type Poll = Box<dyn FnMut() -> ControlFlow<()> + Send>;

/// An engine with its own copy of a game; its functions are those of
/// [`ErasedEngine`].
///
/// ```
/// use search::Limits;
///
/// let session = session::open(&"connect-four".parse()?);
/// let mut engine = session.engine(&"uct memory=1".parse()?, 1)?;
/// engine.set(None, &["4", "4"])?;
/// assert!(engine.search(&Limits::sims(100), None).best.is_some());
/// # Ok::<(), games::TextError>(())
/// ```
pub struct EngineHandle(Box<dyn ErasedEngine>);

impl Deref for EngineHandle {
    type Target = dyn ErasedEngine;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for EngineHandle {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl EngineHandle {
    /// An engine that was not made from a spec, for games with the setup of
    /// `start`.
    pub fn of<G: Playable>(start: G, engine: impl Engine<G> + 'static) -> EngineHandle {
        let spec = GameSpec::of::<G>(&start.setup());
        EngineHandle::new(GameSession { spec, record: Record::new(start) }, engine)
    }

    fn new<G: Playable>(game: GameSession<G>, engine: impl Engine<G> + 'static) -> EngineHandle {
        EngineHandle(Box::new(EngineSession { game, runner: Runner::new(engine) }))
    }
}

/// What can be done with an engine without knowing its game.
pub trait ErasedEngine: Send {
    /// As [`ErasedGame::set`]. Not while a search runs.
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError>;

    /// Begins another game; the seed decides its random choices.
    fn new_game(&mut self, seed: u64);

    /// Does now what the first search of the game as it stands would do before it gets
    /// anywhere: for a moment before the clock runs.
    fn warm_up(&mut self);

    /// Uses at most so many threads from the next search on. Not while a search runs.
    fn limit_threads(&mut self, threads: usize);

    /// Searches the game as it stands and waits for the answer.
    fn search(&mut self, limits: &Limits, poll: Option<Poll>) -> SearchInfo<String>;

    /// Starts work in a worker thread; `finished` is called when the engine
    /// returns.
    fn start(&mut self, work: Work, poll: Option<Poll>, finished: Box<dyn FnOnce() + Send>);

    /// The newest result of the work that was started last; its answer, once there
    /// is [no time left](ErasedEngine::time_left).
    fn newest(&self) -> SearchInfo<String>;

    /// Stops the work that was started last; its answer is due in a moment.
    fn stop(&mut self);

    /// How long the caller may sleep until the answer is due, unless the engine
    /// returns before: `None` for as long as it takes.
    fn time_left(&self) -> Option<Duration>;

    /// Whether the engine has returned from its last work.
    fn is_finished(&self) -> bool;

    /// Whether the engine panicked in its last work, which must have finished.
    /// Then it can't be used any more.
    fn has_panicked(&mut self) -> bool;
}

/// Begins a session of a game.
pub fn open(spec: &GameSpec) -> Session {
    (spec.row().open)(spec)
}

/// Begins a session on one of the types of the spec's game.
pub(crate) fn open_as<G: Playable>(spec: &GameSpec) -> Session {
    Session(Box::new(GameSession { spec: spec.clone(), record: Record::new(spec.begin::<G>()) }))
}

/// The one kind of session.
#[derive(Clone)]
pub(crate) struct GameSession<G: Playable> {
    spec: GameSpec,
    pub(crate) record: Record<G>,
}

impl<G: Playable> GameSession<G> {
    /// See [`ErasedGame::set`].
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

impl<G: Playable> ErasedGame for GameSession<G> {
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
        GameSession::set(self, start, moves)
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

    fn copy(&self) -> Session {
        Session(Box::new(self.clone()))
    }

    fn book_moves(&self) -> Vec<BookMove> {
        exact_moves::book_moves(&self.record)
    }

    fn solve_moves(
        &self,
        megabytes: usize,
        watch: &mut dyn FnMut(Option<&ExactMoves>) -> ControlFlow<()>,
    ) {
        exact_moves::solve_moves(self.record.game(), megabytes, watch);
    }

    fn solved_line(&self, megabytes: usize, time: Duration) -> Vec<String> {
        exact_moves::solved_line(self.record.game(), megabytes, time)
    }

    fn explain(&self, played: &[String], better: &[String]) -> Vec<Fact> {
        facts::explain(self.record.game(), played, better)
    }

    fn passed(&self) -> Option<Session> {
        let record = Record::new(self.record.game().passed()?);
        Some(Session(Box::new(GameSession { spec: self.spec.clone(), record })))
    }

    fn check_engine(&self, engine: &EngineSpec) -> Result<(), TextError> {
        engine::check(engine, self.record.game())
    }

    fn engine_summary(&self, engine: &EngineSpec) -> Result<String, TextError> {
        engine::summary(engine, self.record.game())
    }

    fn engine(&self, engine: &EngineSpec, seed: u64) -> Result<EngineHandle, TextError> {
        let engine = G::engine(engine, self.record.game(), seed)?;
        Ok(EngineHandle::new(self.clone(), engine))
    }
}

/// The one kind of engine handle.
struct EngineSession<G: Playable, E> {
    game: GameSession<G>,
    runner: Runner<G, E>,
}

impl<G: Playable, E: Engine<G> + 'static> ErasedEngine for EngineSession<G, E> {
    fn set(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), TextError> {
        self.game.set(start, moves)
    }

    fn new_game(&mut self, seed: u64) {
        self.runner.new_game(seed);
    }

    fn warm_up(&mut self) {
        self.runner.warm_up(self.game.record.game());
    }

    fn limit_threads(&mut self, threads: usize) {
        self.runner.limit_threads(threads);
    }

    fn search(&mut self, limits: &Limits, poll: Option<Poll>) -> SearchInfo<String> {
        let record = &self.game.record;
        let info = match poll {
            None => self.runner.search(record, limits),
            Some(mut poll) => self.runner.search_observed(record, limits, move |_| poll()),
        };
        info.to_text(record.game())
    }

    fn start(&mut self, work: Work, poll: Option<Poll>, finished: Box<dyn FnOnce() + Send>) {
        let mut poll = poll;
        let poll = move || poll.as_mut().map_or(ControlFlow::Continue(()), |poll| poll());
        self.runner.start(&self.game.record, work, poll, finished);
    }

    fn newest(&self) -> SearchInfo<String> {
        self.runner.newest().to_text(self.game.record.game())
    }

    fn stop(&mut self) {
        self.runner.stop();
    }

    fn time_left(&self) -> Option<Duration> {
        self.runner.time_left()
    }

    fn is_finished(&self) -> bool {
        self.runner.is_finished()
    }

    fn has_panicked(&mut self) -> bool {
        self.runner.has_panicked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(text: &str) -> Session {
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
        let copy = session.clone();
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
    fn an_engine_searches_its_own_copy() {
        let session = session("dots-and-boxes 2x2");
        let mut engine = session.engine(&"uct".parse().unwrap(), 7).unwrap();
        engine.set(None, &["0", "1"]).unwrap();
        let info = engine.search(&Limits::sims(200), None);
        assert!(info.best.is_some() && info.sims >= 200);
        assert_eq!(info.lines.len(), 10);
        assert!(session.moves().is_empty());
        let (send, finished) = std::sync::mpsc::channel();
        let work = Work::Search(Limits::sims(200));
        engine.start(work, None, Box::new(move || send.send(()).unwrap()));
        finished.recv().unwrap();
        assert!(!engine.has_panicked() && engine.time_left() == Some(Duration::ZERO));
        assert_eq!(engine.newest().lines.len(), 10);
    }
}
