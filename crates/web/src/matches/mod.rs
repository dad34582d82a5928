//! The arena and the reports, for people who watch.
//!
//! Matches are played elsewhere, by other processes; here is only a window on
//! the folder in which they keep their stores and reports. Nothing is written
//! there. A visitor never names a file: every request names a source by an id
//! that `sources` gave it, so there is no path to play tricks with.
//!
//! One reader at a time: twenty people who watch a large match cost as much as
//! one, because the listing is kept for a moment.

mod games;
mod report;
mod sources;
mod tables;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::{MatchConfig, MatchId, Store, StoreError};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::store::StoredGame;
use sources::{Kind, Source};

/// How long a listing is good enough.
const FRESH: Duration = Duration::from_secs(2);

/// A window on a folder of matches and reports.
#[derive(Debug, Default)]
pub struct Matches {
    folder: Option<PathBuf>,
    /// The last listing and when it was made; the lock also makes readers queue.
    listing: Mutex<Option<(Instant, Value)>>,
}

impl Matches {
    /// On this folder; `None` shows nothing.
    pub fn new(folder: Option<PathBuf>) -> Matches {
        Matches { folder, listing: Mutex::default() }
    }

    /// Every match and report there is.
    pub fn list(&self) -> Value {
        let mut kept = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, value)) = &*kept
            && when.elapsed() < FRESH
        {
            return value.clone();
        }
        let (stores, reports): (Vec<Source>, Vec<Source>) =
            self.sources().into_iter().partition(|source| source.kind == Kind::Store);
        let stores: Vec<Value> = stores.iter().filter_map(tables::store).collect();
        let reports: Vec<Value> = reports.iter().filter_map(report::entry).collect();
        let value = json!({ "stores": stores, "reports": reports });
        *kept = Some((Instant::now(), value.clone()));
        value
    }

    /// One match with its table and its last games.
    pub fn show(&self, store: &str, number: i64) -> Result<Value, ApiError> {
        let _turn = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        let (source, store, id, config) = self.enter(store, number)?;
        tables::whole(&source, &store, id, &config).map_err(unreadable)
    }

    /// A finished game of a match, as a live game.
    pub fn game(&self, store: &str, number: i64, index: u64) -> Result<StoredGame, ApiError> {
        let _turn = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
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
        StoreError::Sql(error) => format!("the store can't be read: {error}"),
        _ => "the store can't be read".to_owned(),
    };
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
}
