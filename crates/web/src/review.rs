//! The review of a game: every position judged, the last first, because what comes
//! later explains what came before; and attempts to play a mistake better.
//!
//! What a move costs is decided by [`session::review`]. Here is who may compute
//! when, and what a page gets: each judgement as soon as there is one.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};
use session::review::{Judgement, Reviewer, accuracy};
use session::{Fact, Session};
use tokio::sync::oneshot;

use crate::analysis::SOLVER_MEMORY;
use crate::error::ApiError;
use crate::live_game::{LiveGame, line_names, name};
use crate::memory::{LeasedEngine, MemoryLease};
use crate::search_pool::{CancelToken, StudyPermit, StudySlot};

/// What a page gets of one position.
#[derive(Clone, Debug, Serialize)]
struct ReviewedPly {
    ply: usize,
    /// First's chance to win with best play, from 0 to 1.
    first: f64,
    certain: bool,
    best: Option<String>,
    best_name: Option<String>,
    /// A best line as people write it, and as text.
    line: Vec<String>,
    moves: Vec<String>,
    /// The answer to a mistake: the line that begins with the move played, in both
    /// forms.
    answer: Vec<String>,
    answer_moves: Vec<String>,
    /// What the move played here cost its mover, from 0 to 1; none at the end.
    cost: Option<f64>,
    /// Why, for a mistake.
    why: Vec<Fact>,
    /// Who moved.
    #[serde(skip)]
    by: usize,
}

/// The longest line that is sent.
const LONGEST: usize = 14;

impl ReviewedPly {
    fn new(ply: usize, session: &Session, found: Judgement) -> ReviewedPly {
        let cut = |line: &[String]| line[..line.len().min(LONGEST)].to_vec();
        ReviewedPly {
            ply,
            first: found.first,
            certain: found.certain,
            best: found.best().cloned(),
            best_name: found.best().and_then(|mv| name(session, mv)),
            line: line_names(session, &found.line, LONGEST),
            moves: cut(&found.line),
            answer: line_names(session, &found.refutation, LONGEST),
            answer_moves: cut(&found.refutation),
            cost: found.cost,
            why: found.facts,
            by: session.to_move() as usize,
        }
    }
}

/// What a review computes with.
struct Means {
    engine: LeasedEngine,
    memory: MemoryLease,
    _permit: StudyPermit,
}

impl LiveGame {
    fn review_means(&self, session: &Session) -> Result<Means, ApiError> {
        let permit = self.app.pool.enter_study().ok_or_else(ApiError::busy)?;
        let spec = self.app.engine_limits.analyst(&self.spec, "best")?;
        let engine = self.app.lease(session, spec, 1, None)?.ok_or_else(ApiError::busy)?;
        let memory = self.app.memory.take_spare(SOLVER_MEMORY).ok_or_else(ApiError::busy)?;
        Ok(Means { engine, memory, _permit: permit })
    }

    /// Looks at every position of the game. Ends early if the last stream closes or
    /// the game changes.
    pub fn review(self: &Arc<LiveGame>) -> Result<(), ApiError> {
        let last = self.lock().plies.len() - 1;
        let means = self.review_means(&self.session_at(last)?)?;
        self.tell_review(&[], last, false)?;
        let game = Arc::clone(self);
        self.app.pool.run_beside(CancelToken::default(), move |slot| {
            if !matches!(game.review_all(slot, means, last), Ok(true)) {
                // It can't be written, or the game has changed, or nobody looks: the
                // page shows what there was before, and can ask again.
                let before = game.lock().review.clone();
                game.review.send_replace(before.map(Arc::new));
            }
        });
        Ok(())
    }

    /// Whether it came to its end.
    fn review_all(&self, slot: StudySlot, mut means: Means, last: usize) -> Result<bool, ApiError> {
        let megabytes = means.memory.megabytes() as usize;
        let mut reviewer = Reviewer::new(&mut means.engine.handle, megabytes, poll(slot));
        let mut found: Vec<ReviewedPly> = Vec::new();
        for ply in (0..=last).rev() {
            let changed = self.lock().plies.len() - 1 != last;
            if changed || self.is_unwatched() {
                return Ok(false);
            }
            let session = self.session_at(ply)?;
            let judgement = match session.outcome() {
                Some(outcome) => {
                    let first = f64::from(outcome.for_first() + 1) / 2.0;
                    Judgement { first, certain: true, ..Judgement::default() }
                }
                None => {
                    let played = self.lock().plies.get(ply + 1).and_then(|ply| ply.mv.clone());
                    let after = found.last().map(|next| next.first);
                    let judged = reviewer.judge(&session, played.as_deref(), after);
                    let Some(judgement) = judged else { return Ok(false) };
                    judgement
                }
            };
            found.push(ReviewedPly::new(ply, &session, judgement));
            self.tell_review(&found, last, ply == 0)?;
        }
        Ok(true)
    }

    fn tell_review(
        &self,
        found: &[ReviewedPly],
        length: usize,
        done: bool,
    ) -> Result<(), ApiError> {
        let accuracy = [0, 1].map(|player| mean_accuracy(found, player));
        let review =
            json!({ "length": length, "done": done, "found": found, "accuracy": accuracy });
        let text = review.to_string();
        if done {
            let mut state = self.lock();
            state.review = Some(text.clone());
            self.write(&mut state, length)?;
        }
        self.review.send_replace(Some(Arc::new(text)));
        Ok(())
    }

    /// Judges a move that is tried at a ply in place of the one that was played.
    pub async fn try_move(self: Arc<LiveGame>, ply: usize, mv: String) -> Result<Value, ApiError> {
        let session = self.session_at(ply)?;
        if !session.legal().contains(&mv) {
            return Err(ApiError::bad(format!("'{mv}' can't be played here")));
        }
        let mut means = self.review_means(&session)?;
        let (sender, receiver) = oneshot::channel();
        self.app.pool.run_beside(CancelToken::default(), move |slot| {
            let megabytes = means.memory.megabytes() as usize;
            let mut reviewer = Reviewer::new(&mut means.engine.handle, megabytes, poll(slot));
            let judged = reviewer.attempt(&session, &mv);
            let reviewed = judged.map(|found| ReviewedPly::new(ply, &session, found));
            let _ = sender.send(reviewed);
        });
        let reviewed = receiver.await.ok().flatten().ok_or_else(ApiError::busy)?;
        Ok(json!(reviewed))
    }
}

/// The mean over a player's moves.
fn mean_accuracy(found: &[ReviewedPly], player: usize) -> Option<f64> {
    let own = found.iter().filter(|one| one.by == player).filter_map(|one| one.cost);
    let (sum, count) = own.fold((0.0, 0u32), |(sum, n), cost| (sum + accuracy(cost), n + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Whether a computation goes on, for its search and its solver alike.
fn poll(slot: StudySlot) -> impl Fn() -> ControlFlow<()> + Clone + Send + 'static {
    let slot = Arc::new(Mutex::new(slot));
    move || slot.lock().unwrap_or_else(PoisonError::into_inner).poll()
}
