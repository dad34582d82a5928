//! One thread's search: its state, its contact with the caller, and what it would
//! answer at this moment.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use games::{Game, Record, Rng};

use super::move_picker::{History, MoveBonus, MovePicker};
use super::path::Path;
use super::root::RootMove;
use super::settings::{AlphaBetaSettings, TieBreak};
use super::table::TranspositionTable;
use super::window::{HISTORY_WIN, MATE_BOUND, MAX_PLY, Value, WIN};
use crate::{Heuristic, Line, Oracle, Score, SearchControl, SearchHints, SearchInfo};

/// Nodes between two looks at the clock: a fraction of a millisecond even under
/// a slow evaluation.
const STRIDE: u64 = 32;

/// Time between two published results; the contract asks for 5 ms.
const REPORT: Duration = Duration::from_millis(2);

/// The search is to stop.
pub struct Stopped;

/// What all threads of a search share.
pub struct AlphaBetaContext<'c, G: Game, H> {
    pub settings: &'c AlphaBetaSettings,
    pub heuristic: &'c H,
    pub bonus: Option<MoveBonus<G>>,
    /// Knows some positions exactly.
    pub oracle: Option<&'c dyn Oracle<G>>,
    pub table: &'c TranspositionTable,
    pub seed: u64,
    /// Set when the search is over.
    pub stop: AtomicBool,
    /// Nodes of the helping threads, a little late.
    pub helped: AtomicU64,
}

/// What the main thread has beside the others: the contact with the caller.
pub struct MainThread<'c, M> {
    pub control: &'c SearchControl<M>,
    /// Positions that all threads may visit.
    pub nodes: u64,
    /// When the next result is published.
    pub due: Instant,
    pub ponder_hit: Option<bool>,
    /// The answer until the search knows better, where time may end it at once.
    pub guess: Option<M>,
}

/// The state of one thread.
pub struct Search<'c, G: SearchHints, H> {
    pub context: &'c AlphaBetaContext<'c, G, H>,
    pub settings: &'c AlphaBetaSettings,
    /// Only of the main thread.
    pub main: Option<MainThread<'c, G::Move>>,
    pub history: History,
    pub path: Path,
    /// The best line found from each ply of the line being searched.
    pub pv: Vec<Vec<G::Move>>,
    /// How often a value depended on the horizon or the history. Unchanged
    /// around a search, its value is certain.
    pub horizon: u64,
    /// The ply of the last pass on the line being searched: no two follow each other.
    pub null_ply: Option<usize>,
    /// The move that the node searched next is searched without.
    pub excluded: Option<u16>,
    pub root: G,
    /// The root moves, the best so far first.
    pub moves: Vec<RootMove<G::Move>>,
    /// The deepest iteration that was finished.
    pub depth: u32,
    /// Whether that iteration saw every line to the end of the game.
    pub complete: bool,
    nodes: u64,
    next_poll: u64,
}

impl<'c, G: SearchHints, H: Heuristic<G>> Search<'c, G, H> {
    /// The search of the `index`-th thread, for a record that is not over. The
    /// first thread keeps to the order of the moves unless ties are drawn; the
    /// others begin differently, so that they find other things.
    pub fn new(
        record: &Record<G>,
        context: &'c AlphaBetaContext<'c, G, H>,
        index: usize,
    ) -> Search<'c, G, H> {
        let AlphaBetaContext { settings, bonus, table, seed, .. } = *context;
        let root = record.game().clone();
        let history = History::new(root.move_codes());
        let best = table.probe(root.table_key()).and_then(|entry| entry.best);
        let mut picker = MovePicker::new(&root, 0, best, settings, bonus, &history);
        let mut moves: Vec<_> = std::iter::from_fn(|| picker.next(&root, &history))
            .map(|one| RootMove::new(one.mv))
            .collect();
        if index > 0 || settings.ties == TieBreak::Random {
            let plies = record.moves().len() as u64;
            let mut rng = Rng::stream(seed.wrapping_add(index as u64), plies);
            for last in (1..moves.len()).rev() {
                moves.swap(last, rng.below(last + 1));
            }
        }
        Search {
            context,
            settings,
            main: None,
            path: Path::new(record),
            history,
            pv: vec![Vec::new(); MAX_PLY + 2],
            horizon: 0,
            null_ply: None,
            excluded: None,
            root,
            moves,
            depth: 0,
            complete: false,
            nodes: 0,
            next_poll: 1,
        }
    }

    /// Counts a position, and now and then polls whether to stop.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Positions visited by this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let context = self.context;
        self.next_poll = self.nodes + STRIDE;
        if let Some(main) = &self.main {
            let visited = self.nodes + context.helped.load(Relaxed);
            if visited >= main.nodes || main.control.should_stop() {
                context.stop.store(true, Relaxed);
            } else {
                self.next_poll = self.nodes + STRIDE.min(main.nodes - visited);
                if Instant::now() >= main.due {
                    return self.report();
                }
            }
        } else {
            context.helped.fetch_add(STRIDE, Relaxed);
        }
        if context.stop.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Publishes what is known, and stops if the caller wants no more.
    pub fn report(&mut self) -> Result<(), Stopped> {
        if self.main.is_none() {
            return Ok(());
        }
        let info = self.info();
        let main = self.main.as_mut().expect("seen above");
        main.due = Instant::now() + REPORT;
        main.control.publish(&info);
        if main.control.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// What the search would answer now. All numbers are the root mover's.
    pub fn info(&self) -> SearchInfo<G::Move> {
        let best = self.moves.first();
        let lines = self.moves.iter().enumerate().filter(|(place, one)| {
            *place == 0
                || (one.depth > 0 && one.depth >= self.depth && *place < self.settings.lines)
        });
        let value = best.map_or(0, |one| one.value);
        // The first moves of an unfinished first iteration are no better than a guess.
        let deep = !self.settings.deepen && best.is_some_and(|one| one.depth > 0);
        let searched = self.depth > 0 || deep;
        let guess = self.main.as_ref().and_then(|main| main.guess).filter(|_| !searched);
        SearchInfo {
            best: guess.or(best.map(|one| one.mv)),
            score: self.score(value),
            win_rate: (1.0 + self.expected(value)) / 2.0,
            depth: self.depth,
            nodes: self.nodes + self.context.helped.load(Relaxed),
            elapsed: self
                .main
                .as_ref()
                .map_or(Duration::ZERO, |main| main.control.time().elapsed()),
            lines: lines
                .filter(|_| guess.is_none())
                .map(|(_, one)| Line {
                    mv: one.mv,
                    score: self.score(one.value),
                    visits: one.nodes,
                    pv: one.pv.clone(),
                })
                .collect(),
            ponder_hit: self.main.as_ref().and_then(|main| main.ponder_hit),
            ..SearchInfo::default()
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
            (f64::from(value) / self.context.heuristic.scale() / 2.0).tanh()
        }
    }
}
