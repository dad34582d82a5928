//! A game with its setup.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use session::{GameSpec, ROWS, Session, open};

use crate::error::error;
use crate::state::State;

/// A game with its setup.
///
/// The text is the one that the command line takes: a name, then what differs from
/// the default setup. `boyi.games()` lists the names, `Game(name).setup_help` says what
/// a setup can be.
///
/// >>> import boyi
/// >>> game = boyi.Game("connect-four 11x10 hole=3,4")
/// >>> game.num_actions, game.observation_shape
/// (12, (12, 12, 4))
/// >>> state = game.new_initial_state()
#[pyclass(frozen, module = "boyi")]
pub struct Game {
    pub spec: GameSpec,
    /// A game at its start, to be copied.
    start: Session,
}

impl Game {
    pub fn of(spec: GameSpec) -> Game {
        let start = open(&spec);
        Game { spec, start }
    }

    /// A game from a `Game` or the text of one.
    pub fn extract(value: &Bound<'_, PyAny>) -> PyResult<GameSpec> {
        if let Ok(game) = value.cast::<Game>() {
            return Ok(game.get().spec.clone());
        }
        match value.extract::<String>() {
            Ok(text) => text.parse().map_err(error),
            Err(_) => Err(PyTypeError::new_err(
                "a game is a boyi.Game or its text, such as 'connect-four 5x4'",
            )),
        }
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &Bound<'_, PyAny>) -> PyResult<Game> {
        Ok(Game::of(Game::extract(spec)?))
    }

    /// The game's name, without its setup.
    #[getter]
    fn name(&self) -> &'static str {
        self.spec.name()
    }

    /// The name that people read, in English and in Chinese.
    #[getter]
    fn title(&self) -> (&'static str, &'static str) {
        let title = self.spec.row().title;
        (title.en, title.zh)
    }

    /// What the words of a setup mean, a line each.
    #[getter]
    fn setup_help(&self) -> Vec<&'static str> {
        self.spec.row().setup_help.to_vec()
    }

    /// Setups by example.
    #[getter]
    fn examples(&self) -> Vec<&'static str> {
        self.spec.row().setups.to_vec()
    }

    /// The number of action numbers: the length of a policy and of a mask. An
    /// action is an int from 0 to `num_actions - 1`; where OpenSpiel has the game,
    /// it is OpenSpiel's.
    #[getter]
    fn num_actions(&self) -> usize {
        self.start.shape().moves
    }

    /// Rows, columns and planes of an observation.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let shape = self.start.shape();
        (shape.grid.height, shape.grid.width, shape.planes)
    }

    /// The name of the positions that share a network with this game's, and the
    /// version of their planes.
    #[getter]
    fn network_kind(&self) -> (String, u32) {
        self.start.network_kind()
    }

    /// The position from which a game begins.
    fn new_initial_state(&self) -> State {
        State::new(self.start.clone())
    }

    /// The state after some moves, given as for `State.play`, from a position in its
    /// one-line form (by default the game's start).
    ///
    /// >>> boyi.Game("connect-four").state("4433").to_move
    /// 0
    #[pyo3(signature = (moves = None, position = None))]
    fn state(&self, moves: Option<&Bound<'_, PyAny>>, position: Option<&str>) -> PyResult<State> {
        State::after(self.start.clone(), moves, position)
    }

    fn __str__(&self) -> String {
        self.spec.to_string()
    }

    fn __repr__(&self) -> String {
        format!("boyi.Game({:?})", self.spec.to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.spec.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Game>().into_any(), (self.spec.to_string(),))
    }
}

/// The names of the games, each with its title in English.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    ROWS.iter().try_for_each(|row| all.set_item(row.name, row.title.en))?;
    Ok(all)
}
