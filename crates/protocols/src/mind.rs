//! Thinking beside the conversation: a search in a thread of its own, stopped by
//! a flag.
//!
//! Whatever happens in there, an answer comes back: if the engine panics or gives
//! no move, any legal move is answered, because a weak move loses less than
//! silence.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::TextError;
use session::{EngineSpec, GameSpec, Report, Thinker, Worth, open};

use crate::Order;

/// Time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

/// What comes out of a thought.
pub(super) enum Thought {
    /// What is known so far.
    Progress(Report),
    /// The end of it, the engine for the next thought, and what went wrong.
    Answer { report: Report, thinker: Option<Seated>, trouble: Option<String> },
}

/// An engine at the board of a game.
pub(super) struct Seated {
    game: GameSpec,
    thinker: Box<dyn Thinker>,
}

/// An engine that can be asked to think.
pub(super) struct Mind {
    engine: EngineSpec,
    seed: u64,
    seated: Option<Seated>,
    stop: Arc<AtomicBool>,
    thinking: bool,
}

impl Mind {
    pub fn new(engine: EngineSpec, seed: u64) -> Mind {
        Mind { engine, seed, seated: None, stop: Arc::new(AtomicBool::new(false)), thinking: false }
    }

    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether a thought is under way that was told to finish.
    pub fn is_stopping(&self) -> bool {
        self.thinking && self.stop.load(Ordering::Relaxed)
    }

    pub fn set_engine(&mut self, engine: EngineSpec) {
        self.engine = engine;
        self.seated = None;
    }

    pub fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        if let Some(seated) = &mut self.seated {
            seated.thinker.new_game(seed);
        }
    }

    /// Takes the engine back after an answer.
    pub fn rest(&mut self, seated: Option<Seated>) {
        self.thinking = false;
        self.seated = seated;
    }

    /// Thinks in a thread of its own and tells what comes of it.
    pub fn think(&mut self, order: Order, tell: impl Fn(Thought) + Send + 'static) {
        self.stop = Arc::new(AtomicBool::new(false));
        self.thinking = true;
        let stop = self.stop.clone();
        let seated = self.seated.take().filter(|seated| seated.game == order.game);
        let (engine, seed) = (self.engine.clone(), self.seed);
        let work = move || {
            let mut seated = seated;
            let result = catch_unwind(AssertUnwindSafe(|| {
                think(&mut seated, &order, &engine, seed, &stop, &tell)
            }));
            let (report, trouble) = match result {
                Ok(Ok(report)) if report.best.is_some() => (report, None),
                Ok(Ok(_)) => (any_move(&order), Some("the engine gave no move".to_owned())),
                Ok(Err(error)) => (any_move(&order), Some(error.to_string())),
                Err(_) => {
                    seated = None; // whatever state the panic left it in
                    (any_move(&order), Some("the engine panicked".to_owned()))
                }
            };
            tell(Thought::Answer { report, thinker: seated, trouble });
        };
        std::thread::Builder::new()
            .name("mind".to_owned())
            .spawn(work)
            .expect("the system has a thread to spare");
    }
}

fn think(
    seated: &mut Option<Seated>,
    order: &Order,
    engine: &EngineSpec,
    seed: u64,
    stop: &AtomicBool,
    tell: &impl Fn(Thought),
) -> Result<Report, TextError> {
    if seated.is_none() {
        let thinker = open(&order.game).thinker(engine, seed)?;
        *seated = Some(Seated { game: order.game.clone(), thinker });
    }
    let thinker = &mut seated.as_mut().expect("seated just now").thinker;
    let moves: Vec<&str> = order.moves.iter().map(String::as_str).collect();
    thinker.set(order.start.as_deref(), &moves)?;
    let mut told = Instant::now();
    Ok(thinker.think(&order.limits, &mut |report| {
        if told.elapsed() >= BETWEEN_REPORTS && report.nodes > 0 {
            told = Instant::now();
            tell(Thought::Progress(report.clone()));
        }
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }))
}

/// The first legal move, if there is one.
fn any_move(order: &Order) -> Report {
    let mut session = open(&order.game);
    let moves: Vec<&str> = order.moves.iter().map(String::as_str).collect();
    let best = match session.set(order.start.as_deref(), &moves) {
        Ok(()) => session.legal().into_iter().next(),
        Err(_) => None,
    };
    Report {
        best,
        score: Worth::Expected(0.0),
        win_rate: 0.5,
        depth: 0,
        nodes: 0,
        sims: 0,
        seconds: 0.0,
        source: "forced",
        ponder_hit: None,
        lines: Vec::new(),
    }
}
