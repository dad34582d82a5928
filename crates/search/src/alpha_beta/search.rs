//! One thread's search: its state, its contact with the clock and the watcher,
//! and what it would answer at this moment.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use games::{Game, Record, Rng};

use super::move_picker::{History, MoveOrdering, MovePicker};
use super::path::Path;
use super::root::RootMove;
use super::settings::{Settings, Ties};
use super::table::TranspositionTable;
use super::window::{HISTORY_WIN, MATE_BOUND, MAX_PLY, Value, WIN};
use crate::{Heuristic, Info, Line, Oracle, Pace, Score, SearchHints};

/// Nodes between two looks at the clock: a fraction of a millisecond even under
/// a slow evaluation.
const STRIDE: u64 = 32;

/// Time between two calls of the watch; the contract asks for 5 ms.
const WATCH: Duration = Duration::from_millis(2);

/// The search was told to stop.
pub struct Stopped;

/// What all threads of a search share.
pub struct Shared {
    pub table: Arc<TranspositionTable>,
    pub stop: AtomicBool,
    /// Nodes of the helping threads, a little late.
    pub helped: AtomicU64,
}

impl Shared {
    /// For a search that goes on, on this table.
    pub fn new(table: Arc<TranspositionTable>) -> Shared {
        Shared { table, stop: AtomicBool::new(false), helped: AtomicU64::new(0) }
    }
}

/// What every thread is given.
pub struct AlphaBetaContext<G: Game, H> {
    pub settings: Arc<Settings>,
    pub heuristic: Arc<H>,
    pub order: Option<Arc<dyn MoveOrdering<G>>>,
    pub oracle: Option<Arc<dyn Oracle<G>>>,
    pub shared: Arc<Shared>,
    pub seed: u64,
}

// By hand, because a derived one would ask that the heuristic can be cloned.
impl<G: Game, H> Clone for AlphaBetaContext<G, H> {
    fn clone(&self) -> AlphaBetaContext<G, H> {
        AlphaBetaContext {
            settings: self.settings.clone(),
            heuristic: self.heuristic.clone(),
            order: self.order.clone(),
            oracle: self.oracle.clone(),
            shared: self.shared.clone(),
            seed: self.seed,
        }
    }
}

/// What asks the world whether to go on: only the first thread has one.
pub struct Watcher<'w, G: Game> {
    pub watch: &'w mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    pub pace: Pace,
    pub nodes: u64,
    pub due: Instant,
    pub ponder_hit: Option<bool>,
}

/// The state of one thread.
pub struct Search<'w, G: SearchHints, H> {
    pub settings: Arc<Settings>,
    pub heuristic: Arc<H>,
    pub order: Option<Arc<dyn MoveOrdering<G>>>,
    /// Whoever knows some positions for certain.
    pub oracle: Option<Arc<dyn Oracle<G>>>,
    pub shared: Arc<Shared>,
    pub watcher: Option<Watcher<'w, G>>,
    pub history: History,
    pub path: Path,
    /// The best line found from each ply of the line being searched.
    pub pv: Vec<Vec<G::Move>>,
    /// How often a value depended on the horizon or the history. Unchanged
    /// around a search, its value is certain.
    pub horizon: u64,
    pub root: G,
    /// The root moves, the best so far first.
    pub moves: Vec<RootMove<G::Move>>,
    /// The deepest iteration that was finished.
    pub depth: u32,
    /// Whether that iteration saw every line to the end of the game.
    pub complete: bool,
    nodes: u64,
    next_look: u64,
}

impl<G: SearchHints, H: Heuristic<G>> Search<'_, G, H> {
    /// The search of the `index`-th thread, for a record that is not over. The
    /// first thread keeps to the order of the moves unless ties are drawn; the
    /// others begin differently, so that they find other things.
    pub fn new(record: &Record<G>, context: AlphaBetaContext<G, H>, index: usize) -> Self {
        let AlphaBetaContext { settings, heuristic, order, oracle, shared, seed } = context;
        let root = record.game().clone();
        let history = History::new(root.move_codes());
        let best = shared.table.probe(root.table_key()).and_then(|entry| entry.best);
        let mut picker = MovePicker::new(&root, 0, best, &settings, order.as_deref(), &history);
        let mut moves: Vec<_> =
            std::iter::from_fn(|| picker.next()).map(|one| RootMove::new(one.mv)).collect();
        if index > 0 || settings.ties == Ties::Random {
            let plies = record.moves().len() as u64;
            let mut rng = Rng::stream(seed.wrapping_add(index as u64), plies);
            for last in (1..moves.len()).rev() {
                moves.swap(last, rng.below(last + 1));
            }
        }
        Search {
            path: Path::new(record),
            settings,
            heuristic,
            order,
            oracle,
            shared,
            watcher: None,
            history,
            pv: vec![Vec::new(); MAX_PLY + 2],
            horizon: 0,
            root,
            moves,
            depth: 0,
            complete: false,
            nodes: 0,
            next_look: 1,
        }
    }

    /// Counts a position, and now and then looks whether to stop.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Positions visited by this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.next_look = self.nodes + STRIDE;
        if let Some(watcher) = &self.watcher {
            let visited = self.nodes + self.shared.helped.load(Relaxed);
            if visited >= watcher.nodes || watcher.pace.over() {
                self.shared.stop.store(true, Relaxed);
            } else {
                self.next_look = self.nodes + STRIDE.min(watcher.nodes - visited);
                if Instant::now() >= watcher.due {
                    return self.report();
                }
            }
        } else {
            self.shared.helped.fetch_add(STRIDE, Relaxed);
        }
        if self.shared.stop.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Shows what is known, and stops if that was enough.
    pub fn report(&mut self) -> Result<(), Stopped> {
        if self.watcher.is_none() {
            return Ok(());
        }
        let info = self.info();
        let watcher = self.watcher.as_mut().expect("seen above");
        watcher.due = Instant::now() + WATCH;
        if (watcher.watch)(&info).is_break() { Err(Stopped) } else { Ok(()) }
    }

    /// What the search would answer now. All numbers are the root mover's.
    pub fn info(&self) -> Info<G> {
        let best = self.moves.first();
        let lines = self.moves.iter().enumerate().filter(|(place, one)| {
            *place == 0
                || (one.depth > 0 && one.depth >= self.depth && *place < self.settings.lines)
        });
        let value = best.map_or(0, |one| one.value);
        Info {
            best: best.map(|one| one.mv),
            score: self.score(value),
            win_rate: (1.0 + self.expected(value)) / 2.0,
            depth: self.depth,
            nodes: self.nodes + self.shared.helped.load(Relaxed),
            elapsed: self.watcher.as_ref().map_or(Duration::ZERO, |w| w.pace.elapsed()),
            lines: lines
                .map(|(_, one)| Line {
                    mv: one.mv,
                    score: self.score(one.value),
                    visits: one.nodes,
                    pv: one.pv.clone(),
                })
                .collect(),
            ponder_hit: self.watcher.as_ref().and_then(|w| w.ponder_hit),
            ..Info::new()
        }
    }

    fn score(&self, value: Value) -> Score {
        let result = value.signum();
        if value.abs() > MATE_BOUND {
            Score::Proven { result, plies: Some((WIN - value.abs()) as u32) }
        } else if self.complete && value == 0 {
            Score::Proven { result, plies: None }
        } else if value.abs() >= HISTORY_WIN {
            Score::Expected(f64::from(result))
        } else {
            Score::Points(f64::from(value) / 100.0)
        }
    }

    /// The expected result of a value, from -1 to 1, for the same player.
    pub fn expected(&self, value: Value) -> f64 {
        if value.abs() >= HISTORY_WIN {
            f64::from(value.signum())
        } else if self.complete {
            0.0
        } else {
            (f64::from(value) / self.heuristic.scale() / 2.0).tanh()
        }
    }
}
