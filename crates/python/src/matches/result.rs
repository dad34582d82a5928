//! What a match gives: its games and what they say about the engines.

use arena::statistics::{Decision, Tally, ratings};
use arena::{GameResult, Standing};
use pyo3::prelude::*;

use crate::error::error;
use crate::state::{GameOutcome, State};

/// The results of one engine against another, from the first one's viewpoint.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct Encounter {
    /// The two engines by number.
    engines: [usize; 2],
    /// Games won by the first.
    wins: u64,
    /// Games drawn.
    draws: u64,
    /// Games lost.
    losses: u64,
    /// Pairs of games by their points: 0, 1/2, 1, 3/2 and 2.
    pentanomial: [u64; 5],
    /// Points per game, from 0 to 1.
    score: f64,
    /// The 95% Wilson interval of the score.
    interval: (f64, f64),
    /// The Elo difference, with half the width of its 95% interval; None without
    /// games.
    elo: Option<(f64, f64)>,
    /// The same in normalized Elo.
    nelo: Option<(f64, f64)>,
    /// The chance that the first is the stronger.
    los: Option<f64>,
    text: String,
}

impl Encounter {
    fn new(engines: [usize; 2], tally: &Tally) -> Encounter {
        let elo = tally.elo();
        Encounter {
            engines,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pentanomial: tally.pairs,
            score: tally.score(),
            interval: tally.wilson(),
            elo: elo.map(|one| (one.elo.value, one.elo.error)),
            nelo: elo.map(|one| (one.nelo.value, one.nelo.error)),
            los: elo.map(|one| one.los),
            text: tally.to_string(),
        }
    }
}

#[pymethods]
impl Encounter {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<boyi.Encounter +{} ={} -{}>", self.wins, self.draws, self.losses)
    }
}

/// A finished game of a match.
#[pyclass(frozen, get_all, module = "boyi")]
pub struct MatchGame {
    /// Its number; games 2k and 2k + 1 are a pair with one opening.
    number: u64,
    /// The engines that played first and second, by number.
    engines: [usize; 2],
    /// All moves as text, the opening included.
    moves: String,
    /// The moves of the opening.
    opening: String,
    /// How it ended.
    outcome: Py<GameOutcome>,
    /// What the referee remarked, such as what an engine did wrong.
    note: String,
    /// Seconds of each move after the opening.
    seconds: Vec<f64>,
    /// The mover's win rate by its own estimate at each move after the opening.
    win_rates: Vec<f64>,
    spec: String,
}

impl MatchGame {
    fn new(py: Python<'_>, name: &str, game: GameResult) -> PyResult<MatchGame> {
        Ok(MatchGame {
            number: game.index,
            engines: game.engines,
            seconds: game.plies.iter().map(|ply| ply.micros as f64 / 1e6).collect(),
            win_rates: game.plies.iter().map(|ply| ply.win_rate).collect(),
            spec: format!("{name} {}", game.setup).trim_end().to_owned(),
            moves: game.moves,
            opening: game.opening,
            outcome: Py::new(py, GameOutcome::new(game.outcome))?,
            note: game.note,
        })
    }
}

#[pymethods]
impl MatchGame {
    /// The game at its end, as a state.
    fn state(&self) -> PyResult<State> {
        let mut session = session::open(&self.spec.parse().map_err(error)?);
        let (position, moves) = arena::split_position(&self.moves);
        session.set(position, &[]).and_then(|()| session.play(moves)).map_err(error)?;
        Ok(State::new(session))
    }

    fn __repr__(&self) -> String {
        format!("<boyi.MatchGame {}: {}>", self.number, self.outcome.get().text)
    }
}

/// A match and what its results mean.
///
/// `wins`, `score`, `elo` and so on are those of the first engine against all
/// others; `encounters` has every pairing.
#[pyclass(frozen, module = "boyi")]
pub struct MatchResult {
    #[pyo3(get)]
    engines: Vec<String>,
    #[pyo3(get)]
    encounters: Vec<Py<Encounter>>,
    #[pyo3(get)]
    games: Vec<Py<MatchGame>>,
    standing: Standing,
    seed: u64,
}

impl MatchResult {
    /// From what was played of a game with a name.
    pub fn new(
        py: Python<'_>,
        name: &str,
        engines: Vec<String>,
        standing: Standing,
        games: Vec<GameResult>,
        seed: u64,
    ) -> PyResult<MatchResult> {
        let encounter = |one: &arena::statistics::Encounter| {
            Py::new(py, Encounter::new(one.engines, &one.tally))
        };
        let game = |game: GameResult| Py::new(py, MatchGame::new(py, name, game)?);
        Ok(MatchResult {
            engines,
            encounters: standing.encounters.iter().map(encounter).collect::<PyResult<_>>()?,
            games: games.into_iter().map(game).collect::<PyResult<_>>()?,
            standing,
            seed,
        })
    }

    fn first(&self) -> Encounter {
        Encounter::new([0, 1], &self.standing.of(0))
    }
}

#[pymethods]
impl MatchResult {
    /// Games won by the first engine.
    #[getter]
    fn wins(&self) -> u64 {
        self.first().wins
    }

    /// Its draws.
    #[getter]
    fn draws(&self) -> u64 {
        self.first().draws
    }

    /// Its losses.
    #[getter]
    fn losses(&self) -> u64 {
        self.first().losses
    }

    /// Its points per game, from 0 to 1.
    #[getter]
    fn score(&self) -> f64 {
        self.first().score
    }

    /// The 95% Wilson interval of its score.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        self.first().interval
    }

    /// Its Elo difference and half the width of the 95% interval.
    #[getter]
    fn elo(&self) -> Option<(f64, f64)> {
        self.first().elo
    }

    /// The same in normalized Elo.
    #[getter]
    fn nelo(&self) -> Option<(f64, f64)> {
        self.first().nelo
    }

    /// The chance that it is the stronger.
    #[getter]
    fn los(&self) -> Option<f64> {
        self.first().los
    }

    /// Its pairs of games by their points: 0, 1/2, 1, 3/2 and 2.
    #[getter]
    fn pentanomial(&self) -> [u64; 5] {
        self.first().pentanomial
    }

    /// The log-likelihood ratio of the sequential test; 0 without one.
    #[getter]
    fn llr(&self) -> f64 {
        self.standing.llr
    }

    /// What the sequential test decided: "elo0", "elo1" or None.
    #[getter]
    fn decision(&self) -> Option<&'static str> {
        match self.standing.decision {
            Decision::Open => None,
            Decision::Null => Some("elo0"),
            Decision::Better => Some("elo1"),
        }
    }

    /// Bradley-Terry ratings of all engines on one scale: Elo, and the ends of its
    /// 95% interval by bootstrap over pairs.
    fn ratings(&self) -> Vec<(f64, f64, f64)> {
        let found = ratings(self.engines.len(), &self.standing.encounters, 1000, self.seed);
        found.iter().map(|one| (one.elo, one.low, one.high)).collect()
    }

    fn __str__(&self) -> String {
        let one = |encounter: &arena::statistics::Encounter| {
            let [a, b] = encounter.engines.map(|number| &self.engines[number]);
            format!("{a} against {b}\n{}", encounter.tally)
        };
        self.standing.encounters.iter().map(one).collect::<Vec<_>>().join("\n\n")
    }

    fn __repr__(&self) -> String {
        let first = self.first();
        let (wins, draws, losses) = (first.wins, first.draws, first.losses);
        format!("<boyi.MatchResult +{wins} ={draws} -{losses} of {}>", self.engines[0])
    }
}
