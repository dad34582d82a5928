//! What a search found, as Python reads it.

use pyo3::prelude::*;
use search::{Line, Score, SearchInfo, Source};
use session::Session;

use crate::error::error;

/// How good a position or a move is for the player to move.
///
/// `kind` says what `value` counts: "expected" is the expected result from -1 to 1,
/// "points" an evaluation in the game's unit (pieces, boxes), "proven" a certain
/// result: 1, 0 or -1, with the plies to the end in `plies` where they are known.
#[pyclass(frozen, get_all, name = "Score", module = "boyi")]
#[derive(Clone)]
pub struct PyScore {
    kind: &'static str,
    value: f64,
    plies: Option<u32>,
    text: String,
}

impl PyScore {
    pub fn new(score: Score) -> PyScore {
        let (kind, value, plies) = match score {
            Score::Expected(value) => ("expected", value, None),
            Score::Points(value) => ("points", value, None),
            Score::Proven { result, plies } => ("proven", f64::from(result), plies),
        };
        PyScore { kind, value, plies, text: score.to_string() }
    }
}

#[pymethods]
impl PyScore {
    /// Whether it is certain.
    #[getter]
    fn is_proven(&self) -> bool {
        self.kind == "proven"
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<boyi.Score: {}>", self.text)
    }

    fn __float__(&self) -> f64 {
        self.value
    }
}

/// One move and what a search found of it.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct MoveInfo {
    /// Its text.
    r#move: String,
    /// Its number.
    action: u16,
    /// Its score for the player who makes it.
    score: Py<PyScore>,
    /// Visits in the tree; nodes below it in alpha-beta.
    visits: u64,
    /// The best continuation, beginning with the move.
    line: Vec<String>,
}

#[pymethods]
impl MoveInfo {
    fn __repr__(&self) -> String {
        let score = &self.score.get().text;
        format!("<boyi.MoveInfo {}: {score}, {} visits>", self.r#move, self.visits)
    }
}

/// What a search found.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct SearchResult {
    /// The move it would play, as text.
    best: Option<String>,
    /// The same as a number.
    action: Option<u16>,
    /// For the player to move.
    score: Py<PyScore>,
    /// The mover's chance to win, from 0 to 1, draws counted half.
    win_rate: f64,
    /// The moves that were looked at, best first.
    moves: Vec<Py<MoveInfo>>,
    /// Depth reached: full iterations of alpha-beta, longest line of the tree.
    depth: u32,
    /// Positions visited.
    nodes: u64,
    /// Simulations of a tree search.
    sims: u64,
    /// Time since the search began.
    seconds: f64,
    /// Where the answer comes from: "search", "forced", "solver", "table" or "book".
    source: String,
}

impl SearchResult {
    pub fn new(
        py: Python<'_>,
        info: &SearchInfo<String>,
        root: &Session,
    ) -> PyResult<SearchResult> {
        let one = |line: &Line<String>| {
            let found = MoveInfo {
                action: root.action_of(&line.mv).map_err(error)?,
                r#move: line.mv.clone(),
                score: Py::new(py, PyScore::new(line.score))?,
                visits: line.visits,
                line: line.pv.clone(),
            };
            Py::new(py, found)
        };
        let action = info.best.as_deref().map(|text| root.action_of(text)).transpose();
        Ok(SearchResult {
            best: info.best.clone(),
            action: action.map_err(error)?,
            score: Py::new(py, PyScore::new(info.score))?,
            win_rate: info.win_rate,
            moves: info.lines.iter().map(one).collect::<PyResult<_>>()?,
            depth: info.depth,
            nodes: info.nodes,
            sims: info.sims,
            seconds: info.elapsed.as_secs_f64(),
            source: info.source.to_string(),
        })
    }
}

#[pymethods]
impl SearchResult {
    /// The best line, as text.
    #[getter]
    fn line(&self) -> Vec<String> {
        self.moves.first().map_or_else(Vec::new, |first| first.get().line.clone())
    }

    /// The share of visits of each action, an array-like policy target: a list of
    /// `num_actions` numbers that add up to 1 if there were visits.
    fn policy(&self, num_actions: usize) -> Vec<f64> {
        let mut policy = vec![0.0; num_actions];
        let all: u64 = self.moves.iter().map(|one| one.get().visits).sum();
        for one in self.moves.iter().map(Py::get) {
            if let Some(share) = policy.get_mut(usize::from(one.action)) {
                *share = one.visits as f64 / all.max(1) as f64;
            }
        }
        policy
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("no move");
        let score = &self.score.get().text;
        let work = match self.source == Source::Search.to_string() {
            true => format!("{} nodes, {:.2} s", self.nodes, self.seconds),
            false => format!("by the {}", self.source),
        };
        format!("<boyi.SearchResult {best}: {score}, {work}>")
    }
}
