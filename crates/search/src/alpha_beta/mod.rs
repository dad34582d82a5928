//! Alpha-beta: the whole tree to a depth, without what cannot matter.
//!
//! The technique is the classical one of computer chess: iterative deepening,
//! principal variation search, a transposition table, move ordering, late move
//! reductions and quiescence, several threads on one table (lazy SMP). Each is
//! a switch of [`AlphaBetaSettings`]; with all of them off it is the plain search of a
//! fixed depth that the papers measure themselves against, and with those off
//! that may err ([`AlphaBetaSettings::exact`]) it returns plain minimax's value.
//!
//! It deliberately does not know any game, and it never assumes that the turn
//! passes: `window.rs` is the one place where a value changes sides.
//!
//! | file | idea |
//! | --- | --- |
//! | `window` | whose value, the scale of values, the window |
//! | `table` | what is remembered of positions |
//! | `move_picker` | which move first |
//! | `path` | which positions stand on the way |
//! | `node` | the search of a node, quiescence |
//! | `pruning` | what is not searched, or less deep |
//! | `singular` | moves on which everything hangs, searched deeper |
//! | `root` | iterations |
//! | `search` | the state of a thread, its contact with the caller |
//! | `paper_2012` | the 2012 paper's search to the letter |
//! | `trace` | the tree with its cut-offs, for students |

mod move_picker;
mod node;
mod paper_2012;
mod path;
mod pruning;
mod root;
mod search;
mod settings;
mod singular;
mod table;
mod trace;
mod window;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use games::Record;

pub use move_picker::MoveBonus;
pub use settings::{AlphaBetaSettings, TieBreak, WindowMode};
pub use trace::{NodeKind, TraceNode, trace};
pub use window::{HISTORY_WIN, MATE_BOUND, Value, WIN, Window};

use crate::knowledge::{best_after_one_ply, heaviest_move};
use crate::{
    Engine, Heuristic, Limits, Line, Oracle, Score, SearchControl, SearchHints, SearchInfo, Source,
};
use root::MAX_DEPTH;
use search::{AlphaBetaContext, MainThread, Search};
use table::TranspositionTable;

/// The alpha-beta player.
///
/// ```
/// use games::{Game, Record, connect_four::{ConnectFour, Setup}};
/// use search::alpha_beta::{AlphaBeta, AlphaBetaSettings};
/// use search::{Engine, Evaluated, Limits, SearchControl};
///
/// type Board = ConnectFour<u64>;
/// let record = Record::new(Board::start(&Setup::default()).unwrap());
/// let evaluation = Board::evaluation(Board::EVALUATIONS[0].0).unwrap();
/// let settings = AlphaBetaSettings { table_mb: 1, ..AlphaBetaSettings::default() };
/// let mut engine = AlphaBeta::new(evaluation, settings);
/// let info = engine.search(&record, &SearchControl::new(Limits::nodes(1_000)));
/// assert_eq!(info.nodes, 1_000);
/// ```
pub struct AlphaBeta<G: SearchHints, H> {
    settings: AlphaBetaSettings,
    heuristic: H,
    bonus: Option<MoveBonus<G>>,
    oracle: Option<Arc<dyn Oracle<G>>>,
    table: TranspositionTable,
    static_guess: fn(&G) -> Option<G::Move>,
    seed: u64,
    /// Threads of the next search, at most those of the settings.
    threads: usize,
    pondered: Option<Pondered<G>>,
}

/// What was expected while the opponent thought.
struct Pondered<G: SearchHints> {
    plies: usize,
    position: G,
    line: Vec<G::Move>,
}

impl<G: SearchHints, H: Heuristic<G>> AlphaBeta<G, H> {
    /// A player that evaluates positions by `heuristic`. Reserves the memory of its
    /// table at once; the system provides it when it is used, or by
    /// [`Engine::warm_up`].
    pub fn new(heuristic: H, settings: AlphaBetaSettings) -> AlphaBeta<G, H> {
        let table = TranspositionTable::new(settings.table_mb);
        let threads = settings.threads;
        AlphaBeta {
            settings,
            heuristic,
            bonus: None,
            oracle: None,
            table,
            static_guess: heaviest_move,
            seed: 0,
            threads,
            pondered: None,
        }
    }

    /// The same player with a better [`Engine::static_guess`], such as the best move
    /// by an evaluation. By default it is the move with the greatest
    /// [`SearchHints::weight`].
    pub fn with_guess(mut self, guess: fn(&G) -> Option<G::Move>) -> AlphaBeta<G, H> {
        self.static_guess = guess;
        self
    }

    /// The same player with an oracle to ask at every position below the root.
    /// Asked often, so it should answer by looking up.
    pub fn with_oracle(mut self, oracle: Arc<dyn Oracle<G>>) -> AlphaBeta<G, H> {
        self.oracle = Some(oracle);
        self
    }

    /// The same player with a move ordering of the game's own.
    pub fn with_order(mut self, bonus: MoveBonus<G>) -> AlphaBeta<G, H> {
        self.bonus = Some(bonus);
        self
    }

    /// What it was made with.
    pub fn settings(&self) -> &AlphaBetaSettings {
        &self.settings
    }

    /// The memory of the table, in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// How much of the table the last search filled, in thousandths.
    pub fn table_fill(&self) -> u32 {
        self.table.fill()
    }

    /// Searches with all threads and answers as soon as the main one stops.
    fn run(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
        ponder_hit: Option<bool>,
    ) -> SearchInfo<G::Move> {
        let limits = control.limits();
        let settings = &self.settings;
        self.table.next_generation();
        let wanted = limits.depth.into_iter().chain(settings.depth).min();
        let last = wanted.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let first = if settings.deepen || wanted.is_none() { 1 } else { last };
        let nodes = limits.nodes.into_iter().chain(settings.nodes).min().unwrap_or(u64::MAX);
        let context = AlphaBetaContext {
            settings,
            heuristic: &self.heuristic,
            bonus: self.bonus,
            oracle: self.oracle.as_deref(),
            table: &self.table,
            seed: self.seed,
            stop: AtomicBool::new(false),
            helped: AtomicU64::new(0),
        };
        std::thread::scope(|scope| {
            for index in 1..self.threads {
                let context = &context;
                // Half of the helpers are a ply ahead, so that the others find
                // deeper entries than their own.
                let from = (first + index as u32 % 2).min(last);
                scope.spawn(move || Search::new(record, context, index).deepen(from, last));
            }
            // The helpers end with the main thread, even if that panics.
            let _over = StopOnDrop(&context.stop);
            let mut search = Search::new(record, &context, 0);
            let guess = control.time().left().and(self.guess(record, limits).best);
            search.main =
                Some(MainThread { control, nodes, due: Instant::now(), ponder_hit, guess });
            // The first answer is there before any search. If it is not wanted
            // any more, the search sees so itself.
            let _ = search.report();
            match settings.window_mode {
                WindowMode::Paper2012 => search.paper_2012(last),
                _ => search.deepen(first, last),
            }
            search.info()
        })
    }

    /// Whether the opponent played what was expected; `None` if it was not
    /// thought about.
    fn ponder_hit(&mut self, record: &Record<G>) -> Option<bool> {
        let pondered = self.pondered.take()?;
        let played = record.moves().get(pondered.plies..)?;
        if record.positions()[pondered.plies] != pondered.position {
            return None;
        }
        Some(!played.is_empty() && pondered.line.starts_with(played))
    }

    /// The answer for a move that needs no search.
    fn forced(&self, game: &G, mv: G::Move) -> SearchInfo<G::Move> {
        let next = game.after(mv);
        let mover = game.to_move();
        let (score, expected) = match next.outcome() {
            Some(outcome) => {
                let result = outcome.for_first() * mover.sign();
                (Score::Proven { result, plies: Some(1) }, f64::from(result))
            }
            None => {
                let expected = self.heuristic.expected(&next) * f64::from(mover.sign());
                (Score::Expected(expected), expected)
            }
        };
        SearchInfo {
            best: Some(mv),
            score,
            win_rate: (1.0 + expected) / 2.0,
            lines: vec![Line { mv, score, visits: 0, pv: vec![mv] }],
            source: Source::Forced,
            ..SearchInfo::default()
        }
    }
}

/// Sets a flag when it goes out of scope.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl<G: SearchHints, H: Heuristic<G>> Engine<G> for AlphaBeta<G, H> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let ponder_hit = self.ponder_hit(record);
        if record.outcome().is_some() {
            return SearchInfo { ponder_hit, ..SearchInfo::default() };
        }
        let forced = if self.settings.tactics { record.game().forced_move() } else { None };
        match forced {
            None => self.run(record, control, ponder_hit),
            Some(mv) => SearchInfo { ponder_hit, ..self.forced(record.game(), mv) },
        }
    }

    fn guess(&self, record: &Record<G>, _limits: &Limits) -> SearchInfo<G::Move> {
        let game = record.game();
        if let Some(mv) = game.forced_move().filter(|_| self.settings.tactics) {
            return self.forced(game, mv);
        }
        if let Some(info) = self.oracle.as_ref().and_then(|oracle| oracle.best_move(record)) {
            return info;
        }
        let known = self.table.probe(game.table_key()).and_then(|entry| entry.best);
        // Another position may have the same key.
        let known = record.legal().into_iter().find(|&mv| known == Some(mv.into()));
        let best = known.or_else(|| best_after_one_ply(game, &self.heuristic));
        SearchInfo { best, ..SearchInfo::default() }
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.static_guess
    }

    fn ponder(&mut self, record: &Record<G>, control: &SearchControl<G::Move>) {
        if record.outcome().is_some() {
            return;
        }
        let info = self.run(record, control, None);
        self.pondered = Some(Pondered {
            plies: record.moves().len(),
            position: record.game().clone(),
            line: info.lines.into_iter().next().map_or_else(Vec::new, |line| line.pv),
        });
    }

    fn new_game(&mut self, seed: u64) {
        self.table.clear();
        self.seed = seed;
        self.pondered = None;
    }

    fn warm_up(&mut self, _game: &G) {
        self.table.populate();
    }

    fn limit_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, self.settings.threads.max(1));
    }
}
