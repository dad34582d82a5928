//! A game being played.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use games::{MoveList, Outcome};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use session::{GameVisitor, Playable, Session, open};

use crate::action_list::ActionList;
use crate::error::error;
use crate::game::Game;
use crate::interrupt::interruptible;

/// The player of a finished game, as OpenSpiel has it.
const TERMINAL: i32 = -4;

/// How a game ended.
///
/// `winner` is 0 (who moved first), 1 or None for a draw; `reason` says why in a
/// few words.
#[pyclass(frozen, get_all, name = "Outcome", module = "boyi")]
pub struct GameOutcome {
    winner: Option<u8>,
    reason: String,
    /// Both in one line.
    pub text: String,
}

impl GameOutcome {
    pub fn new(outcome: Outcome) -> GameOutcome {
        GameOutcome {
            winner: outcome.winner.map(|player| player as u8),
            reason: outcome.reason.to_string(),
            text: outcome.to_string(),
        }
    }
}

#[pymethods]
impl GameOutcome {
    /// Both players' results: 1 won, 0 drawn, -1 lost.
    #[getter]
    fn returns(&self) -> (f64, f64) {
        match self.winner {
            Some(0) => (1.0, -1.0),
            Some(_) => (-1.0, 1.0),
            None => (0.0, 0.0),
        }
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<boyi.Outcome: {}>", self.text)
    }
}

/// A game being played: its position and how it got there.
///
/// Moves are text (`play`) or action numbers (`apply_action`). The names of the
/// functions that work with numbers are OpenSpiel's, so that one loop plays both:
///
/// >>> import random
/// >>> state = boyi.Game("dots-and-boxes 3x3").new_initial_state()
/// >>> while not state.is_terminal():
/// ...     state.apply_action(random.choice(state.legal_actions()))
/// >>> state.returns() in ([1.0, -1.0], [-1.0, 1.0])
/// True
///
/// In a notebook a state is drawn as a board; `print(state)` draws it as text.
#[pyclass(module = "boyi", freelist = 64)]
pub struct State {
    pub session: Session,
    actions: ActionList,
}

impl State {
    pub fn new(session: Session) -> State {
        State { session, actions: ActionList::default() }
    }

    /// A game from a position, by default its own, after some moves.
    pub fn after(
        mut session: Session,
        moves: Option<&Bound<'_, PyAny>>,
        position: Option<&str>,
    ) -> PyResult<State> {
        if let Some(position) = position {
            session.set(Some(position), &[]).map_err(error)?;
        }
        let mut state = State::new(session);
        moves.map_or(Ok(()), |moves| state.play(moves))?;
        Ok(state)
    }

    /// An action number from an int, or from the text of a move.
    pub fn extract_action(session: &Session, value: &Bound<'_, PyAny>) -> PyResult<i64> {
        match value.extract::<i64>() {
            Ok(action) => Ok(action),
            Err(_) => match value.extract::<String>() {
                Ok(text) => session.action_of(&text).map(Into::into).map_err(error),
                Err(_) => Err(pyo3::exceptions::PyTypeError::new_err(
                    "a move is its text, such as '4' or 'c5-c4', or an action number",
                )),
            },
        }
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game, moves = None, position = None))]
    fn from_text(
        game: &Bound<'_, PyAny>,
        moves: Option<&Bound<'_, PyAny>>,
        position: Option<&str>,
    ) -> PyResult<State> {
        State::after(open(&Game::extract(game)?), moves, position)
    }

    /// The game and its setup.
    #[getter]
    fn game(&self) -> Game {
        Game::of(self.session.spec().clone())
    }

    /// The legal moves as action numbers, smallest first; none when the game is
    /// over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        if let Some(bits) = self.session.legal_bits() {
            return self.actions.list(py, bits);
        }
        let mut actions = MoveList::new();
        self.session.actions(&mut actions);
        if !actions.is_sorted() {
            actions.sort_unstable();
        }
        PyList::new(py, &actions)
    }

    /// The legal moves as text; none when the game is over.
    fn legal_moves(&self) -> Vec<String> {
        self.session.legal()
    }

    /// A mask of `num_actions` numbers, 1 for each legal move.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mask = PyArray1::zeros(py, self.session.shape().moves, false);
        self.session.mask(mask.try_readwrite()?.as_slice_mut()?);
        Ok(mask)
    }

    /// Plays a legal move, given as its number.
    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        self.session.play_action(action).map_err(error)
    }

    /// Plays a list of moves, all or none: their text, an action number, or several
    /// of either.
    ///
    /// >>> state = boyi.Game("connect-four").new_initial_state()
    /// >>> state.play("4433"); state.play(0); state.play([0, "1"])
    /// >>> state.moves
    /// ['4', '4', '3', '3', '1', '1', '1']
    fn play(&mut self, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = moves.extract::<String>() {
            return self.session.play(&text).map_err(error);
        }
        let mut next = self.session.clone();
        let one = |session: &mut Session, value: &Bound<'_, PyAny>| {
            let action = State::extract_action(session, value)?;
            session.play_action(action).map_err(error)
        };
        match moves.try_iter() {
            Ok(items) => items.into_iter().try_for_each(|item| one(&mut next, &item?))?,
            Err(_) => one(&mut next, moves)?,
        }
        self.session = next;
        Ok(())
    }

    /// Takes the last move back; False if there is none.
    fn undo(&mut self) -> bool {
        self.session.undo()
    }

    /// Plays the move that was taken back last; False if there is none.
    fn redo(&mut self) -> bool {
        self.session.redo()
    }

    /// A copy that goes its own way.
    fn clone(&self) -> State {
        State::new(self.session.clone())
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.session.outcome().is_some()
    }

    /// Who moves: 0 or 1, and -4 when the game is over (OpenSpiel's numbers). It
    /// may be the same player several times in a row.
    fn current_player(&self) -> i32 {
        match self.session.outcome() {
            Some(_) => TERMINAL,
            None => self.session.to_move() as i32,
        }
    }

    /// Who moves, or would move: 0 for the player who moved first, else 1.
    #[getter]
    fn to_move(&self) -> u8 {
        self.session.to_move() as u8
    }

    /// Both players' results, [0, 0] before the end.
    fn returns(&self) -> [f64; 2] {
        let result = self.session.outcome().map_or(0, Outcome::for_first);
        [f64::from(result), f64::from(-result)]
    }

    /// How the game ended; None if it goes on.
    #[getter]
    fn outcome(&self) -> Option<GameOutcome> {
        self.session.outcome().map(GameOutcome::new)
    }

    /// What player 0 has more than player 1 of what the game counts: pieces, boxes,
    /// or nothing.
    #[getter]
    fn lead(&self) -> i32 {
        self.session.lead()
    }

    /// The moves played so far, as text.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.session.moves()
    }

    /// The moves played so far, as action numbers.
    fn history(&self) -> Vec<u16> {
        self.session.played()
    }

    /// The position in one line, which `Game.state(position=...)` takes back.
    #[getter]
    fn position(&self) -> String {
        self.session.position()
    }

    /// The position from which this game began, in one line.
    #[getter]
    fn start(&self) -> String {
        self.session.start()
    }

    /// A hash of what the rules call the same position.
    #[getter]
    fn key(&self) -> u64 {
        self.session.key()
    }

    /// The text of a legal move.
    fn action_to_string(&self, action: i64) -> PyResult<String> {
        self.session.action_text(action).map_err(error)
    }

    /// The number of a legal move, given as text.
    fn string_to_action(&self, text: &str) -> PyResult<u16> {
        self.session.action_of(text).map_err(error)
    }

    /// The position as a network sees it: float32 of rows, columns and planes, from
    /// the mover's viewpoint. `docs/python.md` says what the planes mean.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let shape = self.session.shape();
        let sizes = [shape.grid.height, shape.grid.width, shape.planes];
        let planes = PyArray3::zeros(py, sizes, false);
        self.session.encode(planes.try_readwrite()?.as_slice_mut()?);
        Ok(planes)
    }

    /// How many symmetries the board has, the identity (number 0) included.
    #[getter]
    fn symmetries(&self) -> usize {
        self.session.symmetries()
    }

    /// The whole game under a symmetry.
    fn transform(&self, symmetry: usize) -> PyResult<State> {
        Ok(State::new(self.session.transform(symmetry).map_err(error)?))
    }

    /// A legal move's number under a symmetry.
    fn transform_action(&self, symmetry: usize, action: i64) -> PyResult<u16> {
        self.session.transform_action(symmetry, action).map_err(error)
    }

    /// The number of move sequences of `depth` plies.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let session = &self.session;
        interruptible(py, |stop| session.spec().visit(Perft { session, depth, stop }))?
    }

    /// Player 0's mean result of `count` uniformly random games from here, from -1
    /// to 1.
    #[pyo3(signature = (count, seed = 1))]
    fn playouts(&self, py: Python<'_>, count: u64, seed: u64) -> PyResult<f64> {
        let session = &self.session;
        let sum: i64 = interruptible(py, |stop| {
            let parts = (0..count.div_ceil(PART)).take_while(|_| !stop.load(Relaxed));
            parts
                .map(|part| {
                    let seed = if part == 0 { seed } else { games::mix(seed, part) };
                    session.playouts(PART.min(count - part * PART), seed)
                })
                .sum()
        })?;
        Ok(sum as f64 / count.max(1) as f64)
    }

    /// The book's moves here, best first: each with its score for the mover and the
    /// number of games on record.
    fn book<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |found: session::BookMove| {
            let entry = PyDict::new(py);
            entry.set_item("move", &found.mv)?;
            entry.set_item("score", crate::search_result::PyScore::new(found.score))?;
            entry.set_item("games", found.games)?;
            Ok(entry)
        };
        self.session.book_moves().into_iter().map(entry).collect()
    }

    fn __str__(&self) -> String {
        self.session.draw()
    }

    fn __repr__(&self) -> String {
        let moves = self.session.moves().join(" ");
        let spec = self.session.spec().to_string();
        let start = self.session.start();
        match start == open(self.session.spec()).start() {
            true => format!("boyi.State({spec:?}, {moves:?})"),
            false => format!("boyi.State({spec:?}, {moves:?}, position={start:?})"),
        }
    }

    fn _repr_svg_(&self) -> String {
        self.session.svg()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
        let restore = py.import("boyi._boyi")?.getattr("_restore_state")?;
        let session = &self.session;
        let spec = session.spec().to_string();
        Ok((restore, (spec, session.start(), session.played())))
    }
}

/// Random games that are played between two looks at whether to stop.
const PART: u64 = 4096;

/// Counts move sequences.
struct Perft<'a> {
    session: &'a Session,
    depth: u32,
    stop: &'a AtomicBool,
}

impl GameVisitor for Perft<'_> {
    type Output = PyResult<u64>;

    fn visit<G: Playable>(self, start: G) -> PyResult<u64> {
        let game = G::parse(&start.setup(), &self.session.position()).map_err(error)?;
        Ok(self.count(&game, self.depth))
    }
}

impl Perft<'_> {
    /// As [`games::perft`], but a look at whether to stop every few plies.
    fn count<G: Playable>(&self, game: &G, depth: u32) -> u64 {
        const WITHOUT_A_LOOK: u32 = 4;
        if depth <= WITHOUT_A_LOOK || self.stop.load(Relaxed) {
            return Playable::perft(game, depth.min(WITHOUT_A_LOOK));
        }
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        moves.into_iter().map(|mv| self.count(&game.after(mv), depth - 1)).sum()
    }
}

/// A state as it is pickled: game, start, moves.
type Restored = (String, String, Vec<u16>);

/// The state that was pickled.
#[pyfunction]
pub fn _restore_state(spec: &str, start: &str, actions: Vec<u16>) -> PyResult<State> {
    let mut session = open(&spec.parse().map_err(error)?);
    session.set(Some(start), &[]).map_err(error)?;
    for action in actions {
        session.play_action(action.into()).map_err(error)?;
    }
    Ok(State::new(session))
}
