//! What a game offers that is certain, in one small trait.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use games::connect_four::{ConnectFour, Word};
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::{Stall, Surakarta};
use games::{Game, Record};
use search::{Budget, Engine, Info, Limits, Line, Oracle, Score, Verdict};

use crate::connect_four::{Sage, fallback};
use crate::dots_and_boxes::{Solver, WithSolver};
use crate::surakarta::{self, Tables};

/// How much memory and how many threads certainty may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Megabytes for a solver's table.
    pub megabytes: usize,
    /// Threads of a solver.
    pub threads: usize,
}

/// A game of which something can be known for certain. The defaults know
/// nothing.
pub trait Certain: Game {
    /// What can be looked up at every node of a search, if there is anything.
    fn lookup() -> Option<Arc<dyn Oracle<Self>>> {
        None
    }

    /// `inner` with whatever is certain on this board in front of it.
    fn assure(
        inner: Box<dyn Engine<Self>>,
        _setup: &Self::Setup,
        _effort: &Effort,
    ) -> Box<dyn Engine<Self>> {
        inner
    }
}

/// The tables of both stall rules, opened once for the whole program. A damaged
/// file is told of on standard error, and play goes on without it.
fn tables() -> &'static [Arc<Tables>] {
    static TABLES: OnceLock<Vec<Arc<Tables>>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = surakarta::default_folder();
        [Stall::Count, Stall::Draw]
            .into_iter()
            .filter_map(|stall| match Tables::open(&folder, stall, surakarta::MOST_PIECES) {
                Ok(tables) => Some(Arc::new(tables)).filter(|tables| tables.pieces() > 1),
                Err(error) => {
                    eprintln!("boyi: {error}");
                    None
                }
            })
            .collect()
    })
}

/// Whichever of the tables agrees with a position's rules.
struct Tabled;

impl Oracle<Surakarta> for Tabled {
    fn probe(&self, game: &Surakarta, budget: &Budget) -> Option<Verdict<surakarta::Move>> {
        tables().iter().find_map(|tables| tables.probe(game, budget))
    }
}

impl Certain for Surakarta {
    fn lookup() -> Option<Arc<dyn Oracle<Surakarta>>> {
        if tables().is_empty() { None } else { Some(Arc::new(Tabled)) }
    }

    fn assure(
        inner: Box<dyn Engine<Surakarta>>,
        _: &Self::Setup,
        _: &Effort,
    ) -> Box<dyn Engine<Surakarta>> {
        if tables().is_empty() { inner } else { Box::new(TableFirst { inner }) }
    }
}

/// Plays by the tables where they know the position.
struct TableFirst {
    inner: Box<dyn Engine<Surakarta>>,
}

impl Engine<Surakarta> for TableFirst {
    fn think(
        &mut self,
        record: &Record<Surakarta>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<Surakarta>) -> ControlFlow<()>,
    ) -> Info<Surakarta> {
        let begun = Instant::now();
        let known = tables().iter().find_map(|tables| tables.advise(record));
        match known {
            Some(info) => Info { elapsed: begun.elapsed(), ..info },
            None => self.inner.think(record, limits, watch),
        }
    }

    fn ponder(
        &mut self,
        record: &Record<Surakarta>,
        watch: &mut dyn FnMut(&Info<Surakarta>) -> ControlFlow<()>,
    ) {
        self.inner.ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }
}

impl Certain for DotsAndBoxes {
    fn assure(
        inner: Box<dyn Engine<DotsAndBoxes>>,
        setup: &Self::Setup,
        effort: &Effort,
    ) -> Box<dyn Engine<DotsAndBoxes>> {
        match Solver::new(setup.rows.into(), setup.columns.into(), effort.megabytes, effort.threads)
        {
            Ok(solver) => Box::new(WithSolver::new(solver, inner)),
            Err(_) => inner,
        }
    }
}

impl<W: Word> Certain for ConnectFour<W> {
    fn assure(
        inner: Box<dyn Engine<ConnectFour<W>>>,
        setup: &Self::Setup,
        effort: &Effort,
    ) -> Box<dyn Engine<ConnectFour<W>>> {
        match Sage::new(setup, effort.megabytes, effort.threads, None) {
            Some(sage) => Box::new(SageFirst { sage, inner }),
            None => inner,
        }
    }
}

/// Gives the solver a part of the time and the rest to another engine.
struct SageFirst<W: Word> {
    sage: Sage,
    inner: Box<dyn Engine<ConnectFour<W>>>,
}

/// Positions that the solver visits in a second, at least.
const SOLVER_SPEED: f64 = 1_500_000.0;

impl<W: Word> Engine<ConnectFour<W>> for SageFirst<W> {
    fn think(
        &mut self,
        record: &Record<ConnectFour<W>>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<ConnectFour<W>>) -> ControlFlow<()>,
    ) -> Info<ConnectFour<W>> {
        let begun = Instant::now();
        let game = record.game();
        let clock = limits.clock.map(|clock| {
            let (left, increment) = clock.of(game.to_move());
            left / 20 + increment / 2
        });
        let share = [limits.time, clock].into_iter().flatten().min().map(|time| time / 2);
        let by_time = share.map(|share| (share.as_secs_f64() * SOLVER_SPEED) as u64);
        let by_nodes = limits.nodes.or(limits.sims).map(|nodes| nodes / 2);
        let nodes = [by_time, by_nodes].into_iter().flatten().min().unwrap_or(u64::MAX);
        let mut waiting = Info { best: fallback(game), ..Info::new() };
        let mut broken = false;
        let verdict = self.sage.verdict(game, &Budget { nodes, stop: None }, &mut |_| {
            waiting.elapsed = begun.elapsed();
            broken |= watch(&waiting).is_break();
            // On a busy machine the share may be over before its nodes are.
            match broken || share.is_some_and(|share| waiting.elapsed >= share) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if let Some(verdict) = verdict
            && let Some(mv) = verdict.best
        {
            let result = verdict.score.signum() * game.to_move().sign();
            let score = Score::Proven { result, plies: verdict.plies };
            return Info {
                best: Some(mv),
                score,
                win_rate: f64::from(1 + result) / 2.0,
                depth: verdict.plies.unwrap_or(0),
                elapsed: begun.elapsed(),
                lines: vec![Line { mv, score, visits: 0, pv: vec![mv] }],
                source: verdict.source,
                ..Info::new()
            };
        }
        if broken {
            return self.inner.think(record, limits, &mut |_| ControlFlow::Break(()));
        }
        let spent = begun.elapsed();
        let rest = Limits {
            time: limits.time.map(|time| time.saturating_sub(spent).max(Duration::from_millis(1))),
            ..*limits
        };
        self.inner.think(record, &rest, watch)
    }

    fn ponder(
        &mut self,
        record: &Record<ConnectFour<W>>,
        watch: &mut dyn FnMut(&Info<ConnectFour<W>>) -> ControlFlow<()>,
    ) {
        self.inner.ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }
}
