//! Alpha-beta: the whole tree to a depth, without what cannot matter.
//!
//! The technique is the classical one of computer chess: iterative deepening,
//! principal variation search, a transposition table, move ordering, late move
//! reductions and quiescence, several threads on one table (lazy SMP). Each is
//! a switch of [`Settings`]; with all of them off it is the plain search of a
//! fixed depth that the papers measure themselves against, and with those off
//! that may err ([`Settings::exact`]) it returns plain minimax's value.
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
//! | `root` | iterations |
//! | `search` | the state of a thread, clock and watch |
//! | `paper_2012` | the 2012 paper's search to the letter |
//! | `trace` | the tree with its cut-offs, for students |

mod move_picker;
mod node;
mod paper_2012;
mod path;
mod root;
mod search;
mod settings;
mod table;
mod trace;
mod window;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;
use std::time::Instant;

use games::Record;

pub use move_picker::MoveOrdering;
pub use settings::{Settings, Ties, WindowMode};
pub use trace::{NodeKind, TraceNode, trace};
pub use window::{HISTORY_WIN, MATE_BOUND, Value, WIN, Window};

use crate::post::Post;
use crate::{Engine, Heuristic, Info, Limits, Line, Oracle, Pace, Score, SearchHints, Source};
use root::MAX_DEPTH;
use search::{AlphaBetaContext, Search, Shared, Watcher};
use table::TranspositionTable;

/// The alpha-beta player.
pub struct AlphaBeta<G: SearchHints, H> {
    context: AlphaBetaContext<G, H>,
    /// Threads of the last search that may not have noticed its end yet.
    helpers: Vec<JoinHandle<()>>,
    pondered: Option<Pondered<G>>,
}

/// What is shown the progress of a search.
type Watch<'w, G> = dyn FnMut(&Info<G>) -> ControlFlow<()> + 'w;

/// What was expected while the opponent thought.
struct Pondered<G: SearchHints> {
    plies: usize,
    position: G,
    line: Vec<G::Move>,
}

impl<G: SearchHints, H: Heuristic<G> + 'static> AlphaBeta<G, H> {
    /// A player that judges positions by `heuristic`. Takes the memory of its
    /// table at once.
    pub fn new(heuristic: H, settings: Settings) -> AlphaBeta<G, H> {
        let shared = Shared::new(Arc::new(TranspositionTable::new(settings.table_mb)));
        let context = AlphaBetaContext {
            settings: Arc::new(settings),
            heuristic: Arc::new(heuristic),
            order: None,
            oracle: None,
            shared: Arc::new(shared),
            seed: 0,
        };
        AlphaBeta { context, helpers: Vec::new(), pondered: None }
    }

    /// The same player with someone to ask at every position below the root.
    /// Asked often, so it should answer by looking up.
    pub fn with_oracle(mut self, oracle: Arc<dyn Oracle<G>>) -> AlphaBeta<G, H> {
        self.context.oracle = Some(oracle);
        self
    }

    /// The same player with an opinion about the order of moves.
    pub fn with_order(mut self, order: Arc<dyn MoveOrdering<G>>) -> AlphaBeta<G, H> {
        self.context.order = Some(order);
        self
    }

    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.context.settings
    }

    /// The memory of the table, in bytes.
    pub fn table_bytes(&self) -> usize {
        self.context.shared.table.bytes()
    }

    /// How much of the table the last search filled, in thousandths.
    pub fn table_fill(&self) -> u32 {
        self.context.shared.table.fill()
    }

    /// Searches with all threads and answers as soon as the first one stops.
    fn run(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
        ponder_hit: Option<bool>,
    ) -> Info<G> {
        let plies = record.moves().len() as u32;
        let pace = Pace::begin(limits, record.game().to_move(), plies, &self.context.settings.plan);
        let wanted = [limits.depth, self.context.settings.depth].into_iter().flatten().min();
        // A search that its own count ends can be repeated to the node, so no
        // thread of the last one may still write to the table; and it can be
        // short, so it is not worth a thread. Any other must end in time: nobody
        // is waited for, and this thread sleeps (see `post.rs`).
        let counted = pace.left().is_none() && (limits.nodes.is_some() || wanted.is_some());
        self.join(!counted);
        self.context.shared = Arc::new(Shared::new(self.context.shared.table.clone()));
        self.context.shared.table.next_generation();
        let last = wanted.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let first = if self.context.settings.deepen || wanted.is_none() { 1 } else { last };
        for index in 1..self.context.settings.threads {
            let (record, context) = (record.clone(), self.context.clone());
            // Half of the helpers are a ply ahead, so that the others find deeper
            // entries than their own.
            let from = (first + index as u32 % 2).min(last);
            self.helpers.push(std::thread::spawn(move || {
                Search::new(&record, context, index).deepen(from, last);
            }));
        }
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let main_thread = move |record: &Record<G>,
                                context: AlphaBetaContext<G, H>,
                                watch: &mut Watch<G>| {
            let paper_2012 = context.settings.window_mode == WindowMode::Paper2012;
            let mut search = Search::new(record, context, 0);
            search.watcher = Some(Watcher { watch, pace, nodes, due: Instant::now(), ponder_hit });
            match paper_2012 {
                true => search.paper_2012(last),
                false => search.deepen(first, last),
            }
            search.info()
        };
        let info = if counted {
            main_thread(record, self.context.clone(), watch)
        } else {
            let unsearched = Search::new(record, self.context.clone(), 0).info();
            let post = Arc::new(Post::new(Info { ponder_hit, ..unsearched }));
            let (record, context, there) = (record.clone(), self.context.clone(), post.clone());
            self.helpers.push(std::thread::spawn(move || {
                let _finish = there.finish_on_drop();
                let info = main_thread(&record, context, &mut |info| {
                    there.update(info.clone());
                    ControlFlow::Continue(())
                });
                there.update(info);
            }));
            post.attend(&pace, watch)
        };
        self.context.shared.stop.store(true, Relaxed);
        info
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
    fn forced(&self, game: &G, mv: G::Move) -> Info<G> {
        let next = game.after(mv);
        let mover = game.to_move();
        let (score, expected) = match next.outcome() {
            Some(outcome) => {
                let result = outcome.for_first() * mover.sign();
                (Score::Proven { result, plies: Some(1) }, f64::from(result))
            }
            None => {
                let expected = self.context.heuristic.expected(&next) * f64::from(mover.sign());
                (Score::Expected(expected), expected)
            }
        };
        Info {
            best: Some(mv),
            score,
            win_rate: (1.0 + expected) / 2.0,
            lines: vec![Line { mv, score, visits: 0, pv: vec![mv] }],
            source: Source::Forced,
            ..Info::new()
        }
    }
}

impl<G: SearchHints, H> AlphaBeta<G, H> {
    /// Ends the last search: waits for its threads, or only clears away those
    /// that are gone. A panic in one of them goes on here.
    fn join(&mut self, only_finished: bool) {
        self.context.shared.stop.store(true, Relaxed);
        for helper in std::mem::take(&mut self.helpers) {
            if only_finished && !helper.is_finished() {
                self.helpers.push(helper);
            } else if let Err(panic) = helper.join()
                && !std::thread::panicking()
            {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

impl<G: SearchHints, H: Heuristic<G> + 'static> Engine<G> for AlphaBeta<G, H> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let hit = self.ponder_hit(record);
        if record.outcome().is_some() {
            return Info { ponder_hit: hit, ..Info::new() };
        }
        let forced = if self.context.settings.tactics { record.game().forced_move() } else { None };
        let Some(mv) = forced else { return self.run(record, limits, watch, hit) };
        let info = Info { ponder_hit: hit, ..self.forced(record.game(), mv) };
        // Whatever the watch says, there is nothing left to stop.
        let _ = watch(&info);
        info
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        if record.outcome().is_some() {
            return;
        }
        let info = self.run(record, &Limits::default(), watch, None);
        self.pondered = Some(Pondered {
            plies: record.moves().len(),
            position: record.game().clone(),
            line: info.lines.into_iter().next().map_or_else(Vec::new, |line| line.pv),
        });
    }

    fn new_game(&mut self, seed: u64) {
        self.join(false);
        self.context.shared.table.clear();
        self.context.seed = seed;
        self.pondered = None;
    }
}

impl<G: SearchHints, H> Drop for AlphaBeta<G, H> {
    fn drop(&mut self) {
        self.join(false);
    }
}
