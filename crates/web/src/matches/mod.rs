//! Matches and reports that other processes write, for people who watch.
//!
//! Nothing is written to their folder. A visitor never names a file: every
//! request names a source by an id that `sources` gave it, so there is no path
//! to play tricks with. The files may come from anywhere, so what they make the
//! server do is bounded: the time of a store's queries (`arena`), the sizes here,
//! and the number of requests that read at a time ([`Matches::reader`]). The
//! others wait without a thread, and not for long.

mod games;
mod report;
mod sources;
mod tables;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arena::{MatchConfig, MatchId, Store, StoreError};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::store::StoredGame;
use sources::{Kind, Source};

/// How long a listing is good enough.
const FRESH: Duration = Duration::from_secs(2);
/// The time after which a listing has to do with what it has.
const MOST_LISTING: Duration = Duration::from_secs(3);
/// The most engines of a match that is shown: its table grows with their square.
const MOST_ENGINES: usize = 64;
/// Requests that read at a time.
const READERS: usize = 2;
/// How long a request waits to read.
const PATIENCE: Duration = Duration::from_secs(4);

/// A window on a folder of matches and reports.
#[derive(Debug)]
pub struct Matches {
    folder: Option<PathBuf>,
    /// The last listing and when it was made. Never locked while files are read.
    listing: Mutex<Option<(Instant, Value)>>,
    readers: Arc<Semaphore>,
}

impl Matches {
    /// On this folder; `None` shows nothing.
    pub fn new(folder: Option<PathBuf>) -> Matches {
        let readers = Arc::new(Semaphore::new(READERS));
        Matches { folder, listing: Mutex::default(), readers }
    }

    /// Waits until this request may read files; it may until the permit is
    /// dropped.
    pub async fn reader(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = Arc::clone(&self.readers).acquire_owned();
        match tokio::time::timeout(PATIENCE, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => {
                let sentence = "the matches take long to read; try again in a moment";
                Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence))
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<(Instant, Value)>> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every match and report there is.
    pub fn list(&self) -> Value {
        if let Some((when, value)) = &*self.kept()
            && when.elapsed() < FRESH
        {
            return value.clone();
        }
        let (stores, reports): (Vec<Source>, Vec<Source>) =
            self.sources().into_iter().partition(|source| source.kind == Kind::Store);
        let began = Instant::now();
        let in_time = |_: &&Source| began.elapsed() < MOST_LISTING;
        let stores: Vec<Value> =
            stores.iter().take_while(in_time).filter_map(tables::store).collect();
        let reports: Vec<Value> =
            reports.iter().take_while(in_time).filter_map(report::entry).collect();
        let value = json!({ "stores": stores, "reports": reports });
        *self.kept() = Some((Instant::now(), value.clone()));
        value
    }

    /// One match with its table and its last games.
    pub fn show(&self, store: &str, number: i64) -> Result<Value, ApiError> {
        let (source, store, id, config) = self.enter(store, number)?;
        tables::whole(&source, &store, id, &config).map_err(unreadable)
    }

    /// A finished game of a match, as a live game.
    pub fn game(&self, store: &str, number: i64, index: u64) -> Result<StoredGame, ApiError> {
        let (_, store, id, config) = self.enter(store, number)?;
        let played = store.game(id, index).map_err(unreadable)?.ok_or_else(missing)?;
        games::saved(&config, &played)
    }

    /// A report as data.
    pub fn report(&self, id: &str) -> Result<Value, ApiError> {
        report::data(&self.find(id, Kind::Report)?)
    }

    /// A report as the page that its experiment wrote.
    pub fn report_page(&self, id: &str) -> Result<String, ApiError> {
        report::page(&self.find(id, Kind::Report)?)
    }

    fn sources(&self) -> Vec<Source> {
        self.folder.as_deref().map(sources::scan).unwrap_or_default()
    }

    fn find(&self, id: &str, kind: Kind) -> Result<Source, ApiError> {
        let mut all = self.sources().into_iter();
        all.find(|source| source.kind == kind && source.id == id).ok_or_else(missing)
    }

    fn enter(
        &self,
        store: &str,
        number: i64,
    ) -> Result<(Source, Store, MatchId, MatchConfig), ApiError> {
        let source = self.find(store, Kind::Store)?;
        let store = Store::open_read_only(&source.path).map_err(unreadable)?;
        let mut matches = store.matches().map_err(unreadable)?.into_iter();
        let (id, config) = matches.find(|(id, _)| id.number() == number).ok_or_else(missing)?;
        if config.engines.len() > MOST_ENGINES {
            let sentence = format!("a match is shown with at most {MOST_ENGINES} engines");
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence));
        }
        Ok((source, store, id, config))
    }
}

fn missing() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is no such match or report here")
}

/// A page is never sent a file's path.
fn unreadable(error: StoreError) -> ApiError {
    let sentence = match error {
        StoreError::Damaged(_, what) => format!("the store is damaged: {what}"),
        StoreError::Sql(error) => match storage::Fault::of(&error).sentence() {
            Some(sentence) => format!("the store can't be read: {sentence}"),
            None => format!("the store can't be read: {error}"),
        },
        _ => "the store can't be read".to_owned(),
    };
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
}
