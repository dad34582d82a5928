//! The engine beside a conversation: started, looked at and stopped by the event
//! loop, which never waits for it.
//!
//! Whatever happens to the engine, an answer comes: if it can't be built, panics
//! or gives no move, any legal move is answered, because a weak move loses less
//! than silence.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use games::TextError;
use search::{SearchInfo, Source, Work};
use session::{EngineHandle, EngineSpec, GameSpec, open};

use crate::SearchRequest;

/// Time between two reports of progress.
const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

/// What comes out of a search.
pub(crate) enum SearchEvent {
    /// What is known so far.
    Progress(SearchInfo<String>),
    /// The end of it, and what went wrong.
    Answer { info: SearchInfo<String>, trouble: Option<String> },
}

/// An engine that can be asked to search.
pub(crate) struct SearchWorker {
    engine: EngineSpec,
    seed: u64,
    /// The engine that was built last, for this game.
    handle: Option<(GameSpec, EngineHandle)>,
    running: Option<RunningSearch>,
}

struct RunningSearch {
    request: SearchRequest,
    reported: Instant,
    stopped: bool,
    /// Why it could not begin.
    trouble: Option<String>,
}

impl SearchWorker {
    pub fn new(engine: EngineSpec, seed: u64) -> SearchWorker {
        SearchWorker { engine, seed, handle: None, running: None }
    }

    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Whether a search is under way that is to finish.
    pub fn is_stopping(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.stopped)
    }

    pub fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.stopped = true;
        }
        if let Some((_, handle)) = &mut self.handle {
            handle.stop();
        }
    }

    pub fn set_engine(&mut self, engine: EngineSpec) {
        self.engine = engine;
        self.handle = None;
    }

    pub fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        if let Some((_, handle)) = &mut self.handle
            && catch_unwind(AssertUnwindSafe(|| handle.new_game(seed))).is_err()
        {
            self.handle = None;
        }
    }

    /// Builds the engine for a game and lets it take its memory, before a clock runs. If
    /// that fails, the first search will say why.
    pub fn prepare(&mut self, game: GameSpec) {
        if self.handle.as_ref().is_some_and(|(known, _)| *known == game) {
            return;
        }
        self.handle = None;
        let built = catch_unwind(AssertUnwindSafe(|| {
            let mut handle = open(&game).engine(&self.engine, self.seed).ok()?;
            handle.warm_up();
            Some(handle)
        }));
        self.handle = built.ok().flatten().map(|handle| (game, handle));
    }

    /// Starts a search; `wake` is called when the engine returns.
    pub fn start(&mut self, request: SearchRequest, wake: impl FnOnce() + Send + 'static) {
        let begin = AssertUnwindSafe(|| self.begin(&request, wake));
        let trouble = match catch_unwind(begin) {
            Ok(begun) => begun.err().map(|error| error.to_string()),
            Err(_) => {
                self.handle = None;
                Some("the engine panicked".to_owned())
            }
        };
        let reported = Instant::now();
        self.running = Some(RunningSearch { request, reported, stopped: false, trouble });
    }

    fn begin(
        &mut self,
        request: &SearchRequest,
        wake: impl FnOnce() + Send + 'static,
    ) -> Result<(), TextError> {
        let known = self.handle.take().filter(|(game, _)| *game == request.game);
        let (game, mut handle) = match known {
            Some(known) => known,
            None => {
                let handle = open(&request.game).engine(&self.engine, self.seed)?;
                (request.game.clone(), handle)
            }
        };
        let moves: Vec<&str> = request.moves.iter().map(String::as_str).collect();
        let set = handle.set(request.start.as_deref(), &moves);
        if set.is_ok() {
            handle.start(Work::Search(request.limits), None, Box::new(wake));
        }
        self.handle = Some((game, handle));
        set
    }

    /// How long the caller may sleep before it [polls](SearchWorker::poll), unless
    /// it is woken: `None` for as long as it likes.
    pub fn time_left(&self) -> Option<Duration> {
        let running = self.running.as_ref()?;
        let report = BETWEEN_REPORTS.saturating_sub(running.reported.elapsed());
        match &self.handle {
            Some((_, handle)) if running.trouble.is_none() => {
                handle.time_left().into_iter().chain([report]).min()
            }
            _ => Some(Duration::ZERO),
        }
    }

    /// The newest event of the search under way.
    pub fn poll(&mut self) -> Option<SearchEvent> {
        let running = self.running.as_mut()?;
        if let (None, Some((_, handle))) = (&running.trouble, &mut self.handle) {
            if handle.time_left().is_none_or(|left| !left.is_zero()) {
                if running.reported.elapsed() < BETWEEN_REPORTS {
                    return None;
                }
                running.reported = Instant::now();
                return Some(handle.newest())
                    .filter(|info| info.nodes > 0)
                    .map(SearchEvent::Progress);
            }
            let info = handle.newest();
            handle.stop();
            let panicked = handle.is_finished() && handle.has_panicked();
            running.trouble = if panicked {
                self.handle = None;
                Some("the engine panicked".to_owned())
            } else if info.best.is_none() {
                Some("the engine gave no move".to_owned())
            } else {
                self.running = None;
                return Some(SearchEvent::Answer { info, trouble: None });
            };
        }
        let RunningSearch { request, trouble, .. } = self.running.take()?;
        Some(SearchEvent::Answer { info: any_move(&request), trouble })
    }
}

/// The first legal move, if there is one.
fn any_move(request: &SearchRequest) -> SearchInfo<String> {
    let mut session = open(&request.game);
    let moves: Vec<&str> = request.moves.iter().map(String::as_str).collect();
    let best = match session.set(request.start.as_deref(), &moves) {
        Ok(()) => session.legal().into_iter().next(),
        Err(_) => None,
    };
    SearchInfo { best, source: Source::Forced, ..SearchInfo::default() }
}
