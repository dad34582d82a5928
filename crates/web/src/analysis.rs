//! Analysis and review: searches that no game waits for.
//!
//! A tab has at most one analysis, of the position it looks at. It lives as
//! long as the tab's event stream; a search without a stream is stopped. An
//! analysis asks for certainty first: book and solver run before and beside its search,
//! in the same queue for slots and with memory of its own, and what it knows
//! stands in the report beside the search's estimates.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use search::{Limits, SearchInfo, Work};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use session::{BookMove, ExactMoves, Session};
use tokio::sync::watch;

use crate::error::ApiError;
use crate::exact_report;
use crate::live_game::{LiveGame, first_chance, line_names, name, report_json};
use crate::search_pool::{CancelToken, SearchJob};
use crate::settings;
use crate::slots::Purpose;

/// An analysis without a request for this long is removed.
const LONGEST: Duration = Duration::from_secs(1800);

/// Megabytes of an analysis's solver, beside those of its search.
const SOLVER_MEMORY: u64 = 32;

/// What a tab asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct AnalysisRequest {
    /// Which tab; it chose the name itself.
    pub tab: String,
    /// Whether to analyse at all.
    pub on: bool,
    /// Who analyses.
    pub engine: String,
    /// The position, by its number of moves.
    pub ply: usize,
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
        let session = game.session_at(request.ply).ok();
        let engine = game.app.engine_limits.analyst_of_all_moves(&game.spec, &request.engine)?;
        let mut tabs = self.lock();
        let Some(tab) = tabs.get_mut(&key(&game.id, &request.tab)) else {
            return Err(ApiError::stale("this page has lost its connection"));
        };
        tab.cancel.cancel();
        tab.cancel = CancelToken::default();
        tab.reports.send_replace(None);
        let Some(session) = session.filter(|session| request.on && session.outcome().is_none())
        else {
            return Ok(());
        };
        if !game.app.pool.has_room() {
            return Err(ApiError::busy());
        }
        let engine = game.app.lease(&session, engine, crate::id::seed(), None)?;
        let engine = engine.ok_or_else(ApiError::busy)?;
        let (reports, cancel) = (tab.reports.clone(), tab.cancel.clone());
        let findings = Findings { info: SearchInfo::default(), book: Vec::new(), exact: None };
        let findings = Arc::new(Mutex::new(findings));
        let study = Study { session: session.clone(), ply: request.ply, findings, reports, cancel };
        // Certainty first: book and solver enter the queue for slots before the
        // search.
        let (memory, known) = (game.app.memory.take_spare(SOLVER_MEMORY), study.clone());
        game.app.pool.run_beside(study.cancel.clone(), move |mut slot| {
            let book = session.book_moves();
            if !book.is_empty() {
                known.publish(|findings| findings.book = book);
            }
            let Some(memory) = memory else { return };
            session.solve_moves(memory.megabytes() as usize, &mut |exact| {
                if let Some(exact) = exact {
                    known.publish(|findings| findings.exact = Some(exact.clone()));
                }
                slot.poll()
            });
        });
        let work = Work::Search(Limits::time(LONGEST));
        let job = SearchJob { engine, work, purpose: Purpose::Study, cancel: study.cancel.clone() };
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
    ply: usize,
    findings: Arc<Mutex<Findings>>,
    reports: watch::Sender<Option<Arc<Value>>>,
    cancel: CancelToken,
}

impl Study {
    /// Adds to what is known and sends all of it to the tab. The lock is held to
    /// the end, so that an older report never replaces a newer one.
    fn publish(&self, add: impl FnOnce(&mut Findings)) {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut findings);
        if self.cancel.is_cancelled() {
            return;
        }
        let mover = self.session.to_move();
        let mut report = report_json(&self.session, mover, self.ply, &findings.info);
        if let Some(exact) = &findings.exact {
            exact_report::add(&mut report, &self.session, exact);
        }
        exact_report::add_book(&mut report, &self.session, &findings.book);
        self.reports.send_replace(Some(Arc::new(report)));
    }
}

fn key(game: &str, tab: &str) -> (String, String) {
    (game.to_owned(), tab.to_owned())
}

/// What a review says about one position of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// Moves played before it.
    pub ply: usize,
    /// First's chance to win with best play, from 0 to 1.
    pub first: f64,
    /// The best move's text, and as people write it.
    pub best: Option<String>,
    /// As people write it.
    pub best_name: Option<String>,
    /// The best line, as people write it.
    pub line: Vec<String>,
    /// What the move played here cost its mover, from 0 to 1; none at the end.
    pub cost: Option<f64>,
}

/// How much a review thinks about each position: work rather than time, so that
/// a busy machine finds the same.
const GLANCE: Limits = Limits {
    time: Some(Duration::from_secs(5)),
    clock: None,
    nodes: Some(600_000),
    sims: Some(15_000),
    depth: None,
};

impl LiveGame {
    /// Looks at every position of the game, last first, because what comes later
    /// explains what came before. Ends early if the last stream closes or the game
    /// changes.
    pub fn review(self: &Arc<LiveGame>) -> Result<(), ApiError> {
        if !self.app.pool.has_room() {
            return Err(ApiError::busy());
        }
        let last = self.lock().plies.len() - 1;
        let end = self.session_at(last)?;
        let mut found = Vec::new();
        if let Some(outcome) = end.outcome() {
            found.push(Judgement {
                ply: last,
                first: f64::from(outcome.for_first() + 1) / 2.0,
                best: None,
                best_name: None,
                line: Vec::new(),
                cost: None,
            });
        }
        let next = if found.is_empty() { Some(last) } else { last.checked_sub(1) };
        self.glance(next, last, found)
    }

    fn glance(
        self: &Arc<LiveGame>,
        ply: Option<usize>,
        length: usize,
        mut found: Vec<Judgement>,
    ) -> Result<(), ApiError> {
        self.tell_review(&found, length, ply.is_none())?;
        let Some(ply) = ply else { return Ok(()) };
        if self.lock().plies.len() - 1 != length || self.snapshots_unwatched() {
            return Ok(());
        }
        let session = self.session_at(ply)?;
        let spec = self.app.engine_limits.analyst(&self.spec, "best")?;
        let engine = self.app.lease(&session, spec, 1, None)?.ok_or_else(ApiError::busy)?;
        let job = SearchJob {
            engine,
            work: Work::Search(GLANCE),
            purpose: Purpose::Study,
            cancel: CancelToken::default(),
        };
        let game = Arc::clone(self);
        self.app.pool.run(
            job,
            |_| {},
            move |_, answer| {
                let Some(info) = answer else { return };
                let judgement = game.judge(ply, &session, &info, &found);
                found.push(judgement);
                // A review that can't be written or goes on about a changed game
                // just ends; the page can ask again.
                let _ = game.glance(ply.checked_sub(1), length, found);
            },
        );
        Ok(())
    }

    fn judge(
        &self,
        ply: usize,
        session: &Session,
        info: &SearchInfo<String>,
        found: &[Judgement],
    ) -> Judgement {
        let played = self.lock().plies.get(ply + 1).and_then(|ply| ply.mv.clone());
        let mover = session.to_move();
        let after = found.last().filter(|next| next.ply == ply + 1).map(|next| next.first);
        let mut first = first_chance(mover, info.win_rate);
        let mut cost = None;
        if let (Some(after), Some(played)) = (after, &played) {
            let (own_before, own_after) = (first_chance(mover, first), first_chance(mover, after));
            // The best move costs nothing, and a position is worth what a move
            // that was played has shown it to be worth.
            if info.best.as_ref() == Some(played) || own_after > own_before {
                first = after;
                cost = Some(0.0);
            } else {
                cost = Some(own_before - own_after);
            }
        }
        let line = info.lines.first().map(|line| line_names(session, &line.pv, 10));
        Judgement {
            ply,
            first,
            best: info.best.clone(),
            best_name: info.best.as_ref().and_then(|mv| name(session, mv)),
            line: line.unwrap_or_default(),
            cost,
        }
    }

    fn tell_review(&self, found: &[Judgement], length: usize, done: bool) -> Result<(), ApiError> {
        let value = serde_json::json!({ "length": length, "done": done, "found": found });
        let text = value.to_string();
        if done {
            let mut state = self.lock();
            state.review = Some(text.clone());
            self.write(&mut state, length)?;
        }
        self.review.send_replace(Some(Arc::new(text)));
        Ok(())
    }

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

    fn snapshots_unwatched(&self) -> bool {
        self.review.receiver_count() == 0
    }
}
