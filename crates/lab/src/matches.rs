//! A row of a table: two engines play under a budget, counted by side.

use std::path::PathBuf;

use arena::statistics::wilson;
use arena::{MatchProgress, RunOptions, run, run_remotely};
use serde::Serialize;
use session::{EngineSpec, GameVisitor, Playable};

use crate::context::{factory, match_config};
use crate::{Budget, Experiment, LabContext, LabError, LabEvent, Row, Side};

/// Points won in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// Games played.
    pub games: u64,
    /// Points: a win is 1, a draw 1/2.
    pub points: f64,
}

impl Share {
    pub(crate) fn add(&mut self, result: i32) {
        self.games += 1;
        self.points += f64::from(result + 1) / 2.0;
    }

    /// Points per game, from 0 to 1; one half without games.
    pub fn share(&self) -> f64 {
        if self.games == 0 { 0.5 } else { self.points / self.games as f64 }
    }

    /// The 95% Wilson interval of the share.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.share(), self.games)
    }
}

/// The results of a row under a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What was compared.
    pub label: String,
    /// The game.
    pub game: String,
    /// The engine whose share is reported, and its opponent.
    pub engines: [String; 2],
    /// The budget of each move.
    pub budget: Budget,
    /// The first engine's share of the games in which it moved first.
    pub first: Share,
    /// The first engine's share of the games in which it moved second.
    pub second: Share,
    /// Whether all was played.
    pub finished: bool,
}

impl Measure {
    /// The share of some of the games.
    pub fn of(&self, side: Side) -> Share {
        let both = |second: f64| Share {
            games: self.first.games + self.second.games,
            points: self.first.points + second,
        };
        match side {
            Side::First => self.first,
            Side::Second => self.second,
            Side::Both => both(self.second.points),
            Side::Mover => both(self.second.games as f64 - self.second.points),
        }
    }
}

/// How many games a row has.
#[derive(Clone, Copy)]
pub(crate) struct GameCount {
    /// At most.
    pub most: u64,
    /// Fewer, if the intervals of the printed shares are no wider than this.
    pub width: Option<f64>,
}

impl GameCount {
    /// That of a budget, which may have a number of games of its own.
    pub fn new(most: u64, width: Option<f64>, budget: Budget) -> GameCount {
        let own = budget.games.unwrap_or(most);
        GameCount { most: own.min(most), width: width.filter(|_| own >= most) }
    }
}

/// Games after each of which the width of the intervals is looked at.
const STEP: u64 = 100;

/// Plays what is missing of a row. `networks` are those
/// that the experiment trained, if any.
pub(crate) fn measure(
    experiment: &Experiment,
    row: &Row,
    networks: &[PathBuf; 2],
    budget: Budget,
    games: GameCount,
    context: &mut LabContext,
) -> Result<Measure, LabError> {
    let [first, last] = networks.each_ref().map(|path| path.display().to_string());
    let engine = |spec: &str| spec.replace("{first}", &first).replace("{last}", &last).parse();
    let engines = [engine(&row.engines[0])?, engine(&row.engines[1])?];
    let game = experiment.game_of(row)?;
    let plies = experiment.opening_plies;
    game.visit(PlayRow { row, game: game.to_string(), engines, budget, games, plies, context })
}

/// A row to be played.
struct PlayRow<'a, 'b> {
    row: &'a Row,
    game: String,
    engines: [EngineSpec; 2],
    budget: Budget,
    games: GameCount,
    plies: u32,
    context: &'a mut LabContext<'b>,
}

impl GameVisitor for PlayRow<'_, '_> {
    type Output = Result<Measure, LabError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let LabContext { store, concurrency, stop, stored_only, on_event, seed, remote, .. } =
            self.context;
        let [a, b] = &self.engines;
        let config = match_config(&start, [a, b], self.budget.limits(), self.plies, *seed);
        let factory = factory::<G>(self.engines.clone(), &start)?;
        let work = format!("{}, {}", self.row.label, self.budget);
        let GameCount { most, width } = self.games;
        let mut games = if width.is_some() { STEP.min(most) } else { most };
        loop {
            let rounds = games.div_ceil(2);
            if !*stored_only {
                let options =
                    RunOptions { rounds, concurrency: *concurrency, ..RunOptions::default() };
                let progress = |progress: &MatchProgress| {
                    let of = most.div_ceil(2);
                    on_event(LabEvent::Progress { work: &work, pairs: progress.stored, of });
                };
                match remote.clone() {
                    Some(remote) => {
                        run_remotely::<G>(&config, &options, remote, store, stop, progress)?
                    }
                    None => run::<G>(&config, &options, factory.clone(), store, stop, progress)?,
                };
            }
            let mut measure = Measure {
                label: self.row.label.clone(),
                game: self.game.clone(),
                engines: self.row.engines.clone(),
                budget: self.budget,
                first: Share::default(),
                second: Share::default(),
                finished: false,
            };
            let id = store.match_id(&config)?;
            for (index, result) in store.results(id)?.into_iter().filter(|r| r.0 < 2 * rounds) {
                let side = if index % 2 == 0 { &mut measure.first } else { &mut measure.second };
                side.add(result);
            }
            measure.finished = measure.of(Side::Both).games == 2 * rounds;
            let narrow = width.is_some_and(|width| self.row.widest(&measure) <= width);
            if !measure.finished || narrow || games >= most {
                return Ok(measure);
            }
            games = (games + STEP).min(most);
        }
    }
}

impl Row {
    /// The width of the widest interval among the printed shares; of all games, if
    /// none is printed.
    fn widest(&self, measure: &Measure) -> f64 {
        let sides = self.printed.iter().map(|printed| printed.of);
        let sides = if self.printed.is_empty() { vec![Side::Both] } else { sides.collect() };
        let width = |side: Side| {
            let (low, high) = measure.of(side).interval();
            high - low
        };
        sides.into_iter().map(width).fold(0.0, f64::max)
    }
}
