//! Analysis: a search that no game waits for.
//!
//! A tab has at most one analysis, of the position it looks at. It lives as
//! long as the tab's event stream; a search without a stream is stopped. An
//! analysis asks for certainty first: book and solver run before and beside its search,
//! in the same queue for slots and with memory of its own, and what it knows
//! stands in the report beside the search's estimates.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::Player;
use search::{Limits, SearchInfo, Work};
use serde::Deserialize;
use serde_json::{Value, json};
use session::{BookMove, ExactMoves, Session};
use tokio::sync::watch;

use crate::error::ApiError;
use crate::exact_report;
use crate::live_game::{LiveGame, report_json};
use crate::search_pool::{CancelToken, SearchJob};
use crate::settings;
use crate::slots::Purpose;
use crate::tree::Spot;

/// An analysis without a request for this long is removed.
const LONGEST: Duration = Duration::from_secs(1800);

/// Megabytes of an analysis's solver, beside those of its search.
pub const SOLVER_MEMORY: u64 = 32;

/// What a tab asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct AnalysisRequest {
    /// Which tab; it chose the name itself.
    pub tab: String,
    /// Whether to analyse at all.
    pub on: bool,
    /// Who analyses.
    pub engine: String,
    /// The position.
    #[serde(flatten)]
    pub spot: Spot,
    /// Whether to analyse what the other side would play if it were its turn.
    #[serde(default)]
    pub threat: bool,
}

struct Tab {
    reports: watch::Sender<Option<Arc<Value>>>,
    cancel: CancelToken,
}

/// The tabs that look at a server's games.
#[derive(Default)]
pub struct Tabs(Mutex<HashMap<(String, String), Tab>>);

impl Tabs {
    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String), Tab>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tab has opened its stream: where its analysis will appear.
    pub fn open(&self, game: &str, tab: &str) -> watch::Receiver<Option<Arc<Value>>> {
        let reports = watch::Sender::new(None);
        let receiver = reports.subscribe();
        let tab =
            self.lock().insert(key(game, tab), Tab { reports, cancel: CancelToken::default() });
        if let Some(old) = tab {
            old.cancel.cancel();
        }
        receiver
    }

    /// A tab's stream has ended, and with it its analysis. A newer stream of
    /// the same tab is left alone.
    pub fn close(&self, game: &str, tab: &str, of: &watch::Receiver<Option<Arc<Value>>>) {
        let mut tabs = self.lock();
        if tabs.get(&key(game, tab)).is_some_and(|tab| tab.reports.subscribe().same_channel(of))
            && let Some(tab) = tabs.remove(&key(game, tab))
        {
            tab.cancel.cancel();
        }
    }

    /// Analyses what a tab wishes, instead of what it wished before.
    pub fn study(&self, game: &Arc<LiveGame>, request: &AnalysisRequest) -> Result<(), ApiError> {
        // A correction may have made the game shorter while the request was on its
        // way. There is nothing to analyse then; the page hears of the new game
        // and wishes again.
        let session = game.session_at(request.spot).ok();
        let mover = session.as_ref().map(|session| session.to_move());
        let session = match request.threat {
            true => session.and_then(|session| session.passed()),
            false => session,
        };
        let engine = game.app.engine_limits.analyst_of_all_moves(&game.spec, &request.engine)?;
        let mut tabs = self.lock();
        let Some(tab) = tabs.get_mut(&key(&game.id, &request.tab)) else {
            return Err(ApiError::stale("this page has lost its connection"));
        };
        tab.cancel.cancel();
        tab.cancel = CancelToken::default();
        tab.reports.send_replace(None);
        let session = session.filter(|session| request.on && session.outcome().is_none());
        let Some((session, mover)) = session.zip(mover) else { return Ok(()) };
        let mover = if request.threat { !mover } else { mover };
        if !game.app.pool.has_room() {
            return Err(ApiError::busy());
        }
        let (reports, cancel) = (tab.reports.clone(), tab.cancel.clone());
        let findings = Findings { info: SearchInfo::default(), book: Vec::new(), exact: None };
        let findings = Arc::new(Mutex::new(findings));
        let (ply, threat) = (request.spot.ply, request.threat);
        let study =
            Study { session: session.clone(), mover, ply, threat, findings, reports, cancel };
        // Certainty first: book and solver enter the queue for slots before there is
        // an engine, whose memory takes a fifth of a second to be filled.
        study.solve_beside(game);
        let engine = game.app.lease(&session, engine, crate::id::seed(), None);
        let engine = engine.and_then(|engine| engine.ok_or_else(ApiError::busy));
        let engine = engine.inspect_err(|_| study.cancel.cancel())?;
        let work = Work::Search(Limits::time(LONGEST));
        let (purpose, cancel) = (Purpose::Study, study.cancel.clone());
        let job = SearchJob { engine, work, purpose, cancel, most_threads: None };
        let report = move |info: &SearchInfo<String>| {
            study.publish(|findings| findings.info = info.clone());
        };
        game.app.pool.run(job, report, |_, _| {});
        Ok(())
    }
}

/// What is known of a position so far.
struct Findings {
    info: SearchInfo<String>,
    book: Vec<BookMove>,
    exact: Option<ExactMoves>,
}

/// An analysis of a position: a search and a solver that publish together.
#[derive(Clone)]
struct Study {
    session: Session,
    /// Who is to move; in a threat the sides of the session may have changed places.
    mover: Player,
    ply: usize,
    threat: bool,
    findings: Arc<Mutex<Findings>>,
    reports: watch::Sender<Option<Arc<Value>>>,
    cancel: CancelToken,
}

impl Study {
    /// Looks into the book and solves the moves, in a slot beside the search's.
    fn solve_beside(&self, game: &LiveGame) {
        let (memory, known) = (game.app.memory.take_spare(SOLVER_MEMORY), self.clone());
        game.app.pool.run_beside(self.cancel.clone(), move |mut slot| {
            // A book has no position in which a side has passed.
            let book = if known.threat { Vec::new() } else { known.session.book_moves() };
            if !book.is_empty() {
                known.publish(|findings| findings.book = book);
            }
            let Some(memory) = memory else { return };
            known.session.solve_moves(memory.megabytes() as usize, &mut |exact| {
                if let Some(exact) = exact {
                    known.publish(|findings| findings.exact = Some(exact.clone()));
                }
                slot.poll()
            });
        });
    }

    /// Adds to what is known and sends all of it to the tab. The lock is held to
    /// the end, so that an older report never replaces a newer one.
    fn publish(&self, add: impl FnOnce(&mut Findings)) {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut findings);
        if self.cancel.is_cancelled() {
            return;
        }
        let mut report = report_json(&self.session, self.mover, self.ply, &findings.info);
        if let Some(exact) = &findings.exact {
            exact_report::add(&mut report, &self.session, self.mover, exact);
        }
        exact_report::add_book(&mut report, &self.session, self.mover, &findings.book);
        report["threat"] = json!(self.threat);
        self.reports.send_replace(Some(Arc::new(report)));
    }
}

fn key(game: &str, tab: &str) -> (String, String) {
    (game.to_owned(), tab.to_owned())
}

impl LiveGame {
    /// Keeps the analysis setting, so that a reload finds it again.
    pub fn remember_study(self: &Arc<LiveGame>, request: &AnalysisRequest) -> Result<(), ApiError> {
        let mut state = self.lock();
        let study = settings::Study { on: request.on, engine: request.engine.clone() };
        if state.settings.study == study {
            return Ok(());
        }
        state.settings.study = study;
        let from = state.plies.len() - 1;
        self.persist(&mut state, from)
    }
}
